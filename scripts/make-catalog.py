#!/usr/bin/env python3
"""Writes schemas/types.json, schemas/units.json and Sources/Samples/Catalog/CatalogTexts.swift.

usage: make-catalog.py FOLDER

FOLDER holds `healthkit/` (quantity-types.csv, category-types.csv, category-values.csv, workout-activities.csv,
characteristics.csv, units.csv) and `hae/hae-metric-names.csv`. schemas/catalog.md says where their facts come from.
"""

import csv
import json
import pathlib
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

WRITABLE = {"yes": True, "no": False, "unknown": None}

# A command can carry it, but it measures nothing that a table of types knows.
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
        "kinds": [
            {key: value for key, value in (("name", name), ("hk", hk), ("source", source)) if value}
            for name, hk, source in OTHER_KINDS
        ],
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
    if len(sys.argv) != 2:
        sys.exit("usage: make-catalog.py FOLDER")
    folder = pathlib.Path(sys.argv[1])
    root = pathlib.Path(__file__).resolve().parent.parent
    texts = [("types", types(folder)), ("units", units(folder))]
    for name, text in texts:
        (root / "schemas" / f"{name}.json").write_text(text, encoding="utf-8")
    target = root / "Sources" / "Samples" / "Catalog" / "CatalogTexts.swift"
    target.write_text(swift(texts), encoding="utf-8")


main()
