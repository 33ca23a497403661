"""Cases of repeats, replacement, deletion and parts: the same state whatever comes twice or in another order."""

from .build import CLOCK, SOURCE, Endpoint, ask, case, stored, stored_quantity, sync
from .samples import ACTIVITY_SUMMARY, BLOOD_TYPE, HEART_RATE, HEARTBEATS, ROUTE, SLEEP, STEPS, WORKOUT

PHONE = Endpoint("phone")
OTHER_DEVICE = "d_AnotherPhoneOfOurs00000"


def deletion(sample, **more):
    return {"uuid": sample["uuid"], "type": sample["type"], **more}


def deleted(sample, device=None, **more):
    """The row of the view `deletions`."""
    return {"device": device or "d_zsOZnTQUz_juWFVljuOOBQ", "uuid": sample["uuid"], "type": sample["type"], **more}


def part(sample, number, **more):
    """Part `number` of a series sample of three parts."""
    return sample | {"part": number, "parts": 3} | more


def send(*bodies):
    """Bodies one after another, each signed a second later: no two requests are the same bytes."""
    return [ask(PHONE, body, timestamp=CLOCK + index) for index, body in enumerate(bodies)]


def native(name, description, bodies, rows=(), deletions=None):
    return case("native_" + name, description, PHONE, send(*bodies), rows, deletions)


def cases():
    more_steps = STEPS | {"value": 413}
    moved = STEPS | {"start": "2026-10-14T07:00:30Z"}
    retyped = STEPS | {"type": "distance_walking_running", "unit": "m", "value": 300}
    yield native("repeat", "The same samples again with a new signature: one row each.",
                 [sync([STEPS, SLEEP]), sync([STEPS, SLEEP])],
                 [stored_quantity(STEPS), stored(SLEEP, "category", 3, "asleep_core")])
    yield native("repeat_in_another_order", "Neither the order of samples nor that of members makes a difference.",
                 [sync([STEPS, HEART_RATE]), sync([HEART_RATE, dict(reversed(STEPS.items()))])],
                 [stored_quantity(STEPS), stored_quantity(HEART_RATE)])
    yield native("changed_value", "The same uuid with another value: the newer one.",
                 [sync([STEPS]), sync([more_steps])], [stored_quantity(more_steps)])
    yield native("changed_metadata", "The same uuid with another member: the newer one, and the member is gone again.",
                 [sync([STEPS | {"metadata": {"HKWasUserEntered": True}}]), sync([STEPS])], [stored_quantity(STEPS)])
    yield native("moved_start", "The same uuid with another start: one row, at the new place.",
                 [sync([STEPS]), sync([moved])], [stored_quantity(moved)])
    yield native("changed_type", "The same uuid with another type: one row, in the new series.",
                 [sync([STEPS]), sync([retyped])], [stored_quantity(retyped)])
    yield native("last_of_a_key_wins", "The same uuid twice in one body: the last one.",
                 [sync([STEPS, HEART_RATE, more_steps])], [stored_quantity(more_steps), stored_quantity(HEART_RATE)])
    yield native("two_devices", "A uuid belongs to a device: another one's sample with the same uuid is another row.",
                 [sync([STEPS]), sync([more_steps], device=OTHER_DEVICE)],
                 [stored_quantity(STEPS), stored_quantity(more_steps, device=OTHER_DEVICE)])
    yield native("lowercase_uuid", "A uuid has no case and is shown in upper case, in `body` too.",
                 [sync([STEPS]), sync([more_steps | {"uuid": STEPS["uuid"].lower()}])],
                 [stored_quantity(more_steps)])

    first = ask(PHONE, sync([STEPS]), timestamp=CLOCK)
    newer = ask(PHONE, sync([more_steps]), timestamp=CLOCK + 1)
    yield case("native_replay", "A used signature again: 204, and nothing is stored again over the newer value.",
               PHONE, [first, newer, first], [stored_quantity(more_steps)])
    broken = ask(PHONE, '{"v":1', 400, "json_invalid")
    yield case("native_replay_of_a_refused_request",
               "A request that was refused is not remembered: the same bytes get the same answer.",
               PHONE, [broken, broken])

    yield native("deletion", "A deletion removes the sample and leaves the others.",
                 [sync([STEPS, HEART_RATE]), sync([], [deletion(STEPS)])], [stored_quantity(HEART_RATE)],
                 [deleted(STEPS)])
    yield native("deletion_of_what_was_never_stored", "Ignored, and answered as any other.",
                 [sync([STEPS], [deletion(HEART_RATE)])], [stored_quantity(STEPS)], [])
    yield native("deletion_again", "The same deletion twice.",
                 [sync([STEPS]), sync([], [deletion(STEPS)]), sync([], [deletion(STEPS)])], [], [deleted(STEPS)])
    yield native("deletion_under_another_type", "The uuid alone says what goes.",
                 [sync([STEPS]), sync([], [deletion(STEPS, type="heart_rate")])])
    yield native("deletion_in_lower_case", "A uuid has no case here either.",
                 [sync([STEPS]), sync([], [deletion(STEPS, uuid=STEPS["uuid"].lower())])], [], [deleted(STEPS)])
    yield native("deletion_by_another_device", "A device deletes its own samples only.",
                 [sync([STEPS]), sync([], [deletion(STEPS)], device=OTHER_DEVICE)], [stored_quantity(STEPS)], [])
    yield native("deletion_beside_its_sample", "Deletions apply after all samples of the body.",
                 [sync([STEPS, HEART_RATE], [deletion(STEPS)])], [stored_quantity(HEART_RATE)], [deleted(STEPS)])
    yield native("sample_after_its_deletion", "A deletion doesn't block a sample that is sent later; its line stays.",
                 [sync([STEPS]), sync([], [deletion(STEPS)]), sync([STEPS])], [stored_quantity(STEPS)],
                 [deleted(STEPS)])
    yield native("deletion_of_a_workout", "A workout goes; a route of it has a uuid of its own and stays.",
                 [sync([WORKOUT, ROUTE]), sync([], [deletion(WORKOUT)])], [stored(ROUTE, "workout_route")])

    parts = [part(HEARTBEATS, 0, beats=[[0, 0], [842, 0]]), part(HEARTBEATS, 1, beats=[[1677, 0], [2519, 1]]),
             part(HEARTBEATS, 2, beats=[[3350, 0], [4188, 0]])]
    rows = [stored(item, "heartbeat_series") for item in parts]
    yield native("parts_in_one_request", "The parts of a set are rows of their own.", [sync(parts)], rows)
    yield native("parts_in_any_order", "The parts of a set arrive backwards over three requests.",
                 [sync([item], more=item["part"] > 0) for item in reversed(parts)], rows)
    yield native("parts_repeated", "A part comes again, once as it was and once with other points.",
                 [sync(parts), sync([parts[1]]), sync([parts[2] | {"beats": [[3351, 0], [4188, 0]]}])],
                 rows[:2] + [stored(parts[2] | {"beats": [[3351, 0], [4188, 0]]}, "heartbeat_series")])
    yield native("parts_deleted", "A deletion removes every part.",
                 [sync(parts + [STEPS]), sync([], [deletion(HEARTBEATS)])], [stored_quantity(STEPS)],
                 [deleted(HEARTBEATS)])
    whole = {name: value for name, value in HEARTBEATS.items() if name not in ("part", "parts")}
    yield native("part_not_given", "A series without `part` is part 0.", [sync([whole])],
                 [stored(whole, "heartbeat_series")])

    other_type = BLOOD_TYPE | {"value": "o_negative"}
    yield native("characteristic_replaced", "A characteristic has one row: the value of the last request.",
                 [sync([BLOOD_TYPE]), sync([other_type])], [stored(other_type, "characteristic", 8, "o_negative")])
    later = ACTIVITY_SUMMARY | {"active_energy_burned_kcal": 530.5, "apple_stand_hours": 13}
    next_day = ACTIVITY_SUMMARY | {"uuid": "activity_summary:2026-10-14", "date": "2026-10-14"}
    yield native("activity_summary_replaced", "A day has one row; the next day has its own.",
                 [sync([ACTIVITY_SUMMARY]), sync([later, next_day])],
                 [stored(later, "activity_summary"), stored(next_day, "activity_summary")])
    renamed = later | {"uuid": "another key of the same day"}
    yield native("activity_summary_of_a_day", "The day says which summary it is, whatever its key.",
                 [sync([ACTIVITY_SUMMARY]), sync([renamed])], [stored(renamed, "activity_summary")])

    yield native("empty_batch", "A delivery with no sample and no deletion.", [sync()])
    yield native("optional_members", "`deleted`, `acks`, `more` and `delivery` may be missing.",
                 [{"v": 1, "type": "sync", "device": "d_short", "samples": [STEPS]}],
                 [stored_quantity(STEPS, device="d_short")])
    yield native("delivery_in_two_requests", "A delivery split in two: `more` and `index` tell, and change nothing.",
                 [sync([STEPS], more=True, delivery={"id": "d-1", "index": 0, "count": 2}),
                  sync([SLEEP], delivery={"id": "d-2", "index": 1, "count": 2})],
                 [stored_quantity(STEPS), stored(SLEEP, "category", 3, "asleep_core")])
    yield native("sources", "A sample may name an app, a device, both or none, and more about them.",
                 [sync([source_sample(index, source) for index, source in enumerate(SOURCES)])],
                 [stored_quantity(source_sample(index, source)) for index, source in enumerate(SOURCES)])


SOURCES = [None, {}, {"app": "com.example.scale"}, {"device": "Scale"}, SOURCE,
           {"app": "com.example.scale", "device": "Scale", "version": "2.1", "product": ["a", {"b": None}]}]


def source_sample(index, source):
    sample = STEPS | {"uuid": f"5E1D0000-0000-4000-8000-0000000005{index:02}", "source": source}
    if index == 0:
        del sample["source"]
    return sample
