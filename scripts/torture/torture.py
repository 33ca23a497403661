#!/usr/bin/env python3
"""Kills a real server again and again and looks whether it kept its word. Started by scripts/torture.sh.

One round: a server starts on the data that earlier rounds left, four phones (native, CSV, line protocol, Health Auto Export
with bodies that are kept in a file among them) send as fast as they can, commands are queued and a backup is made meanwhile, something
goes wrong, the server is killed. Then, with nothing running, the database is read:

- SQLite's integrity_check is ok, and every view can be read to its end;
- every sample of an acknowledged delivery is there exactly once with its value, and none that it deleted;
- a delivery that was not acknowledged is there whole or not at all, its deletions with it;
- nothing else is there; every command that `server write` reported is there, every acknowledged result, too;
- a backup that was reported whole is, and has what was acknowledged before it began;
- nothing is left in the folder of large bodies once a server started again.
"""

import argparse
import collections
import http.client
import os
import pathlib
import random
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request

from phones import BASE, DIALECTS, SECRET, TOKEN, Book, Phone, key, value

HERE = pathlib.Path(__file__).resolve().parent
# How a round ends, and how often of 20.
KINDS = ["kill"] * 10 + ["term"] * 3 + ["full", "tmpfs", "eio", "eio", "clock", "descriptors", "descriptors"]


class Broken(Exception):
    """The server broke its word."""


class Torture:
    def __init__(self, options):
        self.options = options
        self.random = random.Random(options.seed)
        self.root = pathlib.Path(tempfile.mkdtemp(prefix="torture-"))
        self.log = self.root / "server.log"
        self.process = None
        self.sums = collections.Counter()
        self.is_mounted = False
        self.folder()

    # Setting up

    def server(self, *words, check=True):
        done = subprocess.run(
            [self.options.server, *words, "--data", str(self.data)], capture_output=True, text=True, timeout=120,
            input=SECRET + "\n" if "--hmac" in words else None)
        if check and done.returncode != 0:
            raise Broken("server %s: status %d: %s" % (" ".join(words), done.returncode, done.stderr))
        return done

    def folder(self):
        """A new data folder and a new book."""
        self.data = self.root / "data"
        shutil.rmtree(self.data, ignore_errors=True)
        self.server("init", "phone", "--token", TOKEN, "--hmac", "-", "--time-zone", "UTC")
        self.server("add", "app", "--format", "hae", "--no-sign", "--token", TOKEN, "--time-zone", "UTC")
        self.book = Book(large=0.3)

    def small_disk(self):
        """Moves the data folder to a disk with a few megabytes to spare; False where this user may mount none."""
        size = sum(path.stat().st_size for path in self.data.rglob("*") if path.is_file())
        self.kept = self.root / "kept"
        self.data.rename(self.kept)
        self.data.mkdir(mode=0o700)
        spare = size + self.random.randint(300_000, 6_000_000)
        if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=%d,mode=0700" % spare, "torture", self.data], capture_output=True).returncode != 0:
            self.data.rmdir()
            self.kept.rename(self.data)
            return False
        self.is_mounted = True
        shutil.copytree(self.kept, self.data, dirs_exist_ok=True)
        return True

    def large_disk(self):
        """Moves the data folder back."""
        if not self.is_mounted:
            return
        shutil.rmtree(self.kept)
        shutil.copytree(self.data, self.kept)
        subprocess.run(["umount", self.data], check=True)
        self.is_mounted = False
        self.data.rmdir()
        self.kept.rename(self.data)

    def start(self, kind):
        environment = dict(os.environ)
        words = [self.options.server, "serve", "--data", str(self.data), "--bind", "127.0.0.1", "--port", "0", "--api-bind", "off", "--spool-past-bytes", "65536"]
        preload = []
        if kind in ("full", "eio"):
            self.control = self.root / "failing"
            self.control.write_text("")
            environment["FAILING_DISK"] = str(self.control)
            preload.append(str(self.options.shim))
        if kind == "clock":
            self.control = self.root / "clock"
            self.control.write_text("+0\n")
            environment.update(FAKETIME_TIMESTAMP_FILE=str(self.control), FAKETIME_NO_CACHE="1", FAKETIME_DONT_FAKE_MONOTONIC="1")
            preload.append(self.options.faketime)
        if preload:
            environment["LD_PRELOAD"] = " ".join(preload)

        def limit():
            if kind == "descriptors":
                resource.setrlimit(resource.RLIMIT_NOFILE, (48, 48))

        with open(self.log, "ab") as log:
            begin = log.tell()
            self.process = subprocess.Popen(words, stderr=log, stdout=log, env=environment, preexec_fn=limit)
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            text = self.log.read_bytes()[begin:].decode(errors="replace")
            if "listening on http://127.0.0.1:" in text:
                return int(text.split("listening on http://127.0.0.1:")[1].split()[0])
            if self.process.poll() is not None:
                raise Broken("the server doesn't start: %s" % text[-2000:])
            time.sleep(0.01)
        raise Broken("the server doesn't listen within a minute")

    # One round

    def round(self, number):
        kind = self.random.choice(KINDS) if number else "kill"
        if kind == "tmpfs" and not self.small_disk():
            kind = "full"
        self.was_unclean = (self.data / "unclean").exists()
        port = self.start(kind)
        spool = self.data / "spool"
        if spool.exists() and any(spool.iterdir()):
            raise Broken("a large body's file was left")
        phones = [Phone(dialect, self.random.random(), self.book) for dialect in DIALECTS]
        for phone in phones:
            phone.port = port
            phone.start()
        stop = threading.Event()
        others = [threading.Thread(target=self.queue_commands, args=(stop, self.random.random()), daemon=True)]
        backup = None
        if self.random.random() < 0.3:
            backup = Backup(self)
            others.append(threading.Thread(target=backup.run, daemon=True))
        for thread in others:
            thread.start()
        duration = self.random.uniform(0.05, self.options.seconds)
        self.trouble(kind, duration, port)
        ended = self.end(kind)
        stop.set()
        for phone in phones:
            phone.stopping.set()
        for thread in [*phones, *others]:
            thread.join(60)
            if thread.is_alive():
                raise Broken("%s still waits a minute after the server's end" % thread)
        for phone in phones:
            if phone.error:
                raise Broken(str(phone.error))
            self.sums.update({"%s %d" % (phone.dialect, status): count for status, count in phone.statuses.items()})
        self.large_disk()
        if ended:
            raise Broken(ended)
        with sqlite3.connect("file:%s/health.db?mode=rw" % self.data, uri=True) as database:
            self.check(database, complete=False)
        database.close()
        if backup:
            backup.check()
        self.sums["rounds " + kind] += 1

    def trouble(self, kind, duration, port):
        """What happens while the phones send, in `duration` seconds."""
        if kind in ("full", "eio"):
            for _ in range(self.random.randint(1, 3)):
                time.sleep(duration / 3 * self.random.random())
                self.control.write_text("28" if kind == "full" else "5")
                time.sleep(self.random.uniform(0.01, 0.3))
                self.control.write_text("")
            if self.random.random() < 0.5:
                self.expect_recovery(port, "after a disk that failed")
            if self.random.random() < 0.3:
                self.control.write_text("28" if kind == "full" else "5")  # killed while it fails
                time.sleep(0.02)
        elif kind == "clock":
            for _ in range(self.random.randint(2, 6)):
                time.sleep(duration / 4 * self.random.random())
                self.control.write_text("%+d\n" % self.random.choice((-86_400 * 400, -4_000, -301, -1, 1, 299, 4_000, 86_400 * 3_000)))
            self.control.write_text("+0\n")
            self.expect_recovery(port, "after a clock that jumped")
        elif kind == "descriptors":
            import socket
            idle = []
            for _ in range(80):
                try:
                    idle.append(socket.create_connection(("127.0.0.1", port), timeout=2))
                except OSError:
                    break
            time.sleep(duration)
            for one in idle:
                one.close()
            self.expect_recovery(port, "after it had no descriptors left")
        else:
            time.sleep(duration)

    def expect_recovery(self, port, when):
        deadline = time.monotonic() + 15
        said = None
        while time.monotonic() < deadline:
            try:
                with urllib.request.urlopen("http://127.0.0.1:%d/readyz" % port, timeout=5) as answer:
                    if answer.status == 200:
                        return
            except urllib.error.HTTPError as error:
                said = error.code
            except OSError as error:
                said = error
            if self.process.poll() is not None:
                raise Broken("the server ended with status %s %s" % (self.process.returncode, when))
            time.sleep(0.05)
        raise Broken("the server isn't ready 15 seconds %s: %s" % (when, said))

    def end(self, kind):
        """Ends the server; returns what is wrong with how it ended."""
        if self.process.poll() is not None:
            return "the server ended by itself, status %d" % self.process.returncode
        soft = kind == "term" or kind == "descriptors" and self.random.random() < 0.5
        self.process.send_signal(signal.SIGTERM if soft else signal.SIGKILL)
        if soft and self.random.random() < 0.3:
            time.sleep(self.random.uniform(0, 0.05))
            self.process.kill()  # who is impatient
            self.process.wait()
            return None
        try:
            status = self.process.wait(30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            return "the server goes on 30 seconds after SIGTERM"
        if soft and status != 0:
            return "stopped with status %d" % status
        # With a check behind an unclean stop that was itself cut short the mark stays.
        if soft and not self.was_unclean and (self.data / "unclean").exists():
            return "a clean stop left the mark of an unclean one"
        return None

    def queue_commands(self, stop, seed):
        rand = random.Random(seed)
        while not stop.is_set():
            name = "c_%d" % rand.getrandbits(60)
            done = self.server("write", "dietary_water", "0.25", "L", "--id", name, "--to", "phone", check=False)
            if done.returncode == 0:
                self.book.commands.add(name)
            stop.wait(rand.uniform(0.05, 0.5))

    # Looking at what is there

    def check(self, database, complete):
        """`complete`: nothing is on its way any more."""
        damage = database.execute("PRAGMA integrity_check").fetchall()
        if damage != [("ok",)]:
            raise Broken("integrity_check: %s" % damage[:3])
        views = [name for (name,) in database.execute("SELECT name FROM sqlite_schema WHERE type = 'view'")]
        # The bodies of all rows take a while to put together: mostly a thousand rows a view are enough.
        limit = -1 if complete or self.random.random() < 0.2 else 1_000
        for view in views:
            count = sum(1 for _ in database.execute('SELECT * FROM "%s" LIMIT %d' % (view, limit)))
            self.sums["rows of views"] += count
        rows = samples(database)
        for dialect in DIALECTS:
            self.check_dialect(dialect, rows[dialect], complete)
        commands = dict(database.execute("SELECT id, state FROM commands"))
        for name in self.book.commands:
            if name not in commands:
                raise Broken("command %s was queued and is gone" % name)
        for name in self.book.applied:
            if commands.get(name) != "applied":
                raise Broken("the result of %s was acknowledged, its state is %s" % (name, commands.get(name)))

    def check_dialect(self, dialect, there, complete):
        deliveries = self.book.deliveries[dialect]
        deleted, deleting = set(), {}
        for delivery in deliveries:
            if delivery.deletes:
                if delivery.acknowledged:
                    deleted.add(id(delivery.deletes))
                else:
                    deleting[id(delivery.deletes)] = delivery
        total = 0
        for delivery in deliveries:
            count = sum(there.get(n) == value(n) for n in delivery.numbers)
            total += count
            present = count == len(delivery.numbers)
            if count not in (0, len(delivery.numbers)):
                raise Broken("%s: %d of %d samples from %d on are there" % (dialect, count, len(delivery.numbers), delivery.numbers[0]))
            if id(delivery) in deleted:
                if present:
                    raise Broken("%s: samples from %d on were deleted and are there" % (dialect, delivery.numbers[0]))
            elif id(delivery) in deleting:
                by = deleting[id(delivery)]
                if present == (by.numbers[0] in there):
                    raise Broken("%s: half of the delivery from %d on: its samples and its deletions differ" % (dialect, by.numbers[0]))
            elif delivery.acknowledged and not present:
                raise Broken("%s: an acknowledged delivery of samples from %d on is gone" % (dialect, delivery.numbers[0]))
            elif complete and not delivery.acknowledged:
                raise Broken("%s: a delivery was never taken" % dialect)
        if total != len(there):
            raise Broken("%s: %d samples are there that nobody sent, or with other values" % (dialect, len(there) - total))
        self.sums["samples checked"] += total

    def finish(self):
        """What was not acknowledged is sent again and taken; then all of it is there."""
        port = self.start("term")
        for dialect in DIALECTS:
            phone = Phone(dialect, 0, self.book)
            phone.port = port
            for delivery in self.book.deliveries[dialect]:
                if not delivery.acknowledged:
                    phone.send(delivery)
        self.process.terminate()
        self.process.wait(30)
        with sqlite3.connect("file:%s/health.db?mode=rw" % self.data, uri=True) as database:
            self.check(database, complete=True)
        database.close()

    def run(self):
        options = self.options
        print("torture: %d rounds, seed %d, %s, folder %s" % (options.rounds, options.seed, options.server, self.root), flush=True)
        started = time.monotonic()
        number = 0
        try:
            for number in range(options.rounds):
                self.round(number)
                if (number + 1) % options.every == 0:
                    self.report(number + 1, started)
                if (number + 1) % 25 == 0:
                    self.finish()
                    self.folder()
            self.finish()
        except (Broken, AssertionError, OSError, http.client.HTTPException, subprocess.SubprocessError, sqlite3.Error) as reason:
            if self.process and self.process.poll() is None:
                self.process.kill()
            print("torture: round %d: %s: %s\ntorture: seed %d; the folder is %s" % (number + 1, type(reason).__name__, reason, options.seed, self.root), flush=True)
            return 1
        self.report(options.rounds, started)
        print("torture: kept its word; %s" % ", ".join("%s: %d" % pair for pair in sorted(self.sums.items())))
        shutil.rmtree(self.root)
        return 0

    def report(self, rounds, started):
        acknowledged = sum(1 for all in self.book.deliveries.values() for one in all if one.acknowledged)
        print("torture: %d rounds in %d s, %d deliveries acknowledged in this folder, %d samples checked" % (
            rounds, time.monotonic() - started, acknowledged, self.sums["samples checked"]), flush=True)


def samples(database):
    """The value of each sample by dialect and number; a sample that comes twice, or that nobody sent, is told at once."""
    there = {dialect: {} for dialect in DIALECTS}
    for name, start, number, dialect, part in database.execute("SELECT uuid, start_us, value, dialect, part FROM samples"):
        index = int(name[24:], 16) if dialect in ("native", "csv") else start // 1_000_000 - BASE[dialect]
        if index in there[dialect]:
            raise Broken("%s: sample %d is there twice" % (dialect, index))
        if dialect in ("native", "csv") and name != key(dialect, index) or part != 0:
            raise Broken("%s: a sample of another name: %s part %d" % (dialect, name, part))
        there[dialect][index] = number
    return there


class Backup:
    """A copy made while all of that happens."""

    def __init__(self, torture):
        self.torture = torture
        self.path = torture.root / "copy.backup"
        self.path.unlink(missing_ok=True)
        self.status = None

    def run(self):
        book = self.torture.book
        time.sleep(self.torture.random.uniform(0, 0.3))
        with book.lock:
            deleted = {id(one.deletes) for all in book.deliveries.values() for one in all if one.deletes}
            self.expected = [one for all in book.deliveries.values() for one in all if one.acknowledged and id(one) not in deleted]
        self.status = self.torture.server("backup", str(self.path), check=False)

    def check(self):
        if self.status.returncode != 0:
            if self.path.exists():
                raise Broken("a backup that failed left its file: %s" % self.status.stderr)
            self.torture.sums["backups that failed"] += 1
            return
        database = sqlite3.connect("file:%s?mode=ro" % self.path, uri=True)
        if database.execute("PRAGMA integrity_check").fetchall() != [("ok",)]:
            raise Broken("the backup is damaged")
        there = samples(database)
        database.close()
        # Deleted since the books were read: those may be missing.
        book = self.torture.book
        deleted = {id(one.deletes) for all in book.deliveries.values() for one in all if one.deletes}
        for delivery in self.expected:
            if id(delivery) not in deleted and any(there[delivery.dialect].get(n) != value(n) for n in delivery.numbers):
                raise Broken("%s: samples from %d on are not in the backup" % (delivery.dialect, delivery.numbers[0]))
        self.torture.sums["backups"] += 1


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("rounds", type=int)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 32))
    parser.add_argument("--server", required=True)
    parser.add_argument("--shim", required=True)
    parser.add_argument("--faketime", default="")
    parser.add_argument("--seconds", type=float, default=1.5, help="longest time that a round's phones send")
    parser.add_argument("--every", type=int, default=10)
    parser.add_argument("--only", help="rounds of this kind alone")
    options = parser.parse_args()
    if options.only:
        KINDS[:] = [options.only]
    if not options.faketime and "clock" in KINDS:
        KINDS.remove("clock")
    return Torture(options).run()


if __name__ == "__main__":
    sys.exit(main())
