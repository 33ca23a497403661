#!/usr/bin/env python3
"""Posts a large Health Auto Export body to a real server and looks at the server's memory.

    swift build -c release --product server
    scripts/check-large-body.py .build/release/server [MEGABYTES]

Fails when the server's peak (VmHWM) passes 64 MiB, when a row is missing, or when something is left in DIR/spool.
"""
import datetime
import gzip
import http.client
import json
import os
import subprocess
import sys
import tempfile

LIMIT_KIB = 64 << 10
TOKEN = "tok_invented_for_this_check"


def steps(count, start):
    for index in range(count):
        time = start + datetime.timedelta(seconds=5 * index)
        yield '{"date":"%s +0000","qty":%d,"source":"Watch"}' % (time.strftime("%Y-%m-%d %H:%M:%S"), index % 90 + 1)


def metrics(count):
    start = datetime.datetime(2026, 1, 1)
    points = ",\n".join(steps(count, start))
    return ('{"data":{"metrics":[{"name":"step_count","units":"count","data":[%s]}]}}' % points).encode()


def heart(count):
    """Each about 750 KB, as an ECG is."""
    records = []
    for index in range(count):
        start = datetime.datetime(2026, 1, 1) + datetime.timedelta(hours=index)
        at = int(start.replace(tzinfo=datetime.timezone.utc).timestamp())
        voltages = ",".join(
            '{"date":%d.%03d,"voltage":%d.5,"units":"mcV"}' % (at + n // 512, n % 512, n * 7 % 90) for n in range(15360))
        text = start.strftime("%Y-%m-%d %H:%M:%S +0000")
        records.append(
            '{"start":"%s","end":"%s","classification":"Sinus Rhythm","source":"Watch","voltageMeasurements":[%s]}'
            % (text, text, voltages))
    return ('{"data":{"metrics":[],"ecg":[%s]}}' % ",".join(records)).encode()


def main():
    server = sys.argv[1]
    megabytes = int(sys.argv[2]) if len(sys.argv) > 2 else 48
    with tempfile.TemporaryDirectory() as folder:
        data = os.path.join(folder, "data")
        subprocess.run(
            [server, "init", "--data", data, "--format", "hae", "--no-sign", "--token", TOKEN, "--time-zone", "UTC"],
            check=True, capture_output=True)
        process = subprocess.Popen(
            [server, "serve", "--data", data, "--bind", "127.0.0.1", "--port", "0", "--api-bind", "off"], stderr=subprocess.PIPE, text=True)
        try:
            line = next(line for line in process.stderr if "listening on" in line)
            port = int(line.split("http://127.0.0.1:")[1].split()[0])
            return check(process, port, data, megabytes)
        finally:
            process.terminate()
            process.communicate()


def check(process, port, data, megabytes):
    failures = 0
    count = megabytes * 1_000_000 // 68
    body = metrics(count)
    cases = [
        ("metrics", body, {}, count), ("metrics again, gzip", gzip.compress(body, 1), {"Content-Encoding": "gzip"}, count),
        ("ECGs", heart(40), {}, 40),
    ]
    for name, sent, headers, expected in cases:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=600)
        headers = {"api-key": TOKEN, "Content-Type": "application/json", **headers}
        connection.request("POST", "/hook/phone", sent, headers)
        answer = connection.getresponse()
        counts = json.loads(answer.read())
        with open("/proc/%d/status" % process.pid) as status:
            peak = next(int(line.split()[1]) for line in status if line.startswith("VmHWM"))
        left = os.listdir(os.path.join(data, "spool")) if os.path.exists(os.path.join(data, "spool")) else []
        stored = counts.get("stored", 0) + counts.get("repeated", 0)
        isRight = answer.status == 200 and stored == expected and peak <= LIMIT_KIB and not left
        failures += not isRight
        print("%s %s: %d bytes, status %d, %d of %d rows, peak %d KiB" % (
            "ok" if isRight else "FAILED", name, len(sent), answer.status, stored, expected, peak), flush=True)
    return failures


if __name__ == "__main__":
    sys.exit(1 if main() else 0)
