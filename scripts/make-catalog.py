#!/usr/bin/env python3
"""Writes schemas/types.json, schemas/units.json and Sources/Samples/Catalog/CatalogTexts.swift.

usage: make-catalog.py [--check] FOLDER

--check writes nothing and fails when the files are not what the tables give.

FOLDER holds `healthkit/` (quantity-types.csv, category-types.csv, category-values.csv, workout-activities.csv,
characteristics.csv, units.csv) and `hae/hae-metric-names.csv`. schemas/catalog.md says where their facts come from.
"""

import csv
import json
import pathlib
import re
import sys

# What workouts are called in Health Auto Export's English, beside the activity's own name, folded: lower case, one
# underscore between words. A place in front ("outdoor", "indoor", "pool", "open water") is taken off first.
DISPLAY_NAMES = {
    "running": ["run", "track_running", "treadmill_running"],
    "walking": ["walk"],
    "cycling": ["cycle", "bike", "bike_ride", "biking"],
    "swimming": ["swim"],
    "hiking": ["hike"],
    "rowing": ["row", "rower"],
    "skating_sports": ["skating", "ice_skating", "skate"],
    "snow_sports": ["snow_sport"],
    "water_sports": ["water_sport"],
    "paddle_sports": ["paddling", "paddle_sport", "kayaking"],
    "surfing_sports": ["surfing"],
    "disc_sports": ["disc_sport"],
    "equestrian_sports": ["equestrian"],
    "high_intensity_interval_training": ["hiit", "high_intensity_interval"],
    "functional_strength_training": ["functional_training", "functional_strength"],
    "traditional_strength_training": ["strength_training", "traditional_strength"],
    "core_training": ["core"],
    "mixed_cardio": ["mixed_cardio_training"],
    "mixed_metabolic_cardio_training": ["mixed_metabolic_cardio"],
    "stair_climbing": ["stair_stepper", "stair_climber"],
    "cross_country_skiing": ["cross_country_ski"],
    "downhill_skiing": ["downhill_ski", "skiing"],
    "snowboarding": ["snowboard"],
    "martial_arts": ["martial_art"],
    "mind_and_body": ["mind_&_body", "mindfulness"],
    "preparation_and_recovery": ["preparation_&_recovery"],
    "track_and_field": ["track_&_field"],
    "hand_cycling": ["hand_cycle", "handcycling"],
    "wheelchair_walk_pace": ["wheelchair_walk"],
    "wheelchair_run_pace": ["wheelchair_run"],
    "swim_bike_run": ["multisport", "triathlon"],
    "underwater_diving": ["diving", "dive", "scuba_diving"],
    "jump_rope": ["jumping_rope", "skipping"],
    "soccer": ["football_soccer"],
    "social_dance": ["dancing"],
    "fitness_gaming": ["fitness_game"],
    "stairs": ["stair"],
    "cooldown": ["cool_down"],
    "tai_chi": ["taichi"],
}

# Spellings that senders of the Health Auto Export shape use and the tables lack.
MORE_UNITS = [("count_per_time", "spm", "1"), ("vo2", "ml/kg·min", "1")]

WRITABLE = {"yes": True, "no": False, "unknown": None}

# Values of the kinds below, raw numbers in brackets: HealthKit's own, the names our reading.
KIND_VALUES = {
    "state_of_mind": {
        "kind": "momentary_emotion(1) daily_mood(2)",
        "valence_classification": (
            "very_unpleasant(1) unpleasant(2) slightly_unpleasant(3) neutral(4) slightly_pleasant(5) pleasant(6) "
            "very_pleasant(7)"),
        "labels": (
            "amazed(1) amused(2) angry(3) anxious(4) ashamed(5) brave(6) calm(7) content(8) disappointed(9) "
            "discouraged(10) disgusted(11) embarrassed(12) excited(13) frustrated(14) grateful(15) guilty(16) happy(17) "
            "hopeless(18) irritated(19) jealous(20) joyful(21) lonely(22) passionate(23) peaceful(24) proud(25) "
            "relieved(26) sad(27) scared(28) stressed(29) surprised(30) worried(31) annoyed(32) confident(33) "
            "drained(34) hopeful(35) indifferent(36) overwhelmed(37) satisfied(38)"),
        "associations": (
            "community(1) current_events(2) dating(3) education(4) family(5) fitness(6) friends(7) health(8) hobbies(9) "
            "identity(10) money(11) partner(12) self_care(13) spirituality(14) tasks(15) travel(16) work(17) "
            "weather(18)"),
    },
    "gad7_assessment": {
        "answers": "not_at_all(0) several_days(1) more_than_half_the_days(2) nearly_every_day(3)",
        "risk": "none_to_minimal(1) mild(2) moderate(3) severe(4)",
    },
    "phq9_assessment": {
        "answers": (
            "not_at_all(0) several_days(1) more_than_half_the_days(2) nearly_every_day(3) prefer_not_to_answer(4)"),
        "risk": "none_to_minimal(1) mild(2) moderate(3) moderately_severe(4) severe(5)",
    },
    "audiogram": {"type": "air(0)", "side": "left(0) right(1)"},
    "activity_summary": {"activity_move_mode": "active_energy(1) apple_move_time(2)"},
    "workout": {
        "events": (
            "pause(1) resume(2) lap(3) marker(4) motion_paused(5) motion_resumed(6) segment(7) "
            "pause_or_resume_request(8)"),
        "location": "unknown(1) indoor(2) outdoor(3)",
    },
}

# Kinds of samples that are a type of their own.
OTHER_KINDS = [
    ("workout", "HKWorkoutTypeIdentifier", "guide"),
    ("characteristic", None, "guide"),
    ("workout_route", "HKWorkoutRouteTypeIdentifier", "guide"),
    ("heartbeat_series", "HKDataTypeIdentifierHeartbeatSeries", "guide"),
    ("state_of_mind", "HKDataTypeIdentifierStateOfMind", "guide"),
    ("gad7_assessment", "HKScoredAssessmentTypeIdentifierGAD7", "guide"),
    ("phq9_assessment", "HKScoredAssessmentTypeIdentifierPHQ9", "guide"),
    ("audiogram", "HKDataTypeIdentifierAudiogram", "guide"),
    ("activity_summary", "HKActivitySummaryTypeIdentifier", "guide"),
]


def fold(name):
    folded = name.strip().lower()
    for separator in " -:":
        folded = folded.replace(separator, "_")
    while "__" in folded:
        folded = folded.replace("__", "_")
    return folded.strip("_")


def kind(name, hk, source):
    entry = {"name": name}
    if hk:
        entry["hk"] = hk
    if name in KIND_VALUES:
        entry["values"] = {
            member: [{"name": value, "raw": int(raw)} for value, raw in re.findall(r"(\w+)\((\d+)\)", text)]
            for member, text in KIND_VALUES[name].items()
        }
    entry["source"] = source
    return entry


def number(text):
    value = float(text)
    return int(value) if value == int(value) else value


def rows(path):
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def lines(members):
    """One member a line, and of a list of objects one object a line: a change of one fact is a change of one line."""
    texts = []
    for name, value in members.items():
        if isinstance(value, list):
            body = ",\n    ".join(json.dumps(item, ensure_ascii=False) for item in value)
            texts.append(f'  "{name}": [\n    {body}\n  ]')
        else:
            texts.append(f'  "{name}": {json.dumps(value, ensure_ascii=False)}')
    return "{\n" + ",\n".join(texts) + "\n}\n"


def types(folder):
    health, metrics = folder / "healthkit", {}
    for row in rows(folder / "hae" / "hae-metric-names.csv"):
        names = metrics.setdefault(row["hk_identifier"], [])
        if fold(row["name"]) not in names:
            names.append(fold(row["name"]))
    enumerations = {}
    for row in rows(health / "category-values.csv"):
        value = {"name": row["snake_value"], "raw": int(row["raw_value"])}
        if row["aliases"]:
            value["aliases"] = row["aliases"].split("|")
        if row["name_status"] == "guide":
            value["source"] = "guide"
        enumerations.setdefault(row["values_enum"], []).append(value)

    found = []
    for row in rows(health / "quantity-types.csv"):
        entry = {
            "name": row["snake_name"], "kind": "quantity", "hk": row["hk_identifier"], "unit": row["canonical_unit"],
            "family": row["unit_family"], "aggregation": row["aggregation"], "write": WRITABLE[row["writable"]],
        }
        if row["plausible_min"]:
            entry["min"] = number(row["plausible_min"])
        if row["plausible_max"]:
            entry["max"] = number(row["plausible_max"])
        found.append((entry, row))
    for row in rows(health / "category-types.csv"):
        entry = {
            "name": row["snake_name"], "kind": "category", "hk": row["hk_identifier"],
            "write": WRITABLE[row["writable"]], "values": enumerations[row["values_enum"] or "HKCategoryValue"],
        }
        found.append((entry, row))
    names = {entry["name"] for entry, _ in found}
    for entry, row in found:
        hae = metrics.get(row["hk_identifier"], [])
        aliases = [name for name in row["aliases"].split("|") if name and name not in names and name not in hae]
        if hae:
            entry["hae"] = hae
        if aliases:
            entry["aliases"] = aliases
        entry["since"] = row["min_ios"]
        entry["source"] = row["name_status"]

    activities = []
    for row in rows(health / "workout-activities.csv"):
        entry = {"name": row["name_snake"], "raw": int(row["raw_value"]), "hk": row["hk_constant"]}
        if row["deprecated"] == "yes":
            entry["deprecated"] = True
        if row["name_snake"] in DISPLAY_NAMES:
            entry["aliases"] = DISPLAY_NAMES[row["name_snake"]]
        entry["since"] = row["min_ios"]
        entry["source"] = row["name_status"]
        activities.append(entry)

    characteristics = {}
    for row in rows(health / "characteristics.csv"):
        entry = characteristics.setdefault(
            row["name"], {"name": row["name"], "hk": row["hk_identifier"], "values": []})
        if row["raw_value"]:
            value = {"name": row["value_name"], "raw": int(row["raw_value"])}
            if row["value_name_status"] == "guide":
                value["source"] = "guide"
            entry["values"].append(value)

    return lines({
        "v": 1,
        "types": [entry for entry, _ in sorted(found, key=lambda pair: pair[0]["name"])],
        "activities": sorted(activities, key=lambda entry: entry["raw"]),
        "characteristics": sorted(characteristics.values(), key=lambda entry: entry["name"]),
        "kinds": [kind(*row) for row in OTHER_KINDS],
    })


def units(folder):
    families = {}
    for row in rows(folder / "healthkit" / "units.csv"):
        family = families.setdefault(
            row["unit_family"], {"name": row["unit_family"], "unit": row["canonical_unit"], "units": []})
        unit = {"unit": row["unit"], "factor": row["to_canonical_factor"]}
        if row["offset"] != "0":
            unit["offset"] = row["offset"]
        if row["origin"] == "alternate":
            unit["alternate"] = True
        family["units"].append(unit)
    for family, unit, factor in MORE_UNITS:
        families[family]["units"].append({"unit": unit, "factor": factor, "alternate": True})
    # A product is written with an asterisk, a middle dot (U+00B7) or a dot operator (U+22C5).
    for family in families.values():
        known = {unit["unit"] for unit in family["units"]}
        for unit in list(family["units"]):
            for sign in "*·⋅":
                name = unit["unit"].translate({ord(other): sign for other in "*·⋅"})
                if name not in known:
                    known.add(name)
                    family["units"].append(dict(unit, unit=name, alternate=True))
    # Health Auto Export writes kilocalories as "cal" as well.
    return lines({"v": 1, "families": list(families.values()), "hae": [{"unit": "cal", "means": "kcal"}]})


def swift(texts):
    parts = ["// Made by scripts/make-catalog.py: change the script or its data, not this file.\n"]
    parts.append("/// The catalog as it was when this program was built: `schemas/types.json` and `schemas/units.json`.")
    parts.append("enum CatalogTexts {")
    for name, text in texts:
        body = "".join("        " + line + "\n" if line else "\n" for line in text.splitlines())
        parts.append(f'    static let {name} = #"""\n{body}\n        """#\n')
    return "\n".join(parts).rstrip("\n") + "\n}\n"


def main():
    arguments = [argument for argument in sys.argv[1:] if argument != "--check"]
    if len(arguments) != 1:
        sys.exit("usage: make-catalog.py [--check] FOLDER")
    folder = pathlib.Path(arguments[0])
    root = pathlib.Path(__file__).resolve().parent.parent
    texts = [("types", types(folder)), ("units", units(folder))]
    files = {f"schemas/{name}.json": text for name, text in texts}
    files["Sources/Samples/Catalog/CatalogTexts.swift"] = swift(texts)
    if "--check" in sys.argv[1:]:
        stale = [path for path, text in files.items() if (root / path).read_text(encoding="utf-8") != text]
        if stale:
            sys.exit(f"not what the tables give: {', '.join(stale)}")
    else:
        for path, text in files.items():
            (root / path).write_text(text, encoding="utf-8")


main()
