"""Calls of PulsHealth and their answers: the rules of its contract that a receiver of it must show over HTTP."""

import json

HEART, STEPS = "HKQuantityTypeIdentifierHeartRate", "HKQuantityTypeIdentifierStepCount"
STANDARD = "5ea4d000-0000-4000-8000-000000000001"
OTHER = "0b7c2d11-5a3e-4f60-9a41-6d2f8e7c9b01"
VERSION = {"error": "unsupported protocol version", "supportedVersions": [1]}
PUBLISHED = ("accepted", "deleted", "duplicates", "routePoints", "seriesPoints", "aggregateSamples", "activitySummaries")


def uuid(number):
    return f"A1B2C3D4-0000-4000-8000-{number:012X}"


def counts(**given):
    return {name: given.get(name, 0) for name in PUBLISHED}


def sample(number, start=1754000000123.456, **more):
    return {"uuid": uuid(number), "type": HEART, "kind": "quantity", "start": start, "end": start + 1, "value": 61.5,
            "unit": "count/min", **more}


def deletion(number):
    return {"deleted": {"uuid": uuid(number).lower(), "type": HEART}}


def route(number, *times):
    return {"route": {"workoutUUID": uuid(number), "points": [{"t": t, "lat": 52.5, "lon": 13.4, "alt": 34.2} for t in times]}}


def series(number, *times):
    return {"series": {"workoutUUID": uuid(number), "type": HEART, "unit": "count/min",
                       "points": [{"t": t, "value": 140} for t in times]}}


def aggregate(value, start=1753999200000, **more):
    return {"aggregate": {"type": STEPS, "func": "sum", "intervalValue": 1, "intervalUnit": "hour", "deviceFilter": "all",
                          "bucketStart": start, "bucketEnd": start + 3600000, "value": value, "unit": "count", **more}}


def ring(day, **more):
    return {"activitySummary": {"date": 1753999200000, "localDate": day, **more}}


SLOTS = ("sample", "deletion", "route", "series", "aggregate", "activitySummary", "profile")


def batch(number, headers=None, status=200, body=None, header=None, encoding="gzip", **slots):
    """A step that sends a batch; `slots` are lists of lines by their kind."""
    head = {"schemaVersion": 1, "clientVersion": "invented/1", "batchID": f"BA7C0000-0000-4000-8000-{number:012X}",
            "deviceID": "invented", "type": HEART, "reason": "manual", "exportedAt": 1754000000999.5}
    for slot in SLOTS:
        head[slot + "Count"] = len(slots.get(slot, []))
    head.update(header or {})
    lines = [head] + [line for slot in SLOTS for line in slots.get(slot, [])]
    step = {"method": "POST", "path": "/v1/batches", "headers": headers or {}, "encoding": encoding,
            "lines": [json.dumps(line) for line in lines], "status": status}
    return {**step, "body": body} if body is not None else step


def get(path, status=200, body=None, headers=None, method="GET"):
    step = {"method": method, "path": path, "headers": headers or {}, "status": status}
    return {**step, "body": body} if body is not None else step


def months(*entries):
    return [{"window": window, "rows": rows, "digest": digest} for window, rows, digest in entries]


def digest(kind=HEART, since=0, until=1900000000000):
    return f"/v1/digest?type={kind}&from={since}&to={until}"


def uuids(since=1753000000000, until=1755000000000, kind=HEART):
    return f"/v1/uuids?type={kind}&from={since}&to={until}"


def error(text):
    return {"error": text}


def case(name, *steps, **more):
    return {"name": name, **more, "steps": list(steps)}


def cases():
    yield case("the first of a uuid stays and the rest are duplicates",
               batch(1, sample=[sample(1), sample(2), sample(1, value=99)], body=counts(accepted=2, duplicates=1)),
               batch(2, sample=[sample(1, start=1), sample(3)], body=counts(accepted=1, duplicates=1)),
               get(digest(), body=months((1751328000000, 3, "a1b2c3d4000040008000000000000000"))),
               get(digest(until=1753999999999), body=[]))
    yield case("a batch that is known changes nothing",
               batch(1, sample=[sample(1)], activitySummary=[ring("2025-07-31", moveKcal=1)], aggregate=[aggregate(1)],
                     body=counts(accepted=1, activitySummaries=1, aggregateSamples=1)),
               batch(1, sample=[sample(1), sample(2)], deletion=[deletion(1)], body=counts(duplicates=2)),
               batch(1, header={"batchID": "ba7c0000-0000-4000-8000-000000000001"}, sample=[sample(3)],
                     body=counts(duplicates=1)),
               get(uuids(), body={"uuids": [uuid(1)]}))
    yield case("points, aggregates and rings",
               batch(1, route=[route(9, 1754000000000.5, 1754000001000)], series=[series(9, 1754000000000)],
                     aggregate=[aggregate(None), aggregate(5), aggregate(5, start=1754002800000)],
                     activitySummary=[ring("2025-07-31"), ring("2025-08-01"), ring("2025-07-31")], profile=[{"profile": {}}],
                     body=counts(routePoints=2, seriesPoints=1, aggregateSamples=2, activitySummaries=2)),
               batch(2, route=[route(9, 1754000000000.5, 1754000002000)], series=[series(9, 1754000000000)],
                     body=counts(routePoints=1)),
               get("/v1/stats", body=[
                   {"type": "HKActivitySummaryTypeIdentifier", "rows": 2, "earliest": 1753999200000,
                    "latest": 1753999200000, "lastBatchAt": None, "batches": 0},
                   {"type": HEART, "rows": 0, "earliest": None, "latest": None, "lastBatchAt": 1791961500000,
                    "batches": 2}]))
    yield case("deletions come last, take points along and block nothing",
               batch(1, sample=[sample(1), sample(2)], deletion=[deletion(1), deletion(7)], route=[route(1, 1754000000000)],
                     body=counts(accepted=2, deleted=1, routePoints=1)),
               batch(2, route=[route(1, 1754000000000)], body=counts(routePoints=1)),
               batch(3, deletion=[deletion(1)], body=counts()),
               batch(4, sample=[sample(1)], route=[route(1, 1754000000000)], body=counts(accepted=1, routePoints=1)))
    yield case("users are apart and the one of a token that is bound to none may be any",
               batch(1, sample=[sample(1)], headers={"X-User-ID": None}, body=counts(accepted=1)),
               batch(1, sample=[sample(1)], headers={"X-User-ID": OTHER.upper()}, body=counts(accepted=1)),
               batch(2, deletion=[deletion(1)], headers={"X-User-ID": OTHER}, body=counts(deleted=1)),
               get(digest(), body=months((1751328000000, 1, "a1b2c3d4000040008000000000000001"))),
               get(digest(), headers={"X-User-ID": OTHER}, body=[]),
               get(uuids(), headers={"X-User-ID": "5EA4D000-0000-4000-8000-000000000001"}, body={"uuids": [uuid(1)]}),
               get("/v1/stats", headers={"X-User-ID": "11111111-1111-4111-8111-111111111111"}, body=[]),
               get("/v1/stats", headers={"X-User-ID": "me"}, status=400, body=error("X-User-ID is not a UUID")),
               batch(3, headers={"X-User-ID": "me"}, status=400, body=error("X-User-ID is not a UUID")))
    yield case("a bound token takes its own user alone",
               batch(1, sample=[sample(1)], headers={"X-User-ID": None}, body=counts(accepted=1)),
               batch(2, sample=[sample(1)], headers={"X-User-ID": OTHER}, body=counts(duplicates=1)),
               batch(3, sample=[sample(2)], headers={"X-User-ID": STANDARD}, status=403),
               get(digest(), headers={"X-User-ID": STANDARD}, status=403),
               get("/v1/capabilities", headers={"X-User-ID": STANDARD}, status=403),
               get(digest(), headers={"X-User-ID": ""}, body=months((1751328000000, 1, "a1b2c3d4000040008000000000000001"))),
               get("/v1/capabilities", headers={"X-User-ID": OTHER.upper()}),
               bound_user=OTHER)
    yield case("versions",
               batch(1, headers={"X-Puls-Protocol": "2"}, status=400, body=VERSION),
               batch(1, headers={"X-Puls-Protocol": "one"}, status=400, body=VERSION),
               batch(1, headers={"X-Puls-Protocol": "2", "Content-Encoding": "br"}, encoding="plain", status=400,
                     body=VERSION),
               batch(1, headers={"X-Puls-Protocol": " 1 "}, body=counts()),
               batch(2, headers={"X-Puls-Protocol": None}, header={"schemaVersion": None}, body=counts()),
               batch(3, header={"schemaVersion": 2, "batchID": "x", "type": ""}, status=400, body=VERSION),
               batch(3, header={"schemaVersion": "1"}, status=400, body=VERSION),
               batch(3, headers={"X-Wake-ID": "x"}, header={"schemaVersion": 3}, status=400, body=VERSION),
               get("/v1/capabilities", headers={"X-Puls-Protocol": "2"}),
               get(digest(), headers={"X-Puls-Protocol": "7"}, body=[]))
    yield case("heads that are refused",
               batch(1, headers={"Authorization": "Bearer wrong"}, status=401, body=error("unauthorized")),
               batch(1, headers={"Authorization": None}, status=401, body=error("unauthorized")),
               batch(1, headers={"Authorization": "Bearer wrong", "X-User-ID": "me", "X-Puls-Protocol": "2"}, status=401),
               batch(1, headers={"X-User-ID": "me", "X-Puls-Protocol": "2"}, status=400,
                     body=error("X-User-ID is not a UUID")),
               batch(1, headers={"Content-Encoding": "deflate"}, encoding="plain", status=400),
               batch(1, headers={"Content-Encoding": "gzip"}, encoding="plain", status=400),
               batch(1, headers={"X-Wake-ID": "x"}, sample=[sample(1)], status=400, body=error("X-Wake-ID is not a UUID")),
               batch(1, headers={"X-Wake-ID": "", "X-Wake-Trigger": "anything"}, sample=[sample(1)],
                     body=counts(accepted=1)),
               batch(2, headers={"X-Wake-ID": OTHER, "X-Wake-Trigger": "observer", "Content-Encoding": "identity"},
                     encoding="plain", body=counts()),
               get("/v1/stats", headers={"Authorization": None}, status=401, body=error("unauthorized")),
               get("/v1/capabilities", headers={"Authorization": "Bearer wrong"}, status=401))
    yield case("of a batch that is refused nothing stays",
               batch(1, sample=[sample(1), sample(2, kind="mystery")], status=400),
               batch(1, sample=[sample(1)], header={"sampleCount": 2}, status=400),
               batch(1, sample=[sample(1)], deletion=[{"mystery": {}}], status=400),
               get("/v1/stats", body=[]),
               batch(1, sample=[sample(1)], body=counts(accepted=1)))
    yield case("methods and paths",
               get("/v1/batches", status=405), get("/v1/stats", method="POST", status=405),
               get("/healthz", method="DELETE", status=405), get("/v1", status=404), get("/v1/batches/", status=404),
               get("/v1/routes", status=404), get("/v1/Stats", status=404),
               get("/healthz", headers={"Authorization": None}, body={"ok": True, "db": True}),
               get("/v1/capabilities", method="HEAD"), get("/healthz", method="HEAD", headers={"Authorization": None}))
    yield case("what a digest and a list of uuids ask for",
               get("/v1/digest", status=400, body=error("missing type")),
               get("/v1/digest?type=&from=1&to=2", status=400, body=error("missing type")),
               get(f"/v1/digest?type={HEART}&to=2", status=400, body=error("missing from")),
               get(f"/v1/digest?type={HEART}&from=1", status=400, body=error("missing to")),
               get(f"/v1/digest?type={HEART}&from=1.5&to=2", status=400, body=error("invalid from: must be epoch milliseconds")),
               get(f"/v1/uuids?type={HEART}&from=1&to=x", status=400, body=error("invalid to: must be epoch milliseconds")),
               get(digest(since=2, until=2), status=400, body=error("to must be after from")),
               get(uuids(5, 4), status=400, body=error("to must be after from")),
               get(uuids(0, 3024000001), status=400, body=error("range exceeds 35 days")),
               get(uuids(-9223372036854775808, 9223372036854775807), status=400, body=error("range exceeds 35 days")),
               get(uuids(0, 3024000000), body={"uuids": []}),
               get(digest(since=-9223372036854775808, until=9223372036854775807), body=[]),
               get(digest(kind="of%20nobody"), body=[]), get(uuids(kind="x%22y"), body={"uuids": []}))
    months_apart = [sample(1, start=1751327999999.75), sample(2, start=1751328000000), sample(3, start=1751414400000.5)]
    yield case("months are UTC's and a moment is rounded down",
               batch(1, sample=months_apart, body=counts(accepted=3)),
               get(digest(), body=months((1748736000000, 1, "a1b2c3d4000040008000000000000001"),
                                         (1751328000000, 2, "00000000000000000000000000000001"))),
               get(digest(since=1751328000001, until=1751414400001),
                   body=months((1751328000000, 1, "a1b2c3d4000040008000000000000003"))),
               get(digest(since=1751328000001, until=1751414400000), body=[]),
               get(uuids(1751327999999, 1751328000000), body={"uuids": [uuid(1)]}),
               get(digest(kind=STEPS), body=[]))
    yield case("types that nobody knows",
               batch(1, sample=[sample(1, type="HKSomethingNewIdentifier"), sample(2, type="heart_rate"), sample(3)],
                     header={"type": "probe"}, body=counts(accepted=3)),
               get(digest(kind="HKSomethingNewIdentifier"),
                   body=months((1751328000000, 1, "a1b2c3d4000040008000000000000001"))),
               get(digest(kind="heart_rate"), body=months((1751328000000, 1, "a1b2c3d4000040008000000000000002"))),
               get(digest(), body=months((1751328000000, 1, "a1b2c3d4000040008000000000000003"))),
               get("/v1/stats", body=[
                   *({"type": kind, "rows": 1, "earliest": 1754000000123, "latest": 1754000000123, "lastBatchAt": None,
                      "batches": 0} for kind in (HEART, "HKSomethingNewIdentifier", "heart_rate")),
                   {"type": "probe", "rows": 0, "earliest": None, "latest": None, "lastBatchAt": 1791961500000,
                    "batches": 1}]))
