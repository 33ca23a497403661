#!/usr/bin/env python3
"""Abuses a real server on 127.0.0.1 in every way that a stranger can, while a phone goes on sending.

    swift build -c release --static-swift-stdlib --product server
    scripts/abuse.py .build/release/server [--seconds S] [--only NAME,…] [--json FILE]

For each kind of abuse: the phone's 50th and 99th percentile before and during it, the server's largest resident memory, its
descriptors afterwards and what it logged. Ends with 1 when the phone got an error, when its p99 more than doubled (below
--floor milliseconds it may), when memory passed --memory MiB, when more than 20 lines about strangers were logged, or when
connections were left. The first row is a control, as many processes as processors that count and send nothing: a p99 as
long as beside those is the system's doing. What is sent is made ahead, and its sender is nice: generator, phone and server
share the machine, and this is about the server. Needs Python 3 and the `openssl` command.
"""

import argparse
import gzip
import hashlib
import hmac
import http.client
import json
import multiprocessing
import os
import pathlib
import random
import resource
import shutil
import socket
import ssl
import subprocess
import sys
import tempfile
import threading
import time
import uuid

TOKEN = "tok_invented_for_the_abuse"
SECRET = "whsec_invented_for_the_abuse_0123456789abcdefghij"


# What strangers do. Each runs in a process of its own until `end`, on its own addresses where it needs many connections; those
# that have something to make ahead do so and return what to run.


def sockets(port, count, each=200):
    """`count` connections, `each` of them from one address of 127.0.0.0/8: one address alone would meet its own limit."""
    made = []
    for index in range(count):
        one = socket.socket()
        one.settimeout(5)
        try:
            one.bind(("127.0.%d.%d" % (1 + index // each // 200, 2 + index // each % 200), 0))
            one.connect(("127.0.0.1", port))
        except OSError:
            one.close()
            continue
        one.setblocking(False)
        made.append(one)
    return made


def drip(port, end, count, pieces):
    """Keeps `count` connections, each sending a piece a quarter of a second; those that were closed are made again."""
    open_now = []
    while time.monotonic() < end:
        open_now += [(one, pieces()) for one in sockets(port, count - len(open_now))]
        for pair in list(open_now):
            try:
                pair[0].send(next(pair[1]))
            except BlockingIOError:
                pass
            except (OSError, StopIteration):
                pair[0].close()
                open_now.remove(pair)
        time.sleep(0.25)


def slow_headers(port, end):
    def pieces():
        yield b"POST /hook/phone HTTP/1.1\r\nHost: a\r\n"
        while True:
            yield b"X-%d: a\r\n" % random.getrandbits(16)

    drip(port, end, 500, pieces)


def slow_bodies(port, end):
    def pieces():
        yield b"POST /hook/app HTTP/1.1\r\nHost: a\r\napi-key: %s\r\nContent-Type: application/json\r\nContent-Length: 900000\r\n\r\n" % TOKEN.encode()
        while True:
            yield b" "

    drip(port, end, 500, pieces)


def idle(port, end):
    made = sockets(port, 4096)
    time.sleep(max(0, end - time.monotonic()))
    del made


def tls_stalls(port, end):
    hello = bytes.fromhex("16030100c8010000c40303") + bytes(32)

    def pieces():
        yield hello[:11]
        for byte in hello[11:]:
            yield bytes([byte])

    drip(port, end, 500, pieces)


def tls_garbage(port, end):
    while time.monotonic() < end:
        for one in sockets(port, 50):
            try:
                one.send(random.choice((b"GET / HTTP/1.1\r\nHost: a\r\n\r\n", random.randbytes(300), b"\x16\x03\x01\xff\xff" + bytes(500), b"\x80\x2e\x01")))
            except OSError:
                pass
            one.close()
        time.sleep(0.01)


def never_reads(port, end):
    made = sockets(port, 200)
    requests = b"GET /readyz HTTP/1.1\r\nHost: a\r\n\r\n" * 100
    while time.monotonic() < end:
        for one in list(made):
            try:
                one.send(requests)
            except BlockingIOError:
                pass
            except OSError:
                made.remove(one)
        time.sleep(0.02)


def wrong_tokens(port, end):
    begin, sent = time.monotonic(), 0
    request = b"POST /hook/phone HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer wrong\r\nX-Syncky-Format: native\r\nContent-Length: 2\r\n\r\n{}"
    while time.monotonic() < end:
        for one in sockets(port, 20):
            try:
                one.send(request)
            except OSError:
                pass
            one.close()
            sent += 1
        time.sleep(max(0, begin + sent / 1000 - time.monotonic()))


def request(body, headers=(), chunked=False, media=b"application/json"):
    length = b"Transfer-Encoding: chunked" if chunked else b"Content-Length: %d" % len(body)
    lines = [b"POST /hook/app HTTP/1.1", b"Host: a", b"api-key: " + TOKEN.encode(), b"Content-Type: " + media, length, *headers]
    return b"\r\n".join(lines) + b"\r\n\r\n" + body


def post_all(requests):
    """Sends one after the other, each on a connection of its own, again and again."""

    def run(port, end):
        while time.monotonic() < end:
            for whole in requests:
                with socket.create_connection(("127.0.0.1", port), timeout=20) as one:
                    try:
                        one.sendall(whole)
                    except OSError:
                        pass  # refused while it was sent
                    try:
                        one.recv(64)
                    except OSError:
                        pass

    return run


def brackets():
    return post_all([request(b"[" * (4 << 20)), request(b'{"data":' + b"[" * (4 << 20)), request(b'{"a":' * (800 << 10))])


def gzip_bombs():
    bomb = gzip.compress(b'{"data":{"metrics":[' + b" " * (300 << 20), 9)
    return post_all([request(inner, [b"Content-Encoding: gzip"]) for inner in (bomb, gzip.compress(bomb))])


def chunk_headers():
    bodies = (b"5;" + b"x" * (16 << 20), b"0" * (16 << 20), b"ffffffffffffffff\r\n" + b"x" * 1000, b"1\r\nx\r\n" * 200_000)
    return post_all([request(body, chunked=True) for body in bodies])


def many_names():
    """Objects of very many members whose names look alike to a weak hash."""
    return post_all([request(b'{"data":{' + b",".join(b'"%016x":0' % (n << 32) for n in range(120_000)) + b"}}")])


def large_forms():
    """Forms of one huge part, and white space that might have JSON behind it."""
    form = b"--X\r\nContent-Type: application/json\r\n\r\n" + b" " * (40 << 20) + b"\r\n--X--\r\n"
    return post_all([request(form, media=b"multipart/form-data; boundary=X"), request(b" " * (40 << 20), media=b"text/plain")])


def pipelines(port, end):
    """Reads what it is answered, and asks a hundred times at once on each of 100 connections."""
    made = sockets(port, 100)
    asked = b"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n" * 100
    while time.monotonic() < end:
        for one in list(made):
            try:
                one.send(asked)
                one.recv(1 << 20)
            except BlockingIOError:
                pass
            except OSError:
                made.remove(one)
        time.sleep(0.005)


def comes_and_goes(port, end):
    while time.monotonic() < end:
        for one in sockets(port, 100):
            one.close()


def count_until(end):
    while time.monotonic() < end:
        for _ in range(10_000):
            pass


def busy_processors(port, end):
    """The control: sends nothing, so what it does to the phone is the system's sharing of its processors, not the server."""
    others = [multiprocessing.Process(target=count_until, args=(end,)) for _ in range(os.cpu_count() - 1)]
    for other in others:
        other.start()
    count_until(end)
    for other in others:
        other.join()


# name: what, whether over TLS. Those that have the right token are logged, a line a request, as the owner's requests are.
OWNERS = {"slow bodies", "brackets", "gzip bombs", "chunk headers", "many names", "large forms"}
MADE_AHEAD = {brackets, gzip_bombs, chunk_headers, many_names, large_forms}
ABUSES = {
    "busy processors": (busy_processors, False),
    "slow headers": (slow_headers, False), "slow bodies": (slow_bodies, False), "4,096 idle": (idle, False),
    "TLS stalls": (tls_stalls, True), "TLS garbage": (tls_garbage, True), "never reads": (never_reads, False),
    "wrong tokens": (wrong_tokens, False), "brackets": (brackets, False), "gzip bombs": (gzip_bombs, False),
    "chunk headers": (chunk_headers, False), "comes and goes": (comes_and_goes, False), "many names": (many_names, False),
    "large forms": (large_forms, False), "pipelines": (pipelines, False),
}


def be_a_stranger(abuse, port, seconds, is_ready):
    os.nice(10)
    run = abuse() if abuse in MADE_AHEAD else abuse
    is_ready.set()
    run(port, time.monotonic() + seconds)


class Server:
    def __init__(self, program, root, encrypted):
        self.data, self.log = root / ("tls" if encrypted else "plain"), root / ("tls.log" if encrypted else "plain.log")
        run = lambda *words: subprocess.run([program, *words, "--data", self.data], input=SECRET + "\n", text=True, capture_output=True, check=True)
        run("init", "phone", "--token", TOKEN, "--hmac", "-", "--time-zone", "UTC")
        run("add", "app", "--format", "hae", "--no-sign", "--token", TOKEN, "--time-zone", "UTC")
        words = [program, "serve", "--data", self.data, "--bind", "127.0.0.1", "--port", "0", "--api-bind", "off"]
        self.scheme = "https" if encrypted else "http"
        if encrypted:
            certificate, key = root / "cert.pem", root / "key.pem"
            subprocess.run(
                ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", key, "-out", certificate,
                 "-days", "90", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"], check=True, capture_output=True)
            key.chmod(0o600)
            words += ["--tls-cert", certificate, "--tls-key", key]
        self.process = subprocess.Popen(words, stderr=open(self.log, "wb"))
        mark = "listening on %s://127.0.0.1:" % self.scheme
        for _ in range(2000):
            text = self.log.read_text()
            if mark in text:
                self.port = int(text.split(mark)[1].split()[0])
                return
            time.sleep(0.01)
        sys.exit("abuse: the server doesn't start: " + text)

    def memory(self, name="VmRSS"):
        with open("/proc/%d/status" % self.process.pid) as status:
            return next(int(line.split()[1]) for line in status if line.startswith(name)) / 1024

    def descriptors(self):
        return len(os.listdir("/proc/%d/fd" % self.process.pid))

    def lines(self):
        with open(self.log, "rb") as log:
            return sum(1 for _ in log)


class Phone(threading.Thread):
    """Sends ten samples at a time over one connection, as fast as it is answered; `times` in milliseconds."""

    def __init__(self, server):
        super().__init__(daemon=True)
        self.server, self.times, self.failures, self.stopping = server, [], [], False
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        self.connect = lambda: (
            http.client.HTTPSConnection("127.0.0.1", server.port, timeout=20, context=context) if server.scheme == "https"
            else http.client.HTTPConnection("127.0.0.1", server.port, timeout=20))

    def run(self):
        connection = self.connect()
        while not self.stopping:
            samples = [
                {"uuid": str(uuid.uuid4()), "type": "heart_rate", "value": 61, "unit": "count/min", "start": "2026-10-14T07:01:00Z",
                 "end": "2026-10-14T07:01:59Z"} for _ in range(10)]
            body = json.dumps({"v": 1, "type": "sync", "device": "d_1", "samples": samples}).encode()
            now = str(int(time.time()))
            code = hmac.new(SECRET.encode(), now.encode() + b"." + body, hashlib.sha256).hexdigest()
            headers = {
                "Authorization": "Bearer " + TOKEN, "Content-Type": "application/json", "X-Syncky-Format": "native",
                "X-Syncky-Delivery": str(uuid.uuid4()), "X-Syncky-Timestamp": now, "X-Syncky-Signature": "v1=" + code}
            begin = time.perf_counter()
            try:
                connection.request("POST", "/hook/phone", body, headers)
                answer = connection.getresponse()
                answer.read()
                if answer.status != 204:
                    self.failures.append(answer.status)
            except (OSError, http.client.HTTPException) as error:
                self.failures.append(repr(error))
                connection.close()
                connection = self.connect()
            self.times.append((time.perf_counter() - begin) * 1000)
            time.sleep(0.005)


def measure(server, seconds):
    phone = Phone(server)
    phone.start()
    peak, end = 0, time.monotonic() + seconds
    while time.monotonic() < end:
        time.sleep(0.1)
        peak = max(peak, server.memory())
    phone.stopping = True
    phone.join(30)
    times = sorted(phone.times)
    return {"p50": times[len(times) // 2], "p99": times[len(times) * 99 // 100], "count": len(times), "failures": phone.failures, "peak": peak}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("server")
    parser.add_argument("--seconds", type=float, default=5)
    parser.add_argument("--floor", type=float, default=50, help="milliseconds below which p99 may more than double")
    parser.add_argument("--memory", type=float, default=256, help="MiB that the server may have")
    parser.add_argument("--only", default="")
    parser.add_argument("--json")
    options = parser.parse_args()
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 16_384), hard))
    root = pathlib.Path(tempfile.mkdtemp(prefix="abuse-"))
    servers = {encrypted: Server(options.server, root, encrypted) for encrypted in (False, True)}
    names = options.only.split(",") if options.only else list(ABUSES)
    results, bad = [], 0
    print("%-16s %9s %9s %9s %9s %8s %6s %6s" % ("abuse", "p50 ms", "p99 ms", "p50 then", "p99 then", "MiB", "lines", "fds"))
    try:
        for name in names:
            abuse, encrypted = ABUSES[name]
            server = servers[encrypted]
            before, fds, lines = measure(server, options.seconds), server.descriptors(), server.lines()
            is_ready = multiprocessing.Event()
            stranger = multiprocessing.Process(target=be_a_stranger, args=(abuse, server.port, options.seconds + 2, is_ready))
            stranger.start()
            is_ready.wait(60)
            time.sleep(1)
            during = measure(server, options.seconds)
            stranger.join(30)
            stranger.kill()
            logged = server.lines() - lines - during["count"]
            deadline = time.monotonic() + 15
            while server.descriptors() > fds + 2 and time.monotonic() < deadline:
                time.sleep(0.1)
            left = server.descriptors() - fds
            faults = []
            if during["failures"]:
                faults.append("the phone got %s" % during["failures"][:3])
            if during["p99"] > max(2 * before["p99"], options.floor):
                faults.append("p99 more than doubled")
            if during["peak"] > options.memory:
                faults.append("memory")
            if logged > 20 and name not in OWNERS:
                faults.append("the log floods")
            if left > 2:
                faults.append("connections are left")
            if server.process.poll() is not None:
                faults.append("the server ended")
            bad += bool(faults)
            print("%-16s %9.1f %9.1f %9.1f %9.1f %8.0f %6d %6d %s" % (
                name, before["p50"], before["p99"], during["p50"], during["p99"], during["peak"], logged, left, "; ".join(faults) or "ok"), flush=True)
            results.append({"abuse": name, "before": before, "during": during, "lines": logged, "left": left, "faults": faults})
        for encrypted, server in servers.items():
            print("%s: peak of memory %.0f MiB" % (server.scheme, server.memory("VmHWM")))
    finally:
        for server in servers.values():
            server.process.terminate()
            server.process.wait(30)
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps(results, indent=1))
    if bad:
        print("abuse: %d of %d went wrong; logs are in %s" % (bad, len(names), root))
        return 1
    shutil.rmtree(root)
    return 0


if __name__ == "__main__":
    sys.exit(main())
