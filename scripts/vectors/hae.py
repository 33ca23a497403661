"""Bodies of the Health Auto Export shape by themselves: what a decoder makes of them, and which it refuses."""

from . import hae_metrics, hae_records


def taken():
    yield from hae_metrics.cases()
    yield from hae_records.cases()


def refused():
    """The few bodies that are refused as a whole; `§` marks the offset and is taken out."""
    for name, body, code, path in [
            ("empty", "§", "json_invalid", None), ("cut", '{"data":{"metrics":[]§', "json_invalid", "data"),
            ("trailing", '{"data":{}} §x', "json_invalid", None), ("byte_order_mark", "§\ufeff{}", "json_invalid", None),
            ("no_object", "§[]", "envelope_invalid", None), ("text", '§"x"', "envelope_invalid", None),
            ("number", "§7", "envelope_invalid", None), ("null", "§null", "envelope_invalid", None),
            ("bare", "§{}", "envelope_invalid", None),
            ("null_data", '§{"data":null}', "envelope_invalid", None),
            ("native", '§{"v":1,"type":"sync","device":"d_1","samples":[]}', "envelope_invalid", None),
            ("data_text", '{"data":§"x"}', "envelope_invalid", "data"),
            ("metrics_text", '§{"metrics":"none"}', "envelope_invalid", None),
            ("workouts_number", '§{"workouts":7,"metrics":null}', "envelope_invalid", None),
            ("only_unknown", '§{"ecgs":[{"a":1}]}', "envelope_invalid", None),
            ("grammar_in_a_point", '{"data":{"metrics":[{"name":"step_count","units":"count","data":[{"date":1,§}]}]}}',
             "json_invalid", "data.metrics[0].data[0]"),
            ("grammar_in_a_late_point", '{"data":{"metrics":[{"data":[{"date":1},{"qty":§.5}],"name":"x"}]}}', "json_invalid",
             "data.metrics[0].data[1]"),
            ("member_twice", '{"data":{"metrics":[{"name":"step_count","units":"count","data":[{"qty":1,§"qty":2}]}]}}',
             "member_repeated", "data.metrics[0].data[0]"),
            ("section_twice", '{"data":{"metrics":[],§"metrics":[]}}', "member_repeated", "data"),
            ("nan_misspelt", '{"data":{"metrics":[{"data":[{"qty":n§an}]}]}}', "json_invalid", "data.metrics[0].data[0]"),
            ("too_deep", '{"data":{"ecg":[' + "[" * 61 + "§[" + "]" * 62 + "]}}", "json_too_deep", "data.ecg[0]"),
            ("not_utf8_marker", '{"data":{"x":"§\\u00"}}', "json_invalid", "data")]:
        yield {"name": "hae_refused_" + name, "body": body, "code": code, **({"path": path} if path else {})}
