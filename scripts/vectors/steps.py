"""Bodies of day totals of steps: what a decoder makes of them, and which it refuses."""

import datetime

from .build import dump

ZONE = datetime.timezone(datetime.timedelta(hours=1))  # the endpoint's in all cases


def midnight(date, days=0):
    day = datetime.date.fromisoformat(date) + datetime.timedelta(days=days)
    time = datetime.datetime.combine(day, datetime.time(), ZONE)
    return time.astimezone(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def total(date, steps, more=""):
    """The sample of a day; `more` is what else `rest` has, in front."""
    rest = ",".join(filter(None, [more, f'"date":"{date}"', '"grain":"day"']))
    return {"type": "steps", "kind": "quantity", "key": f"STEPS:{date}", "value": steps, "unit": "count", "start": midnight(date),
            "end": midnight(date, 1), "offset": 60, "grain": "day", "merge": "replace", "rest": "{" + rest + "}"}


def accepted(name, description, content, *records):
    return {"name": "steps_" + name, "description": description,
            "body": content if isinstance(content, str) else dump(content), "records": list(records)}


def taken():
    one = {"date": "2026-10-14", "steps": 4391}
    yield accepted("one_day", "A day becomes a sample from its midnight to the next.", {"days": [one]}, total("2026-10-14", 4391))
    yield accepted("two_days", "Days stay in the sender's order.", {"days": [one, {"date": "2026-10-13", "steps": 0}]},
                   total("2026-10-14", 4391), total("2026-10-13", 0))
    yield accepted("no_day", "An empty list is valid.", '{"days":[]}')
    yield accepted("members_in_another_order", "`steps` may stand before `date`.", '{ "days" : [ { "steps" : 5 , "date" : "2026-10-14" } ] }',
                   total("2026-10-14", 5))
    yield accepted("unknown_members", "What else a day says is kept; what the top says is not.",
                   '{"person":"p","days":[{"date":"2026-10-14","source":"Watch","steps":5,"goal":{"steps":8000}}],"app":2}',
                   total("2026-10-14", 5, '"steps_source":"Watch","goal":{"steps":8000}'))
    yield accepted("names_of_ours", "A member with a name of ours gets the dialect's in front.",
                   '{"days":[{"date":"2026-10-14","steps":5,"value":6,"steps_value":7,"grain":"week"}]}',
                   total("2026-10-14", 5, '"steps_value":6,"steps_steps_value":7,"steps_grain":"week"'))
    yield accepted("leap_day", "The 29th of February of a leap year.", {"days": [{"date": "2028-02-29", "steps": 1}]},
                   total("2028-02-29", 1))
    yield accepted("whole_in_other_spellings", "A whole number in any spelling of JSON.",
                   '{"days":[{"date":"2026-10-11","steps":12.0},{"date":"2026-10-12","steps":1.2e3},{"date":"2026-10-13","steps":-0}]}',
                   total("2026-10-11", 12), total("2026-10-12", 1200), total("2026-10-13", 0))
    yield accepted("largest", "The largest number of which every smaller one is a double.",
                   '{"days":[{"date":"2026-10-14","steps":9007199254740992}]}', total("2026-10-14", 9007199254740992))
    yield accepted("escaped_name", "A name may be written with escapes.", '{"d\\u0061ys":[{"d\\u0061te":"2026-10-1\\u0034","steps":5}]}',
                   total("2026-10-14", 5))


def refused():
    """`§` marks the offset and is taken out."""
    def day(inner, first=""):
        return '{"days":[' + first + inner + "]}"
    four = "".join(f'{{"date":"2026-10-1{n}","steps":{n}}},' for n in range(3))
    for name, body, code, path in [
            ("empty", "§", "json_invalid", None), ("array", "§[]", "envelope_invalid", None),
            ("no_days", '§{"day":[]}', "member_missing", "days"), ("days_null", '{"days":§null}', "member_invalid", "days"),
            ("days_object", '{"days":§{}}', "member_invalid", "days"), ("entry_number", day("§7"), "member_invalid", "days[0]"),
            ("no_date", day('§{"steps":1}'), "member_missing", "days[0].date"),
            ("no_steps", day('§{"date":"2026-10-14"}'), "member_missing", "days[0].steps"),
            ("fourth_date", day('{"date":§"14.10.2026","steps":1}', four), "date_invalid", "days[3].date"),
            ("date_with_a_time", day('{"date":§"2026-10-14T00:00:00Z","steps":1}'), "date_invalid", "days[0].date"),
            ("date_that_is_none", day('{"date":§"2026-02-29","steps":1}'), "date_invalid", "days[0].date"),
            ("date_number", day('{"date":§20261014,"steps":1}'), "date_invalid", "days[0].date"),
            ("date_null", day('{"date":§null,"steps":1}'), "date_invalid", "days[0].date"),
            ("date_twice", day('{"date":§"2026-10-12","steps":2}', four), "date_repeated", "days[3].date"),
            ("negative", day('{"date":"2026-10-14","steps":§-1}'), "steps_invalid", "days[0].steps"),
            ("half", day('{"date":"2026-10-14","steps":§0.5}'), "steps_invalid", "days[0].steps"),
            ("text", day('{"date":"2026-10-14","steps":§"5"}'), "steps_invalid", "days[0].steps"),
            ("steps_null", day('{"date":"2026-10-14","steps":§null}'), "steps_invalid", "days[0].steps"),
            ("one_past_the_largest", day('{"date":"2026-10-14","steps":§9007199254740993}'), "steps_invalid", "days[0].steps"),
            ("past_a_double", day('{"date":"2026-10-14","steps":§1e999}'), "number_invalid", "days[0].steps"),
            ("nearly_whole", day('{"date":"2026-10-14","steps":§4391.0000000000000001}'), "steps_invalid", "days[0].steps"),
            ("member_twice", day('{"date":"2026-10-14","steps":1,§"steps":2}'), "member_repeated", "days[0]"),
            ("days_twice", '{"days":[],§"days":[]}', "member_repeated", None),
            ("cut", '{"days":[{"date":"2026-10-14","steps":1}]§', "json_invalid", None), ("trailing", '{"days":[]}§x', "json_invalid", None)]:
        yield {"name": "steps_refused_" + name, "body": body, "code": code, **({"path": path} if path else {})}
