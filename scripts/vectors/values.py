"""Cases of what is in a sample: types and members never heard of, times, numbers, text and keys."""

import json

from .build import Endpoint, ask, case, dump, stored, stored_quantity, sync
from .samples import BLOOD_TYPE, SLEEP, STEPS, WORKOUT

PHONE = Endpoint("phone")


def numbered(index, **more):
    return STEPS | {"uuid": f"5E1D0000-0000-4000-8000-{index:012}"} | more


def without(sample, *names):
    return {name: value for name, value in sample.items() if name not in names}


def native(name, description, body, rows):
    return case("native_" + name, description, PHONE, ask(PHONE, body), rows)


def cases():
    yield from unknown()
    yield from times()
    yield from numbers()
    yield from texts()


def unknown():
    ecg = {"uuid": "EC600000-0000-4000-8000-000000000001", "type": "electrocardiogram",
           "start": "2026-10-14T06:00:00Z", "classification": "sinus_rhythm", "voltages": [[0, 0.1], [2, -0.05]]}
    mood = {"uuid": "EC600000-0000-4000-8000-000000000002", "type": "weather_feeling", "value": "sunny",
            "start": "2026-10-14T06:00:00Z", "end": "2026-10-14T06:00:00Z"}
    score = {"uuid": "EC600000-0000-4000-8000-000000000003", "type": "focus_score", "value": 7.25, "unit": "points",
             "start": "2026-10-14T06:00:00Z", "end": "2026-10-14T06:00:00Z"}
    rows = [stored(ecg, "other"), stored(mood, "category", None, "sunny"), stored_quantity(score)]
    yield native("unknown_types", "A number makes an unknown type a quantity, a string a category, else it is `other`.",
                 sync([ecg, mood, score]), rows)
    odd = [numbered(1, type="flag", value=True), numbered(2, type="flag", value=None),
           numbered(3, type="flag", value={"a": 1}), numbered(4, type="flag", value=[1])]
    yield native("unknown_value_shapes", "A value that is neither a number nor a string is kept in `body` alone.",
                 sync(odd), [stored(sample, "other", unit="count") for sample in odd])
    member = STEPS | {"metadata": {"HKMetadataKeySyncVersion": 3}, "x": None, "nested": [[[{"deep": [True, False]}]]]}
    yield native("unknown_members", "Members never heard of are kept as they came, in the body and in a sample.",
                 sync([member], weather="sunny", v2={"samples": [1]}), [stored_quantity(member)])
    deepest = STEPS | {"deep": json.loads("[" * 61 + "]" * 61)}
    yield native("deepest", "64 levels, the body and `samples` included.", sync([deepest]), [stored_quantity(deepest)])
    nulls = STEPS | {"unit": None, "start": None, "end": None, "part": None, "source": None}
    yield native("null_members", "Null is as good as absent, and stays in `body`.", sync([nulls]),
                 [stored_quantity(nulls, part=0)])
    stage = SLEEP | {"value": "asleep_dreaming"}
    yield native("unknown_category_value", "A name without a HealthKit number has no `value`.",
                 sync([stage]), [stored(stage, "category", None, "asleep_dreaming")])
    other_unit = STEPS | {"type": "body_mass", "value": 11.5, "unit": "stone"}
    yield native("unknown_unit", "A unit never heard of is kept, and nothing is converted.",
                 sync([other_unit]), [stored_quantity(other_unit)])
    no_unit = without(STEPS, "unit")
    yield native("no_unit", "A quantity without a unit.", sync([no_unit]), [stored_quantity(no_unit)])
    sport = WORKOUT | {"activity": "underwater_hockey", "duration_s": 1870.5}
    short = without(WORKOUT, "duration_s", "activity", "energy_kcal", "distance_m")
    short["uuid"] = "0B6F0000-0000-4000-8000-000000000002"
    yield native("workouts", "An activity never heard of; a workout that tells neither activity nor duration.",
                 sync([sport, short]),
                 [stored(sport, "workout", 1870.5, "underwater_hockey", "s"), stored(short, "workout", unit="s")])
    new = BLOOD_TYPE | {"uuid": "characteristic:handedness", "name": "handedness", "value": "left"}
    yield native("unknown_characteristic", "A characteristic never heard of.", sync([new]),
                 [stored(new, "characteristic", None, "left")])
    categories = [("sleep_analysis", "in_bed", 0), ("sleep_analysis", "asleep_unspecified", 1),
                  ("sleep_analysis", "awake", 2), ("sleep_analysis", "asleep_deep", 4),
                  ("sleep_analysis", "asleep_rem", 5), ("apple_stand_hour", "stood", 0),
                  ("menstrual_flow", "heavy", 4), ("headache", "severe", 4), ("mindful_session", "not_applicable", 0)]
    samples = [numbered(index, type=type, value=name) for index, (type, name, _) in enumerate(categories)]
    samples = [without(sample, "unit") for sample in samples]
    yield native("category_values", "The raw HealthKit number of a category's name depends on its type.",
                 sync(samples), [stored(sample, "category", number, name)
                                 for sample, (_, name, number) in zip(samples, categories)])


def times():
    spelled = [  # as sent, as shown
        ("2026-10-14T09:01:00+02:00", "2026-10-14T07:01:00Z"),
        ("2026-10-13T20:31:00-10:30", "2026-10-14T07:01:00Z"),
        ("2026-10-14T07:01:00.5Z", "2026-10-14T07:01:00.500000Z"),
        ("2026-10-14T07:01:00.123456Z", "2026-10-14T07:01:00.123456Z"),
        ("2026-10-14T07:01:00.000001Z", "2026-10-14T07:01:00.000001Z"),
        ("2026-10-14T07:01:00.000Z", "2026-10-14T07:01:00Z"),
        ("2026-10-14T07:01:00.123456400Z", "2026-10-14T07:01:00.123456Z"),
        ("2026-10-14T07:01:00+00:00", "2026-10-14T07:01:00Z"),
        ("1969-12-31T23:59:59.25Z", "1969-12-31T23:59:59.250000Z"),
        ("1899-12-31T23:59:59Z", "1899-12-31T23:59:59Z"),
        ("2024-02-29T23:59:59Z", "2024-02-29T23:59:59Z"),
        ("2100-03-01T00:00:00Z", "2100-03-01T00:00:00Z"),
    ]
    samples = [numbered(index, start=sent, end=sent) for index, (sent, _) in enumerate(spelled)]
    yield native("times", "Offsets, fractions to the microsecond and beyond, moments before 1970; `body` keeps them all.",
                 sync(samples), [stored_quantity(sample, start=shown, end=shown)
                                 for sample, (_, shown) in zip(samples, spelled)])
    samples = [without(numbered(1), "start"), without(numbered(2), "end"), without(numbered(3), "start", "end")]
    yield native("times_missing", "A sample need not have a start or an end.",
                 sync(samples), [stored_quantity(sample) for sample in samples])
    backwards = STEPS | {"end": "2026-10-14T07:00:00Z"}
    yield native("end_before_start", "Kept as it came.", sync([backwards]), [stored_quantity(backwards)])


def numbers():
    spelled = ["0", "-1", "0.1", "0.30000000000000004", "5e-324", "2.2250738585072014e-308", "1.7976931348623157e308",
               "9007199254740991", "123456789012345.67", "1e21", "1E+2", "1.0e-7", "-0.000001", "412.0",
               "3.1415926535897932384626433832795028841971", "0.1000000000000000055511151231257827021181583404541015625",
               "4.35", "8.41", "179769313486231570000"]
    samples = [dump(numbered(index, value=0)).replace('"value":0', '"value":' + text)
               for index, text in enumerate(spelled)]
    body = dump(sync()).replace('"samples":[]', '"samples":[' + ",".join(samples) + "]")
    yield native("numbers", "Every number is the nearest double, to the last bit, in each spelling of JSON.", body,
                 [stored_quantity(numbered(index, value=float(text))) for index, text in enumerate(spelled)])
    large = numbered(1, value=9007199254740993)
    yield native("number_past_the_doubles", "`value` is the nearest double; `body` keeps the number itself.",
                 sync([large]), [stored_quantity(large, value=9007199254740992.0)])


def texts():
    said = {"device": "Ann’s ⌚️ “ultra” \\ / \u007f é e\u0301 \U0001F44D\U0001F3FD", "app": "\t\n\r\b\f\u0001"}
    yield native("text", "Every kind of character in a name, unescaped where JSON allows it.",
                 sync([STEPS | {"source": said}]), [stored_quantity(STEPS | {"source": said})])
    escaped = (dump(sync([STEPS])).replace("Apple Watch", "\\u0041pple\\u0020W\\u00e9\\ud83d\\udc4D\\/\\\"")
               .replace('"uuid":"5E1D', '"\\u0075uid":"\\u0035E1D'))
    yield native("text_escaped", "Escapes stand for their characters, in names of members and in keys too.", escaped,
                 [stored_quantity(STEPS | {"source": {"app": "com.apple.Health", "device": "Apple Wé\U0001F44D/\""}})])
    composed = [BLOOD_TYPE | {"uuid": "note:é", "name": "note", "value": "a"},
                BLOOD_TYPE | {"uuid": "note:e\u0301", "name": "note", "value": "b"}]
    yield native("keys_are_bytes", "Two spellings of one letter are two keys.", sync(composed),
                 [stored(sample, "characteristic", None, sample["value"]) for sample in composed])
    keys = ["k", "k" * 256, "ü" * 128, "5E1D0000-0000-4000-8000-00000000000", "5E1D0000-0000-4000-8000-00000000000G",
            "5E1D00000000-4000-8000-0000-00000000", "a key with spaces / and \"more\"", "5e1d:lower case stays"]
    samples = [STEPS | {"uuid": key, "value": index} for index, key in enumerate(keys)]
    yield native("keys", "A key that is no uuid is text of 1 to 256 bytes, shown as it came.",
                 sync(samples), [stored_quantity(sample) for sample in samples])
    types = ["ab", "z" * 64, "a_1", "x9"]
    samples = [numbered(index, type=type) for index, type in enumerate(types)]
    yield native("type_names", "The shortest and the longest name of a type.",
                 sync(samples), [stored_quantity(sample) for sample in samples])
    devices = "d" * 1021 + " ü"
    yield native("device_name", "A device is any text of up to 1,024 bytes.", sync([STEPS], device=devices),
                 [stored_quantity(STEPS, device=devices)])
