"""Bodies of the Health Auto Export shape that are taken: sleep, workouts and the other sections."""

from .build import dump
from .hae_build import accepted, body, days, epoch, metric, name_key, record, utc

RAW = {"aggregation": "None", "period": "Today"}
DAY = "2026-06-22"


def cases():
    yield from sleep()
    yield from workouts()
    yield from others()


def micro(text):
    return epoch(text) * 1_000_000


def segment_key(stage, start, end, source="Watch A"):
    return name_key("sleep_analysis", "segment", source, stage, micro(start), micro(end))


def night_key(day, source="Watch A"):
    return name_key("sleep_analysis", "night", days(day), source)


def night(start, end, minutes, members, source="Watch A", key=None, **more):
    rest = {name: value for name, value in members.items() if name != "source"} | {"units": "hr"}
    return record("sleep_analysis", start, minutes, "min", end=end, kind="other", merge="night", source=source,
                  key=key or night_key(end, source), rest=dump(rest)[1:-1], **more)


def sleep():
    start, end = f"{DAY} 14:00:00 +0200", f"{DAY} 14:30:00 +0200"
    last = {"date": f"{DAY} 00:00:00 +0200", "sleepStart": "2026-06-21 23:00:00 +0200", "sleepEnd": f"{DAY} 06:30:00 +0200",
            "totalSleep": 7.1, "core": 4.2, "deep": 1.1, "rem": 1.8, "awake": 0.4, "asleep": 0, "inBed": 0,
            "source": "Watch A"}
    segment = {"startDate": start, "endDate": end, "qty": 0.5, "value": "Nucleo", "source": "Watch A", "date": None}
    workout = {"id": "0B6F0000-0000-4000-8000-0000000000AA", "name": "Outdoor Ausführen", "start": f"{DAY} 18:00:00 +0200",
               "end": f"{DAY} 18:40:00 +0200", "duration": 2350.5, "activeEnergyBurned": {"qty": 1255.2, "units": "kJ"},
               "distance": {"qty": 3.1, "units": "mi"},
               "stepCount": [{"date": f"{DAY} 18:00:00 +0200", "qty": 81, "units": "count", "source": "Watch A"}],
               "metadata": []}
    kept = {name: value for name, value in workout.items() if name not in ("id", "start", "end", "duration")}
    yield accepted("hae_night_segment_and_workout", "A night, a translated stage and a half-translated workout.",
        body(metric("sleep_analysis", "hr", last, segment), workouts=[workout]),
        [night(last["sleepStart"], last["sleepEnd"], 426, last),
         stage("asleep_core", 3, start, end, "Nucleo"),
         record("workout", workout["start"], 2350.5, "s", end=workout["end"], kind="workout", merge="workout",
                key=workout["id"], value_name="other",
                rest=dump(kept | {"energy_kcal": 300, "distance_m": 4988.9664})[1:-1])], headers=RAW)
    texts = [("In Bed", "in_bed", 0), ("Asleep", "asleep_unspecified", 1), ("Awake", "awake", 2), ("Core", "asleep_core", 3),
             ("Deep", "asleep_deep", 4), ("REM", "asleep_rem", 5), ("Unspecified", "asleep_unspecified", 1),
             ("InBed", "in_bed", 0), ("AsleepCore", "asleep_core", 3), ("AsleepDeep", "asleep_deep", 4),
             ("AsleepREM", "asleep_rem", 5), ("AsleepUnspecified", "asleep_unspecified", 1),
             ("HKCategoryValueSleepAnalysisAsleepREM", "asleep_rem", 5), ("Profondo", "asleep_deep", 4),
             ("Sveglio", "awake", 2), ("A letto", "in_bed", 0), ("Tief", "asleep_deep", 4), ("Wach", "awake", 2),
             ("Im Bett", "in_bed", 0), ("Profond", "asleep_deep", 4), ("Éveillé", "awake", 2),
             ("E\u0301veille\u0301", "awake", 2), ("Au lit", "in_bed", 0), ("Profundo", "asleep_deep", 4),
             ("Despierto", "awake", 2), ("Desperto", "awake", 2), ("asleep_core", "asleep_core", 3),
             ("Jawa Rem", "jawa_rem", None), ("核心", "核心", None)]
    yield accepted("hae_sleep_stages", "Stages in every spelling that was met; a text that is not known stays one.",
        body(metric("sleep_analysis", "hr", *[segment | {"value": text} for text, _, _ in texts])),
        [stage(name, number, start, end, None if text == name else text) for text, name, number in texts],
        headers=RAW)
    yield accepted("hae_sleep_segments_bad", "Segments that last no time, or end before they start, are left out.",
        body(metric("sleep_analysis", "hr", segment | {"qty": 0}, segment | {"endDate": start}, segment | {"endDate": f"{DAY} 13:00:00 +0200"},
                    segment | {"startDate": "x"}, segment | {"value": " "})), [],
        [("data.metrics[0].data[0]", "interval_invalid"), ("data.metrics[0].data[1]", "interval_invalid"),
         ("data.metrics[0].data[2]", "interval_invalid"), ("data.metrics[0].data[3]", "date_invalid"),
         ("data.metrics[0].data[4]", "value_missing")], headers=RAW)
    first = {"date": "2022-11-02 02:44:00 +0100", "asleep": 6.5, "sleepStart": "2022-11-01 23:30:00 +0100",
             "sleepEnd": "2022-11-02 06:45:00 +0100", "sleepSource": "Watch", "inBed": 7.5,
             "inBedStart": "2022-11-01 23:00:00 +0100", "inBedEnd": "2022-11-02 07:00:00 +0100", "inBedSource": "Phone"}
    second = {"date": "2023-02-03 00:00:00 +0100", "asleep": 0, "core": 4, "deep": 1, "rem": 1.5, "awake": 0.25,
              "sleepStart": "2023-02-02 23:00:00 +0100", "sleepEnd": "2023-02-03 06:00:00 +0100", "source": "Watch|Phone"}
    yield accepted("hae_nights_of_old_versions", "Before stages `asleep` is all sleep; with them it is what has none.",
        body(metric("sleep_analysis", "hr", first, second)),
        [night(first["sleepStart"], first["sleepEnd"], 390, first, source="Watch"),
         night(second["sleepStart"], second["sleepEnd"], 390, second, source="Watch|Phone",
               key=night_key("2023-02-03", "Phone|Watch"))], headers=RAW)
    yield accepted("hae_night_forms", "Minutes; hours that must be minutes; only a date; no number; backwards.",
        body(metric("sleep_analysis", "min", {"sleepStart": last["sleepStart"], "sleepEnd": last["sleepEnd"], "totalSleep": 400}),
             metric("sleep_analysis", "hr", {"sleepStart": last["sleepStart"], "sleepEnd": last["sleepEnd"], "totalSleep": 400},
                    {"date": f"{DAY} 00:00:00 +0200", "totalSleep": "7,5"},
                    {"sleepStart": last["sleepStart"], "sleepEnd": last["sleepEnd"]},
                    {"sleepStart": last["sleepEnd"], "sleepEnd": last["sleepStart"], "totalSleep": 7})),
        [record("sleep_analysis", last["sleepStart"], 400, "min", end=last["sleepEnd"], kind="other", merge="night",
                key=night_key(DAY, ""), rest=f'"sleepStart":"{last["sleepStart"]}","sleepEnd":"{last["sleepEnd"]}","totalSleep":400,"units":"min"'),
         record("sleep_analysis", last["sleepStart"], 400, "min", end=last["sleepEnd"], kind="other", merge="night",
                key=night_key(DAY, ""), rest=f'"sleepStart":"{last["sleepStart"]}","sleepEnd":"{last["sleepEnd"]}","totalSleep":400,"units_suspect":true,"units":"hr"'),
         record("sleep_analysis", f"{DAY} 00:00:00 +0200", 450, "min", kind="other", merge="night", key=night_key(DAY, ""),
                rest=f'"date":"{DAY} 00:00:00 +0200","totalSleep":"7,5","units":"hr"'),
         record("sleep_analysis", last["sleepStart"], None, "min", end=last["sleepEnd"], kind="other", merge="night",
                key=night_key(DAY, ""), rest=f'"sleepStart":"{last["sleepStart"]}","sleepEnd":"{last["sleepEnd"]}","units":"hr"')],
        [("data.metrics[1].data[3]", "interval_invalid")], headers=RAW)
    yield accepted("hae_sleep_duration", "A number alone is a duration of an unknown kind, in minutes.",
        body(metric("sleep_analysis", "hr", {"date": start, "qty": 7.5, "source": "App"})),
        [record("sleep_analysis", start, 450, "min", merge="slotSum", source="App", rest='"qty":7.5,"units":"hr"')], headers=RAW)


def stage(name, number, start, end, text):
    """A segment; `text` is what the sender wrote where it isn't the name."""
    rest = '"qty":0.5' + (f',"value":{dump(text)}' if text else "") + ',"units":"hr"'
    return record("sleep_analysis", start, number, end=end, kind="category", merge="sleepSegment", source="Watch A",
                  key=segment_key(name, start, end), value_name=name, spelled=["value"] if text else [], rest=rest)


def workouts():
    start, end = "2026-10-14 07:00:00 +0200", "2026-10-14 07:31:10 +0200"
    run = {"id": "0b6f0000-0000-4000-8000-000000000001", "name": "Running", "start": start, "end": end, "duration": 1870,
           "activeEnergyBurned": {"qty": 312.4, "units": "kcal"}, "distance": {"qty": 5.02, "units": "km"}}

    def row(members, key=run["id"].upper(), value=1870, name="running", extra=None, **more):
        kept = {member: value for member, value in members.items()
                if member not in ("id", "start", "end", "duration", "source")}
        return record("workout", start, value, "s", end=end, kind="workout", merge="workout", key=key, value_name=name,
                      rest=dump(kept | (extra or {}))[1:-1], **more)

    known = {"energy_kcal": 312.4, "distance_m": 5020}
    yield accepted("hae_workout", "The second version: key is the sender's id, in either case.", body(workouts=[run]),
                   [row(run, extra=known)], headers=RAW)
    route = run | {"route": [{"latitude": 59.329323, "longitude": 18.068581, "altitude": 12.5, "course": 85.1,
                              "courseAccuracy": 853, "speed": 2.9, "timestamp": start}], "isIndoor": False,
                   "heartRate": {"min": {"qty": 90, "units": "bpm"}}, "humidity": {"qty": 64, "units": "%"}}
    yield accepted("hae_workout_with_route", "Everything else stays as it was sent.", body(workouts=[route]),
                   [row(route, extra=known)], headers=RAW)
    names = [("Outdoor Run", "running"), ("outdoor_run", "running"), ("Indoor Cycling", "cycling"), ("Pool Swim", "swimming"),
             ("Walking", "walking"), ("Other", "other"), ("Outdoor_Radfahren", "other")]
    yield accepted("hae_workout_names", "English names are an activity, others stay a text.",
        body(workouts=[run | {"name": name} for name, _ in names]),
        [row(run | {"name": name}, name=activity, extra=known) for name, activity in names], headers=RAW)
    first = {"name": "Walking", "start": start, "end": end, "activeEnergy": {"qty": 418.4, "units": "kJ"},
             "stepCount": {"qty": 2100, "units": "steps"}, "intesity": {"qty": 3, "units": "MET"}, "heartRateData": None,
             "route": [{"lat": 59.3, "lon": 18.0, "altitude": 1, "timestamp": start}],
             "elevation": {"ascent": 10, "descent": 8, "units": "m"}}
    key = name_key("workout", epoch(start), epoch(end))
    yield accepted("hae_workout_first_version", "No id and no duration: key is start and end, the value what lies between.",
        body(workouts=[first]),
        [row({name: value for name, value in first.items() if value is not None}, key=key, name="walking",
             extra={"energy_kcal": 100})], headers=RAW)
    beats = [{"date": f"2026-10-14 07:3{minute}:10 +0200", "Min": rate, "Avg": rate, "Max": rate, "units": "bpm"}
             for minute, rate in ((1, 150), (2, 130), (3, 110))]
    misfiled = run | {"heartRateData": beats, "avgHeartRate": {"qty": 130, "units": "bpm"},
                      "maxHeartRate": {"qty": 150, "units": "bpm"}}
    expected = run | {"heartRateRecovery": beats}
    yield accepted("hae_workout_recovery_misfiled", "Heart rates behind the end are the recovery, not the workout's.",
                   body(workouts=[misfiled]), [row(expected, extra=known | {"recovery_misfiled": True})], headers=RAW)
    yield accepted("hae_workout_recovery_misfiled_beside_an_empty_one", "An empty series is none.",
                   body(workouts=[misfiled | {"heartRateRecovery": []}]), [row(expected, extra=known | {"recovery_misfiled": True})],
                   headers=RAW)
    honest = run | {"heartRateData": [beats[0] | {"date": start}], "avgHeartRate": {"qty": 130, "units": "bpm"}}
    yield accepted("hae_workout_heart_rates", "Heart rates of the workout itself stay where they are.",
                   body(workouts=[honest]), [row(honest, extra=known)], headers=RAW)
    odd = run | {"type": "x", "source": "Watch", "energy_kcal": 5, "metadata": {"a": 1}, "distance": {"qty": 5, "units": "parsec"},
                 "activeEnergyBurned": 312}
    kept = {"name": "Running", "activeEnergyBurned": 312, "distance": odd["distance"], "hae_type": "x", "hae_energy_kcal": 5,
            "metadata": {"a": 1}}
    yield accepted("hae_workout_odd_members", "Members of other kinds cost nothing.", body(workouts=[odd]),
                   [row(kept, source="Watch")], headers=RAW)
    yield accepted("hae_workout_bad", "Without a start there is no workout.",
        body(workouts=[{"name": "Running"}, run | {"start": "x"}, run | {"end": "2026-10-14 06:00:00 +0200"}]), [],
        [("data.workouts[0]", "date_missing"), ("data.workouts[1]", "date_invalid"),
         ("data.workouts[2]", "interval_invalid")], headers=RAW)
    yield accepted("hae_workouts_beside_data", "An old form of the body.",
        dump({"data": {"metrics": []}, "workouts": [run]}), [row(run, extra=known)], headers=RAW)


def others():
    at, end = "2026-10-14 08:30:00 +0200", "2026-10-14 08:31:00 +0200"
    mood = {"id": "50A10000-0000-4000-8000-000000000001", "start": "2026-10-14T06:30:00Z", "end": "2026-10-14T06:30:00Z",
            "kind": "momentary_emotion", "labels": ["calm"], "associations": ["family"], "valence": -0.2,
            "valenceClassification": "slightly_pleasant"}
    kept = {name: value for name, value in mood.items() if name != "id"} | {"valence_classification": "slightly_unpleasant"}
    utc_at = "2026-10-14 06:30:00 +0000"
    yield accepted("hae_state_of_mind", "The class comes from the valence; without an id the key is start and kind.",
        body(stateOfMind=[mood, {name: value for name, value in mood.items() if name != "id"}]),
        [record("state_of_mind", utc_at, kind="stateOfMind", merge="replace", key=mood["id"], end=utc_at,
                spelled=["start", "end"], rest=dump(kept)[1:-1]),
         record("state_of_mind", utc_at, kind="stateOfMind", merge="replace", end=utc_at, spelled=["start", "end"],
                key=name_key("state_of_mind", epoch(utc_at), "momentary_emotion"), rest=dump(kept)[1:-1])], headers=RAW)

    def named(section, name, start=at, stop=None, source=""):
        return name_key(section, name, micro(start), micro(stop or start), source)

    def symptom(name, severity):
        return {"start": at, "end": at, "name": name, "severity": severity, "userEntered": True, "source": "Phone"}

    symptoms = [("Headache", "Mild", "headache", "headache", "mild", 2), ("Headache", "Present", "headache", "headache", "present", 0),
                ("Mood Changes", "Present", "mood_changes", "mood_changes", "present", 0),
                ("Rapid, Pounding or Fluttering Heartbeat", "Not Present", "rapid_pounding_or_fluttering_heartbeat",
                 "rapid,_pounding_or_fluttering_heartbeat", "not_present", 1),
                ("Dolor de cabeza", "Leve", "symptom", "dolor_de_cabeza", "leve", None)]
    yield accepted("hae_symptoms", "English names are HealthKit's types; a translated one stays a text.",
        body(symptoms=[symptom(*entry[:2]) for entry in symptoms]),
        [record(type_, at, value, end=at, kind="category", merge="replace", source="Phone", value_name=value_name,
                key=named("symptom", folded, source="Phone"),
                rest=f'"name":{dump(name)},"severity":{dump(severity)},"userEntered":true')
         for name, severity, type_, folded, value_name, value in symptoms], headers=RAW)
    entries = [("Menstrual Flow", "Heavy", "menstrual_flow", "menstrual_flow", "heavy", 4),
               ("Flujo Menstrual", "Pesado", "menstrual_flow", "flujo_menstrual", "heavy", 4),
               ("Ovulation", "Negative", "ovulation_test_result", "ovulation", "negative", 1),
               ("Besonderes", "Viel", "cycle_tracking", "besonderes", "viel", None)]
    day = "2026-10-14 00:00:00 +0200"
    whole = {"date": day, "menstrualFlow": "light", "cervicalMucusQuality": None, "ovulationTestResult": "positive"}
    yield accepted("hae_cycle_tracking", "Entries by name, and a whole day in one object; translated texts are kept.",
        body(cycleTracking=[{"start": day, "end": day, "name": name, "value": value, "isCycleStart": True}
                            for name, value, *_ in entries] + [whole, {"start": day, "name": "Basal Temperature", "value": 36.6},
                                                               {"start": day}]),
        [record(type_, day, number, end=day, kind="category", merge="replace", value_name=value_name,
                key=named("cycle", folded, day), spelled=["value"],
                rest=f'"name":{dump(name)},"value":{dump(value)},"isCycleStart":true')
         for name, value, type_, folded, value_name, number in entries]
        + [record("menstrual_flow", day, 2, end="none", kind="category", merge="replace", value_name="light",
                  key=named("cycle", "menstrual_flow", day), rest='"menstrualFlow":"light"'),
           record("ovulation_test_result", day, 2, end="none", kind="category", merge="replace", value_name="positive",
                  key=named("cycle", "ovulation_test_result", day), rest='"ovulationTestResult":"positive"'),
           record("basal_body_temperature", day, 36.6, end="none", merge="replace", key=named("cycle", "basal_temperature", day),
                  rest='"name":"Basal Temperature","unconverted":true')],
        [("data.cycleTracking[6]", "name_missing")], headers=RAW)
    ecg = {"start": at, "end": end, "classification": "Sinus Rhythm", "averageHeartRate": 61, "samplingFrequency": 512,
           "source": "Watch", "voltageMeasurements": [{"date": 813652200.002, "voltage": -12.5, "units": "mcV"}]}
    yield accepted("hae_electrocardiogram", "Voltages stay as they were sent; key is the start.",
        body(ecg=[ecg]),
        [record("electrocardiogram", at, end=end, kind="other", merge="replace", source="Watch",
                key=name_key("electrocardiogram", epoch(at)),
                rest=dump({name: value for name, value in ecg.items() if name not in ("start", "end", "source")})[1:-1])],
        headers=RAW)
    notes = [({"heartNotification": "low_heart_rate_notification", "threshold": 40}, "low_heart_rate_event"),
             ({"heartNotification": "high_heart_rate_notification", "threshold": 120}, "high_heart_rate_event"),
             ({"heartNotification": "irregular_rhythm_notification"}, "irregular_heart_rhythm_event"),
             ({}, "irregular_heart_rhythm_event"),
             ({"threshold": 120, "heartRate": [{"hr": 130, "units": "bpm"}, {"hr": 124, "units": "bpm"}]}, "high_heart_rate_event"),
             ({"threshold": 40, "heartRateData": [{"date": 813652200.5, "Avg": 38}]}, "low_heart_rate_event"),
             ({"threshold": 40}, "heart_rate_notification")]
    yield accepted("hae_heart_notifications", "By name, by the lack of a threshold, or by the rates.",
        body(heartRateNotifications=[{"start": at, "end": end} | members | {"source": {"name": "Watch"}} for members, _ in notes]),
        [record(type_, at, 0 if type_ != "heart_rate_notification" else None, end=end, kind="category", merge="replace",
                source="Watch", spelled=["source"], value_name="not_applicable", key=name_key(type_, epoch(at)),
                rest=dump(members | {"source": {"name": "Watch"}})[1:-1]) for members, type_ in notes], headers=RAW)
    scheduled = "2026-07-06 2:30\u202fPM -0300"
    doses = [("Ibuprofen ", "Taken", "taken"), ("ibuprofen", "Tomado", "taken"), ("Ibuprofen", "Omitido", "skipped"),
             ("Ibuprofen", "Not Interacted", "not_interacted"), ("Ibuprofen", "Otro", "unknown")]
    slot = epoch("2026-07-06 14:30:00 -0300")
    yield accepted("hae_medications", "A dose is its medication and the time it was planned for; only taken is taken.",
        body(medications=[{"displayText": text, "start": at, "end": at, "scheduledDate": scheduled, "status": status, "dosage": 1,
                           "codings": []} for text, status, _ in doses]
             + [{"displayText": "Ibuprofen", "date": at}, {"displayText": "Ibuprofen"}]),
        [record("medication_dose_event", at, end=at, kind="other", merge="replace",
                key=name_key("medication_dose_event", "ibuprofen", slot),
                rest=dump({"displayText": text, "scheduledDate": scheduled, "status": status, "dosage": 1, "codings": [],
                           "status_code": code})[1:-1]) for text, status, code in doses]
        + [record("medication_dose_event", at, end="none", kind="other", merge="replace",
                  key=name_key("medication_dose_event", "ibuprofen", epoch(at)), rest='"displayText":"Ibuprofen"')],
        [("data.medications[6]", "date_missing")], headers=RAW)
    assert utc(at) == "2026-10-14T06:30:00Z"
