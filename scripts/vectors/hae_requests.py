"""Cases of whole requests in the Health Auto Export shape, as Syncky sends it."""

import json

from .build import CLOCK, Endpoint, ask, case, delivery_id, dump
from .hae_build import body, epoch, metric, name_key, record

HAE = Endpoint("hae", format="hae")
KINDS = {"stateOfMind": "state_of_mind"}
AT, LATER = "2026-10-14 09:01:03 +0200", "2026-10-14 09:31:13 +0200"
NIGHT, MORNING = "2026-10-14 01:10:00 +0200", "2026-10-14 02:40:00 +0200"
WATCH = {"source": "Apple Watch"}


def row(made):
    """The row of the view `samples` that shows a record."""
    kind, spelled = made["kind"], made.get("spelled", [])
    columns = {"uuid": made["key"], "type": made["type"]}
    if kind == "workout":
        columns |= {"activity": made["value_name"], "duration_s": made["value"]}
    else:
        if kind == "quantity":
            columns["value"] = made.get("value")
        if kind == "category" and "value" not in spelled:
            columns["value"] = made.get("value_name")
        columns["unit"] = made.get("unit")
    columns |= {member: made.get(member) for member in ("start", "end") if member not in spelled}
    if "source" not in spelled and "source" in made:
        columns["source"] = {"app": made["source"]}
    shown = {member: value for member, value in columns.items() if value is not None} | json.loads(made["rest"])
    return {"device": HAE.destination, "uuid": made["key"], "part": 0, "type": made["type"], "kind": KINDS.get(kind, kind),
            "value": made.get("value"), "value_name": made.get("value_name"), "unit": made.get("unit"),
            "start": made.get("start"), "end": made.get("end"), "source_app": made.get("source"), "source_device": None,
            "body": shown}


def send(content, *expect, session="every shape"):
    headers = {"automation-name": HAE.label, "automation-id": HAE.destination, "automation-aggregation": "false",
               "automation-period": "Since Last Sync", "session-id": delivery_id("session " + session, CLOCK * 1000)}
    return ask(HAE, content, *expect, headers=headers)


def watch(type_, value, unit, merge="slotMean", rest="", **more):
    return record(type_, AT, value, unit, merge=merge, source="Apple Watch", rest=rest, **more)


def every_shape():
    """Each metric or record as it is sent, and its rows."""
    point = {"date": AT} | WATCH
    yield metric("step_count", "count", point | {"qty": 412}), [watch("steps", 412, "count")]
    yield metric("heart_rate", "count/min", point | {"Min": 64, "Avg": 64, "Max": 64}), [
        watch("heart_rate", 64, "count/min", rest='"Min":64,"Max":64')]
    yield metric("blood_oxygen_saturation", "%", point | {"qty": 97}), [
        watch("oxygen_saturation", 0.97, "%", rest='"qty":97,"units":"%"')]
    yield metric("walking_running_distance", "km", point | {"qty": 0.25}), [
        watch("distance_walking_running", 250, "m", rest='"qty":0.25,"units":"km"')]
    yield metric("weight_body_mass", "kg", point | {"qty": 71.5}), [watch("body_mass", 71.5, "kg")]
    yield metric("blood_pressure", "mmHg", point | {"systolic": 118, "diastolic": 76}), [
        watch("blood_pressure_systolic", 118, "mmHg"), watch("blood_pressure_diastolic", 76, "mmHg")]
    yield metric("blood_glucose", "mg/dL", point | {"qty": 95, "mealTime": "Before Meal"}), [
        watch("blood_glucose", 95, "mg/dL", rest='"mealTime":"Before Meal"')]
    yield metric("insulin_delivery", "IU", point | {"qty": 2, "reason": "Basal"}), [
        watch("insulin_delivery", 2, "IU", rest='"reason":"Basal"')]
    yield metric("handwashing", "s", point | {"qty": 24, "value": "Complete"}), [
        watch("handwashing_event", 24, "s", value_name="complete", rest='"hae_value":"Complete"')]
    yield metric("mindful_minutes", "min", point | {"qty": 10}), [watch("mindful_session", 10, "min")]
    yield metric("apple_stand_hour", "count", point | {"qty": 1}), [watch("apple_stand_hour", 1, "count")]
    yield metric("moon_phase", "deg", point | {"qty": 12}), [watch("moon_phase", 12, "deg")]
    stage = {"startDate": NIGHT, "endDate": MORNING, "qty": 1.5, "value": "Core"} | WATCH
    yield metric("sleep_analysis", "hr", stage), [
        record("sleep_analysis", NIGHT, 3, end=MORNING, kind="category", value_name="asleep_core", source="Apple Watch",
               spelled=["value"], rest='"qty":1.5,"value":"Core","units":"hr"',
               key=name_key("sleep_analysis", "segment", "Apple Watch", "asleep_core", epoch(NIGHT) * 1_000_000,
                            epoch(MORNING) * 1_000_000))]


RUN = {"id": "0B6F0000-0000-4000-8000-000000000001", "name": "Running", "start": AT, "end": LATER, "duration": 1800,
       "activeEnergyBurned": {"qty": 312.4, "units": "kcal"}, "distance": {"qty": 5.02, "units": "km"}}
ROUTE = {"route": [{"latitude": 59.329323, "longitude": 18.068581, "altitude": 12.5, "timestamp": AT}]}


def run_row(workout):
    kept = {name: value for name, value in workout.items() if name not in ("id", "start", "end", "duration")}
    return row(record("workout", AT, 1800, "s", end=LATER, kind="workout", key=RUN["id"], value_name="running",
                      rest=dump(kept | {"energy_kcal": 312.4, "distance_m": 5020})[1:-1]))


def cases():
    shapes = list(every_shape())
    metrics, rows = [sent for sent, _ in shapes], [row(made) for _, all_made in shapes for made in all_made]
    mood = {"id": "50A10000-0000-4000-8000-000000000001", "start": AT, "end": AT, "kind": "daily_mood", "labels": ["calm"],
            "associations": ["family"], "valence": 0.5, "valenceClassification": "pleasant"}
    rows.append(row(record("state_of_mind", AT, end=AT, kind="stateOfMind", key=mood["id"], rest=dump(
        {name: mood[name] for name in ("kind", "labels", "associations", "valence", "valenceClassification")}
        | {"valence_classification": "pleasant"})[1:-1])))
    symptom = {"start": AT, "end": AT, "name": "Headache", "severity": "Mild", "userEntered": True} | WATCH
    micro = epoch(AT) * 1_000_000
    rows.append(row(record("headache", AT, 2, end=AT, kind="category", value_name="mild", source="Apple Watch",
                           key=name_key("symptom", "headache", micro, micro, "Apple Watch"),
                           rest='"name":"Headache","severity":"Mild","userEntered":true')))
    whole = body(*metrics, workouts=[RUN | ROUTE], stateOfMind=[mood], symptoms=[symptom])
    yield case("hae_every_shape", "A point of every shape and a record of every section that Syncky sends.", HAE,
               send(whole), rows + [run_row(RUN | ROUTE)])
    yield case("hae_repeated", "The same body again changes nothing.", HAE, [send(whole), send(whole)],
               rows + [run_row(RUN | ROUTE)])
    yield case("hae_route_later", "A workout comes again with its route, and is one workout.", HAE,
               [send(body(workouts=[RUN])), send(body(workouts=[RUN | ROUTE]))], [run_row(RUN | ROUTE)])
    yield case("hae_check_connection", "The Check connection request stores nothing.", HAE,
               send('{"data":{"metrics":[],"workouts":[]}}'), [])
    yield case("hae_one_bad_point", "A bad point costs no other.", HAE,
               send(body(metric("step_count", "count", {"date": "?", "qty": 1}, {"date": AT, "qty": 412} | WATCH))),
               [row(watch("steps", 412, "count"))])
    yield case("hae_one_bad_section", "A bad section costs no other.", HAE,
               send(body(metric("step_count", "count", {"date": AT, "qty": 412} | WATCH), workouts={})),
               [row(watch("steps", 412, "count"))])
    for name, content, code, path in [
            ("no_data", '{"steps":[]}', "envelope_invalid", None), ("data_text", '{"data":"x"}', "envelope_invalid", "data"),
            ("native_body", '{"v":1,"type":"sync","device":"d_1","samples":[],"deleted":[]}', "envelope_invalid", None),
            ("cut", '{"data":{"metrics":[', "json_invalid", None)]:
        at = {"offset": content.index(path.split(".")[-1] + '":') + len(path.split(".")[-1]) + 2, "line": 1, "path": path} \
            if path else None
        yield case("hae_refused_" + name, "A body of another shape.", HAE, send(content, 400, code, at), [])
    native = Endpoint("hae-to-native")
    yield case("native_refused_hae_body", "A body of the Health Auto Export shape with the native format's header.", native,
               ask(native, '{"data":{"metrics":[],"workouts":[]}}', 400), [])
