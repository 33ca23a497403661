#!/usr/bin/env python3
"""Writes an invented export of Apple's Health app: scripts/make-apple-export.py SIZE_MB [FILE] [--zip].

For measurements of `server import`. The shape, the sorting by type and the errors are those of real exports (a document
type with a declaration without its end, device texts with memory addresses); every value is made up. The same size gives
the same file. FILE defaults to export.xml, or export.zip with --zip. Needs nothing but Python 3.
"""

import datetime
import random
import sys
import zipfile

HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE HealthData [
<!-- HealthKit Export Version: 14 -->
<!ELEMENT HealthData (ExportDate,Me,(Record|Correlation|Workout|ActivitySummary|ClinicalRecord)*)>
<!ATTLIST HealthData
  locale CDATA #REQUIRED
>
<!ATTLIST VisionPrescription
  type             CDATA #REQUIRED
  dateIssued       CDATA #REQUIRED
<!ELEMENT RightEye EMPTY>
]>
<HealthData locale="en_SE">
 <ExportDate value="2026-11-30 08:00:00 +0100"/>
 <Me HKCharacteristicTypeIdentifierDateOfBirth="1990-01-01" HKCharacteristicTypeIdentifierBiologicalSex="HKBiologicalSexNotSet" HKCharacteristicTypeIdentifierBloodType="HKBloodTypeAPositive" HKCharacteristicTypeIdentifierFitzpatrickSkinType="HKFitzpatrickSkinTypeNotSet"/>
"""
WATCH = "&lt;&lt;HKDevice: 0x{address:x}&gt;, name:Apple Watch, manufacturer:Apple Inc., model:Watch, hardware:Watch6,2, software:10.1&gt;"
PHONE = "&lt;&lt;HKDevice: 0x{address:x}&gt;, name:iPhone, manufacturer:Apple Inc., model:iPhone, hardware:iPhone14,2, software:17.1&gt;"
# identifier, unit, share, seconds between, length in seconds, value, from the watch
KINDS = [
    ("HKQuantityTypeIdentifierHeartRate", "count/min", 0.40, 240, 0, lambda r: str(r.randint(45, 170)), True),
    ("HKQuantityTypeIdentifierActiveEnergyBurned", "kcal", 0.22, 400, 60, lambda r: f"{r.random() * 3:.6g}", True),
    ("HKQuantityTypeIdentifierStepCount", "count", 0.12, 600, 550, lambda r: str(r.randint(1, 600)), False),
    ("HKQuantityTypeIdentifierDistanceWalkingRunning", "km", 0.12, 600, 550, lambda r: f"{r.random():.6g}", False),
    ("HKQuantityTypeIdentifierBasalEnergyBurned", "kcal", 0.12, 500, 480, lambda r: f"{r.random() * 9:.6g}", True),
    ("HKQuantityTypeIdentifierHeartRateVariabilitySDNN", "ms", 0.01, 14_400, 60, lambda r: f"{20 + r.random() * 80:.6g}", True),
]


def moment(seconds):
    return datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc).strftime("%Y-%m-%d %H:%M:%S +0000")


def records(kind, budget, rng):
    identifier, unit, share, step, length, value, is_watch = kind
    at, written = 1_420_070_400, 0
    while written < budget:
        at += rng.randint(step // 2, step * 3 // 2)
        address = 0x280000000 + rng.randrange(1 << 24) * 16
        device = (WATCH if is_watch else PHONE).format(address=address)
        source = "Alex\u2019s Apple Watch" if is_watch else "Alex\u2019s iPhone"
        text = (
            f' <Record type="{identifier}" sourceName="{source}" sourceVersion="10.1" device="{device}" unit="{unit}" '
            f'creationDate="{moment(at + length + 5)}" startDate="{moment(at)}" endDate="{moment(at + length)}" value="{value(rng)}"'
        )
        if identifier.endswith("HeartRate"):
            text += f'>\n  <MetadataEntry key="HKMetadataKeyHeartRateMotionContext" value="{rng.randint(0, 2)}"/>\n </Record>\n'
        elif identifier.endswith("SDNN"):
            beats = "".join(
                f'   <InstantaneousBeatsPerMinute bpm="{rng.randint(50, 90)}" time="07:{index:02}:00,12"/>\n' for index in range(30))
            text += f">\n  <HeartRateVariabilityMetadataList>\n{beats}  </HeartRateVariabilityMetadataList>\n </Record>\n"
        else:
            text += "/>\n"
        written += len(text.encode())
        yield text


def sleep(budget, rng):
    at, written = 1_420_070_400, 0
    while written < budget:
        at += rng.randint(900, 5_400)
        end = at + rng.randint(300, 3_600)
        stage = rng.choice(["AsleepCore", "AsleepREM", "AsleepDeep", "Awake", "InBed"])
        text = (
            f' <Record type="HKCategoryTypeIdentifierSleepAnalysis" sourceName="Alex\u2019s Apple Watch" sourceVersion="10.1" '
            f'creationDate="{moment(end)}" startDate="{moment(at)}" endDate="{moment(end)}" '
            f'value="HKCategoryValueSleepAnalysis{stage}"/>\n'
        )
        at = end
        written += len(text.encode())
        yield text


def workouts(budget, rng):
    at, written, number = 1_420_070_400, 0, 0
    while written < budget:
        at += rng.randint(12_000, 40_000)
        minutes = 20 + rng.random() * 60
        end = at + int(minutes * 60)
        number += 1
        text = (
            f' <Workout workoutActivityType="HKWorkoutActivityTypeRunning" duration="{minutes!r}" durationUnit="min" '
            f'sourceName="Alex\u2019s Apple Watch" sourceVersion="10.1" creationDate="{moment(end)}" startDate="{moment(at)}" '
            f'endDate="{moment(end)}">\n  <MetadataEntry key="HKIndoorWorkout" value="0"/>\n'
            f'  <WorkoutEvent type="HKWorkoutEventTypePause" date="{moment(at + 60)}"/>\n'
            f'  <WorkoutStatistics type="HKQuantityTypeIdentifierActiveEnergyBurned" startDate="{moment(at)}" endDate="{moment(end)}" '
            f'sum="{rng.random() * 700:.6g}" unit="kcal"/>\n'
            f'  <WorkoutStatistics type="HKQuantityTypeIdentifierDistanceWalkingRunning" startDate="{moment(at)}" endDate="{moment(end)}" '
            f'sum="{rng.random() * 14:.6g}" unit="km"/>\n </Workout>\n'
        )
        written += len(text.encode())
        yield text


def export(megabytes):
    rng = random.Random(megabytes)
    budget = megabytes * 1_000_000
    yield HEAD
    for kind in KINDS:
        yield from records(kind, budget * kind[2] * 0.97, rng)
    yield from sleep(budget * 0.02, rng)
    yield from workouts(budget * 0.01, rng)
    yield "</HealthData>\n"


def main(words):
    is_zip = "--zip" in words
    words = [word for word in words if word != "--zip"]
    if not 1 <= len(words) <= 2 or not words[0].isdigit():
        sys.exit("usage: scripts/make-apple-export.py SIZE_MB [FILE] [--zip]")
    path = words[1] if len(words) > 1 else "export.zip" if is_zip else "export.xml"
    if not is_zip:
        with open(path, "w", encoding="utf-8", newline="\n") as file:
            file.writelines(export(int(words[0])))
        return
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        with archive.open("apple_health_export/export.xml", "w", force_zip64=True) as file:
            for text in export(int(words[0])):
                file.write(text.encode())


main(sys.argv[1:])
