"""What cases of the Health Auto Export shape are built with: keys, records and rows, reckoned here and not by the product."""

import datetime
import hashlib

from .build import dump

# The namespace of the names that samples without a uuid get.
NAMESPACE = bytes.fromhex("8D0E3B526F1A4C779B352CE451A0976E")
GRAINS = ["raw", "second", "minute", "hour", "day", "week", "month", "year"]
APP = {"aggregation": "Minutes", "period": "Today"}
ZONE = 60  # minutes east of UTC of the endpoint's zone in all cases


def name_key(*parts):
    """A uuid of version 5 over the parts: a text with its length in front, a number as eight bytes."""
    data = NAMESPACE
    for part in ("hae", *parts):
        if isinstance(part, int):
            data += part.to_bytes(8, "big", signed=True)
        else:
            raw = part.encode()
            data += len(raw).to_bytes(8, "big") + raw
    digest = bytearray(hashlib.sha1(data).digest()[:16])
    digest[6] = 0x50 | digest[6] & 0x0F
    digest[8] = 0x80 | digest[8] & 0x3F
    text = digest.hex().upper()
    return "-".join((text[:8], text[8:12], text[12:16], text[16:20], text[20:]))


def instant(text):
    """`2026-10-14 09:01:03 +0200` as (aware time, offset in minutes)."""
    time = datetime.datetime.strptime(text, "%Y-%m-%d %H:%M:%S %z")
    return time, int(time.utcoffset().total_seconds()) // 60


def utc(text):
    return instant(text)[0].astimezone(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def epoch(text):
    return int(instant(text)[0].timestamp())


def days(text):
    """Days since 1970-01-01 of the date that stands in front."""
    return (datetime.date.fromisoformat(text[:10]) - datetime.date(1970, 1, 1)).days


def slot_key(type_, at, grain="raw"):
    """The key of a metric's slot: a UTC second, from a day on a local date."""
    slot = days(at) if GRAINS.index(grain) >= 4 else epoch(at)
    return name_key(type_, GRAINS.index(grain), slot)


def record(type_, at, value=None, unit=None, end=None, kind="quantity", key=None, grain="raw", merge=None, source=None,
           value_name=None, spelled=(), rest=""):
    """One record as a decoder leaves it; `at` and `end` in the normal form of this format, `rest` as JSON without braces."""
    for name in spelled:
        rest = rest.replace(f'"{name}":', f'"hae_{name}":', 1)
    parts = [part for part in (rest if grain == "raw" else ",".join(filter(None, [rest, f'"grain":"{grain}"'])),) if part]
    offset = instant(at)[1] if at else None
    lengths = {"raw": 0, "second": 1, "minute": 60, "hour": 3600}
    if end is None and at:
        end_text = (instant(at)[0] + datetime.timedelta(seconds=lengths[grain])).astimezone(
            datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ") if grain in lengths else None
    else:
        end_text = utc(end) if end and end != "none" else None
    row = {"type": type_, "kind": kind, "key": key or slot_key(type_, at, grain), "value": value, "value_name": value_name,
           "unit": unit, "start": utc(at) if at else None, "end": end_text, "offset": offset, "source": source,
           "grain": grain, "merge": merge, "rest": "{" + "".join(parts) + "}"}
    return {name: value for name, value in row.items() if value is not None and value != []}


def metric(name, units, *points, **more):
    return {"name": name, "units": units, "data": list(points), **more}


def body(*metrics, **sections):
    return {"data": {**({"metrics": list(metrics)} if metrics else {}), **sections}}


def accepted(name, description, content, records=(), skipped=(), headers=None, test=None):
    """A body that is taken: what becomes of it, record by record, and what is left out with (path, code)."""
    case = {"name": name, "description": description, **(APP if headers is None else headers),
            "body": content if isinstance(content, str) else dump(content)}
    case["test"] = not records and not skipped if test is None else test
    case["records"] = list(records)
    if skipped:
        case["skipped"] = [{"path": path, "code": code} for path, code in skipped]
    return case
