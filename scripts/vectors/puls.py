"""Batches of the PulsHealth app by themselves: what a decoder makes of them, and which it refuses and how it says so.

Written from the contract; all ids, names and values are invented.
"""

import json

BATCH = "AB000000-0000-4000-8000-000000000001"
KEY = "5E1D0000-0000-4000-8000-00000000000"
WORKOUT = "77000000-0000-4000-8000-000000000001"
HEART, SLEEP = "HKQuantityTypeIdentifierHeartRate", "HKCategoryTypeIdentifierSleepAnalysis"
CAFFEINE, VO2 = "HKQuantityTypeIdentifierDietaryCaffeine", "HKQuantityTypeIdentifierVO2Max"
# 2026-10-14T07:01:00.123456Z, and a minute later.
AT, START = "1791961260123.456", "2026-10-14T07:01:00.123456Z"
LATER, END = "1791961320000", "2026-10-14T07:02:00Z"
ZONE = '{"timeZoneID":"Europe/Berlin","utcOffsetSeconds":7200,"source":"device_current","confidence":"inferred","tzdbVersion":"2026a"}'
COUNTS = ("sample", "deletion", "route", "series", "aggregate", "activitySummary", "profile")


def text(value):
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def header(counts=None, **members):
    """The first line: `counts` by their names without Count; a member as JSON text, None leaves it out."""
    found = {"batchID": text(BATCH), "type": text("anything"), **members}
    found.update({f"{name}Count": str(count) for name, count in (counts or {}).items()})
    return "{" + ",".join(f'"{name}":{value}' for name, value in found.items() if value is not None) + "}"


def batch(end="\n", more=None, **lines):
    """A body whose header counts the lines that it is given, by slot."""
    found = [header({slot: len(lines[slot]) for slot in COUNTS if slot in lines}, **(more or {}))]
    for slot in COUNTS:
        found += lines.get(slot, [])
    return "".join(line + end for line in found)


def sample(number=1, kind="quantity", type=HEART, more="", **members):
    """A sample line: members as JSON text, None leaves one out; `more` follows."""
    found = {"uuid": text(f"{KEY}{number}"), "type": text(type), "kind": text(kind), "start": AT, "end": LATER}
    if kind == "quantity":
        found |= {"value": "62.5", "unit": '"count/min"'}
    found.update(members)
    return "{" + ",".join(f'"{name}":{value}' for name, value in found.items() if value is not None) + more + "}"


def record(number=1, **columns):
    return {"key": f"{KEY}{number}", "type": "heart_rate", "kind": "quantity", "value": 62.5, "unit": "count/min",
            "start": START, "end": END, **columns}


def taken(name, body, **expected):
    return {"name": "puls_" + name, "body": body, **expected}


def one(name, line, **columns):
    """A batch of one sample line and what becomes of it."""
    return taken(name, batch(sample=[line]), records=[record(**columns)])


def accepted():
    yield taken("probe", header({name: 0 for name in COUNTS}, type='"probe"', reason='"manual"') + "\n",
                batch={"label": "probe", "reason": "manual"})
    yield taken("header_alone", header() + "\n")
    yield taken("header_without_a_line_end", header())
    yield taken("header_of_everything", header(
        {"sample": 0}, schemaVersion="1", clientVersion='"1.6 (19)"', timeZoneID='"Europe/Berlin"', deviceID='"d-1"',
        reason='"backfill"', exportedAt="1791961260999.873", brandNew='{"a":[1]}') + "\n",
        batch={"reason": "backfill", "client": "1.6 (19)", "zone": "Europe/Berlin", "device": "d-1",
               "exported": "2026-10-14T07:01:00.999873Z"})
    yield taken("header_of_nulls", header(
        schemaVersion="null", clientVersion="null", timeZoneID="null", deviceID="null", reason="null", exportedAt="null",
        sampleCount="null", profileCount="null") + "\n")
    yield taken("zone_that_is_no_text", header(timeZoneID="7", exportedAt="0") + "\n")
    yield taken("batch_id_in_small_letters", header(batchID=text(BATCH.lower())) + "\n")
    yield taken("counts_in_other_spellings", header({"sample": "0.0", "deletion": "-0", "route": "0e5"}) + "\n")
    yield taken("label_too_long_for_a_column", header(type=text("x" * 1025)) + "\n", batch={"label": None})

    # Lines.
    yield taken("blank_lines", batch(end="\n\n \t\r\n", sample=[sample()], deletion=[]), records=[record()])
    yield taken("carriage_returns", batch(end="\r\n", sample=[sample(), sample(2)]), records=[record(), record(2)])
    yield taken("last_line_without_an_end", batch(sample=[sample()])[:-1], records=[record()])
    yield taken("blanks_around_and_in_a_line", "  " + batch(sample=[" " + sample().replace(":", " : ") + "\t"]),
                records=[record()])

    # Samples.
    yield one("quantity", sample(sourceName='"Watch"', device='"Apple Watch"', sourceBundleID='"com.apple.health"',
                                 sourceVersion='"10.0"', metadata='{"HKMetadataKeyHeartRateMotionContext":1}'),
              app="Watch", device="Apple Watch",
              rest='"sourceBundleID":"com.apple.health","sourceVersion":"10.0","metadata":{"HKMetadataKeyHeartRateMotionContext":1}')
    yield one("nulls_are_absent", sample(category="null", workout="null", metadata="null", startContext="null",
                                         endContext="null", sourceName="null", sourceBundleID="null", brandNew="null"))
    yield one("uuid_in_mixed_case", sample(uuid=text(f"{KEY}1".swapcase())))
    yield one("end_absent", sample(end=None), end=START)
    yield one("end_null", sample(end="null"), end=START)
    yield one("end_zero", sample(end="0.0"), end=START)
    yield one("end_before_start", sample(end="1000"), end="1970-01-01T00:00:01Z")
    yield one("value_absent", sample(value=None), value=None)
    yield one("value_null", sample(value="null"), value=None)
    yield one("unit_absent", sample(unit=None), unit=None)
    yield one("unit_escaped", sample(unit='"count\\/min"'))
    yield one("unit_empty", sample(unit='""'), unit=None, spelled=["unit"], rest='"unit":""')
    yield one("number_no_double_holds", sample(value="9007199254740993"), value=9007199254740992, spelled=["value"],
              rest='"value":9007199254740993')
    yield one("source_too_long_for_a_column", sample(sourceName=text("s" * 1025), device='""'),
              rest=f'"sourceName":"{"s" * 1025}","device":""')
    yield one("unknown_members_are_kept", sample(brandNew='{"a":[1, "\\u00e9"]}', other="true"),
              rest='"brandNew":{"a":[1, "\\u00e9"]},"other":true')
    yield one("members_like_ours_are_renamed", sample(
        source='{"a":1}', part="3", activity='"x"', duration_s="1", energy_kcal="2", distance_m="4", puls_value="5"),
        rest='"puls_source":{"a":1},"puls_part":3,"puls_activity":"x","puls_duration_s":1,"puls_energy_kcal":2,'
             '"puls_distance_m":4,"puls_puls_value":5')
    yield one("names_with_escapes", sample(uuid=None, more=f',"\\u0075uid":"{KEY}1","meta\\u0064ata":{{}},"\\u0078":1'),
              rest='"metadata":{},"\\u0078":1')
    yield one("unknown_type_keeps_its_spelling", sample(type="HKQuantityTypeIdentifierNotInventedYet"),
              type="HKQuantityTypeIdentifierNotInventedYet")
    yield one("type_like_a_name_of_ours", sample(type="heart_rate"), type="puls:heart_rate")
    yield one("type_like_a_name_that_was_escaped", sample(type="puls:x"), type="puls:puls:x")
    yield one("fraction_stays_a_fraction", sample(type="HKQuantityTypeIdentifierOxygenSaturation", value="0.97", unit='"%"'),
              type="oxygen_saturation", value=0.97, unit="%")
    yield one("converted_to_syncky_s_unit", sample(type=CAFFEINE, value="95.1", unit='"mg"'), type="dietary_caffeine",
              value=0.0951, unit="g", rest='"puls_value":95.1,"puls_unit":"mg"')
    for name, value, sent, unit, stored in [
            ("pounds", "150.5", "lb", "kg", 68.265651685), ("grams", "70500", "g", "kg", 70.5), ("minus_zero", "-0.0", "g", None, None),
            ("zero", "0.00", "g", "kg", 0), ("a_negative", "-1e3", "g", "kg", -1)]:
        body = sample(type="HKQuantityTypeIdentifierBodyMass", value=value, unit=text(sent))
        kept = {"value": stored, "unit": unit, "rest": f'"puls_value":{value},"puls_unit":{text(sent)}'}
        if unit is None:
            kept = {"value": -0.0, "unit": sent, "spelled": ["value"], "rest": f'"value":{value}'}
        yield one("converted_" + name, body, type="body_mass", **kept)
    yield one("not_converted_where_no_decimal_is_exact", sample(
        type="HKQuantityTypeIdentifierPhysicalEffort", value="4", unit='"W/kg"'), type="physical_effort", value=4, unit="W/kg")
    yield one("unit_respelled", sample(type=VO2, value="41.3", unit='"ml/kg*min"'), type="vo2_max", value=41.3,
              unit="ml/(kg*min)", rest='"puls_unit":"ml/kg*min"')
    yield one("respelled_with_a_number_no_double_holds", sample(type=VO2, value="9007199254740993", unit='"ml/kg*min"'),
              type="vo2_max", value=9007199254740992, unit="ml/(kg*min)",
              rest='"puls_value":9007199254740993,"puls_unit":"ml/kg*min"')
    yield one("not_converted_where_that_is_not_exact", sample(type=CAFFEINE, value="95.12345678901234567", unit='"mg"'),
              type="dietary_caffeine", value=95.12345678901234567, unit="mg", spelled=["value"],
              rest='"value":95.12345678901234567')
    yield one("unit_of_another_family_stays", sample(type=CAFFEINE, value="1", unit='"km"'), type="dietary_caffeine",
              value=1, unit="km")
    yield one("unit_without_a_value_stays", sample(type=CAFFEINE, value=None, unit='"mg"'), type="dietary_caffeine",
              value=None, unit="mg")

    # Contexts.
    yield one("context", sample(startContext=ZONE, endContext=ZONE), offset=120,
              rest=f'"startContext":{ZONE},"endContext":{ZONE}')
    for name, seconds, offset in [("west", "-25200", -420), ("a_day", "86400", 1440), ("minus_a_day", "-86400.0", -1440),
                                  ("seconds", "3599", None)]:
        zone = ZONE.replace("7200", seconds).replace(',"tzdbVersion":"2026a"', "")
        yield one("context_" + name, sample(startContext=zone), offset=offset, rest=f'"startContext":{zone}')
    empty = ZONE.replace("2026a", "")
    yield one("context_with_an_empty_tzdb_version", sample(endContext=empty), rest=f'"endContext":{empty}')

    # Times.
    for name, number, shown, rest in [
            ("whole", "1791961260000", "2026-10-14T07:01:00Z", ""),
            ("exponent", "1.79196126e12", "2026-10-14T07:01:00Z", ""),
            ("finer_than_a_microsecond", "1791961260123.4569", START, '"puls_start":1791961260123.4569'),
            ("never_rounded_up_into_the_next_month", "1719791999999.9999999", "2024-06-30T23:59:59.999999Z",
             '"puls_start":1719791999999.9999999'),
            ("before_1970_rounded_down", "-0.0001", "1969-12-31T23:59:59.999999Z", '"puls_start":-0.0001'),
            ("many_digits", "1791961260123.45600000000000000000000001", START,
             '"puls_start":1791961260123.45600000000000000000000001'),
            ("many_digits_before_1970", "-1000.00000000000000000000000000001", "1969-12-31T23:59:58.999999Z",
             '"puls_start":-1000.00000000000000000000000000001'),
            ("trailing_zeros", "1791961260123.45600000000000000000000000", START, ""),
            ("nearly_nothing", "1e-300", "1970-01-01T00:00:00Z", '"puls_start":1e-300'),
            ("earliest", "-62135596800000", "0001-01-01T00:00:00Z", ""),
            ("latest", "253402300799999", "9999-12-31T23:59:59.999000Z", "")]:
        yield one("time_" + name, sample(start=number), start=shown, rest=rest)
    yield one("end_finer_than_a_microsecond", sample(end="1791961320000.0001"), rest='"puls_end":1791961320000.0001')

    # Kinds.
    asleep = {"type": "sleep_analysis", "kind": "category", "value": 3, "unit": None, "value_name": "asleep_core"}
    yield one("category", sample(kind="category", type=SLEEP, category="3"), **asleep)
    yield one("category_with_value_and_unit", sample(kind="category", type=SLEEP, category="3", value="60", unit='"x"'),
              **asleep, rest='"puls_value":60,"puls_unit":"x"')
    yield one("category_with_a_value_of_another_kind", sample(kind="category", type=SLEEP, category="3.0", value='"x"'),
              **asleep, rest='"puls_value":"x"')
    yield one("category_without_a_name", sample(kind="category", type=SLEEP, category="77"),
              **asleep | {"value": 77, "value_name": None}, rest='"category":77')
    yield one("category_of_64_bits", sample(kind="category", type=SLEEP, category="-9223372036854775808"),
              **asleep | {"value": -9223372036854775808, "value_name": None}, rest='"category":-9223372036854775808')
    yield one("category_of_an_unknown_type", sample(kind="category", type="HKCategoryTypeIdentifierNew", category="0"),
              type="HKCategoryTypeIdentifierNew", kind="category", value=0, unit=None, rest='"category":0')
    yield one("quantity_with_details_of_other_kinds", sample(category='"x"', workout="7", heartbeats="{}"),
              rest='"category":"x","workout":7,"heartbeats":{}')

    running = {"type": "workout", "kind": "workout", "value": 3600.5, "unit": "s", "value_name": "running"}
    detail = ('{"activityType":"running","duration":3600.5,"totalEnergyKcal":450.2,"totalDistanceMeters":8046.7,'
              '"statistics":{"HKQuantityTypeIdentifierHeartRate":152.0},"statisticsDetail":{"HKQuantityTypeIdentifierHeartRate":'
              '{"min":98.0,"avg":152.0,"max":178.0,"new":"x"},"x":null},"events":[{"type":"lap","start":1791961260000.5},{"type":'
              '"new","start":0,"end":null,"startContext":{},"metadata":{"a":1}}],"activities":[{"activityType":"running",'
              '"start":1791961260000,"end":1791961320000,"duration":60,"statistics":{"x":{"sum":1}}}],"brandNew":[]}')
    kind = {"kind": "workout", "type": "HKWorkoutTypeIdentifier"}
    yield one("workout", sample(**kind, workout=detail), **running,
              rest=f'"workout":{detail},"energy_kcal":450.2,"distance_m":8046.7')
    yield one("workout_before_its_kind", sample(kind="workout", type="HKWorkoutTypeIdentifier").replace(
        '{"uuid"', '{"workout":{"activityType":"hiit"},"uuid"'), **running | {"value": None,
        "value_name": "high_intensity_interval_training"}, rest='"workout":{"activityType":"hiit"}')
    for name, activity, shown in [("strength", "strength_training", "traditional_strength_training"),
                                  ("skating", "skating", "skating_sports"), ("surfing", "surfing", "surfing_sports"),
                                  ("unknown", "underwater_chess", "underwater_chess"), ("empty", "", None)]:
        body = f'{{"activityType":{text(activity)},"duration":1}}'
        yield one("workout_" + name, sample(**kind, workout=body), **running | {"value": 1, "value_name": shown},
                  rest=f'"workout":{body}')
    yield one("workout_of_nothing", sample(**kind, workout="{}"), **running | {"value": None, "value_name": None},
              rest='"workout":{}')
    yield one("workout_of_nulls", sample(**kind, workout='{"statistics":null,"statisticsDetail":null,"events":null,"activities":null,'
              '"totalEnergyKcal":null}'), **running | {"value": None, "value_name": None},
              rest='"workout":{"statistics":null,"statisticsDetail":null,"events":null,"activities":null,"totalEnergyKcal":null}')

    beats = {"kind": "heartbeatSeries", "type": "HKDataTypeIdentifierHeartbeatSeries"}
    for name, value in [("two", "[[0.5,false],[1.2,true]]"), ("none", "[]")]:
        yield one("heartbeats_" + name, sample(**beats, heartbeats=value), type="heartbeat_series", kind="heartbeat_series",
                  value=None, unit=None, rest=f'"heartbeats":{value}')
    value = ('{"classification":"sinusRhythm","averageHeartRateBpm":61.0,"samplingFrequencyHz":512.0,"symptomsStatus":"none",'
             '"voltagesUV":[1.5,-2.25,3.0,0.1000000000000000055]}')
    yield one("ecg", sample(kind="ecg", type="HKDataTypeIdentifierElectrocardiogram", ecg=value), type="electrocardiogram",
              kind="other", value=None, unit=None, rest=f'"puls_kind":"ecg","ecg":{value}')
    value = '{"kind":"momentaryEmotion","valence":0.42,"valenceClassification":"pleasant","labels":["happy"],"associations":[]}'
    yield one("state_of_mind", sample(kind="stateOfMind", type="HKDataTypeIdentifierStateOfMind", stateOfMind=value),
              type="state_of_mind", kind="state_of_mind", value=None, unit=None, rest=f'"stateOfMind":{value}')
    value = (f'{{"medication":null,"status":"taken","scheduledAt":1791961260000.5,"scheduledAtContext":{ZONE},"doseQuantity":200,'
             '"doseUnit":"mg"}')
    yield one("medication_dose", sample(kind="medicationDose", medicationDose=value,
                                        type="HKMedicationDoseEventTypeIdentifierMedicationDoseEvent"),
              type="medication_dose_event", kind="other", value=None, unit=None,
              rest=f'"puls_kind":"medicationDose","medicationDose":{value}')
    yield one("kind_with_a_type_of_another", sample(kind="ecg", ecg="{}"), kind="other", value=None, unit=None,
              rest='"puls_kind":"ecg","ecg":{}')

    # The other slots.
    gone = [f'{{"deleted":{{"uuid":"{KEY}9","type":"{HEART}","why":1}},"more":2}}',
            f'{{"deleted":{{"type":"unknown \\u00e9","uuid":"{KEY.lower()}8"}}}}']
    yield taken("deletions", batch(sample=[sample()], deletion=gone), records=[record()],
                deletions=[[f"{KEY}9", "heart_rate"], [f"{KEY}8", "unknown é"]])
    points = (f'{{"route":{{"points":[{{"t":{AT},"lat":37.3,"lon":-122,"alt":12.5,"hAcc":3.2,"vAcc":4,"speed":0,"course":181,'
              f'"temporalContext":{ZONE}}},{{"lon":200,"lat":-91,"t":{LATER},"alt":null,"new":[]}}],"workoutUUID":"{WORKOUT}"}}}}')
    yield taken("route", batch(route=[points, f'{{"route":{{"workoutUUID":"{WORKOUT}","points":[]}}}}']), route=[
        {"workout": WORKOUT, "time": START, "lat": 37.3, "lon": -122, "alt": 12.5, "h": 3.2, "v": 4, "speed": 0, "course": 181,
         "context": ZONE}, {"workout": WORKOUT, "time": END, "lat": -91, "lon": 200}])
    curve = (f'{{"series":{{"workoutUUID":"{WORKOUT}","type":"{HEART}","points":[{{"t":{AT},"value":120.0}},{{"t":{LATER},'
             f'"value":135.5,"temporalContext":{ZONE}}}],"unit":"count\\/min"}}}}')
    bare = f'{{"series":{{"workoutUUID":"{WORKOUT}","type":"new","points":[{{"t":{AT},"value":1}}]}}}}'
    yield taken("series", batch(series=[curve, bare]), curve=[
        {"workout": WORKOUT, "type": "heart_rate", "unit": "count/min", "time": START, "value": 120},
        {"workout": WORKOUT, "type": "heart_rate", "unit": "count/min", "time": END, "value": 135.5, "context": ZONE},
        {"workout": WORKOUT, "type": "new", "time": START, "value": 1}])

    def bucket(**members):
        found = {"type": text(HEART), "func": '"average"', "intervalValue": "1", "intervalUnit": '"hour"',
                 "deviceFilter": '"watch"', "bucketStart": AT, "bucketEnd": LATER, "value": "62.4", "unit": '"count/min"',
                 **members}
        return '{"aggregate":{' + ",".join(f'"{key}":{value}' for key, value in found.items() if value is not None) + "}}"

    whole = {"type": "heart_rate", "unit": "count/min", "func": "average", "interval": 1, "interval_unit": "hour",
             "filter": "watch", "start": START, "end": END, "value": 62.4}
    empty = {**whole, "value": None}
    yield taken("aggregates", batch(aggregate=[
        bucket(), bucket(value="null"), bucket(value=None, unit=None), bucket(bucketStartContext=ZONE),
        bucket(bucketStartContext=ZONE, bucketEndContext=ZONE), bucket(bucketEndContext=ZONE)]), aggregates=[
        whole, empty, {**empty, "unit": None}, {**whole, "contexts": f'"start":{ZONE}'},
        {**whole, "contexts": f'"start":{ZONE},"end":{ZONE}'}, {**whole, "contexts": f'"end":{ZONE}'}])
    yield taken("aggregates_of_every_kind", batch(aggregate=[
        bucket(func=text(func), intervalUnit=text(unit), deviceFilter=text(filter), intervalValue=value)
        for func, unit, filter, value in [
            ("sum", "minute", "all", "15"), ("min", "day", "iphone", "1.0"), ("max", "week", "all", "2"),
            ("mostRecent", "month", "all", "3"), ("duration", "hour", "all", "9223372036854775807")]]), aggregates=[
        {**whole, "func": func, "interval_unit": unit, "filter": filter, "interval": value}
        for func, unit, filter, value in [
            ("sum", "minute", "all", 15), ("min", "day", "iphone", 1), ("max", "week", "all", 2),
            ("mostRecent", "month", "all", 3), ("duration", "hour", "all", 9223372036854775807)]])

    def ring(day, number, **columns):
        return {"key": f"activity_summary:{day}", "type": "activity_summary", "kind": "activity_summary", "start": columns.pop(
            "start", "2026-10-14T07:02:00Z"), "day": number, **columns}

    numbers = ('"moveKcal":420.5,"moveGoalKcal":600.0,"exerciseMin":25,"exerciseGoalMin":30,"standHours":9,"standGoalHours":12,'
               '"moveMode":0,"moveTimeMin":0.5,"moveTimeGoalMin":30')
    yield taken("ring", batch(activitySummary=[
        f'{{"activitySummary":{{"date":{LATER},"localDate":"2026-10-13","temporalContext":{ZONE},{numbers},"new":1,"value":2}}}}']),
        records=[ring("2026-10-13", 20739, offset=120,
                      rest=f'"date":"2026-10-13","temporalContext":{ZONE},{numbers},"new":1,"puls_value":2')])
    yield taken("ring_absent_and_null_members_are_cleared", batch(activitySummary=[
        f'{{"activitySummary":{{"date":{LATER},"localDate":"2026-10-14","moveKcal":null,"moveMode":null}}}}']),
        records=[ring("2026-10-14", 20740, rest='"date":"2026-10-14"')])
    east = ZONE.replace("7200", "86400")
    yield taken("ring_without_a_local_date", batch(activitySummary=[
        f'{{"activitySummary":{{"date":{LATER}}}}}', f'{{"activitySummary":{{"date":{LATER},"localDate":""}}}}',
        f'{{"activitySummary":{{"date":{LATER},"localDate":null,"temporalContext":{east}}}}}',
        '{"activitySummary":{"date":-0.5}}', '{"activitySummary":{"date":-62135596800000}}']), records=[
        ring("2026-10-14", 20740, rest='"date":"2026-10-14"'), ring("2026-10-14", 20740, rest='"date":"2026-10-14"'),
        ring("2026-10-15", 20741, offset=1440, rest=f'"date":"2026-10-15","temporalContext":{east}'),
        ring("1969-12-31", -1, start="1969-12-31T23:59:59.999500Z", rest='"date":"1969-12-31"'),
        ring("0001-01-01", -719162, start="0001-01-01T00:00:00Z", rest='"date":"0001-01-01"')])
    yield taken("ring_date_finer_than_a_microsecond", batch(activitySummary=[
        '{"activitySummary":{"date":1791961320000.0001,"localDate":"2026-10-14"}}']),
        records=[ring("2026-10-14", 20740, rest='"date":"2026-10-14","puls_date":1791961320000.0001')])
    person = {"key": "profile", "type": "profile", "kind": "other"}
    yield taken("profile", batch(profile=[
        '{"profile":{"name":null,"email":"a@example.org","dateOfBirth":0,"biologicalSex":"male","new":1}}']),
        records=[{**person, "rest": '"email":"a@example.org","dateOfBirth":0,"biologicalSex":"male","new":1'}])
    yield taken("profile_cleared", batch(profile=['{"profile":{}}']), records=[person])
    yield taken("all_slots", batch(
        sample=[sample(), sample(1, value="99")], deletion=gone[:1], route=[points], series=[bare], aggregate=[bucket()],
        activitySummary=[f'{{"activitySummary":{{"date":{LATER}}}}}'], profile=['{"profile":{}}']),
        records=[record(), record(value=99), ring("2026-10-14", 20740, rest='"date":"2026-10-14"'), person],
        deletions=[[f"{KEY}9", "heart_rate"]], route=[
            {"workout": WORKOUT, "time": START, "lat": 37.3, "lon": -122, "alt": 12.5, "h": 3.2, "v": 4, "speed": 0,
             "course": 181, "context": ZONE}, {"workout": WORKOUT, "time": END, "lat": -91, "lon": 200}],
        curve=[{"workout": WORKOUT, "type": "new", "time": START, "value": 1}], aggregates=[whole])


def refused():
    """`§` marks the offset and is taken out; a message is exact."""
    def bad(name, body, code, message, line=1, status=400):
        return {"name": "puls_refused_" + name, "body": body, "code": code, "message": message, "line": line,
                **({"status": status} if status != 400 else {})}

    # Versions: judged before everything else in the header.
    for name, value in [("2", "2"), ("0", "0"), ("text", '"1"'), ("fraction", "1.5"), ("true", "true"), ("object", "{}"),
                        ("large", "1e300")]:
        yield bad("version_" + name, header(schemaVersion="§" + value), "version_unsupported",
                  "header: unsupported protocol version")
    yield bad("version_wins_over_all_else", '{"schemaVersion":§2}', "version_unsupported",
              "header: unsupported protocol version")
    yield bad("version_last_wins_over_all_else", '{"batchID":7,"sampleCount":-1,"schemaVersion": §2}', "version_unsupported",
              "header: unsupported protocol version")

    # The header.
    yield bad("empty", "§", "header_missing", "header: the batch is empty")
    yield bad("blank_first_line", "§ \n" + header(), "header_missing", "header: the first line is blank")
    yield bad("not_json", "§definitely not ndjson", "json_invalid", "header: the line is no valid JSON")
    yield bad("header_array", "§[]", "header_missing", "header: the first line is no JSON object")
    yield bad("byte_order_mark", "§\ufeff" + header(), "json_invalid", "header: there is a byte order mark in front")
    yield bad("header_over_two_lines", header()[:-1] + "§\n}\n", "json_invalid", "header: the object does not end in its line")
    yield bad("behind_the_header", header() + " §{}", "json_invalid", "header: something is behind the object")
    yield bad("batch_id_missing", "§" + header(batchID=None), "member_missing", "header: batchID is missing")
    yield bad("batch_id_null", "§" + header(batchID="null"), "member_missing", "header: batchID is missing")
    yield bad("batch_id_no_uuid", header(batchID='§"nope"'), "member_invalid", "header: batchID is no UUID")
    yield bad("type_missing", "§" + header(type=None), "member_missing", "header: type is missing")
    yield bad("type_empty", header(type='§""'), "member_invalid", "header: type is empty")
    yield bad("type_number", header(type="§7"), "member_invalid", "header: type is no text")
    yield bad("reason_number", header(reason="§7"), "member_invalid", "header: reason is no text")
    yield bad("exported_at_text", header(exportedAt='§"x"'), "time_invalid",
              "header: exportedAt is no number of milliseconds since 1970")
    for name, value in [("negative", "-1"), ("fraction", "1.5"), ("text", '"1"'), ("above", "100001"), ("huge", "1e300"),
                        ("past_64_bits", "18446744073709551616")]:
        yield bad("count_" + name, header({"sample": "§" + value}), "count_invalid",
                  "header: sampleCount is no whole number from 0 to 100000")
    yield bad("profile_count_2", header({"profile": "§2"}), "count_invalid",
              "header: profileCount is no whole number from 0 to 1")
    yield bad("counts_together", "§" + header({"sample": 100000, "route": 100000, "series": 1}), "count_invalid",
              "header: all counts together are more than 200000")
    yield bad("member_twice", header()[:-1] + ',§"type":"x"}', "member_repeated", "header: an object has two members of one name")

    # Counts and slots.
    yield bad("promised_line_never_comes", header({"sample": 1}) + "\n§", "line_missing",
              "sample 1: the line is missing: the batch ends before all lines that its header promises", 2)
    yield bad("promised_line_never_comes_behind_blanks", batch(sample=[sample()]).replace("Count\":1", "Count\":2") + " \n \n§",
              "line_missing", "sample 2: the line is missing: the batch ends before all lines that its header promises", 5)
    yield bad("line_behind_the_promised", batch(sample=[sample()]) + "\n§" + sample(2) + "\n", "line_unexpected",
              "the batch has a line more than the 1 that its header promises", 4)
    yield bad("line_behind_none", header() + "\n§x", "line_unexpected",
              "the batch has a line more than the 0 that its header promises", 2)
    who = f" ({KEY}1)"
    lost = '{"deleted":{"uuid":"' + KEY + '1","type":"t"}}'
    yield bad("deletion_in_a_sample_slot", batch(sample=["§" + lost]), "member_missing", "sample 1: uuid is missing", 2)
    yield bad("unknown_wrapper_in_a_sample_slot", batch(sample=['§{"mystery":{"uuid":"x"}}']), "member_missing",
              "sample 1: uuid is missing", 2)
    yield bad("sample_in_a_deletion_slot", batch(deletion=["§" + sample()]), "member_missing",
              'deletion 1: the line has no "deleted"', 2)
    for slot, wrapper, name in [("route", "route", "route"), ("series", "series", "series"), ("aggregate", "aggregate",
                                "aggregate"), ("activitySummary", "activitySummary", "activity summary"),
                                ("profile", "profile", "profile")]:
        yield bad("wrong_line_for_" + slot, batch(**{slot: ["§" + lost]}), "member_missing",
                  f'{name} 1: the line has no "{wrapper}"', 2)
        yield bad("null_for_" + slot, batch(**{slot: [f'{{"{wrapper}":§null}}']}), "member_invalid",
                  f"{name} 1: {wrapper} is no object", 2)
        yield bad("no_object_for_" + slot, batch(**{slot: ["§7"]}), "member_invalid", f"{name} 1: the line is no JSON object", 2)
    yield bad("cut_in_a_line", batch(sample=[sample(), sample(2)[:-1] + "§"])[:-1], "json_invalid",
              f"sample 2 ({KEY}2): the JSON ends before its object does", 3)
    yield bad("two_objects_in_a_line", batch(sample=[sample() + "§" + sample(2)]), "json_invalid",
              f"sample 1{who}: something is behind the object", 2)
    yield bad("object_over_two_lines", batch(sample=[sample()[:-1] + "§\n}"]), "json_invalid",
              f"sample 1{who}: the object does not end in its line", 2)

    # Samples.
    def line(name, text_of_line, code, message, uuid=who):
        return bad("sample_" + name, batch(sample=[sample(7), text_of_line]), code, f"sample 2{uuid}: {message}", 3)

    yield line("no_object", "§[]", "member_invalid", "the line is no JSON object", "")
    yield line("uuid_missing", "§" + sample(uuid=None), "member_missing", "uuid is missing", "")
    yield line("uuid_malformed", sample(uuid='§"1111"'), "member_invalid", "uuid is no UUID", "")
    yield line("uuid_number", sample(uuid="§7"), "member_invalid", "uuid is no text", "")
    yield line("type_missing", "§" + sample().replace(f'"type":"{HEART}",', ""), "member_missing", "type is missing")
    yield line("type_empty", sample(type="§")[:].replace('"§"', '§""'), "member_invalid", "type is empty")
    yield line("type_too_long", sample(type="x" * 1025).replace('"xxx', '§"xxx'), "member_invalid", "type is longer than 1,024 bytes")
    yield line("type_with_a_nul", sample(type="§").replace('"§"', '§"a\\u0000"'), "member_invalid", "type has a NUL")
    yield line("kind_missing", "§" + sample().replace('"kind":"quantity",', ""), "member_missing", "kind is missing")
    yield line("kind_unknown", sample(kind="mystery").replace('"mystery"', '§"mystery"'), "member_invalid",
               'invalid kind "mystery"')
    yield line("kind_activity_summary", sample(kind="§").replace('"§"', '§"activitySummary"'), "member_invalid",
               'invalid kind "activitySummary"')
    yield line("kind_of_another_case", sample(kind="§").replace('"§"', '§"Quantity"'), "member_invalid", 'invalid kind "Quantity"')
    yield line("kind_is_quoted_escaped_and_cut", sample(kind="§").replace('"§"', '§"a\\"\\n\\u0007é' + "x" * 60 + '"'),
               "member_invalid", 'invalid kind "a\\"\\n\\u{07}\\u{00E9}' + "x" * 35 + '…"')
    yield line("start_missing", "§" + sample(start=None), "member_missing", "start is missing")
    yield line("start_null", "§" + sample(start="null"), "member_missing", "start is missing")
    for name, number in [("zero", "0"), ("zero_fraction", "0.000"), ("minus_zero", "-0"), ("zero_exponent", "0e9")]:
        yield line("start_" + name, "§" + sample(start=number), "member_missing", "start is missing")
    yield line("start_text", sample(start='§"2026-10-14T07:01:00Z"'), "time_invalid", "start is no number of milliseconds since 1970")
    for name, number in [("after_the_latest", "253402300800000"), ("a_bit_after", "253402300799999.0000001"),
                         ("before_the_earliest", "-62135596800001"), ("a_bit_before", "-62135596800000.0000001"),
                         ("far_after", "1e300"), ("far_before", "-1e300"), ("past_64_bits", "18446744073709551615"),
                         ("of_20_digits", "12345678901234567890"), ("of_many_digits", "1" * 60)]:
        yield line("time_" + name, sample(start="§" + number), "time_invalid", "start is outside of the years 1 to 9999")
    yield line("end_beyond", sample(end="§253402300800000"), "time_invalid", "end is outside of the years 1 to 9999")
    yield line("end_text", sample(end='§"x"'), "time_invalid", "end is no number of milliseconds since 1970")
    yield line("number_past_a_double", sample(value="§1e400"), "number_invalid", "a number is beyond the range of a double")
    yield line("number_too_long", sample(value="§" + "1" * 65), "number_invalid", "a number has too many characters")
    yield line("value_text", sample(value='§"62"'), "member_invalid", "value is no number")
    yield line("value_true", sample(value="§true"), "member_invalid", "value is no number")
    yield line("unit_number", sample(unit="§7"), "member_invalid", "unit is no text")
    for name in ("sourceName", "sourceBundleID", "sourceVersion", "device"):
        yield line(name.lower() + "_number", sample(**{name: "§7"}), "member_invalid", f"{name} is no text")
    yield line("metadata_array", sample(metadata="§[]"), "member_invalid", "metadata is no object")
    yield line("control_character", sample(sourceName='"a§\u0001"'), "json_invalid",
               "a text holds a control character that must be escaped")
    yield line("lone_surrogate", sample(sourceName='"§\\ud800"'), "json_invalid", "a text escapes one half of a surrogate pair")
    yield line("too_deep", sample(new="[" * 63 + "§[" + "]" * 64), "json_too_deep", "arrays and objects are nested too deeply")
    yield line("member_twice", sample(more=',§"uu\\u0069d":1'), "member_repeated", "an object has two members of one name")

    # Contexts.
    for member in ("startContext", "endContext"):
        for name, text_of_it, message in [
                ("text", '"x"', f"{member} is no object"),
                ("without_zone", ZONE.replace('"timeZoneID":"Europe/Berlin",', ""), f"{member} has no timeZoneID"),
                ("empty_zone", ZONE.replace("Europe/Berlin", ""), f"{member} has no timeZoneID"),
                ("without_source", ZONE.replace("device_current", ""), f"{member} has no source"),
                ("without_confidence", ZONE.replace('"inferred"', "null"), f"{member} has no confidence"),
                ("without_offset", ZONE.replace("7200", "null"), f"{member} has no utcOffsetSeconds"),
                ("above_a_day", ZONE.replace("7200", "86401"), f"utcOffsetSeconds of {member} is more than a day"),
                ("below_a_day", ZONE.replace("7200", "-86401"), f"utcOffsetSeconds of {member} is more than a day")]:
            code = "member_missing" if "has no" in message else "member_invalid"
            yield line(f"{member.lower()}_{name}", sample(**{member: "§" + text_of_it}), code, message)
    yield line("context_offset_fraction", sample(startContext=ZONE.replace("7200", "§0.5")), "member_invalid",
               "utcOffsetSeconds is no whole number")
    yield line("context_zone_number", sample(startContext=ZONE.replace('"Europe/Berlin"', "§7")), "member_invalid",
               "timeZoneID is no text")
    yield line("context_tzdb_number", sample(startContext=ZONE.replace('"2026a"', "§7")), "member_invalid", "tzdbVersion is no text")

    # Kinds.
    for kind, member in [("category", "category"), ("workout", "workout"), ("heartbeatSeries", "heartbeats"), ("ecg", "ecg"),
                         ("stateOfMind", "stateOfMind"), ("medicationDose", "medicationDose")]:
        yield line(f"{kind.lower()}_without_{member.lower()}", "§" + sample(kind=kind), "member_missing", f"{member} is missing")
        yield line(f"{kind.lower()}_with_null", "§" + sample(kind=kind, **{member: "null"}), "member_missing", f"{member} is missing")
        what = {"category": "is no whole number", "heartbeats": "is no array"}.get(member, "is no object")
        yield line(f"{kind.lower()}_with_a_text", sample(kind=kind, **{member: '§"x"'}), "member_invalid", f"{member} {what}")
    yield line("category_fraction", sample(kind="category", category="§3.5"), "member_invalid", "category is no whole number")
    yield line("category_past_64_bits", sample(kind="category", category="§9223372036854775808"), "member_invalid",
               "category is no whole number")
    for name, value in [("triple", "[0.5,false,1]"), ("single", "[0.5]"), ("empty", "[]"), ("swapped", "[false,0.5]"),
                        ("number", "[0.5,1]"), ("object", "{}"), ("null", "null")]:
        yield line("heartbeat_" + name, sample(kind="heartbeatSeries", heartbeats="[[1,true],§" + value + "]"), "member_invalid",
                   "heartbeats has an element that is not [seconds, preceded by gap]")
    for name, value, code, message in [
            ("activity_number", '{"activityType":§7}', "member_invalid", "activityType is no text"),
            ("duration_text", '{"duration":§"1"}', "member_invalid", "duration is no number"),
            ("energy_text", '{"totalEnergyKcal":§"1"}', "member_invalid", "totalEnergyKcal is no number"),
            ("distance_text", '{"totalDistanceMeters":§"1"}', "member_invalid", "totalDistanceMeters is no number"),
            ("statistics_array", '{"statistics":§[]}', "member_invalid", "statistics is no object"),
            ("statistics_of_text", '{"statistics":{"x":§"1"}}', "member_invalid", "statistics is no number"),
            ("detail_of_numbers", '{"statisticsDetail":{"x":§1}}', "member_invalid", "statisticsDetail is no object"),
            ("detail_of_texts", '{"statisticsDetail":{"x":{"min":§"1"}}}', "member_invalid", "min is no number"),
            ("events_object", '{"events":§{}}', "member_invalid", "events is no array"),
            ("event_number", '{"events":[§1]}', "member_invalid", "events is no object"),
            ("event_start_text", '{"events":[{"start":§"x"}]}', "time_invalid", "start is no number of milliseconds since 1970"),
            ("event_beyond", '{"events":[{"end":§1e20}]}', "time_invalid", "end is outside of the years 1 to 9999"),
            ("activities_text", '{"activities":§"x"}', "member_invalid", "activities is no array"),
            ("activity_duration", '{"activities":[{"duration":§"x"}]}', "member_invalid", "duration is no number"),
            ("activity_statistics", '{"activities":[{"statistics":{"x":{"sum":§[]}}}]}', "member_invalid", "sum is no number")]:
        yield line("workout_" + name, sample(kind="workout", workout=value), code, message)
    for name, value, message in [
            ("classification", '{"classification":§7}', "classification is no text"),
            ("symptoms", '{"symptomsStatus":§{}}', "symptomsStatus is no text"),
            ("rate", '{"averageHeartRateBpm":§"x"}', "averageHeartRateBpm is no number"),
            ("frequency", '{"samplingFrequencyHz":§"x"}', "samplingFrequencyHz is no number"),
            ("voltages", '{"voltagesUV":§{}}', "voltagesUV is no array"),
            ("voltage", '{"voltagesUV":[1,§null]}', "voltagesUV has an element that is no number")]:
        yield line("ecg_" + name, sample(kind="ecg", ecg=value), "member_invalid", message)
    for name, value, message in [
            ("kind", '{"kind":§7}', "kind is no text"), ("valence", '{"valence":§"x"}', "valence is no number"),
            ("class", '{"valenceClassification":§7}', "valenceClassification is no text"),
            ("labels", '{"labels":§"x"}', "labels is no array"),
            ("association", '{"associations":[§7]}', "associations has an element that is no text")]:
        yield line("mind_" + name, sample(kind="stateOfMind", stateOfMind=value), "member_invalid", message)
    for name, value, code, message in [
            ("medication", '{"medication":§7}', "member_invalid", "medication is no text"),
            ("status", '{"status":§7}', "member_invalid", "status is no text"),
            ("unit", '{"doseUnit":§7}', "member_invalid", "doseUnit is no text"),
            ("quantity", '{"doseQuantity":§"x"}', "member_invalid", "doseQuantity is no number"),
            ("time", '{"scheduledAt":§1e20}', "time_invalid", "scheduledAt is outside of the years 1 to 9999"),
            ("context", '{"scheduledAtContext":§{}}', "member_missing", "scheduledAtContext has no timeZoneID")]:
        yield line("dose_" + name, sample(kind="medicationDose", medicationDose=value), code, message)

    # The other slots.
    def wrapped(slot, name, inner, code, message, uuid=""):
        shown = "activity summary" if slot == "activitySummary" else slot
        wrapper = "deleted" if slot == "deletion" else slot
        mark, inner = ("§", inner[1:]) if inner.startswith("§") else ("", inner)
        return bad(f"{slot.lower()}_{name}", batch(**{slot: [f'{mark}{{"{wrapper}":{inner}}}']}), code,
                   f"{shown} 1{uuid}: {message}", 2)

    yield wrapped("deletion", "without_uuid", '§{"type":"t"}', "member_missing", "uuid is missing")
    yield wrapped("deletion", "without_type", f'§{{"uuid":"{KEY}1"}}', "member_missing", "type is missing", who)
    yield wrapped("deletion", "uuid_malformed", '{"uuid":§"x","type":"t"}', "member_invalid", "uuid is no UUID")
    yield wrapped("deletion", "type_empty", f'{{"uuid":"{KEY}1","type":§""}}', "member_invalid", "type is empty", who)
    at = f" ({WORKOUT})"
    whose = f'"workoutUUID":"{WORKOUT}"'
    yield wrapped("route", "without_workout", '§{"points":[]}', "member_missing", "workoutUUID is missing")
    yield wrapped("route", "without_points", "§{" + whose + "}", "member_missing", "points is missing", at)
    yield wrapped("route", "points_null", "§{" + whose + ',"points":null}', "member_missing", "points is missing", at)
    yield wrapped("route", "points_object", "{" + whose + ',"points":§{}}', "member_invalid", "points is no array", at)
    yield wrapped("route", "point_number", "{" + whose + ',"points":[§1]}', "member_invalid",
                  "points has an element that is no object", at)
    for name, point, code, message in [
            ("without_t", '{"lat":1,"lon":2}', "member_missing", "t is missing"),
            ("t_zero", '{"t":0,"lat":1,"lon":2}', "member_missing", "t is missing"),
            ("without_lat", '{"t":1,"lon":2}', "member_missing", "lat is missing"),
            ("lat_null", '{"t":1,"lat":null,"lon":2}', "member_missing", "lat is missing"),
            ("without_lon", '{"t":1,"lat":2}', "member_missing", "lon is missing")]:
        yield wrapped("route", name, "§{" + whose + f',"points":[{point}]}}', code, message, at)
    for name, point, code, message in [
            ("t_text", '{"t":§"1"}', "time_invalid", "t is no number of milliseconds since 1970"),
            ("lat_text", '{"t":1,"lat":§"1"}', "member_invalid", "lat is no number"),
            ("alt_text", '{"t":1,"alt":§"1"}', "member_invalid", "alt is no number"),
            ("course_true", '{"t":1,"course":§true}', "member_invalid", "course is no number"),
            ("context", '{"t":1,"temporalContext":§{}}', "member_missing", "temporalContext has no timeZoneID")]:
        yield wrapped("route", name, "{" + whose + f',"points":[{point}]}}', code, message, at)
    typed = whose + f',"type":"{HEART}"'
    yield wrapped("series", "without_type", "§{" + whose + ',"points":[]}', "member_missing", "type is missing", at)
    yield wrapped("series", "type_empty", "{" + whose + ',"type":§"","points":[]}', "member_invalid", "type is empty", at)
    yield wrapped("series", "unit_number", "{" + typed + ',"unit":§7,"points":[]}', "member_invalid", "unit is no text", at)
    yield wrapped("series", "without_value", "§{" + typed + ',"points":[{"t":1}]}', "member_missing", "value is missing", at)
    yield wrapped("series", "value_null", "§{" + typed + ',"points":[{"t":1,"value":null}]}', "member_missing",
                  "value is missing", at)
    yield wrapped("series", "without_t", "§{" + typed + ',"points":[{"value":1}]}', "member_missing", "t is missing", at)

    bucket = {"type": text(HEART), "func": '"sum"', "intervalValue": "1", "intervalUnit": '"day"', "deviceFilter": '"all"',
              "bucketStart": AT, "bucketEnd": LATER, "value": "1"}

    def aggregate(name, code, message, **members):
        found = {**bucket, **members}
        marked = any("§" in (value or "") for value in found.values())
        inner = "{" + ",".join(f'"{key}":{value}' for key, value in found.items() if value is not None) + "}"
        return wrapped("aggregate", name, inner if marked else "§" + inner, code, message)

    for member in bucket:
        if member != "value":
            yield aggregate("without_" + member.lower(), "member_missing", f"{member} is missing", **{member: None})
    yield aggregate("func_unknown", "member_invalid", 'invalid func "median"', func='§"median"')
    yield aggregate("interval_unit_unknown", "member_invalid", 'invalid intervalUnit "year"', intervalUnit='§"year"')
    yield aggregate("device_filter_unknown", "member_invalid", 'invalid deviceFilter "ipad"', deviceFilter='§"ipad"')
    yield aggregate("func_number", "member_invalid", "func is no text", func="§1")
    yield aggregate("interval_zero", "member_invalid", "intervalValue is less than 1", intervalValue="0")
    yield aggregate("interval_fraction", "member_invalid", "intervalValue is no whole number", intervalValue="§1.5")
    yield aggregate("bucket_of_no_length", "member_invalid", "bucketEnd is not behind bucketStart", bucketEnd=AT)
    yield aggregate("bucket_backwards", "member_invalid", "bucketEnd is not behind bucketStart", bucketEnd="1")
    yield aggregate("bucket_start_zero", "member_missing", "bucketStart is missing", bucketStart="0")
    yield aggregate("value_text", "member_invalid", "value is no number", value='§"1"')
    yield aggregate("context", "member_missing", "bucketStartContext has no timeZoneID", bucketStartContext="§{}")

    yield wrapped("activitySummary", "without_date", '§{"localDate":"2026-10-14"}', "member_missing", "date is missing")
    yield wrapped("activitySummary", "date_zero", '§{"date":0,"localDate":"2026-10-14"}', "member_missing", "date is missing")
    for day in ("2026-02-30", "2026-13-01", "2026-1-1", "14.10.2026", "2026-10-14T00:00:00Z", "2026-00-10"):
        yield wrapped("activitySummary", "local_date_" + day, f'{{"date":1,"localDate":§"{day}"}}', "member_invalid",
                      "localDate is no day of the calendar")
    for mode in ("2", "-1", "1e9"):
        yield wrapped("activitySummary", "move_mode_" + mode, f'{{"date":1,"moveMode":§{mode}}}', "member_invalid",
                      "moveMode is not 0 or 1")
    yield wrapped("activitySummary", "number_text", '{"date":1,"standHours":§"9"}', "member_invalid", "standHours is no number")
    yield wrapped("activitySummary", "context", '{"date":1,"temporalContext":§{}}', "member_missing",
                  "temporalContext has no timeZoneID")
    yield wrapped("profile", "name_number", '{"name":§7}', "member_invalid", "name is no text")
    yield wrapped("profile", "sex_number", '{"biologicalSex":§7}', "member_invalid", "biologicalSex is no text")
    yield wrapped("profile", "birth_beyond", '{"dateOfBirth":§1e20}', "time_invalid", "dateOfBirth is outside of the years 1 to 9999")
