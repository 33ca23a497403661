#!/usr/bin/env python3
"""Fills a real server and has schemathesis ask it: scripts/check-api.py SERVER SCHEMATHESIS (see check-api.sh).

Left out of its checks: that every good value is accepted, since a document can't say that `from` is not behind `to`, nor which
cursors and persons there are.
"""
import datetime
import http.client
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

TOKEN = "tok_invented_for_this_check"
# Many times what it takes: only reached when something hangs.
SECONDS = 600
ROOT = pathlib.Path(__file__).resolve().parent.parent


def samples():
    """A few days of two sources: steps and heart rate, nights, a workout with its route, rings, a characteristic."""
    numbers = iter(range(1, 100000))

    def key():
        return "5E1D0000-0000-4000-8000-%012d" % next(numbers)

    def moment(time):
        return time.strftime("%Y-%m-%dT%H:%M:%SZ")

    watch, phone = {"app": "com.apple.health", "device": "Watch"}, {"app": "com.apple.health", "device": "Phone"}
    begin = datetime.datetime(2026, 10, 5)
    for day in range(7):
        for hour in range(7, 20):
            start = begin + datetime.timedelta(days=day, hours=hour)
            for source, count in ((watch, 300 + hour), (phone, 250)):
                yield {"uuid": key(), "type": "steps", "value": count, "unit": "count", "start": moment(start),
                       "end": moment(start + datetime.timedelta(minutes=40)), "source": source}
            yield {"uuid": key(), "type": "heart_rate", "value": 60 + hour, "unit": "count/min", "start": moment(start),
                   "end": moment(start), "source": watch}
        night = begin + datetime.timedelta(days=day, hours=21)
        for stage in ("asleep_core", "asleep_deep", "awake", "asleep_rem"):
            yield {"uuid": key(), "type": "sleep_analysis", "value": stage, "start": moment(night),
                   "end": moment(night + datetime.timedelta(hours=2)), "source": watch}
            night += datetime.timedelta(hours=2)
        yield {"uuid": key(), "type": "activity_summary", "date": (begin + datetime.timedelta(days=day)).strftime("%Y-%m-%d"),
               "active_energy_burned": 400.5, "active_energy_burned_goal": 500}
    start = begin + datetime.timedelta(days=2, hours=17)
    end = moment(start + datetime.timedelta(minutes=30))
    yield {"uuid": WORKOUT, "type": "workout", "activity": "running", "start": moment(start), "end": end,
           "duration_s": 1800, "energy_kcal": 312.4, "distance_m": 5020, "source": watch}
    yield {"uuid": key(), "type": "workout_route", "workout": WORKOUT, "part": 0, "parts": 1, "count": 60,
           "points": [{"t": 30000 * n, "lat": 52.5 + n / 1000, "lon": 13.4, "alt_m": 34.5} for n in range(60)], "start": moment(start), "end": end}
    yield {"uuid": "characteristic:blood_type", "type": "characteristic", "name": "blood_type", "value": "a_positive"}


WORKOUT = "0B6F0000-0000-4000-8000-000000000001"


def run(*arguments):
    return subprocess.run(arguments, check=True, capture_output=True, text=True).stdout


def addresses(process):
    """The receiver's port and the API's, from the log."""
    found = []
    for line in process.stderr:
        found += re.findall(r"http://127\.0\.0\.1:([0-9]+)", line)
        if len(found) >= 2:
            return int(found[0]), int(found[1])
    sys.exit("the server didn't start")


def fill(port):
    body = json.dumps({"v": 1, "type": "sync", "device": "d_invented", "samples": list(samples()), "deleted": []})
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    connection.request("POST", "/hook/phone", body, {
        "Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json", "X-Syncky-Format": "native",
        "X-Syncky-Delivery": "01a13940-fe30-7630-9d7f-9da6e6de1e3d"})
    answer = connection.getresponse()
    if answer.status not in (200, 204):
        sys.exit(f"the samples were refused: {answer.status} {answer.read().decode()}")


def ask(tool, port, token, folder):
    command = [
        tool, "run", str(ROOT / "schemas/openapi.json"), "--url", f"http://127.0.0.1:{port}",
        "--header", f"Authorization: Bearer {token}", "--no-color", "--generation-deterministic",
        "--request-timeout", "10", "--continue-on-failure",
        "--exclude-checks", "positive_data_acceptance", "--warnings", "off", "--phases", "examples,coverage,fuzzing",
        "--max-examples", "6", "--max-failures", "20"]
    return subprocess.run(command, cwd=folder, timeout=SECONDS).returncode


def main():
    server, tool = sys.argv[1], os.path.abspath(sys.argv[2])
    with tempfile.TemporaryDirectory() as folder:
        data = os.path.join(folder, "data")
        run(server, "init", "--data", data, "--no-sign", "--token", TOKEN, "--time-zone", "Europe/Berlin")
        token = run(server, "token", "add", "check", "--scope", "write", "--data", data).strip()
        # Checks try wrong tokens many times over, and want to see 401.
        settings = pathlib.Path(data) / "receiver.json"
        content = json.loads(settings.read_text())
        content.setdefault("limits", {})["max_wrong_credentials"] = 1000
        settings.write_text(json.dumps(content))
        process = subprocess.Popen(
            [server, "serve", "--data", data, "--bind", "127.0.0.1", "--port", "0", "--api-bind", "127.0.0.1:0"],
            stderr=subprocess.PIPE, text=True)
        try:
            hook, api = addresses(process)
            with open(os.path.join(folder, "log"), "w", encoding="utf-8") as log:
                # Read on, so that the server never waits for its log.
                reader = subprocess.Popen(["cat"], stdin=process.stderr, stdout=log)
                fill(hook)
                started = time.monotonic()
                status = ask(tool, api, token, folder)
                print(f"check-api.py: {time.monotonic() - started:.0f} s", file=sys.stderr)
            if process.poll() is not None:
                sys.exit("the server has ended")
        finally:
            process.terminate()
            process.wait(30)
            reader.wait(30)
        if status != 0:
            sys.exit(status)


main()
