"""Pushes of Health Relay: what a decoder makes of them, and which it refuses."""

import datetime
import hashlib

from .build import dump
from .hae_build import NAMESPACE

UTC = datetime.timezone.utc
ZONE = 60  # minutes east of UTC of the endpoint's zone in all cases
EAST = 540  # of "Invented/East", which a device may name
EXPORTED = "2026-10-14T07:05:00Z"
DEVICE = {"id": "relay-1", "name": "Phone"}
NONE = -(1 << 63)


def days_since(date):
    return (datetime.date.fromisoformat(date) - datetime.date(1970, 1, 1)).days


def microseconds(time):
    return int(datetime.datetime.fromisoformat(time.replace("Z", "+00:00")).timestamp()) * 1_000_000


def key(section, label, source, day, start=None, occurrence=0):
    """A uuid of version 5 over the parts: a text with its length in front, a number as eight bytes."""
    data = NAMESPACE
    for part in ("relay", section, label, source or "", days_since(day), NONE if start is None else microseconds(start), occurrence):
        if isinstance(part, int):
            data += part.to_bytes(8, "big", signed=True)
        else:
            raw = part.encode()
            data += len(raw).to_bytes(8, "big") + raw
    digest = bytearray(hashlib.sha1(data).digest()[:16])
    digest[6] = 0x50 | digest[6] & 0x0F
    digest[8] = 0x80 | digest[8] & 0x3F
    text = digest.hex().upper()
    return "-".join((text[:8], text[8:12], text[12:16], text[16:20], text[20:]))


def midnight(date, offset, days=0):
    day = datetime.date.fromisoformat(date) + datetime.timedelta(days=days)
    time = datetime.datetime.combine(day, datetime.time(), datetime.timezone(datetime.timedelta(minutes=offset)))
    return time.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def record(day, section, label, type_, kind="quantity", value=None, unit=None, source=None, start=None, end=None, value_name=None,
           rest="", after="", offset=ZONE, occurrence=0, key_start=None):
    """A record of a day; without a start it is from its midnight to the next, on the clock of `offset`."""
    if start is None:
        rest = ",".join(filter(None, [rest, '"grain":"day"']))
    rest = ",".join(filter(None, [rest, after]))
    row = {"day": day, "type": type_, "kind": kind, "key": key(section, label, source, day, key_start or start, occurrence),
           "value": value, "value_name": value_name, "unit": unit, "start": start or midnight(day, offset),
           "end": end if start else midnight(day, offset, 1), "offset": offset, "source": source,
           "grain": "raw" if start else "day", "merge": "replace", "rest": "{" + rest + "}"}
    return {name: one for name, one in row.items() if one is not None}


def push(days, **sections):
    return {"schema": 1, "exportedAt": EXPORTED, "device": DEVICE, "days": list(days), **sections}


def accepted(name, description, content, records=(), days=(), skipped=(), device="relay-1", exported=EXPORTED, test=False):
    case = {"name": "relay_" + name, "description": description,
            "body": content if isinstance(content, str) else dump(content), "device": device, "test": test,
            "days": list(days), "records": list(records)}
    if not test:
        case["exported_at"] = exported
    if skipped:
        case["skipped"] = [{"path": path, "code": code} for path, code in skipped]
    return {member: value for member, value in case.items() if value is not None}


def metric(day, name="step_count", unit="count", source="Watch", **values):
    return {"day": day, "name": name, "unit": unit, "source": source, **values}


def taken():
    first, second = "2026-10-13", "2026-10-14"
    steps = record(first, "metrics", "step_count", "steps", value=4391, unit="count", source="Watch",
                   rest='"day":"2026-10-13","name":"step_count","sum":4391')
    yield accepted("a_day_of_steps", "A day's sum under Syncky's name, from midnight to midnight.",
                   push([first, second], metrics=[metric(first, sum=4391)]), [steps], [first, second])
    yield accepted("an_empty_listed_day", "A day that is listed and has nothing is owned all the same.", push([first]), [], [first])
    yield accepted("days_as_objects", "A day may hold its sections itself, under `date` or `day`.",
                   push([{"date": first, "metrics": [{"name": "step_count", "unit": "count", "source": "Watch", "sum": 4391}]},
                         {"day": second}]),
                   [record(first, "metrics", "step_count", "steps", value=4391, unit="count", source="Watch",
                           rest='"name":"step_count","sum":4391')], [first, second])
    yield accepted("names_in_another_case", "Names are compared without case, `_` and `-`.",
                   '{"exported_at":"2026-10-14 09:05:00 +0200","DEVICE":{"ID":"relay-1"},"Days":["2026-10-13"],'
                   '"METRICS":[{"Day":"2026-10-13","Name":"step_count","Unit":"count","Source":"Watch","Sum":4391}]}',
                   [record(first, "metrics", "step_count", "steps", value=4391, unit="count", source="Watch",
                           rest='"Day":"2026-10-13","Name":"step_count","relay_Unit":"count","relay_Source":"Watch","Sum":4391')
                    | {"rest": '{"Day":"2026-10-13","Name":"step_count","Unit":"count","Source":"Watch","Sum":4391,"grain":"day"}'}],
                   [first])
    yield accepted("members_in_any_order", "What is listed may stand behind the records.",
                   '{"metrics":[' + dump(metric(first, sum=4391)) + '],"days":["2026-10-13"],"device":{"id":"relay-1"},'
                   f'"exportedAt":"{EXPORTED}"}}', [steps], [first])
    yield accepted("sections_below_data", "Sections may stand in an object called `data`.",
                   {"exportedAt": EXPORTED, "device": "relay-1", "days": [first], "data": {"metrics": [metric(first, sum=4391)]}},
                   [steps], [first])
    yield accepted("metrics_by_name", "A section may be an object of lists by name.",
                   push([first], metrics={"step_count": [{"day": first, "sum": 4391, "unit": "count", "source": "Watch"}]}),
                   [record(first, "metrics", "step_count", "steps", value=4391, unit="count", source="Watch",
                           rest='"day":"2026-10-13","sum":4391')], [first])
    yield accepted("records_by_name", "What its list is called is the record's name, where its own members have none.",
                   push([first], medications={"Invented": [{"day": first, "status": "taken"}], "B": [{"day": first, "status": "skipped"}]},
                        symptoms={"Hiccups": [{"day": first, "Name": "Sneezing"}, {"day": first, "name": 7}]}),
                   [record(first, "medications", "invented", "medication_dose_event", "other",
                           rest='"day":"2026-10-13","status":"taken"', after='"name":"Invented"'),
                    record(first, "medications", "b", "medication_dose_event", "other", rest='"day":"2026-10-13","status":"skipped"',
                           after='"name":"B"'),
                    record(first, "symptoms", "sneezing", "symptom", "category", rest='"day":"2026-10-13","Name":"Sneezing"'),
                    record(first, "symptoms", "hiccups", "symptom", "category", rest='"day":"2026-10-13","name":7')], [first])
    yield accepted("times_below_a_day", "A record within a day may tell a time, on whatever clock, or what is none.",
                   {"exportedAt": EXPORTED, "device": "relay-1", "days": [{"date": first, "symptoms": [
                       {"name": "Headache", "severity": "Mild", "day": first, "date": 7}]}]},
                   [record(first, "symptoms", "headache", "headache", "category", 2, value_name="mild",
                           rest=f'"name":"Headache","severity":"Mild","day":"{first}","date":7')], [first])
    yield accepted("no_device", "Without a device the endpoint stands for it.",
                   {"exportedAt": EXPORTED, "days": [first], "metrics": [metric(first, sum=4391)]}, [steps], [first], device=None)
    yield accepted("device_as_text", "A device may be a text.", {"exportedAt": EXPORTED, "device": "Phone", "days": [first]},
                   [], [first], device="Phone")
    yield accepted("device_by_name", "A device without an id goes by its name.",
                   {"exportedAt": EXPORTED, "device": {"name": "Phone"}, "days": [first]}, [], [first], device="Phone")
    yield accepted("a_day_listed_twice", "Twice the same day is one.", push([first, first], metrics=[metric(first, sum=4391)]),
                   [steps], [first])
    yield accepted("zone_of_the_device", "Days are of the zone that the device names.",
                   {"exportedAt": EXPORTED, "device": {"id": "relay-1", "timeZone": "Invented/East"}, "days": [first, second],
                    "metrics": [metric(first, sum=4391)],
                    "symptoms": [{"start": "2026-10-13T16:00:00Z", "name": "Headache", "severity": "Mild"}]},
                   [record(first, "metrics", "step_count", "steps", value=4391, unit="count", source="Watch", offset=EAST,
                           rest='"day":"2026-10-13","name":"step_count","sum":4391'),
                    record(second, "symptoms", "headache", "headache", "category", 2, start="2026-10-13T16:00:00Z", value_name="mild",
                           offset=EAST, rest='"name":"Headache","severity":"Mild"')], [first, second])
    yield accepted("zone_that_is_not_known", "A zone that nobody knows leaves the endpoint's.",
                   {"exportedAt": EXPORTED, "device": {"id": "relay-1", "timeZone": "Mars/Base"}, "days": [first],
                    "metrics": [metric(first, sum=4391)]}, [steps], [first])

    # Numbers of metrics.
    def number(name, description, point, value, unit="count/min", type_="heart_rate", label="heart_rate", rest=None, **more):
        content = {"day": first, "name": label, **point}
        return accepted(name, description, push([first], metrics=[content]),
                        [record(first, "metrics", label, type_, value=value, unit=unit, rest=rest, **more)], [first])
    yield number("value_alone", "`value` is the column's and nowhere else.", {"unit": "count/min", "value": 61.5}, 61.5,
                 rest='"day":"2026-10-13","name":"heart_rate"')
    yield number("mean_with_count", "A mean with its count, its least and its most.",
                 {"unit": "count/min", "avg": 61.5, "min": 48, "max": 141, "count": 288}, 61.5,
                 rest='"day":"2026-10-13","name":"heart_rate","avg":61.5,"min":48,"max":141,"count":288')
    yield number("mean_by_its_other_name", "`mean` is as good as `avg`.", {"unit": "count/min", "mean": 60}, 60,
                 rest='"day":"2026-10-13","name":"heart_rate","mean":60')
    yield number("qty", "`qty` is as good as `value`.", {"unit": "count/min", "qty": 60}, 60, rest='"day":"2026-10-13","name":"heart_rate","qty":60')
    yield number("latest", "The latest value.", {"unit": "kg", "latest": 71.2}, 71.2, "kg", "body_mass", "weight_body_mass",
                 rest='"day":"2026-10-13","name":"weight_body_mass","latest":71.2')
    yield number("most_alone", "The most where there is nothing else.", {"unit": "count/min", "max": 141}, 141,
                 rest='"day":"2026-10-13","name":"heart_rate","max":141')
    yield number("least_and_most_alone", "Of least and most neither stands for the day.", {"unit": "count/min", "min": 48, "max": 141}, None,
                 rest='"day":"2026-10-13","name":"heart_rate","min":48,"max":141')
    yield number("number_as_text", "A number may be written as a text.", {"unit": "count/min", "value": "61.5"}, 61.5,
                 rest='"day":"2026-10-13","name":"heart_rate","relay_value":"61.5"')
    yield number("null_number", "A null is no number, and is kept.", {"unit": "count/min", "value": None, "sum": 7}, 7,
                 rest='"day":"2026-10-13","name":"heart_rate","relay_value":null,"sum":7')
    yield number("converted", "Another unit of the same measure is converted; what was sent stays.", {"unit": "lb", "value": 100},
                 45.359237, "kg", "body_mass", "weight_body_mass",
                 rest='"day":"2026-10-13","name":"weight_body_mass","relay_unit":"lb","relay_value":100')
    yield number("percent", "Percent are hundredths.", {"unit": "%", "avg": 96}, 0.96, "%", "oxygen_saturation", "blood_oxygen_saturation",
                 rest='"day":"2026-10-13","name":"blood_oxygen_saturation","relay_unit":"%","avg":96')
    yield number("unknown_unit", "A unit that we don't know stays, and is marked.", {"unit": "stadia", "value": 3}, 3, "stadia",
                 "distance_walking_running", "walking_running_distance",
                 rest='"day":"2026-10-13","name":"walking_running_distance","unconverted":true')
    case = list(number("unknown_metric", "A metric that nobody knows is kept under its name.", {"unit": "things", "value": 3}, 3, "things",
                       "brand_new", "Brand New", rest='"day":"2026-10-13","name":"Brand New"').items())
    case = dict(case)
    case["records"][0]["key"] = key("metrics", "brand_new", None, first)
    yield case
    for name, label, folded in [("camel_case", "stepCount", "stepcount"),
                                ("healthkit_name", "HKQuantityTypeIdentifierStepCount", "hkquantitytypeidentifierstepcount")]:
        yield accepted("metric_" + name, "Other names of the same metric.", push([first], metrics=[metric(first, label, sum=4391)]),
                       [record(first, "metrics", folded, "steps", value=4391, unit="count", source="Watch",
                               rest=f'"day":"2026-10-13","name":"{label}","sum":4391')], [first])
    yield accepted("two_sources", "Each source has a row of its own.",
                   push([first], metrics=[metric(first, sum=4391), metric(first, sum=4100, source="Phone")]),
                   [steps, record(first, "metrics", "step_count", "steps", value=4100, unit="count", source="Phone",
                                  rest='"day":"2026-10-13","name":"step_count","sum":4100')], [first])
    yield accepted("the_same_twice", "Records that are alike are told apart by their count.",
                   push([first], metrics=[metric(first, sum=1), metric(first, sum=2)]),
                   [record(first, "metrics", "step_count", "steps", value=value, unit="count", source="Watch", occurrence=value - 1,
                           rest=f'"day":"2026-10-13","name":"step_count","sum":{value}') for value in (1, 2)], [first])
    yield accepted("source_as_object", "The name of a source that is an object.",
                   push([first], metrics=[{"day": first, "name": "step_count", "unit": "count", "source": {"name": "Watch", "id": 7}, "sum": 4391}]),
                   [record(first, "metrics", "step_count", "steps", value=4391, unit="count", source="Watch",
                           rest='"day":"2026-10-13","name":"step_count","relay_source":{"name":"Watch","id":7},"sum":4391')], [first])
    yield accepted("day_with_a_time", "Of a day the first ten characters count.",
                   push([first], metrics=[metric("2026-10-13T00:00:00+02:00", sum=4391)]),
                   [record(first, "metrics", "step_count", "steps", value=4391, unit="count", source="Watch",
                           rest='"day":"2026-10-13T00:00:00+02:00","name":"step_count","sum":4391')], [first])

    # Other sections.
    yield accepted("workout", "A workout is of the day on which it starts; times in UTC have the zone's offset.",
                   push([second], workouts=[{"start": "2026-10-13T23:30:00Z", "end": "2026-10-14T00:10:00Z", "activity": "Outdoor Running",
                                             "duration": 1870.5, "activeEnergy": {"qty": 300, "unit": "kcal"}, "source": "Watch"}]),
                   [record(second, "workouts", "outdoor_running", "workout", "workout", 1870.5, "s", "Watch", "2026-10-13T23:30:00Z",
                           "2026-10-14T00:10:00Z", "running",
                           '"relay_activity":"Outdoor Running","duration":1870.5,"activeEnergy":{"qty":300,"unit":"kcal"}')], [second])
    yield accepted("workout_without_a_duration", "Its length is from start to end; a name that is not known is `other`.",
                   push([second], workouts=[{"startDate": "2026-10-14 07:00:00 +0200", "endDate": "2026-10-14 07:31:00 +0200", "name": "Quidditch"}]),
                   [record(second, "workouts", "quidditch", "workout", "workout", 1860, "s", None, "2026-10-14T05:00:00Z",
                           "2026-10-14T05:31:00Z", "other",
                           '"startDate":"2026-10-14 07:00:00 +0200","endDate":"2026-10-14 07:31:00 +0200","name":"Quidditch"', offset=120)],
                   [second])
    yield accepted("sleep_stage", "A stage in the metrics is a category.",
                   push([first], metrics=[{"start": "2026-10-13T01:00:00Z", "end": "2026-10-13T01:30:00Z", "name": "sleep_analysis", "value": "Core"}]),
                   [record(first, "metrics", "sleep_analysis", "sleep_analysis", "category", 3, None, None, "2026-10-13T01:00:00Z",
                           "2026-10-13T01:30:00Z", "asleep_core", '"name":"sleep_analysis","relay_value":"Core"')], [first])
    yield accepted("symptom_of_a_day", "A symptom that tells no time is of the whole day.",
                   push([first], symptoms=[{"date": first, "type": "Cramps", "value": "present"}]),
                   [record(first, "symptoms", "cramps", "abdominal_cramps", "category", 0, None, None, value_name="present",
                           rest='"date":"2026-10-13","relay_type":"Cramps"')], [first])
    yield accepted("symptom_that_is_not_known", "Its name stays.", push([first], symptoms=[{"day": first, "name": "Hiccups", "value": 2}]),
                   [record(first, "symptoms", "hiccups", "symptom", "category", 2,
                           rest='"day":"2026-10-13","name":"Hiccups","relay_value":2')], [first])
    yield accepted("cycle", "Days of the cycle are categories.",
                   push([first], cycleTracking=[{"day": first, "name": "menstrualFlow", "value": "light"}]),
                   [record(first, "cycleTracking", "menstrualflow", "menstrual_flow", "category", 2, value_name="light",
                           rest='"day":"2026-10-13","name":"menstrualFlow"')], [first])
    at = "2026-10-13T09:00:00Z"
    yield accepted("the_other_sections", "Electrocardiograms, notifications, moods and medicines.",
                   push([first], ecg=[{"start": at, "classification": "sinusRhythm"}],
                        heartRateNotifications=[{"start": at, "kind": "highHeartRate", "threshold": 120}],
                        stateOfMind=[{"timestamp": at, "valence": 0.4}], medications=[{"date": at, "name": "Invented", "status": "taken"}]),
                   [record(first, "ecg", "", "electrocardiogram", "other", start=at, rest='"classification":"sinusRhythm"'),
                    record(first, "heartRateNotifications", "highheartrate", "high_heart_rate_event", "category", 0, start=at,
                           value_name="not_applicable", rest='"kind":"highHeartRate","threshold":120'),
                    record(first, "stateOfMind", "", "state_of_mind", "stateOfMind", start=at, rest=f'"timestamp":"{at}","valence":0.4'),
                    record(first, "medications", "invented", "medication_dose_event", "other", start=at,
                           rest=f'"date":"{at}","name":"Invented","status":"taken"')], [first])
    yield accepted("unknown_section", "A list that we don't know is kept as what it is.",
                   push([first], bodyScans=[{"day": first, "value": 3}, {"day": first, "depth": {"a": [1, 2]}}, {"note": "no day"}]),
                   [record(first, "bodyScans", "", "body_scans", value=3, rest='"day":"2026-10-13","relay_value":3'),
                    record(first, "bodyScans", "", "body_scans", "other", occurrence=1, rest='"day":"2026-10-13","depth":{"a":[1,2]}')],
                   [first], [("", "day_missing")])
    yield accepted("not_understood", "What is no record is kept aside.",
                   push([first], metrics=[7, "x", None, [metric(first)]], workouts="none", settings={"a": 1}),
                   [], [first],
                   [("metrics[0]", "record_invalid"), ("metrics[1]", "record_invalid"), ("metrics[2]", "record_invalid"),
                    ("metrics[3]", "record_invalid"), ("workouts", "section_unknown"), ("", "section_unknown")])
    yield accepted("null_sections", "A section may be null.", push([first], metrics=None, workouts=None), [], [first])

    # The sender's test.
    for name, content in [("test", push([])), ("test_with_empty_sections", push([], metrics=[], workouts=[], ecg=None)),
                          ("test_without_days", {"device": DEVICE}), ("test_with_a_text", '{"device":"relay-1","metrics":[ ]}')]:
        yield accepted(name, "A device, no days and no data: nothing to store.", content, test=True)


def refused():
    """`§` marks the offset and is taken out."""
    def whole(inner, days='"2026-10-13"', head=f'"exportedAt":"{EXPORTED}","device":"d"'):
        return "{" + head + ',"days":[' + days + "]" + inner + "}"
    record = '"name":"step_count","sum":1'
    for name, body, code, path in [
            ("empty", "§", "json_invalid", None), ("array", "§[]", "envelope_invalid", None), ("trailing", whole("") + "§x", "json_invalid", None),
            ("cut", '{"days":["2026-10-13"]§', "json_invalid", None), ("nothing", "§{}", "member_missing", "device"),
            ("no_days", f'§{{"exportedAt":"{EXPORTED}","device":"d","metrics":[{{"day":"2026-10-13"}}]}}', "member_missing", "days"),
            ("no_exported_at", '§{"device":"d","days":["2026-10-13"]}', "member_missing", "exportedAt"),
            ("exported_at_null", '§{"device":"d","exportedAt":null,"days":["2026-10-13"]}', "member_missing", "exportedAt"),
            ("exported_at_text", whole("", head='"device":"d","exportedAt":§"yesterday"'), "time_invalid", "exportedAt"),
            ("exported_at_day", whole("", head='"device":"d","exportedAt":§"2026-10-14"'), "time_invalid", "exportedAt"),
            ("exported_at_small", whole("", head='"device":"d","exportedAt":§7'), "time_invalid", "exportedAt"),
            ("exported_at_array", whole("", head='"device":"d","exportedAt":§["2026-10-14T07:05:00Z"]'), "time_invalid", "exportedAt"),
            ("exported_at_in_a_test", '{"device":"d","exportedAt":§"soon"}', "time_invalid", "exportedAt"),
            ("more_than_a_day_ahead", whole("", head='"device":"d","exportedAt":§"2026-10-15T07:05:01Z"'), "exported_ahead", "exportedAt"),
            ("exported_at_twice", whole("", head=f'"device":"d","exportedAt":"{EXPORTED}","exported_at":§"{EXPORTED}"'), "member_repeated", "exportedAt"),
            ("device_number", whole("", head=f'"exportedAt":"{EXPORTED}","device":§7'), "member_invalid", "device"),
            ("device_empty", whole("", head=f'"exportedAt":"{EXPORTED}","device":§""'), "member_invalid", "device"),
            ("device_with_nul", whole("", head=f'"exportedAt":"{EXPORTED}","device":§{{"id":"a\\u0000"}}'), "member_invalid", "device"),
            ("device_without_an_id", whole("", head=f'"exportedAt":"{EXPORTED}","device":§{{"timeZone":"UTC"}}'), "member_invalid", "device"),
            ("days_text", f'{{"exportedAt":"{EXPORTED}","device":"d","days":§"2026-10-13"}}', "member_invalid", "days"),
            ("day_that_is_none", whole("", '"2026-10-13",§"2026-02-30"'), "day_invalid", "days[1]"),
            ("day_with_a_time", whole("", '§"2026-10-13T00:00:00Z"'), "day_invalid", "days[0]"), ("day_number", whole("", "§20261013"), "day_invalid", "days[0]"),
            ("day_without_a_date", whole("", '§{"metrics":[]}'), "day_invalid", "days[0]"),
            ("day_object_that_is_none", whole("", '{"date":§"13.10.2026"}'), "day_invalid", "days[0].date"),
            ("days_that_differ", whole("", '{"date":"2026-10-13","day":§"2026-10-14"}'), "day_invalid", "days[0].day"),
            ("record_of_another_day", whole(',"metrics":[{"day":"2026-10-13",' + record + '},{"day":§"2026-10-14",' + record + "}]"), "day_not_listed", "metrics[1].day"),
            ("record_that_starts_on_another_day", whole(',"workouts":[{"start":§"2026-10-13T23:30:00Z"}]'), "day_not_listed", "workouts[0].start"),
            ("record_of_another_day_than_its_list", '{"device":"d","exportedAt":"' + EXPORTED + '","days":[{"date":"2026-10-13","metrics":[{"day":§"2026-10-20",' + record + '}]}]}', "day_not_listed", "days[0].metrics[0].day"),
            ("record_of_no_listed_day", '{"device":"d","exportedAt":"' + EXPORTED + '","days":[],"metrics":[{"date":§"2026-10-13"}]}', "day_not_listed", "metrics[0].date"),
            ("record_without_a_day", whole(',"metrics":[§{' + record + "}]"), "day_missing", "metrics[0]"),
            ("record_with_a_day_that_is_none", whole(',"symptoms":[{"day":§"Tuesday"}]'), "day_invalid", "symptoms[0].day"),
            ("record_with_a_day_that_is_a_number", whole(',"symptoms":[{"date":§7}]'), "day_invalid", "symptoms[0].date"),
            ("unknown_section_of_another_day", whole(',"scans":[{"day":§"2026-10-14"}]'), "day_not_listed", None),
            ("member_twice", whole(',"metrics":[{"day":"2026-10-13","sum":1,§"sum":2}]'), "member_repeated", "metrics"),
            ("number_past_a_double", whole(',"metrics":[{"day":"2026-10-13","sum":§1e999}]'), "number_invalid", "metrics"),
            ("too_many_days", whole("", ",".join(f'"{datetime.date(2025, 1, 1) + datetime.timedelta(days=n)}"' for n in range(400)) + ',§"2026-10-13"'),
             "days_too_many", "days[400]")]:
        yield {"name": "relay_refused_" + name, "body": body, "code": code, **({"path": path} if path else {})}
