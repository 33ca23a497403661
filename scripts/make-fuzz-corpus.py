#!/usr/bin/env python3
"""Seeds Fuzzing/corpus from test-vectors: scripts/make-fuzz-corpus.py. Needs nothing but Python 3.

The fuzzer starts from these: one file an input, small ones first, as many of each target as its share of the whole allows
(under 300 KB in all). Names are the first digits of the content's SHA-256, so the same content is one file.
"""

import base64
import gzip
import hashlib
import hmac
import io
import json
import pathlib
import shutil
import struct
import zipfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
VECTORS = ROOT / "test-vectors"
CORPUS = ROOT / "Fuzzing" / "corpus"
LONGEST = 6_000
SHARE = 17_000


def load(name):
    return json.loads((VECTORS / name).read_text(encoding="utf-8"))


def cases(name):
    content = load(name)
    return content["cases"] if isinstance(content, dict) else content


def raw(text):
    """A vector's text; § marks the place of a fault and is no part of it."""
    return text.replace("§", "").encode("utf-8", "surrogatepass")


def bodies(*names):
    return [raw(case["body"]) for name in names for case in cases(name) if isinstance(case.get("body"), str)]


def native():
    found = []
    for name in ("native-accepted.json", "native-refused.json"):
        for case in cases(name):
            if isinstance(case.get("body"), str):
                found.append(raw(case["body"]))
            elif isinstance(case.get("sample"), str):
                found.append(b'{"v":1,"type":"sync","device":"d","samples":[' + raw(case["sample"]) + b"]}")
    return found


def texts(name):
    found = []
    for case in load(name):
        if "text" in case:
            found.append(raw(case["text"]))
        elif "bytes" in case:
            found.append(case["bytes"].encode("latin-1"))
        if "base64" in case:
            found.append(base64.b64decode(case["base64"]))
    return found


def heads():
    return [case["input"].encode("latin-1", "replace") for case in load("http/request-heads.json") if "input" in case]


def chunked():
    found = [b"\x02\x40" + case["input"].encode("latin-1", "replace") for case in load("http/chunked.json") if "input" in case]
    return found + [b"\x01\x40hello", b"\x05\xffhello", b"\x00\x00"]


def numbers():
    spelled = (
        "0 -0 1 -1 412 0.1 -17.25 1e5 1E+22 1e-22 5e-324 2.2250738585072014e-308 1.7976931348623157e308 "
        "12345678901234567890 0.30000000000000004 123456789.123456789 9007199254740993 1e400 0.000001 "
        "100000000000000000000000.000000001 179769313486231580793728971405303415079934132710037826936173778980444968"
    )
    return [text.encode() for text in spelled.split()]


def times():
    return [
        text.encode()
        for text in (
            "2026-10-14T07:01:00Z", "2026-10-14T07:01:00.123456Z", "2026-10-14T09:01:00.5+02:00", "1969-12-31t23:59:59.25z",
            "2024-02-29T23:59:60-00:00", "0000-01-01T00:00:00Z", "9999-12-31T23:59:59.999999999+23:59",
            "2026-10-14 09:01:03 +0200", "2026-10-14 9:01:03 PM -0330", "14.10.2026, 09:01", "2026-10-14", "10/14/2026 9:01 AM",
            "2026-10-14T09:01:03.250+02:00", "٢٠٢٦-١٠-١٤ ٠٩:٠١:٠٣ +0200", "2026-10-14 09:01:03\u202fp.m. +0000",
        )
    ]


def configurations():
    endpoint = {
        "label": "Phone", "person": "me", "auth": "bearer", "tokens": [{"value": "t" * 43}],
        "secrets": [{"value": "whsec_" + "s" * 43}, {"value": "whsec_" + "o" * 43, "until": 1791961500}],
        "format": "native", "time_zone": "Europe/Berlin",
    }
    base = {"schema": 1, "bind": "::", "port": 8787, "limits": {"body_bytes": 67108864}, "endpoints": {"phone": endpoint}}
    found = [base, {"schema": 1}, {"schema": 2}, {"schema": 1, "endpoints": {}}]
    found.append({**base, "endpoints": {"a": {**endpoint, "auth": "basic", "user": "me"}}})
    found.append({**base, "endpoints": {"b": {**endpoint, "auth": "header", "header": "X-Key"}, "c": {**endpoint, "auth": "none"}}})
    return [json.dumps(one, indent=2).encode() for one in found] + texts("json/refused.json")


def zipped():
    bodies = [b"", b"hello", b"{}" * 400, bytes(range(256)), b"a" * 100_000]
    found = [b"\x06" + gzip.compress(body, mtime=0) for body in bodies]
    found.append(b"\x00" + gzip.compress(b"one", mtime=0) + gzip.compress(b"two", mtime=0))
    named = gzip.compress(b"named", mtime=0)
    found.append(b"\x10" + named[:3] + b"\x08" + named[4:10] + b"name\0" + named[10:])
    found += [b"\x03" + found[1][1:-3], b"\x03" + found[1][1:] + b"x"]
    return found


def multipart():
    part = b'Content-Disposition: form-data; name="file"; filename="a.json"\r\nContent-Type: application/json\r\n\r\n{"data":{}}'
    found = []
    for boundary in (b"x", b"----form0123456789", b"'()+_,-./:=?"):
        kind = b'multipart/form-data; boundary="' + boundary + b'"\n'
        line = b"--" + boundary
        found.append(kind + line + b"\r\n" + part + b"\r\n" + line + b"--\r\n")
        found.append(kind + line + b" \t\r\n\r\n\r\n" + line + b"\r\n" + part + b"\r\n" + line + b"--")
        found.append(kind + line + b"--")
    return found


def zones():
    def block(version, size, changes, kinds, names):
        times = b"".join(struct.pack(">q" if size == 8 else ">i", at) for at, _ in changes)
        indices = bytes(kind for _, kind in changes)
        types = b"".join(struct.pack(">iBB", *kind) for kind in kinds)
        counts = struct.pack(">6I", 0, 0, 0, len(changes), len(kinds), len(names))
        return b"TZif" + version + bytes(15) + counts + times + indices + types + names

    names, kinds = b"CET\0CEST\0", [(3600, 0, 0), (7200, 1, 4)]
    changes = [(1_743_296_400, 1), (1_761_440_400, 0), (1_774_746_000, 1)]
    found = [block(b"\0", 4, changes, kinds, names)]
    for rule in (b"CET-1CEST,M3.5.0,M10.5.0/3", b"<+0330>-3:30<+0430>,J79/24,J263/24", b"EST5EDT,M3.2.0,M11.1.0", b"UTC0", b"", b"XXX3YYY,59,300/-2"):
        found.append(block(b"2", 4, [], kinds[:1], names) + block(b"2", 8, changes, kinds, names) + b"\n" + rule + b"\n")
    return found


def catalogs():
    def schema(name):
        return json.loads((ROOT / "schemas" / name).read_text(encoding="utf-8"))

    def part(content, counts):
        return {name: value[: counts.get(name, 3)] if isinstance(value, list) else value for name, value in content.items()}

    types, units = schema("types.json"), schema("units.json")
    quantities = [one for one in types["types"] if one["kind"] == "quantity"][:6]
    categories = [one for one in types["types"] if one["kind"] == "category"][:3]
    families = [one for one in units["families"] if one["name"] in {quantity["family"] for quantity in quantities}]
    small = {**part(types, {}), "types": quantities[:3] + categories}
    found = []
    for one in (small, {**small, "types": quantities[:1]}, {**small, "types": [], "activities": types["activities"][:9]}):
        found.append(json.dumps(one).encode() + b"\0" + json.dumps({**units, "families": families}).encode())
    return found + [b"{}\0{}"]


def signatures():
    secret, now, body = b"whsec_0123456789abcdefghijklmnopqrstuvwxyzABCDEFG", b"1791961500", b'{"v":1}'
    found = []
    for time in (now, b"1791961201", b"1791961000", b"0", b"999999999999999"):
        code = hmac.new(secret, time + b"." + body, hashlib.sha256).hexdigest().encode()
        found.append(time + b"\nv1=" + code + b"\nBearer token\n" + body)
    found += [now + b"\nv1=" + b"0" * 64 + b"\n\n", b"\n\n\n", now + b"\r" + now + b"\nv1=x\n\n" + body]
    return found


def exports():
    found = []
    for first, inputs in ((0, native()), (1, bodies("hae-accepted.json")), (2, bodies("csv-accepted.json")), (3, bodies("influx-accepted.json"))):
        short = sorted((body for body in inputs if len(body) < 1_200), key=len)
        # Evenly over all lengths.
        for index, body in enumerate(short[:: max(1, len(short) // 10)]):
            found.append(bytes([first | (index % 3) << 4]) + body)
    return found


def apple_exports():
    def text(case):
        return case["xml"].replace("\u00a7", "\x0b").encode().replace("\u00a4".encode(), b"\xff")

    point = (
        b'<trkpt lon="18.0" lat="59.3"><ele>12.5</ele><time>2026-10-14T05:00:00Z</time><extensions><speed>2</speed><hAcc>3</hAcc>'
        b"<vAcc>-1</vAcc></extensions></trkpt>"
    )
    return (
        [b"\x10<HealthData>" + text(case) + b"</HealthData>" for case in cases("apple/elements.json")]
        + [b"\x03" + text(case) for case in cases("apple/tags.json")]
        + [b"\x20<gpx><trk><trkseg>" + point + b"</trkseg></trk></gpx>"]
    )


def archives():
    found = []
    for method in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        for large in (False, True):
            buffer = io.BytesIO()
            with zipfile.ZipFile(buffer, "w", method) as archive:
                entry = zipfile.ZipInfo("export.xml", (2026, 1, 1, 0, 0, 0))
                entry.compress_type = method
                with archive.open(entry, "w", force_zip64=large) as file:
                    file.write(b"<HealthData></HealthData>" * 4)
            found.append(buffer.getvalue())
    return found


TARGETS = {
    "head": heads,
    "body": chunked,
    "json": lambda: texts("json/accepted.json") + texts("json/refused.json") + native()[:20],
    "number": numbers,
    "time": times,
    "native": native,
    "hae": lambda: [bytes([index * 37 & 255]) + body for index, body in enumerate(bodies("hae-accepted.json", "hae-refused.json"))],
    "csv": lambda: bodies("csv-accepted.json", "csv-refused.json"),
    "influx": lambda: bodies("influx-accepted.json", "influx-refused.json"),
    "results": lambda: bodies("results.json"),
    "config": configurations,
    "gzip": zipped,
    "multipart": multipart,
    "zone": zones,
    "catalog": catalogs,
    "signature": signatures,
    "export": exports,
    "puls": lambda: [bytes([index * 37 & 255]) + body for index, body in enumerate(bodies("puls-accepted.json"))],
    "xml": apple_exports,
    "zip": archives,
}


def main():
    shutil.rmtree(CORPUS, ignore_errors=True)
    total = 0
    for target, make in TARGETS.items():
        folder = CORPUS / target
        folder.mkdir(parents=True)
        inputs = sorted({body for body in make() if len(body) <= LONGEST}, key=lambda body: (len(body), body))
        # Every second, third, … one until the share is kept.
        step = 1
        while sum(map(len, inputs[::step])) > SHARE:
            step += 1
        for body in inputs[::step]:
            (folder / hashlib.sha256(body).hexdigest()[:16]).write_bytes(body)
            total += len(body)
        print(f"{target}: {len(inputs[::step])} inputs")
    print(f"{total} bytes")
    assert total < 300_000


if __name__ == "__main__":
    main()
