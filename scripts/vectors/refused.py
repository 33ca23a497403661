"""Cases of bodies that are refused: the status, the code and where known the place; nothing of the request is stored."""

from .build import Endpoint, ask, case, dump, place, sync
from .samples import HEART_RATE, STEPS

PHONE = Endpoint("phone")
WHOLE = dump(sync([STEPS]))


def cases():
    for name, description, body, code in grammar():
        yield case("native_json_" + name, description, PHONE, ask(PHONE, body, 400, code))
    for name, description, body, code, path in contract():
        at = place(body, path, missing=code == "member_missing") if path else {"offset": 0, "line": 1}
        yield case("native_refused_" + name, description, PHONE, ask(PHONE, body, 400, code, at))
    body = sync([STEPS, HEART_RATE | {"uuid": ""}])
    yield case("native_refused_as_a_whole", "One bad sample among good ones: nothing of the request is stored.", PHONE,
               ask(PHONE, body, 400, "key_invalid", place(body, "samples[1].uuid")))


def with_value(text):
    return WHOLE.replace('"value":412', '"value":' + text)


def grammar():
    """Not JSON, or past a limit: name, description, body, code."""
    yield "empty", "No body at all.", "", "json_invalid"
    yield "white_space", "White space alone.", " \n", "json_invalid"
    yield "cut_short", "The last brace is missing.", WHOLE[:-1], "json_invalid"
    yield "cut_in_a_name", "Cut in the middle of a member's name.", WHOLE[:20], "json_invalid"
    yield "trailing_text", "Something behind the object.", WHOLE + "{}", "json_invalid"
    yield "trailing_nul", "A NUL behind the object.", WHOLE + "\0", "json_invalid"
    yield "byte_order_mark", "A byte order mark before the object.", "\ufeff".encode() + WHOLE.encode(), "json_invalid"
    yield "utf16", "UTF-16 in place of UTF-8.", WHOLE.encode("utf-16-le"), "json_invalid"
    yield "single_quotes", "Single quotes.", WHOLE.replace('"', "'"), "json_invalid"
    yield "comment", "A comment.", WHOLE + "// a comment", "json_invalid"
    yield "trailing_comma", "A comma before the closing bracket.", WHOLE.replace("}]", "},]"), "json_invalid"
    yield "missing_comma", "No comma between members.", WHOLE.replace('1,"type"', '1 "type"'), "json_invalid"
    yield "unquoted_name", "A name without quotes.", WHOLE.replace('"v"', "v"), "json_invalid"
    yield "control_character", "A line feed in a string.", WHOLE.replace("Apple Watch", "Apple\nWatch"), "json_invalid"
    yield "bad_escape", "An escape that JSON doesn't have.", WHOLE.replace("Apple Watch", "\\x41"), "json_invalid"
    yield "short_escape", "Three digits behind \\u.", WHOLE.replace("Apple Watch", "\\u004"), "json_invalid"
    yield "lone_high_surrogate", "Half a surrogate pair.", WHOLE.replace("Apple Watch", "\\ud83d"), "json_invalid"
    yield "lone_low_surrogate", "The other half.", WHOLE.replace("Apple Watch", "\\udc4d"), "json_invalid"
    for name, text in [("plus", "+1"), ("leading_zero", "01"), ("no_digits_before_the_point", ".5"),
                       ("no_digits_behind_the_point", "1."), ("no_exponent", "1e"), ("nan", "NaN"),
                       ("infinity", "Infinity"), ("hexadecimal", "0x10"), ("minus_alone", "-"), ("word", "True")]:
        yield "number_" + name, f"`{text}` is no JSON value.", with_value(text), "json_invalid"
    yield "number_too_large", "No double is near enough.", with_value("1e400"), "number_invalid"
    yield "number_too_long", "65 characters.", with_value("1" * 65), "number_invalid"
    for name, bytes in [("stray_continuation", b"\x80"), ("overlong", b"\xc0\xaf"), ("surrogate", b"\xed\xa0\x80"),
                        ("past_the_last", b"\xf4\x90\x80\x80"), ("cut_short", b"\xe2\x82"), ("never", b"\xff")]:
        yield ("utf8_" + name, "Bytes that are not UTF-8 in a string.",
               WHOLE.encode().replace(b"Apple Watch", b"Apple" + bytes), "json_invalid")
    yield "utf8_in_an_unknown_member", "Also where nothing reads the text.", (
        WHOLE.encode()[:-1] + b',"x":"\xff"}'), "json_invalid"
    yield "too_deep", "65 levels.", WHOLE[:-1] + ',"x":' + "[" * 64 + "]" * 64 + "}", "json_too_deep"
    yield "duplicate_member", "A member twice in the body.", WHOLE[:-1] + ',"v":1}', "member_repeated"
    yield "duplicate_in_a_sample", "A member twice in a sample.", with_value('412,"value":413'), "member_repeated"
    yield "duplicate_escaped", "The second time with an escape.", with_value('412,"valu\\u0065":413'), "member_repeated"
    yield "duplicate_unknown", "A member that we don't know, twice.", with_value('412,"x":1,"x":1'), "member_repeated"
    yield "duplicate_nested", "Deep in a member that we don't know.", with_value('412,"x":[{"a":1,"a":2}]'), (
        "member_repeated")


def changed(**more):
    return sync([STEPS]) | more


def sample(**more):
    return sync([{name: value for name, value in (STEPS | more).items() if value is not ...}])


def contract():
    """JSON, but not the contract's: name, description, body, code, path."""
    body = sync([STEPS])
    yield "array", "An array of samples without the object around it.", [STEPS], "not_sync", None
    yield "string", "A string.", '"sync"', "not_sync", None
    for member in ("v", "type", "device", "samples"):
        left = {name: value for name, value in body.items() if name != member}
        yield f"without_{member}", f"`{member}` is missing.", left, "member_missing", member
    yield "version_2", "A version that we don't know.", changed(v=2), "member_invalid", "v"
    yield "version_text", "`v` is text.", changed(v="1"), "member_invalid", "v"
    yield "type_results", "A results body sent as data.", changed(type="results"), "not_sync", "type"
    yield "type_number", "`type` is a number.", changed(type=1), "member_invalid", "type"
    yield "device_empty", "An empty `device`.", changed(device=""), "member_invalid", "device"
    yield "device_number", "`device` is a number.", changed(device=7), "member_invalid", "device"
    yield "device_too_long", "1,025 bytes.", changed(device="d" * 1025), "member_invalid", "device"
    yield "device_nul", "A NUL in `device`.", changed(device="d\0"), "member_invalid", "device"
    yield "device_null", "`device` is null.", changed(device=None), "member_invalid", "device"
    yield "samples_object", "`samples` is an object.", changed(samples={"0": STEPS}), "member_invalid", "samples"
    yield "samples_null", "`samples` is null.", changed(samples=None), "member_invalid", "samples"
    yield "sample_text", "A sample that is text.", changed(samples=[STEPS, "steps"]), "member_invalid", "samples[1]"
    yield "sample_null", "A sample that is null.", changed(samples=[None]), "member_invalid", "samples[0]"
    yield "uuid_missing", "A sample without `uuid`.", sample(uuid=...), "member_missing", "samples[0].uuid"
    for name, uuid in [("number", 5), ("null", None), ("object", {})]:
        yield f"uuid_{name}", "A `uuid` that is no text.", sample(uuid=uuid), "member_invalid", "samples[0].uuid"
    for name, uuid in [("empty", ""), ("257_bytes", "k" * 257), ("258_bytes", "ü" * 129), ("nul", "a\0b")]:
        yield f"uuid_{name}", "A `uuid` that is not 1 to 256 bytes without NUL.", sample(uuid=uuid), (
            "key_invalid"), "samples[0].uuid"
    yield "sample_type_missing", "A sample without `type`.", sample(type=...), "member_missing", "samples[0].type"
    for name, type in [("short", "s"), ("long", "s" * 65), ("upper_case", "Steps"), ("digit_first", "1steps"),
                       ("hyphen", "heart-rate"), ("space", "heart rate"), ("empty", ""), ("number", 1),
                       ("letter", "schritté"), ("line_end", "steps\n")]:
        yield f"sample_type_{name}", "A type that doesn't match `^[a-z][a-z0-9_]{1,63}$`.", sample(type=type), (
            "member_invalid"), "samples[0].type"
    for name, time in [("text", "yesterday"), ("date", "2026-10-14"), ("no_zone", "2026-10-14T07:01:00"),
                       ("month_13", "2026-13-14T07:01:00Z"), ("february_30", "2026-02-30T07:01:00Z"),
                       ("hour_24", "2026-10-14T24:00:00Z"), ("no_fraction", "2026-10-14T07:01:00.Z"),
                       ("number", 1791961260), ("offset_24", "2026-10-14T07:01:00+24:00")]:
        yield f"start_{name}", "A start that is no RFC 3339 time.", sample(start=time), (
            "time_invalid"), "samples[0].start"
    yield "end_text", "An end that is no RFC 3339 time.", sample(end="later"), "time_invalid", "samples[0].end"
    for name, part in [("negative", -1), ("fraction", 0.5), ("text", "0"), ("too_large", 2147483648)]:
        yield f"part_{name}", "A `part` that is no whole number from 0 to 2147483647.", sample(part=part), (
            "member_invalid"), "samples[0].part"
    yield "deleted_object", "`deleted` is an object.", changed(deleted={}), "member_invalid", "deleted"
    yield "deleted_text", "A deletion that is text.", changed(deleted=[STEPS["uuid"]]), "member_invalid", "deleted[0]"
    yield "deleted_without_uuid", "A deletion without `uuid`.", changed(deleted=[{"type": "steps"}]), (
        "member_missing"), "deleted[0].uuid"
    yield "deleted_uuid_empty", "A deletion of an empty key.", changed(deleted=[{"uuid": "", "type": "steps"}]), (
        "key_invalid"), "deleted[0].uuid"
    yield "deleted_type_upper_case", "A deletion of a type that is none.", changed(
        deleted=[{"uuid": "k", "type": "Steps"}]), "member_invalid", "deleted[0].type"
    yield "delivery_text", "`delivery` is text.", changed(delivery="d-1"), "member_invalid", "delivery"
    yield "delivery_test_text", "`delivery.test` is text: neither a test nor data.", changed(delivery={"test": "true"}), (
        "member_invalid"), "delivery.test"
