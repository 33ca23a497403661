"""Sets in parts: what arrives, and what the view `series_sets` shows of them."""

from .build import CLOCK, DEVICE, Endpoint, ask, case, sync
from .samples import HEARTBEATS, ROUTE

PHONE = Endpoint("phone")
BEATS = HEARTBEATS["beats"]
POINTS = ROUTE["points"]


def beats(number, total, *points, **more):
    return HEARTBEATS | {"part": number, "parts": total, "beats": list(points)} | more


def route(number, total, *points, **more):
    return ROUTE | {"part": number, "parts": total, "points": list(points)} | more


def parts_case(name, description, bodies, sample, complete, present, joined, parts, count=None):
    """`bodies` are lists of samples, one request each; `joined` are all points there are, in the order of the parts."""
    expected = {"device": DEVICE, "uuid": sample["uuid"], "type": sample["type"], "parts": parts, "present": present,
                "count": sample["count"] if count is None else count, "points_present": len(joined),
                "complete": int(complete), "points": joined if complete else None}
    requests = [ask(PHONE, sync(body), timestamp=CLOCK + index) for index, body in enumerate(bodies)]
    return case("parts_" + name, description, PHONE, requests, sets=[expected])


def cases():
    three = [beats(0, 3, *BEATS[:2]), beats(1, 3, *BEATS[2:4]), beats(2, 3, *BEATS[4:])]
    yield parts_case("one", "A set of a single part.", [[HEARTBEATS]], HEARTBEATS, True, 1, BEATS, 1)
    yield parts_case("route", "A route of a single part.", [[ROUTE]], ROUTE, True, 1, POINTS, 1)
    yield parts_case("three", "Three parts in one request.", [three], HEARTBEATS, True, 3, BEATS, 3)
    yield parts_case("backwards", "Three parts in three requests, the last one first.",
                     [[item] for item in reversed(three)], HEARTBEATS, True, 3, BEATS, 3)
    yield parts_case("of_a_route", "A route in two requests, the second part first.",
                     [[route(1, 2, POINTS[2])], [route(0, 2, *POINTS[:2])]], ROUTE, True, 2, POINTS, 2)
    yield parts_case("repeated", "A part twice counts once.", [three, [three[1]]], HEARTBEATS, True, 3, BEATS, 3)
    yield parts_case("middle_missing", "The middle part is missing.", [[three[0], three[2]]], HEARTBEATS, False, 2,
                     BEATS[:2] + BEATS[4:], 3)
    yield parts_case("first_missing", "The first part is missing.", [three[1:]], HEARTBEATS, False, 2, BEATS[2:], 3)
    yield parts_case("with_points_missing", "Every part is there, with fewer points than `count`.",
                     [[three[0], three[1], beats(2, 3, BEATS[4])]], HEARTBEATS, False, 3, BEATS[:5], 3)
    yield parts_case("with_too_many_points", "Every part is there, with more points than `count`.",
                     [[three[0], three[1], beats(2, 3, *BEATS[4:], [5000, 0])]], HEARTBEATS, False, 3,
                     BEATS + [[5000, 0]], 3)
    empty = beats(0, 1, count=0)
    yield parts_case("without_points", "A set without points is complete when `count` is 0.", [[empty]], empty, True, 1, [], 1)
    eleven = [beats(number, 11, [number, 0], count=11) for number in range(11)]
    yield parts_case("eleven", "Parts join in the order of their numbers, not of their texts.",
                     [list(reversed(eleven))], eleven[0], True, 11, [[number, 0] for number in range(11)], 11)
