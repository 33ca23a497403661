"""The senders of a torture: each keeps a book of what it sent and what the server said."""

import hashlib
import hmac
import http.client
import json
import random
import threading
import time
import uuid

TOKEN = "tok_invented_for_the_torture"
SECRET = "whsec_invented_for_the_torture_0123456789abcdefghij"
BASE = {"influx": 1_700_000_000, "hae": 1_400_000_000}
DIALECTS = ("native", "csv", "influx", "hae")


def value(number):
    """What sample NUMBER of any sender holds."""
    return number % 997 + 0.25


def clock(seconds, form):
    return time.strftime(form, time.gmtime(seconds))


def key(dialect, number):
    return "%08X-0000-4000-8000-%012X" % (DIALECTS.index(dialect) + 1, number)


def native(numbers, deleted=()):
    samples = [
        {"uuid": key("native", n), "type": "heart_rate", "value": value(n), "unit": "count/min", "start": "2026-10-14T07:01:00Z",
         "end": "2026-10-14T07:01:59Z", "source": {"app": "app", "device": "watch"}, "metadata": {"n": n}}
        for n in numbers
    ]
    gone = [{"uuid": key("native", n), "type": "heart_rate"} for n in deleted]
    return json.dumps({"v": 1, "type": "sync", "device": "d_native", "samples": samples, "deleted": gone}).encode()


def csv(numbers):
    lines = ["type,uuid,start,end,value,unit,value_name,source,device,user_entered"]
    for n in numbers:
        lines.append("heart_rate,%s,2026-10-14T07:01:00Z,2026-10-14T07:01:59Z,%s,count/min,,app,watch,false" % (key("csv", n), value(n)))
    return "\r\n".join(lines + [""]).encode()


def influx(numbers):
    return "".join(
        "heart_rate,device=watch,source=app,unit=count/min value=%s %d000000000\n" % (value(n), BASE["influx"] + n) for n in numbers).encode()


def hae(numbers):
    points = ",\n".join(
        '{"date":"%s +0000","qty":%s,"source":"Watch"}' % (clock(BASE["hae"] + n, "%Y-%m-%d %H:%M:%S"), value(n)) for n in numbers)
    return ('{"data":{"metrics":[{"name":"step_count","units":"count","data":[%s]}]}}' % points).encode()


class Delivery:
    """One body: the numbers of its samples, what they delete, and whether the server said that it has them."""

    def __init__(self, dialect, numbers, deletes=None):
        self.dialect, self.numbers, self.deletes, self.acknowledged = dialect, numbers, deletes, False

    def body(self):
        if self.dialect == "native":
            return native(self.numbers, self.deletes.numbers if self.deletes else ())
        return {"csv": csv, "influx": influx, "hae": hae}[self.dialect](self.numbers)


class Phone(threading.Thread):
    """Sends deliveries of one dialect, one after the other, until it is told to stop or the server is gone."""

    def __init__(self, dialect, seed, book):
        super().__init__(daemon=True)
        self.dialect, self.random, self.book = dialect, random.Random(seed), book
        self.port = None
        self.stopping = threading.Event()
        self.statuses = {}
        self.error = None

    def run(self):
        try:
            while not self.stopping.is_set():
                self.send(self.book.next(self.dialect, self.random))
        except (OSError, http.client.HTTPException):
            pass  # the server is gone: what was on its way is not acknowledged
        except Exception as error:  # a mistake of ours: the main thread shows it
            self.error = error
            raise

    def send(self, delivery, seconds=60):
        """Until it is taken, as a phone does it, but not for longer than `seconds`."""
        body, deadline = delivery.body(), time.monotonic() + seconds
        while not self.stopping.is_set() and time.monotonic() < deadline:
            status, reply = self.post(body)
            self.statuses[status] = self.statuses.get(status, 0) + 1
            if status in (200, 204):
                self.book.acknowledge(delivery)
                if self.dialect == "native" and status == 200:
                    self.answer(reply)
                return
            # 401: the server's clock was set to another time.
            if status // 100 == 4 and status != 401:
                raise AssertionError("a good delivery got %d: %s" % (status, reply[:200]))
            time.sleep(0.01)

    def answer(self, reply):
        """Applies the commands and tells so."""
        commands = json.loads(reply)["commands"]
        results = [{"command_id": c["command_id"], "version": c["version"], "status": "applied"} for c in commands]
        status, _ = self.post(json.dumps({"v": 1, "type": "results", "results": results}).encode(), {"X-Syncky-Kind": "results"})
        if status == 204:
            self.book.applied.update(c["command_id"] for c in commands)

    def post(self, body, more=None):
        connection = getattr(self, "connection", None)
        if connection is None:
            connection = self.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        headers = {"Content-Type": {"csv": "text/csv", "influx": "text/plain"}.get(self.dialect, "application/json")}
        if self.dialect == "hae":
            path = "/hook/app"
            headers["api-key"] = TOKEN
        else:
            path, now = "/hook/phone", str(int(time.time()))
            code = hmac.new(SECRET.encode(), now.encode() + b"." + body, hashlib.sha256).hexdigest()
            headers.update({
                "Authorization": "Bearer " + TOKEN, "X-Syncky-Delivery": str(uuid.uuid4()), "X-Syncky-Timestamp": now,
                "X-Syncky-Signature": "v1=" + code})
            if not more:
                headers["X-Syncky-Format"] = self.dialect
        try:
            connection.request("POST", path, body, {**headers, **(more or {})})
            answer = connection.getresponse()
            return answer.status, answer.read()
        except (OSError, http.client.HTTPException):
            self.connection = None
            connection.close()
            raise


class Book:
    """What was sent since the folder was made. Numbers of a dialect are given out once; deliveries keep theirs."""

    def __init__(self, large):
        self.large = large
        self.lock = threading.Lock()
        self.deliveries = {dialect: [] for dialect in DIALECTS}
        self.counts = dict.fromkeys(DIALECTS, 0)
        self.commands, self.applied = set(), set()

    def next(self, dialect, rand):
        with self.lock:
            for delivery in self.deliveries[dialect]:
                if not delivery.acknowledged:
                    return delivery  # a phone tries again before it goes on
            count = rand.choice((1, 5, 20, 200))
            if dialect == "hae" and rand.random() < self.large:
                # Kept in a file while it arrives; the largest in several slices.
                count = rand.choice((1_500, 3_000, 3_000, 20_000))
            start = self.counts[dialect]
            self.counts[dialect] += count
            deletes = None
            if dialect == "native" and rand.random() < 0.2:
                deleted = {id(other.deletes) for other in self.deliveries[dialect]}
                stored = [other for other in self.deliveries[dialect] if id(other) not in deleted]
                deletes = rand.choice(stored) if stored else None
            delivery = Delivery(dialect, range(start, start + count), deletes)
            self.deliveries[dialect].append(delivery)
            return delivery

    def acknowledge(self, delivery):
        with self.lock:
            delivery.acknowledged = True
