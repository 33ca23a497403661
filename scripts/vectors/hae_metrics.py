"""Bodies of the Health Auto Export shape that are taken: metrics, their dates, numbers, units and shapes."""

import json

from .build import dump
from .hae_build import ZONE, accepted, body, days, epoch, metric, name_key, record, slot_key

RAW = {"aggregation": "None", "period": "Today"}
NONE = {}
NARROW = "\u202f"
NINE = "2026-10-14 09:01:00 +0200"


def steps(at, value, **more):
    return record("steps", at, value, "count", merge="slotSum", **{"source": "Phone", **more})


def point(at=NINE, qty=412, **more):
    return {"date": at, "qty": qty, "source": "Phone", **more}


def one(at=NINE, qty=412, **more):
    return body(metric("step_count", "count", point(at, qty, **more)))


def cases():
    yield from minimal()
    yield from dates()
    yield from numbers()
    yield from units()
    yield from shapes()
    yield from grains()
    yield from names()
    yield from envelopes()


def minimal():
    """The bodies that the format's description ends with."""
    yield accepted("hae_clock_change", "Steps on both sides of the hour that is left out in spring; two sources in one.",
        body(metric("step_count", "count",
            {"date": "2026-03-29 01:30:00 +0100", "qty": 12, "source": "Phone A"},
            {"date": "2026-03-29 03:00:00 +0200", "qty": 0.25, "source": "Phone A|Watch A"})),
        [steps("2026-03-29 01:30:00 +0100", 12, source="Phone A"),
         steps("2026-03-29 03:00:00 +0200", 0.25, source="Phone A|Watch A")], headers=NONE)
    at = "2026-05-01 12:30:00 +0200"
    food = {"date": at, "qty": 4, "source": "Food"}
    row = record("dietary_protein", at, 4, "g", merge="slotSum", source="Food")
    yield accepted("hae_foods_of_one_minute", "Three foods in one second, two of them the same: three members of a slot.",
        body(metric("protein", "g", food, food | {"qty": 21.5}, food)), [row, row | {"value": 21.5}, row], headers=NONE)
    at = "2024-09-21 07:57:00 +1000"
    yield accepted("hae_kilojoules_twelve_hours", "A narrow no-break space, a 12-hour clock, kilojoules, an empty source.",
        '{"data":{"metrics":[{"name":"active_energy","units":"kJ","data":[{"date":"2024-09-21 7:57:00\\u202fam +1000",'
        '"qty":418.4,"source":""}]}]}}',
        [record("active_energy_burned", at, 100, "kcal", merge="slotSum", spelled=["source"],
                rest='"date":"2024-09-21 7:57:00\\u202fam +1000","qty":418.4,"source":"","units":"kJ"')], headers=NONE)


def dates():
    forms = [
        ("narrow_space", "2026-10-14 9:01:00\u202fAM +0200"), ("no_break_space", "2026-10-14 9:01:00\u00a0am +0200"),
        ("thin_spaces", "2026-10-14\u20099:01:00\u2009AM\u2009+0200"), ("plain_space", "2026-10-14 9:01:00 AM +0200"),
        ("no_seconds", "2026-10-14 9:01 AM +0200"), ("spaced_day_period", "2026-10-14 9:01:00 a. m. +0200"),
        ("dotted_day_period", "2026-10-14 9:01:00 a.m. +0200"), ("chinese", "2026-10-14 上午9:01:00 +0200"),
        ("arabic_digits", "٢٠٢٦-١٠-١٤ ٠٩:٠١:٠٠ +٠٢٠٠"), ("persian_digits", "۲۰۲۶-۱۰-۱۴ ۰۹:۰۱:۰۰ +۰۲۰۰"),
        ("devanagari_digits", "२०२६-१०-१४ ०९:०१:०० +०२००"), ("fullwidth_digits", "２０２６-１０-１４ ０９：０１：００ +０２００"),
        ("offset_colon", "2026-10-14 09:01:00 +02:00"), ("offset_hours", "2026-10-14 09:01:00 +02"),
        ("tab", "2026-10-14\t09:01:00\t+0200"), ("no_space_before_zone", "2026-10-14 09:01:00+0200"),
        ("rfc3339", "2026-10-14T09:01:00+02:00"), ("zero_fraction", "2026-10-14 09:01:00.000 +0200"),
        ("spaces_around", "  2026-10-14  09:01:00 +0200 "), ("direction_mark", "2026-10-14 09:01:00\u200e +0200"),
    ]
    for name, text in forms:
        yield accepted("hae_date_" + name, "One moment in another spelling: the instant, the offset and the text are kept.",
            one(text), [steps(NINE, 412, rest=f'"date":{dump(text)}')], headers=RAW)
    afternoon = "2026-07-06 14:30:00 -0300"
    for name, text in [("pm", "2026-07-06 2:30 PM -0300"), ("chinese_pm", "2026-07-06 下午2:30:00 -0300"),
                       ("spanish_pm", "2026-07-06 2:30:00 p. m. -0300"), ("korean_pm", "2026-07-06 오후 2:30:00 -0300")]:
        yield accepted("hae_date_" + name, "A day-period.", one(text),
                       [steps(afternoon, 412, rest=f'"date":{dump(text)}')], headers=RAW)
    for name, text, at in [("midnight_12", "2026-07-06 12:05:00 AM +0000", "2026-07-06 00:05:00 +0000"),
                           ("noon_12", "2026-07-06 12:05:00 PM +0000", "2026-07-06 12:05:00 +0000"),
                           ("z", "2026-07-06 12:05:00 Z", "2026-07-06 12:05:00 +0000"),
                           ("utc", "2026-07-06 12:05:00 UTC", "2026-07-06 12:05:00 +0000"),
                           ("rfc3339_z", "2025-08-07T10:00:00Z", "2025-08-07 10:00:00 +0000")]:
        yield accepted("hae_date_" + name, "12 a.m. is the first hour, 12 p.m. the one behind noon, Z is UTC.", one(text),
                       [steps(at, 412, rest=f'"date":{dump(text)}')], headers=RAW)
    fraction = steps("2026-07-06 14:30:00 +0000", 412, rest='"date":"2026-07-06 14:30:00.123 +0000"')
    yield accepted("hae_date_fraction", "Milliseconds are in the instant; the slot is the second.",
        one("2026-07-06 14:30:00.123 +0000"),
        [fraction | {"start": "2026-07-06T14:30:00.123000Z", "end": "2026-07-06T14:30:00.123000Z"}], headers=RAW)
    yield accepted("hae_date_without_zone", "The endpoint's zone is taken, and said so.", one("2026-07-04 23:45:00"),
        [steps("2026-07-04 23:45:00 +0100", 412, rest='"date":"2026-07-04 23:45:00","zone_assumed":true')], headers=RAW)
    yield accepted("hae_date_alone", "A day without a time is its midnight.", one("2026-07-06"),
        [steps("2026-07-06 00:00:00 +0100", 412, rest='"date":"2026-07-06","zone_assumed":true')], headers=RAW)
    yield accepted("hae_date_number", "Seconds since 1970, since 2001, and milliseconds: told apart by what is plausible.",
        body(metric("step_count", "count", *[{"date": number, "qty": 1} for number in
             (1791961260, 813654060, 1791961260000)])),
        [record("steps", "2026-10-14 08:01:00 +0100", 1, "count", merge="slotSum",
                rest=f'"date":{number},"zone_assumed":true') | {"start": "2026-10-14T07:01:00Z", "end": "2026-10-14T07:01:00Z"}
         for number in (1791961260, 813654060, 1791961260000)], headers=RAW)
    yield accepted("hae_date_autumn", "The hour that comes twice: the offset tells which one.",
        body(metric("step_count", "count", point("2026-10-25 02:30:00 +0200", 1), point("2026-10-25 02:30:00 +0100", 2))),
        [steps("2026-10-25 02:30:00 +0200", 1), steps("2026-10-25 02:30:00 +0100", 2)], headers=RAW)
    bad = ["2569-07-06 10:00:00 +0700", "0008-07-06 10:00:00 +0900", "1899-12-31 10:00:00 +0000"]
    wrong = ["yesterday", "2026-13-01 10:00:00 +0000", "2026-02-30 10:00:00 +0000", "2026-10-14 25:00:00 +0000",
             "2026-10-14 13:00:00 am +0000", "2026-10-14 10:00:00 +9900", "2026-10-14 10:00:00 +0200 x", "14/10/2026",
             "2026-10-14 10:60:00 +0000", "2026-10-14 +0200", "9" * 300]
    data = [point(text) for text in bad + wrong] + [point(None), {"qty": 1}, point(True), point(["2026"]), point(12), point("")]
    codes = ["date_suspect"] * 3 + ["date_invalid"] * len(wrong) + [
        "date_missing", "date_missing", "date_invalid", "date_invalid", "date_suspect", "date_missing"]
    yield accepted("hae_date_none", "What is no date, or of another calendar, is left out; never is it now, or 1970.",
        body(metric("step_count", "count", *data, point())), [steps(NINE, 412)],
        [(f"data.metrics[0].data[{index}]", code) for index, code in enumerate(codes)], headers=RAW)
    yield accepted("hae_interval", "`start` and `end` beside `date` are the interval.",
        body(metric("apple_sleeping_wrist_temperature", "degC",
            {"date": "2026-10-14 01:00:00 +0200", "end": "2026-10-14 06:00:00 +0200", "qty": 36.1, "source": "Watch"},
            {"date": "2026-10-14 01:00:00 +0200", "start": "2026-10-14 01:00:30 +0200",
             "end": "2026-10-14T06:00:00+02:00", "qty": 36.1, "source": "Watch"})),
        [record("apple_sleeping_wrist_temperature", "2026-10-14 01:00:00 +0200", 36.1, "degC", merge="slotMean",
                end="2026-10-14 06:00:00 +0200", source="Watch"),
         record("apple_sleeping_wrist_temperature", "2026-10-14 01:00:30 +0200", 36.1, "degC", merge="slotMean",
                key=slot_key("apple_sleeping_wrist_temperature", "2026-10-14 01:00:00 +0200"),
                end="2026-10-14 06:00:00 +0200", source="Watch", spelled=["end"],
                rest='"date":"2026-10-14 01:00:00 +0200","end":"2026-10-14T06:00:00+02:00"')], headers=RAW)
    yield accepted("hae_interval_backwards", "An end before the start is a bad point.",
        one(end="2026-10-14 08:00:00 +0200"), [], [("data.metrics[0].data[0]", "interval_invalid")], headers=RAW)


def numbers():
    for name, qty, value in [("text", "72", 72), ("comma", "7,5", 7.5), ("point", "7.5", 7.5), ("spaces", " 7 ", 7),
                             ("minus", "-3", -3), ("arabic", "٧٫٥", 7.5)]:
        yield accepted("hae_number_" + name, "A number in a string; the string is kept.", one(qty=qty),
                       [steps(NINE, value, rest=f'"qty":{dump(qty)},"units":"count"')], headers=RAW)
    yield accepted("hae_number_zero", "Zero is a value.", one(qty=0), [steps(NINE, 0)], headers=RAW)
    texts = [("0.238", 0.238, False), ("61.999999999999993", 62, True), ("74.613139994679827", 74.61313999467983, False),
             ("0.10000000000000001", 0.1, False), ("0.30000000000000004", 0.3, True), ("1.2345678901234567890", 1.2345678901234568, True),
             ("412.00000000000000", 412, False), ("1e2", 100, False)]
    yield accepted("hae_number_fraction", "Counts can be fractions; the noise of reckoning in the last digits is taken off.",
        '{"data":{"metrics":[{"name":"step_count","units":"count","data":[' + ",".join(
            f'{{"date":"{NINE}","qty":{text},"source":"Phone"}}' for text, _, _ in texts) + "]}]}}",
        [steps(NINE, value, rest=f'"qty":{text},"units":"count"' if kept else "") for text, value, kept in texts], headers=RAW)
    bad = ["808.742.334.249.947", "1,234.5", "1.234,5", "7 5", "x", "1e3", ".5", "5.", "--5", True, [1], {"qty": 1}]
    missing = [None, "", " "]
    yield accepted("hae_number_none", "Two separators, no number, a boolean, null: left out, not guessed.",
        body(metric("step_count", "count", *[point(qty=qty) for qty in bad + missing], {"date": NINE})), [],
        [(f"data.metrics[0].data[{index}]", "value_invalid" if index < len(bad) else "value_missing")
         for index in range(len(bad) + len(missing) + 1)], headers=RAW)
    yield accepted("hae_number_tokens", "NaN and Infinity are as good as null, inside of other members too; 1e400 is no number.",
        '{"data":{"metrics":[{"name":"step_count","units":"count","data":[{"date":"2026-10-14 09:01:00 +0200","qty":NaN},'
        '{"date":"2026-10-14 09:01:00 +0200","qty":-Infinity},{"date":"2026-10-14 09:01:00 +0200","qty":1e400},'
        '{"date":"2026-10-14 09:01:00 +0200","qty":412,"source":"Phone","x":NaN,"metadata":{"a": [NaN, -Infinity,Infinity ,-1 ],"b":"NaN I"}}]}]}}',
        [steps(NINE, 412, rest='"metadata":{"a":[null,null,null,-1],"b":"NaN I"}')],
        [("data.metrics[0].data[0]", "value_missing"), ("data.metrics[0].data[1]", "value_missing"),
         ("data.metrics[0].data[2]", "value_invalid")], headers=RAW)


def units():
    at = "2026-10-14 07:00:00 +0200"
    for name, metric_name, unit, qty, type_, value, own, merge in [
            ("percent", "blood_oxygen_saturation", "%", 96, "oxygen_saturation", 0.96, "%", "slotMean"),
            ("percent_fraction", "blood_oxygen_saturation", "%", 0.97, "oxygen_saturation", 0.97, "%", "slotMean"),
            ("percent_below_one", "walking_asymmetry_percentage", "%", 0.8276, "walking_asymmetry_percentage", 0.008276,
             "%", "slotMean"),
            ("percent_one", "walking_double_support_percentage", "%", 1, "walking_double_support_percentage", 0.01, "%",
             "slotMean"),
            ("pounds", "weight_body_mass", "lb", 150, "body_mass", 68.0388555, "kg", "slotMean"),
            ("miles", "walking_running_distance", "mi", 1, "distance_walking_running", 1609.344, "m", "slotSum"),
            ("calories", "dietary_energy", "cal", 250, "dietary_energy_consumed", 250, "kcal", "slotSum"),
            ("fahrenheit", "body_temperature", "degF", 98.6, "body_temperature", 37, "degC", "slotMean"),
            ("ordinal_sign", "body_temperature", "ºF", 98.6, "body_temperature", 37, "degC", "slotMean"),
            ("beats", "resting_heart_rate", "bpm", 52, "resting_heart_rate", 52, "count/min", "slotMean")]:
        spelled = f'"qty":{dump(qty)},"units":{dump(unit)}'
        kept = "" if (value, own) == (qty, unit) else spelled
        yield accepted("hae_unit_" + name, "To the type's unit; the pair as it was sent stays when it differs.",
            body(metric(metric_name, unit, {"date": at, "qty": qty, "source": "Phone"})),
            [record(type_, at, value, own, merge=merge, source="Phone",
                    rest=f'"qty":{dump(qty)},"units":{dump(unit)}' if kept else "")], headers=RAW)
    yield accepted("hae_unit_of_the_point", "The unit of a point counts more than the metric's.",
        body(metric("weight_body_mass", "kg", {"date": at, "qty": 150, "units": "lb", "source": "Scale"},
                    {"date": at, "qty": 68, "units": "kg", "source": "Scale"})),
        [record("body_mass", at, 68.0388555, "kg", merge="slotMean", source="Scale", rest='"qty":150,"units":"lb"'),
         record("body_mass", at, 68, "kg", merge="slotMean", source="Scale")], headers=RAW)
    yield accepted("hae_unit_unknown", "A unit that nobody knows: the number stays with it, and says so.",
        body(metric("weight_body_mass", "jin", {"date": at, "qty": 130, "source": "Scale"})),
        [record("body_mass", at, 130, "jin", merge="slotMean", source="Scale", rest='"unconverted":true')], headers=RAW)
    yield accepted("hae_unit_missing", "No unit is no unit; only counts can do without.",
        body({"name": "weight_body_mass", "data": [{"date": at, "qty": 70}]},
             {"name": "step_count", "units": None, "data": [{"date": at, "qty": 7}]}),
        [record("body_mass", at, 70, merge="slotMean", rest='"unconverted":true'),
         record("steps", at, 7, "count", merge="slotSum")], headers=RAW)


def shapes():
    at, night = "2026-10-14 09:01:03 +0200", "2026-10-14 00:00:00 +0200"
    heart = {"date": at, "Min": 58, "Avg": 61.5, "Max": 66, "source": "Watch"}

    def rate(rest, value=61.5, **more):
        return record("heart_rate", at, value, "count/min", source="Watch", merge="slotRange", rest=rest, **more)

    yield accepted("hae_min_avg_max", "The mean is the value; the extremes stay. Lower case, single ones and `qty` too.",
        body(metric("heart_rate", "count/min", heart, {"date": at, "min": 58, "avg": 61.5, "max": 66, "source": "Watch"},
            {"date": at, "Avg": 61.5, "source": "Watch"}, {"date": at, "Min": 58, "Max": 66, "source": "Watch"},
            {"date": at, "Max": 66, "source": "Watch"}, {"date": at, "qty": 61.5, "source": "Watch"},
            {"date": at, "Min": None, "Avg": None, "Max": None})),
        [rate('"Min":58,"Max":66'), rate('"Min":58,"Max":66'), rate(""), rate('"Min":58,"Max":66', None),
         rate('"Max":66', None), rate("") | {"merge": "slotMean"}],
        [("data.metrics[0].data[6]", "value_missing")], headers=RAW)
    yield accepted("hae_min_avg_max_converted", "The extremes are in the value's unit; what was sent is beside them.",
        body(metric("blood_oxygen_saturation", "%", {"date": at, "Min": 94, "Avg": 96, "Max": 98, "source": "Watch"}),
             metric("walking_speed", "km/hr", {"date": at, "min": 3.6, "max": 36, "units": "km/h", "source": "Watch"}),
             metric("body_temperature", "degF", {"date": at, "Min": 97.7, "Avg": 98.6, "Max": 100.4, "source": "Watch"})),
        [record("oxygen_saturation", at, 0.96, "%", source="Watch", merge="slotRange",
                rest='"hae_Min":94,"hae_Avg":96,"hae_Max":98,"Min":0.94,"Max":0.98,"units":"%"'),
         record("walking_speed", at, None, "m/s", source="Watch", merge="slotRange",
                rest='"hae_Min":3.6,"hae_Max":36,"units":"km/h","Min":1,"Max":10'),
         record("body_temperature", at, 37, "degC", source="Watch", merge="slotRange",
                rest='"hae_Min":97.7,"hae_Avg":98.6,"hae_Max":100.4,"Min":36.5,"Max":38,"units":"degF"')], headers=RAW)
    yield accepted("hae_min_avg_max_texts", "An extreme is a number, or not there; a range of one number has it as its mean.",
        body(metric("heart_rate", "bpm", {"date": at, "Min": "58", "Avg": "61,5", "Max": True, "source": "Watch"},
                    {"date": at, "Min": 60, "Max": 60, "source": "Watch"}, {"date": at, "Min": "a", "Max": [], "source": "Watch"})),
        [rate('"hae_Min":"58","hae_Avg":"61,5","hae_Max":true,"Min":58,"units":"bpm"'),
         rate('"Min":60,"Max":60', 60)],
        [("data.metrics[0].data[2]", "value_invalid")], headers=RAW)
    pressure = {"date": at, "systolic": 118, "diastolic": 76, "source": "Cuff"}
    upper = record("blood_pressure_systolic", at, 118, "mmHg", source="Cuff", merge="slotMean")
    lower = record("blood_pressure_diastolic", at, 76, "mmHg", source="Cuff", merge="slotMean")
    yield accepted("hae_blood_pressure", "Two rows a point; one side may be missing.",
        body(metric("blood_pressure", "mmHg", pressure, {"date": at, "systolic": 118, "source": "Cuff"},
                    {"date": at, "systolic": None, "diastolic": 76, "source": "Cuff"}, {"date": at, "systolic": "?"})),
        [upper, lower, upper, lower], [("data.metrics[0].data[3]", "value_invalid")], headers=RAW)
    yield accepted("hae_glucose", "The meal stays; HealthKit's long spelling of the molar unit is known.",
        body(metric("blood_glucose", "mmol<180.1558800000541>/L",
                    {"date": at, "qty": 5, "mealTime": "Before Meal", "source": "Meter"})),
        [record("blood_glucose", at, 90.07794000002704, "mg/dL", source="Meter", merge="slotMean",
                rest='"qty":5,"mealTime":"Before Meal","units":"mmol<180.1558800000541>/L"')], headers=RAW)
    yield accepted("hae_insulin", "The reason stays.",
        body(metric("insulin_delivery", "IU", {"date": at, "qty": 2.5, "reason": "Bolus", "source": "Pump"})),
        [record("insulin_delivery", at, 2.5, "IU", source="Pump", merge="slotSum", rest='"reason":"Bolus"')], headers=RAW)
    yield accepted("hae_completion", "Seconds; whether it was complete is the value's name.",
        body(metric("handwashing", "s", {"date": at, "qty": 24, "value": "Complete", "source": "Watch"})),
        [record("handwashing_event", at, 24, "s", source="Watch", merge="slotSum", value_name="complete",
                rest='"hae_value":"Complete"')], headers=RAW)
    yield accepted("hae_sexual_activity", "One row a day with the sum of the counters, whatever grain is set.",
        body(metric("sexual_activity", "times",
                    {"date": night, "Unspecified": 1, "Protection Used": 0, "Protection Not Used": 1, "source": "App"})),
        [record("sexual_activity", night, 2, "count", source="App", merge="slotSum", grain="day",
                end="2026-10-15 00:00:00 +0200", rest='"Unspecified":1,"Protection Used":0,"Protection Not Used":1')])
    yield accepted("hae_counted_categories", "Hours stood and minutes of mindfulness are numbers here.",
        body(metric("apple_stand_hour", "count", {"date": night, "qty": 11, "source": ""}),
             metric("mindful_minutes", "min", {"date": night, "qty": 10, "source": "App"}),
             metric("high_heart_rate_notifications", "count", {"date": night, "qty": 1, "source": "Watch"})),
        [record("apple_stand_hour", night, 11, "count", merge="slotSum", grain="day", end="2026-10-15 00:00:00 +0200",
                spelled=["source"], rest='"source":""'),
         record("mindful_session", night, 10, "min", merge="slotSum", grain="day", end="2026-10-15 00:00:00 +0200",
                source="App"),
         record("high_heart_rate_event", night, 1, "count", merge="slotSum", grain="day",
                end="2026-10-15 00:00:00 +0200", source="Watch")], headers={"aggregation": "Days", "period": "Today"})
    yield accepted("hae_shape_unknown", "A point without a number that holds more than a date is kept as it is.",
        body(metric("beat_to_beat", "ms", {"date": at, "beats": [{"t": 0}, {"t": 812}], "source": "Watch"}, {"date": at},
                    {"date": at, "metadata": {}})),
        [record("beat_to_beat", at, kind="other", merge="slot", source="Watch", rest='"beats":[{"t":0},{"t":812}]')],
        [("data.metrics[0].data[1]", "value_missing"), ("data.metrics[0].data[2]", "value_missing")], headers=RAW)
    yield accepted("hae_value_for_qty", "Imitators call the number `value`.",
        body(metric("step_count", "count", {"date": at, "value": 9, "source": "Phone"})),
        [steps(at, 9)], headers=RAW)
    yield accepted("hae_member_names", "The sender's members with names that columns have get another name.",
        body(metric("step_count", "count", {"date": at, "qty": 9, "source": "Phone", "uuid": "x", "type": "t", "part": 2,
             "grain": "g", "hae_type": 1, "note": "n", "unit": "count", "nothing": None})),
        [steps(at, 9, rest='"hae_uuid":"x","hae_type":"t","hae_part":2,"hae_grain":"g","hae_hae_type":1,"note":"n"')],
        headers=RAW)
    yield accepted("hae_source_forms", "A source may be a text, empty, null or an object.",
        body(metric("step_count", "count", *[{"date": at, "qty": 1, "source": source} for source in
             ("Anna\u2019s Apple\u00a0Watch", "", None, {"name": "Watch", "id": 3}, 7)])),
        [steps(at, 1, source="Anna\u2019s Apple\u00a0Watch"),
         steps(at, 1, source=None, spelled=["source"], rest='"source":""'), steps(at, 1, source=None),
         steps(at, 1, source="Watch", spelled=["source"], rest='"source":{"name":"Watch","id":3}'),
         steps(at, 1, source=None, spelled=["source"], rest='"source":7')], headers=RAW)


def grains():
    def at(time, zone="+0200"):
        return f"2026-10-14 {time} {zone}"

    def told(name, header, grain, time, end=None):
        return accepted("hae_grain_" + name, "What the header says, in any case.",
            one(at(time)), [steps(at(time), 412, grain=grain, end=end)], headers={"aggregation": header, "period": "Today"})

    yield told("none", "none", "raw", "09:01:03")
    yield told("false", "false", "raw", "09:01:03")
    yield told("seconds", "Seconds", "second", "09:01:03")
    yield told("minutes", "MINUTES", "minute", "09:01:00")
    yield told("hours", "Hours", "hour", "09:00:00")
    yield told("days", " days ", "day", "00:00:00", "2026-10-15 00:00:00 +0200")
    yield told("weeks", "Weeks", "week", "00:00:00", "2026-10-21 00:00:00 +0200")
    yield told("months", "Months", "month", "00:00:00", "2026-11-14 00:00:00 +0200")
    yield told("years", "Years", "year", "00:00:00", "2027-10-14 00:00:00 +0200")
    yield accepted("hae_grain_default", "The app's own choice: heart rate by second, everything else by minute.",
        body(metric("heart_rate", "count/min", {"date": at("09:01:03"), "Avg": 60, "source": "Watch"}),
             metric("step_count", "count", point(at("09:01:00")))),
        [record("heart_rate", at("09:01:03"), 60, "count/min", grain="second", merge="slotRange", source="Watch"),
         steps(at("09:01:00"), 412, grain="minute")], headers={"aggregation": "Default", "period": "Default"})
    unknown = {"aggregation": "Täglich", "period": "Heute"}
    yield accepted("hae_grain_from_midnights", "All dates at local midnight are days, with any offset.",
        body(metric("step_count", "count", point("2026-10-24 00:00:00 +0200", 1), point("2026-10-26 00:00:00 +0100", 2))),
        [steps("2026-10-24 00:00:00 +0200", 1, grain="day", end="2026-10-25 00:00:00 +0200"),
         steps("2026-10-26 00:00:00 +0100", 2, grain="day", end="2026-10-27 00:00:00 +0100")], headers=unknown)
    yield accepted("hae_grain_from_hours", "All dates on the hour are hours.",
        body(metric("step_count", "count", point(at("00:00:00"), 1), point(at("09:00:00"), 2))),
        [steps(at("00:00:00"), 1, grain="hour"), steps(at("09:00:00"), 2, grain="hour")], headers=unknown)
    yield accepted("hae_grain_from_intervals", "An interval tells its length.",
        body(metric("step_count", "count", point(at("09:00:00"), 1, end=at("09:01:00")),
                    point(at("10:00:00"), 2, end=at("10:01:00")))),
        [steps(at("09:00:00"), 1, grain="minute", end=at("09:01:00")),
         steps(at("10:00:00"), 2, grain="minute", end=at("10:01:00"))], headers=unknown)
    yield accepted("hae_grain_unknown", "Else each point is a sample; bad dates tell nothing.",
        body(metric("step_count", "count", point(at("09:00:00"), 1), point("x"), point(at("10:30:00"), 2))),
        [steps(at("09:00:00"), 1), steps(at("10:30:00"), 2)], [("data.metrics[0].data[1]", "date_invalid")], headers=unknown)
    yield accepted("hae_grain_day_is_local", "A day's slot is its local date: the same with another offset after travel.",
        body(metric("step_count", "count", point("2026-10-14 00:00:00 +0900", 5))),
        [steps("2026-10-14 00:00:00 +0900", 5, grain="day", end="2026-10-15 00:00:00 +0900",
               key=name_key("steps", 4, days("2026-10-14")))], headers={"aggregation": "Days"})
    yield accepted("hae_grain_members_in_any_order", "Points before the name and the unit of their metric.",
        '{"data" : {"metrics" : [{"data" : [{"qty" : 1, "date" : "2026-10-14 09:01:00 +0200", "source" : "Phone"}],\n'
        ' "units" : "count", "name" : "step_count"}]}}', [steps(NINE, 1, grain="minute")])


def names():
    at = "2026-10-14 09:01:00 +0200"
    for name, sent, type_, unit, own, merge in [
            ("hyphen", "six-minute_walking_test_distance", "six_minute_walk_test_distance", "m", "m", "slotMean"),
            ("colon", "stair_speed:_up", "stair_ascent_speed", "m/s", "m/s", "slotMean"),
            ("spaces", " Step Count ", "steps", "count", "count", "slotSum"),
            ("syncky", "steps", "steps", "count", "count", "slotSum"),
            ("unknown", "Moon Phase", "moon_phase", "deg", "deg", "slot"),
            ("dotted", "sleep_analysis.inBed", "sleep_analysis_inbed", "hr", "hr", "slot"),
            ("accent", "Größe", "grosse", "cm", "cm", "slot"),
            ("kind", "workout", "hae_workout", "count", "count", "slot")]:
        yield accepted("hae_name_" + name, "Names are compared folded; one that nobody knows is a type as it is.",
            body(metric(sent, unit, {"date": at, "qty": 3, "source": "Phone"})),
            [record(type_, at, 3, own, merge=merge, source="Phone")], headers=RAW)
    yield accepted("hae_name_percent_unknown", "Percent are times 100 in metrics that nobody knows too.",
        body(metric("new_percentage", "%", {"date": at, "qty": 3})),
        [record("new_percentage", at, 0.03, "%", merge="slot", rest='"qty":3,"units":"%"')], headers=RAW)
    yield accepted("hae_name_other", "A name that can't be one of Syncky's is a type too.",
        body(*[metric(name, "count", point()) for name in ("步数", " Шаги  дня ", "6mwt", "q", "x" * 65)]),
        [record(name, NINE, 412, "count", merge="slot", source="Phone")
         for name in ("步数", "шаги_дня", "6mwt", "q", "x" * 65)], headers=RAW)
    yield accepted("hae_name_none", "A metric without a name is left out as a whole.",
        body(metric("\u00a0", "count", point()), metric("", "count", point()), metric(7, "count", point()),
             {"units": "count", "data": [point()]}, metric("n" * 1025, "count", point()),
             metric("step_count", "count", point())),
        [steps(NINE, 412)], [(f"data.metrics[{index}]", "metric_name_invalid") for index in range(5)], headers=RAW)
    yield accepted("hae_name_twice", "The same metric twice in one body.",
        body(metric("step_count", "count", point()), metric("step_count", "count", point(qty=3))),
        [steps(NINE, 412), steps(NINE, 3)], headers=RAW)


def envelopes():
    empty = "A run with nothing new, or the sender's test: nothing is stored."
    for name, content in [("test", '{"data":{"metrics":[],"workouts":[]}}'), ("no_sections", '{"data":{}}'),
                          ("null_sections", '{"data":{"metrics":null,"workouts":null,"ecg":null}}'),
                          ("empty_metrics", body(metric("step_count", "count"), metric("heart_rate", "count/min", data=[]))),
                          ("null_points", '{"data":{"metrics":[{"name":"step_count","units":"count","data":null},{"name":"x"}]}}'),
                          ("top_level", '{"metrics":[]}'), ("relay", '{"data":{"metrics":[]}}'), ("bare", "{}"),
                          ("unknown_empty", '{"data":{"metrics":[],"later":[],"version":3}}')]:
        yield accepted("hae_empty_" + name, empty, content)
    yield accepted("hae_sections_at_the_top", "Sections without `data`, in any order, with members that nobody knows.",
        dump({"version": 2, "metrics": [metric("step_count", "count", point())]}), [steps(NINE, 412)], headers=RAW)
    yield accepted("hae_section_unknown", "A section that nobody knows is kept raw.",
        dump({"data": {"metrics": [metric("step_count", "count", point())], "audiograms": [{"a": 1}]}, "x": {"y": 1}}),
        [steps(NINE, 412)], [("data.audiograms", "section_unknown"), ("x", "section_unknown")], headers=RAW)
    yield accepted("hae_section_of_another_kind", "A bad section costs no other.",
        dump({"data": {"metrics": [metric("step_count", "count", point())], "ecg": "none", "symptoms": 3, "workouts": {}}}),
        [steps(NINE, 412)], [("data.ecg", "section_invalid"), ("data.symptoms", "section_invalid"),
                             ("data.workouts", "section_invalid")], headers=RAW)
    yield accepted("hae_data_of_another_kind", "A section at the top counts, whatever `data` is.",
        dump({"data": 7, "metrics": [metric("step_count", "count", point())]}),
        [steps(NINE, 412)], [("data", "section_invalid")], headers=RAW)
    for name, content, path in [("data_array", '{"data":[{"a":1}]}', "data"), ("metrics_object", '{"data":{"metrics":{}}}', "data.metrics"),
                                ("metrics_text", '{"data":{"metrics":"none"}}', "data.metrics"),
                                ("metrics_at_the_top", '{"metrics":{}}', "metrics")]:
        yield accepted("hae_nothing_usable_" + name, "An array or object is there, so the rest of it is kept raw.", content, [],
                       [(path, "section_invalid")], headers=RAW)
    yield accepted("hae_elements_of_another_kind", "A bad metric, point or record costs no other.",
        dump({"data": {"metrics": [7, None, {"name": "step_count", "units": "count", "data": [1, "x", None, [], point()]},
                                   metric("step_count", "count", data="none") | {"data": "none"}],
                       "workouts": ["x", []]}}),
        [steps(NINE, 412)],
        [("data.metrics[0]", "metric_invalid"), ("data.metrics[1]", "metric_invalid")]
        + [(f"data.metrics[2].data[{index}]", "point_invalid") for index in range(4)]
        + [("data.metrics[3].data", "metric_data_invalid"), ("data.workouts[0]", "record_invalid"),
           ("data.workouts[1]", "record_invalid")], headers=RAW)
    yield accepted("hae_point_for_points", "A point where the array of points should be.",
        dump({"data": {"metrics": [{"name": "step_count", "units": "count", "data": point()}]}}), [steps(NINE, 412)],
        headers=RAW)
    pretty = json.dumps(one(), indent=2, separators=(",", " : "))
    yield accepted("hae_pretty_printed", "Spaces before colons, escaped slashes.",
        pretty.replace('"Phone"', '"Phone\\/Watch"'), [steps(NINE, 412, source="Phone/Watch")], headers=RAW)


assert ZONE == 60 and epoch(NINE) == 1791961260
