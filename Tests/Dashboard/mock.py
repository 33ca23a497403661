#!/usr/bin/env python3
"""A server that answers as docs/api.md says, with invented data, and serves dashboard/: for work on the page alone.

mock.py [PORT]   tokens: sat_write, sat_read, sat_all (two persons), sat_empty (nothing stored), sat_slow

It is for looking: a change of a file in dashboard/ is there at the next reload. Tests run against the real server.
"""
import datetime
import http.server
import importlib.util
import json
import math
import pathlib
import random
import sys
import time
import urllib.parse
import zoneinfo

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
ZONE = zoneinfo.ZoneInfo("Europe/Berlin")
UTC = datetime.timezone.utc
DAY = datetime.timedelta(days=1)
WATCH, PHONE, SCALE = {"app": "Health", "device": "Apple Watch"}, {"app": "Health", "device": "iPhone"}, {"app": "Withings", "device": "Body+"}

spec = importlib.util.spec_from_file_location("make_dashboard", ROOT / "scripts/make-dashboard.py")
make_dashboard = importlib.util.module_from_spec(spec)
spec.loader.exec_module(make_dashboard)

POLICY = ("default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; "
          "form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'")

# type: (unit, aggregation, typical of a day or of a measurement, spread, samples a day, chance that a day has any)
TYPES = {
    "steps": ("count", "cumulative", 8400, .35, 140, 1), "distance_walking_running": ("m", "cumulative", 6300, .35, 140, 1),
    "active_energy_burned": ("kcal", "cumulative", 520, .3, 400, 1), "basal_energy_burned": ("kcal", "cumulative", 1710, .02, 300, 1),
    "apple_exercise_time": ("min", "cumulative", 38, .5, 40, 1), "apple_stand_time": ("min", "cumulative", 110, .3, 80, 1),
    "flights_climbed": ("count", "cumulative", 9, .6, 9, .97), "distance_cycling": ("m", "cumulative", 14000, .5, 60, .2),
    "dietary_water": ("mL", "cumulative", 1500, .3, 5, .6), "dietary_caffeine": ("g", "cumulative", .18, .4, 3, .8),
    "time_in_daylight": ("min", "cumulative", 70, .6, 12, .95),
    "heart_rate": ("count/min", "discrete_temporally_weighted", 68, .3, 300, 1), "resting_heart_rate": ("count/min", "discrete_temporally_weighted", 55, .05, 1, .99),
    "heart_rate_variability_sdnn": ("ms", "discrete_arithmetic", 52, .22, 8, 1), "walking_heart_rate_average": ("count/min", "discrete_temporally_weighted", 98, .06, 1, .9),
    "vo2_max": ("ml/(kg*min)", "discrete_arithmetic", 43.5, .02, 1, .25), "oxygen_saturation": ("%", "discrete_arithmetic", .968, .012, 12, 1),
    "respiratory_rate": ("count/min", "discrete_arithmetic", 14.2, .1, 60, 1), "body_mass": ("kg", "discrete_arithmetic", 72.4, .006, 1, .4),
    "body_fat_percentage": ("%", "discrete_arithmetic", .185, .02, 1, .4), "apple_sleeping_wrist_temperature": ("degC", "discrete_arithmetic", 35.6, .006, 1, .95),
    "environmental_audio_exposure": ("dBASPL", "discrete_equivalent_continuous_level", 64, .12, 40, 1), "walking_speed": ("m/s", "discrete_arithmetic", 1.32, .08, 12, 1),
    "walking_asymmetry_percentage": ("%", "discrete_arithmetic", .012, .6, 8, 1), "height": ("m", "discrete_arithmetic", 1.78, 0, 1, .003),
    "mindful_session": (None, None, 600, .4, 1, .5), "sleep_analysis": (None, None, 0, 0, 40, 1), "headache": (None, None, 3600, .5, 1, .04),
    "workout": ("s", None, 0, 0, 1, .4), "workout_route": (None, None, 0, 0, 1, .2), "activity_summary": (None, None, 0, 0, 1, 1),
}
GAPS = [(200, 8), (61, 3)]  # days ago, how many: the phone was away


def now():
    return datetime.datetime.now(ZONE).replace(microsecond=0)


def is_gap(date):
    ago = (now().date() - date).days
    return any(start >= ago > start - length for start, length in GAPS)


def chance(*key):
    return random.Random("/".join(str(part) for part in key))


def z(time_):
    return time_.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def midnight(date):
    return datetime.datetime.combine(date, datetime.time(), ZONE)


FIRST = now().date() - 400 * DAY
HOURS = [1, 1, 0, 0, 0, 1, 12, 40, 60, 30, 25, 30, 55, 45, 25, 25, 30, 60, 80, 55, 30, 20, 12, 5]


def hour(name, date, index):
    """What a type has in one hour: None, or its figures."""
    unit, aggregation, typical, spread, samples, odds = TYPES[name]
    begin = midnight(date) + datetime.timedelta(hours=index)
    if not FIRST <= date or begin > now() or is_gap(date) or chance(name, date).random() > odds:
        return None
    r = chance(name, date, index)
    season = 1 + .12 * math.sin(date.toordinal() / 58) + (.25 if date.weekday() == 5 else 0)
    if aggregation == "cumulative":
        share = HOURS[index] / sum(HOURS) * (.5 + r.random())
        if samples < 20 and r.random() > samples / 17 or not share:
            return None
        value = typical * season * (1 + spread * chance(name, date, "day").uniform(-1, 1)) * share * (17 / samples if samples < 17 else 1)
        if unit == "count":
            value = round(value)
        shares = [dict(WATCH, value=value * .82, counted=value * .82, samples=9), dict(PHONE, value=value * .74, counted=value * .18, samples=6)]
        return {"sum": value, "samples": max(1, samples // 17), "sources": shares if name in ("steps", "distance_walking_running", "flights_climbed", "active_energy_burned") else [dict(WATCH, value=value, counted=value, samples=5)]}
    if samples == 1 and index != chance(name, date, "hour").randrange(6, 9):
        return None
    if samples < 24 and samples != 1 and r.random() > samples / 24:
        return None
    if aggregation is None:
        return {"seconds": typical * r.uniform(.6, 1.4), "samples": 1, "sources": [dict(PHONE, value=0, counted=0, samples=1)]}
    drift = 1 + spread * .6 * math.sin(date.toordinal() / 40)
    mean = typical * drift * (1 + spread * .5 * r.uniform(-1, 1)) * (1.1 if name == "heart_rate" and 8 < index < 21 else 1)
    low, high = mean * (1 - spread * .4 * r.random()), mean * (1 + spread * (1.8 if name == "heart_rate" and index in (18, 19) else .5) * r.random())
    if samples == 1:
        low = high = mean
    return {"min": low, "mean": mean, "max": high, "last": mean, "samples": max(1, samples // 24), "sources": [dict(SCALE if name.startswith("body") else WATCH, value=mean, counted=mean, samples=max(1, samples // 24))]}


def join(parts):
    if not parts:
        return None
    sources = {}
    for part in parts:
        for one in part["sources"]:
            known = sources.setdefault((one["app"], one["device"]), dict(one, value=0, counted=0, samples=0))
            for key in ("value", "counted", "samples"):
                known[key] += one[key]
    found = {"samples": sum(part["samples"] for part in parts)}
    if "sum" in parts[0]:
        found["sum"] = sum(part["sum"] for part in parts)
    elif "seconds" in parts[0]:
        found["seconds"] = sum(part["seconds"] for part in parts)
    else:
        found.update(min=min(p["min"] for p in parts), max=max(p["max"] for p in parts), mean=sum(p["mean"] for p in parts) / len(parts), last=parts[-1]["last"])
        for one in sources.values():
            one["value"] = one["counted"] = found["mean"]
    found["sources"] = list(sources.values())
    return found


days = {}


def day(name, date):
    if date == now().date():
        return join([part for part in (hour(name, date, i) for i in range(24)) if part])
    if (name, date) not in days:
        days[name, date] = join([part for part in (hour(name, date, i) for i in range(24)) if part])
    return days[name, date]


def following(date, by):
    if by == "day":
        return date + DAY
    if by == "week":
        return date + 7 * DAY
    if by == "month":
        return (date.replace(day=1) + 32 * DAY).replace(day=1)
    return date.replace(year=date.year + 1, month=1, day=1)


def first_of(date, by):
    return {"day": date, "week": date - date.weekday() * DAY, "month": date.replace(day=1), "year": date.replace(month=1, day=1)}[by]


def buckets(q):
    name, by = q["type"], q.get("by", "day")
    begin, end = datetime.date.fromisoformat(q["from"][:10]), datetime.date.fromisoformat(q["to"][:10])
    found = []

    def add(start, stop, figures):
        if figures:
            one = {"start": start.isoformat(), "end": stop.isoformat(), **figures}
            if q.get("merge") == "highest-source" and "sum" in one:
                one["sum"] *= .82
            if q.get("sources") != "true":
                del one["sources"]
            found.append(one)

    date = begin if by == "hour" else first_of(begin, by)
    while date < end:
        if by == "hour":
            for i in range(24):
                start = midnight(date) + datetime.timedelta(hours=i)
                add(start, start + datetime.timedelta(hours=1), hour(name, date, i))
            date += DAY
        else:
            stop, parts, one = following(date, by), [], date
            while one < stop and one <= now().date():
                part = day(name, one)
                if part:
                    parts.append(part)
                one += DAY
            add(midnight(date), midnight(stop), join(parts))
            date = stop
    unit, aggregation = TYPES[name][:2]
    return {"person": "me", "type": name, "zone": "Europe/Berlin", "unit": unit, "aggregation": aggregation, "by": by, "merge": q.get("merge", "priority"), "unconverted": 0, "buckets": found}


def night(date):
    r = chance("night", date)
    if is_gap(date) or date < FIRST:
        return []
    start = midnight(date) - datetime.timedelta(minutes=r.randrange(20, 110))
    if date.weekday() >= 5:
        start += datetime.timedelta(minutes=50)
    at, segments, length = start, [], r.randrange(6 * 60, 8 * 60 + 20)
    plan = []
    for cycle in range(6):
        plan += [("asleep_core", r.randrange(14, 38)), ("asleep_deep", max(0, r.randrange(14, 42) - 9 * cycle)), ("asleep_core", r.randrange(8, 25)),
                 ("asleep_rem", r.randrange(6, 16) + 6 * cycle), ("awake", r.choice([0, 0, 3, 6, 12]))]
    plan = [("in_bed", 12), ("awake", r.randrange(2, 9))] + plan
    for stage, minutes in plan:
        if minutes and (at - start).total_seconds() / 60 < length:
            stop = at + datetime.timedelta(minutes=minutes)
            segments.append({"stage": stage, "start": z(at), "end": z(stop)})
            at = stop
    found = [make_night(date, start, at, segments, False)]
    if chance("nap", date).random() < .08:
        begin = midnight(date) + datetime.timedelta(hours=14)
        stop = begin + datetime.timedelta(minutes=40)
        found.append(make_night(date, begin, stop, [{"stage": "asleep_core", "start": z(begin), "end": z(stop)}], True))
    return found


def make_night(date, start, end, segments, nap):
    stages = dict.fromkeys(["asleep_rem", "asleep_deep", "asleep_core", "asleep_unspecified", "awake", "in_bed"], 0)
    for one in segments:
        stages[one["stage"]] += (datetime.datetime.fromisoformat(one["end"]) - datetime.datetime.fromisoformat(one["start"])).total_seconds()
    return {"date": date.isoformat(), "nap": nap, "start": start.isoformat(), "end": end.isoformat(), "source": WATCH, "asleep_s": sum(v for k, v in stages.items() if k.startswith("asleep")),
            "awake_s": stages["awake"], "in_bed_s": (end - start).total_seconds(), "stages": stages, "segments": segments}


def workouts():
    found = []
    for ago in range(0, 200):
        date = now().date() - ago * DAY
        r = chance("workout", date)
        if r.random() > .45 or is_gap(date):
            continue
        activity, speed, minutes = r.choice([("running", 2.8, 34), ("running", 3, 52), ("walking", 1.4, 40), ("cycling", 6.4, 70), ("yoga", 0, 25), ("functional_strength_training", 0, 38)])
        seconds = minutes * 60 * r.uniform(.8, 1.2)
        start = midnight(date) + datetime.timedelta(hours=18 if ago else 7, minutes=r.randrange(50))
        if start > now():
            continue
        found.append({"uuid": f"00000000-0000-4000-8000-{date:%Y%m%d}0000", "device": "d_demo", "activity": activity, "start": start.isoformat(), "end": (start + datetime.timedelta(seconds=seconds)).isoformat(),
                      "duration_s": seconds, "energy_kcal": seconds / 60 * r.uniform(6, 12), "distance_m": speed * seconds or None, "source": WATCH, "has_route": bool(speed)})
    return found


def workout(uuid):
    one = next((w for w in workouts() if w["uuid"] == uuid), None)
    if not one:
        return None
    r = chance(uuid)
    start, seconds = datetime.datetime.fromisoformat(one["start"]), one["duration_s"]
    pulse = [(t, 132 + 22 * (1 - math.exp(-t / 300)) + 12 * math.sin(t / 190) + r.uniform(-3, 3)) for t in range(0, int(seconds), 6) if not 900 < t < 1020]
    points = [[z(start + datetime.timedelta(seconds=t)), round(v)] for t, v in pulse]
    route, splits = [], {"km": [], "mile": []}
    if one["distance_m"]:
        lat, lon, heading, done = 52.52 + r.uniform(-.01, .01), 13.40, r.uniform(0, 6), 0
        speed = one["distance_m"] / seconds
        for t in range(0, int(seconds), 3):
            heading += math.sin(t / 140) * .05 + 2 * math.pi / seconds * 3 + r.uniform(-.06, .06)
            step = 3 * speed * (1 + .25 * math.sin(t / 220))
            lat += step * math.cos(heading) / 111320
            lon += step * math.sin(heading) / 111320 / math.cos(math.radians(lat))
            route.append([z(start + datetime.timedelta(seconds=t)), lat, lon, 40 + 8 * math.sin(t / 400)])
        for key, length in (("km", 1000), ("mile", 1609.344)):
            done = 0
            while done < one["distance_m"]:
                metres = min(length, one["distance_m"] - done)
                splits[key].append({"m": metres, "s": metres / speed * r.uniform(.93, 1.07), "start": z(start + datetime.timedelta(seconds=done / speed)), "heart_rate": round(140 + r.uniform(-6, 14)), "climb_m": round(r.uniform(0, 14))})
                done += length
    values = [v for _, v in points]
    return dict(one, heart_rate={"min": min(values), "mean": sum(values) / len(values), "max": max(values), "points": points}, route=route, splits=splits, body={})


def activity(q):
    found, date = [], datetime.date.fromisoformat(q["from"][:10])
    while date < datetime.date.fromisoformat(q["to"][:10]):
        if date <= now().date() and not is_gap(date):
            move, exercise = day("active_energy_burned", date), day("apple_exercise_time", date)

            def ring(phone, computed, goal, date=date):
                return {"phone": phone, "goal": goal, "computed": computed, "drift": computed - phone, "explained_by": PHONE if abs(computed - phone) > .01 * phone else None}
            part = 1 if date != now().date() else max(.1, now().hour / 24)
            stood = round(chance("stand", date).randrange(8, 15) * part)
            m, e = (move or {"sum": 0})["sum"], (exercise or {"sum": 0})["sum"]
            found.append({"date": date.isoformat(), "move": ring(m, m * (1.04 if date.day % 9 == 0 else 1.001), 500), "exercise": ring(round(e), round(e), 30), "stand": ring(stood, stood, 12)})
        date += DAY
    return {"days": found}


COMMANDS = [
    {"id": "c_1", "endpoint": "phone", "version": 1, "op": "write", "type": "body_mass", "value": 72.4, "unit": "kg", "start": z(now() - 3 * DAY), "end": z(now() - 3 * DAY), "state": "applied", "reason": None, "sent": 1, "queued_at": z(now() - 3 * DAY), "first_sent_at": z(now() - 3 * DAY), "last_sent_at": z(now() - 3 * DAY), "result_at": z(now() - 3 * DAY), "sample": "A0000000-0000-4000-8000-000000000001"},
    {"id": "c_2", "endpoint": "phone", "version": 1, "op": "write", "type": "dietary_water", "value": 99000, "unit": "mL", "start": z(now() - DAY), "end": z(now() - DAY), "state": "rejected", "reason": "value_out_of_range", "sent": 1, "queued_at": z(now() - DAY), "first_sent_at": None, "last_sent_at": None, "result_at": z(now() - DAY), "sample": None},
    {"id": "c_3", "endpoint": "phone", "version": 1, "op": "write", "type": "dietary_water", "value": 250, "unit": "mL", "start": z(now()), "end": z(now()), "state": "waiting", "reason": None, "sent": 0, "queued_at": z(now()), "first_sent_at": None, "last_sent_at": None, "result_at": None, "sample": None},
]


def status(empty):
    endpoints = [{"name": "phone", "person": "me", "format": "native", "auth": "bearer", "signed": True, "last_stored": None if empty else z(now() - datetime.timedelta(minutes=4)), "samples": 0 if empty else 1_204_311}]
    if empty:
        return {"endpoints": endpoints, "waiting": 0, "commands": [], "last_stored": None, "warnings": [], "rhythms": [], "deliveries": []}
    endpoints.append({"name": "scale", "person": "me", "format": "hae", "auth": "header", "signed": False, "last_stored": z(now() - 9 * DAY), "samples": 312})
    rhythms = [{"endpoint": "phone", "person": "me", "type": name, "last_stored": z(now() - datetime.timedelta(minutes=4 + 7 * i)), "usual_s": 900 * (1 + i % 5), "longest_s": 40_000, "quiet": False} for i, name in enumerate(list(TYPES)[:14])]
    rhythms.append({"endpoint": "scale", "person": "me", "type": "body_mass", "last_stored": z(now() - 9 * DAY), "usual_s": 86_400, "longest_s": 4.1 * 86_400, "quiet": True})
    deliveries = []
    for i in range(50):
        refused = i in (3, 17, 18)
        deliveries.append({"endpoint": "scale" if i % 9 == 3 else "phone", "received_at": z(now() - datetime.timedelta(minutes=4 + 21 * i)), "dialect": "native", "status": (401 if i == 3 else 400) if refused else 204, "code": ("signature" if i == 3 else "member_invalid") if refused else None,
                           "stored": 0 if refused else 40 + i * 3, "changed": 0 if refused else i % 4, "deleted": 0, "skipped": 0})
    return {"endpoints": endpoints, "waiting": 1, "commands": [], "last_stored": endpoints[0]["last_stored"], "warnings": [], "rhythms": rhythms, "deliveries": deliveries}


class Refusal(Exception):
    def __init__(self, status_, code, detail):
        self.answer = status_, {"type": "about:blank", "title": detail, "status": status_, "code": code, "detail": detail}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def send(self, status_, value=None, headers=(), content_type="application/json"):
        body = b"" if value is None else value.encode() if isinstance(value, str) else json.dumps(value).encode()
        self.send_response(status_)
        for name, text in headers:
            self.send_header(name, text)
        if value is not None:
            self.send_header("Content-Type", "application/problem+json" if status_ >= 400 else content_type)
        if status_ != 204:
            self.send_header("Content-Length", str(len(body)))
        self.send_header("Cache-Control", "private, no-cache")
        self.end_headers()
        self.wfile.write(body)

    def token(self):
        bearer = self.headers.get("Authorization", "").removeprefix("Bearer ")
        if bearer in TOKENS:
            return bearer
        for part in self.headers.get("Cookie", "").split(";"):
            name, _, value = part.strip().partition("=")
            if name == "session" and value in TOKENS:
                return value
        raise Refusal(401, "unauthorized", "no session")

    def answer(self, method):
        try:
            length = int(self.headers.get("Content-Length") or 0)
            body = json.loads(self.rfile.read(length)) if length else {}
            url = urllib.parse.urlsplit(self.path)
            q = dict(urllib.parse.parse_qsl(url.query))
            if method == "GET" and not url.path.startswith(("/api/", "/session")):
                for path, content_type, text in make_dashboard.assets():
                    if path == url.path:
                        return self.send(200, text, [("Content-Security-Policy", POLICY), ("X-Content-Type-Options", "nosniff")], content_type)
                raise Refusal(404, "not_found", "no such file")
            if url.path == "/session":
                if method == "POST":
                    if body.get("token") not in TOKENS:
                        raise Refusal(401, "unauthorized", "unknown token")
                    return self.send(204, None, [("Set-Cookie", f"session={body['token']}; HttpOnly; SameSite=Strict; Path=/")])
                if method == "DELETE":
                    return self.send(204, None, [("Set-Cookie", "session=; Max-Age=0; Path=/")])
                return self.send(200, TOKENS[self.token()])
            token = self.token()
            if token == "sat_slow":
                time.sleep(1)
            return self.api(method, url.path.removeprefix("/api/v1/"), q, body, token)
        except Refusal as refusal:
            self.send(*refusal.answer)

    def api(self, method, path, q, body, token):
        empty = token == "sat_empty"
        if path == "types":
            types = [] if empty else [{"type": name, "kind": "quantity" if facts[0] else "category", "unit": facts[0], "aggregation": facts[1], "samples": int(facts[4] * 400 * facts[5]) or 1,
                                       "first": z(midnight(FIRST)), "last": z(now() - datetime.timedelta(minutes=20))} for name, facts in sorted(TYPES.items())]
            return self.send(200, {"person": "me", "zone": "Europe/Berlin", "types": types})
        if path == "status":
            return self.send(200, status(empty))
        if path == "commands" and method == "GET":
            return self.send(200, {"commands": [] if empty else COMMANDS})
        if path == "commands":
            if TOKENS[token]["scope"] != "write":
                raise Refusal(403, "forbidden", "this token may only read")
            COMMANDS.append({**COMMANDS[2], **body, "id": f"c_{len(COMMANDS) + 1}", "op": "delete" if "delete" in body else "write"})
            return self.send(201, {"id": COMMANDS[-1]["id"], "version": 1, "warnings": []})
        if path.startswith("commands/"):
            COMMANDS[:] = [one for one in COMMANDS if one["id"] != path.split("/")[1]]
            return self.send(204)
        if empty:
            return self.send(200, {"samples": [], "workouts": [], "nights": [], "days": [], "buckets": [], "next": None})
        if path == "buckets":
            if q["type"] not in TYPES:
                raise Refusal(404, "not_found", "no such type")
            return self.send(200, buckets(q))
        if path == "activity":
            return self.send(200, activity(q))
        if path == "sleep":
            found, date = [], datetime.date.fromisoformat(q["from"])
            while date < datetime.date.fromisoformat(q["to"]):
                if date <= now().date():
                    found += night(date)
                date += DAY
            return self.send(200, {"nights": found})
        if path == "workouts":
            return self.send(200, {"workouts": workouts(), "next": None})
        if path.startswith("workouts/"):
            one = workout(path.split("/")[1].split(".")[0])
            if not one:
                raise Refusal(404, "not_found", "no such workout")
            if path.endswith(".gpx"):
                return self.send(200, '<gpx version="1.1"></gpx>', content_type="application/gpx+xml")
            if path.endswith(".geojson"):
                return self.send(200, {"type": "FeatureCollection", "features": []}, content_type="application/geo+json")
            return self.send(200, one)
        if path in ("latest", "samples"):
            names = [q["type"]] if "type" in q else [name for name, facts in TYPES.items() if facts[0] and facts[2]]
            found = []
            for i in range(40 if path == "samples" else 1):
                for name in names:
                    at = now() - datetime.timedelta(minutes=20 + 17 * i)
                    found.append({"uuid": "A0000000-0000-4000-8000-000000000001", "part": 0, "type": name, "kind": "quantity", "value": TYPES[name][2] * (1 if TYPES[name][1] != "cumulative" else .01) * chance(name, i).uniform(.95, 1.05),
                                  "value_name": None, "unit": TYPES[name][0], "start": z(at), "end": z(at), "utc_offset": None, "source": WATCH, "device": "d_demo", "endpoint": "phone", "received_at": z(now())})
            return self.send(200, {"samples": found, "next": None})
        raise Refusal(404, "not_found", "no such address")

    def do_GET(self):
        self.answer("GET")

    def do_POST(self):
        self.answer("POST")

    def do_DELETE(self):
        self.answer("DELETE")


def token(name, scope, persons):
    return {"name": name, "scope": scope, "persons": persons, "types": None, "expires": None}


TOKENS = {"sat_write": token("browser", "write", ["me"]), "sat_read": token("browser", "read", ["me"]), "sat_all": token("family", "read", ["me", "sam"]),
          "sat_empty": token("browser", "write", ["me"]), "sat_slow": token("browser", "read", ["me"])}


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request, client_address):
        """A page that was left does not wait for what it asked."""
        if not isinstance(sys.exception() if hasattr(sys, "exception") else sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)


if __name__ == "__main__":
    server = Server(("127.0.0.1", int(sys.argv[1]) if len(sys.argv) > 1 else 0), Handler)
    print(f"http://127.0.0.1:{server.server_address[1]}/", flush=True)
    server.serve_forever()
