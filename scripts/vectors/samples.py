"""Samples that cases share: one of every kind, as the phone writes them, with the row that each becomes."""

from .build import SOURCE, stored, stored_quantity

STEPS = {"uuid": "5E1D0000-0000-4000-8000-000000000001", "type": "steps", "value": 412, "unit": "count",
         "start": "2026-10-14T07:01:00Z", "end": "2026-10-14T07:01:59Z", "source": SOURCE}
HEART_RATE = {"uuid": "4EA20000-0000-4000-8000-000000000001", "type": "heart_rate", "value": 61.5,
              "unit": "count/min", "start": "2026-10-14T07:02:03Z", "end": "2026-10-14T07:02:03Z", "source": SOURCE}
OXYGEN = {"uuid": "02540000-0000-4000-8000-000000000001", "type": "oxygen_saturation", "value": 0.97, "unit": "%",
          "start": "2026-10-14T03:00:00Z", "end": "2026-10-14T03:00:00Z", "source": SOURCE}
SLEEP = {"uuid": "51EE0000-0000-4000-8000-000000000001", "type": "sleep_analysis", "value": "asleep_core",
         "start": "2026-10-13T23:10:00Z", "end": "2026-10-14T00:40:00Z", "source": SOURCE}
WORKOUT = {"uuid": "0B6F0000-0000-4000-8000-000000000001", "type": "workout", "activity": "running",
           "start": "2026-10-14T05:00:00Z", "end": "2026-10-14T05:31:10Z", "duration_s": 1870, "energy_kcal": 312.4,
           "distance_m": 5020, "location": "unknown", "metadata": {}, "events": [], "activities": [],
           "statistics": [], "source": SOURCE}
BLOOD_TYPE = {"uuid": "characteristic:blood_type", "type": "characteristic", "name": "blood_type",
              "value": "a_positive"}
BIRTH_DATE = {"uuid": "characteristic:date_of_birth", "type": "characteristic", "name": "date_of_birth",
              "value": "1984-02-29"}
STATE_OF_MIND = {"uuid": "50A10000-0000-4000-8000-000000000001", "type": "state_of_mind",
                 "start": "2026-10-14T06:30:00Z", "end": "2026-10-14T06:30:00Z", "kind": "momentary_emotion",
                 "valence": 0.42857142857142855, "valence_classification": "pleasant", "labels": ["calm", "content"],
                 "associations": ["family"], "source": SOURCE}
GAD7 = {"uuid": "6AD70000-0000-4000-8000-000000000001", "type": "gad7_assessment", "start": "2026-10-12T18:00:00Z",
        "end": "2026-10-12T18:02:00Z", "score": 4, "risk": "none_to_minimal",
        "answers": ["not_at_all", "several_days", "several_days", "not_at_all", "several_days", "not_at_all",
                    "several_days"], "source": SOURCE}
PHQ9 = {"uuid": "90090000-0000-4000-8000-000000000001", "type": "phq9_assessment", "start": "2026-10-12T18:03:00Z",
        "end": "2026-10-12T18:05:00Z", "score": 5, "risk": "mild",
        "answers": ["several_days", "several_days", "not_at_all", "several_days", "not_at_all", "several_days",
                    "several_days", "not_at_all", "prefer_not_to_answer"], "source": SOURCE}
AUDIOGRAM = {"uuid": "A0D10000-0000-4000-8000-000000000001", "type": "audiogram", "start": "2026-10-10T10:00:00Z",
             "end": "2026-10-10T10:06:00Z",
             "points": [{"frequency_hz": 500, "tests": [{"side": "left", "type": "air", "masked": False,
                                                         "sensitivity_dbhl": 12.5}]},
                        {"frequency_hz": 4000, "tests": [{"side": "right", "type": "air", "masked": False,
                                                          "sensitivity_dbhl": -5}]}], "source": SOURCE}
ACTIVITY_SUMMARY = {"uuid": "activity_summary:2026-10-13", "type": "activity_summary", "date": "2026-10-13",
                    "active_energy_burned_kcal": 512.25, "active_energy_burned_goal_kcal": 500,
                    "apple_exercise_time_min": 41, "apple_exercise_time_goal_min": 30, "apple_stand_hours": 12,
                    "apple_stand_hours_goal": 12}
ROUTE = {"uuid": "207E0000-0000-4000-8000-000000000001", "type": "workout_route", "start": "2026-10-14T05:00:00Z",
         "end": "2026-10-14T05:31:10Z", "workout": "0B6F0000-0000-4000-8000-000000000001", "count": 3, "part": 0,
         "parts": 1, "points": [{"t": 0, "lat": 59.329323, "lon": 18.068581, "alt_m": 12.5},
                                {"t": 1000, "lat": 59.329401, "lon": 18.068702, "alt_m": 12.25},
                                {"t": 2000, "lat": 59.32948, "lon": 18.068823, "alt_m": 12}], "source": SOURCE}
HEARTBEATS = {"uuid": "0E0B0000-0000-4000-8000-000000000001", "type": "heartbeat_series",
              "start": "2026-10-14T06:00:00Z", "end": "2026-10-14T06:01:00Z", "count": 6, "part": 0, "parts": 1,
              "beats": [[0, 0], [842, 0], [1677, 0], [2519, 1], [3350, 0], [4188, 0]], "source": SOURCE}

ROWS_OF_EVERY_KIND = [
    stored_quantity(STEPS), stored_quantity(HEART_RATE), stored_quantity(OXYGEN),
    stored(SLEEP, "category", 3, "asleep_core"), stored(WORKOUT, "workout", 1870, "running", "s"),
    stored(BLOOD_TYPE, "characteristic", 1, "a_positive"), stored(BIRTH_DATE, "characteristic", None, "1984-02-29"),
    stored(STATE_OF_MIND, "state_of_mind"), stored(GAD7, "gad7_assessment"), stored(PHQ9, "phq9_assessment"),
    stored(AUDIOGRAM, "audiogram"), stored(ACTIVITY_SUMMARY, "activity_summary"),
    stored(ROUTE, "workout_route"), stored(HEARTBEATS, "heartbeat_series"),
]
EVERY_KIND_SAMPLES = [row["body"] for row in ROWS_OF_EVERY_KIND]
