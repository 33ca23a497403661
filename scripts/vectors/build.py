"""What every case is built with: endpoints, setup links, signatures, headers, expected rows.

Written from the contract alone and independent of the product: the signatures and the link that the contract prints
are checked in `known.py`, so a mistake here doesn't become the truth.
"""

import base64
import hashlib
import hmac
import json
import urllib.parse

# 2026-10-14T07:05:00Z, the moment of the contract's Check connection request.
CLOCK = 1791961500
DEVICE = "d_zsOZnTQUz_juWFVljuOOBQ"
CONTENT_TYPES = {"native": "application/json", "hae": "application/json", "csv": "text/csv; charset=utf-8",
                 "influx": "text/plain; charset=utf-8"}
SOURCE = {"app": "com.apple.Health", "device": "Apple Watch"}


def hmac_hex(secret, text):
    return hmac.new(secret.encode(), text, hashlib.sha256).hexdigest()


def sign_request(secret, timestamp, body):
    """The value of X-Syncky-Signature for a request."""
    return "v1=" + hmac_hex(secret, f"{timestamp}.".encode() + body)


def sign_reply(secret, delivery, time, body):
    """The value of X-Syncky-Signature for a reply."""
    return f"t={time},v1=" + hmac_hex(secret, f"{delivery}.{time}.".encode() + body)


def invented(label, count=32):
    """Bytes that look random and are the same in every run."""
    return hashlib.sha512(label.encode()).digest()[:count]


def base64url(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def delivery_id(label, milliseconds):
    """A UUIDv7 with invented random bits."""
    data = bytearray(milliseconds.to_bytes(6, "big") + invented("delivery " + label, 10))
    data[6] = 0x70 | data[6] & 0x0F
    data[8] = 0x80 | data[8] & 0x3F
    text = data.hex()
    return "-".join((text[:8], text[8:12], text[12:16], text[16:20], text[20:]))


def dump(value):
    """JSON as the phone writes it: no white space, UTF-8 unescaped."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


class Endpoint:
    """One server entry of the phone: where it sends, and with which credentials."""

    def __init__(self, name, label=None, url=None, scheme="bearer", token=None, user=None, header=None, secret=True,
                 types=None, url_scheme=None, destination=None, format="native"):
        self.format = format
        self.label = label or "Vector " + name
        self.url = url or "http://receiver.local/hook/" + name
        self.scheme = scheme
        self.token = None if scheme == "none" else token or "vec_token_" + base64url(invented("token " + name))
        self.user = user
        self.header = header
        self.secret = "whsec_" + base64url(invented("secret " + name)) if secret is True else secret or None
        self.types = types
        self.url_scheme = url_scheme
        self.destination = destination or "wh_" + base64url(invented("destination " + name, 16))
        parts = urllib.parse.urlsplit(self.url)
        self.target = parts.path + ("?" + parts.query if parts.query else "")

    def auth(self):
        members = {"scheme": self.scheme, "header": self.header, "user": self.user, "token": self.token}
        return {name: value for name, value in members.items() if value is not None}

    def link(self):
        def quote(text):
            return urllib.parse.quote(text, safe="-._~")

        pairs = [("v", "1"), ("name", quote(self.label)), ("url", quote(self.url)), ("format", self.format),
                 ("auth", self.scheme), ("header", self.header and quote(self.header)), ("user", self.user and quote(self.user)),
                 ("token", self.token and quote(self.token)), ("hmac", self.secret and quote(self.secret)),
                 ("types", self.types and ",".join(quote(name) for name in self.types))]
        query = "&".join(f"{name}={value}" for name, value in pairs if value is not None)
        return f"{self.url_scheme or 'syncky'}://webhook?{query}"

    def auth_headers(self):
        if self.scheme == "bearer":
            return {"Authorization": "Bearer " + self.token}
        if self.scheme == "basic":
            return {"Authorization": "Basic " + base64.b64encode(f"{self.user}:{self.token}".encode()).decode()}
        return {self.header: self.token} if self.scheme == "header" else {}


def sync(samples=(), deleted=(), device=DEVICE, **more):
    """The native body; `more` replaces or adds members, and a member that is None is left out."""
    body = {"v": 1, "type": "sync", "device": device, "samples": list(samples), "deleted": list(deleted), "acks": [],
            "more": False, **more}
    return {name: value for name, value in body.items() if value is not None}


def ask(endpoint, body, status=204, code=None, at=None, timestamp=None, signature=None, delivery=None, padding=0,
        method="POST", target=None, headers=None, again=None, expect_headers=None):
    """One request and its answer.

    `body` is a value (written as the phone would), text, or bytes. `headers` replaces single headers, None takes one
    away; `again` are headers sent a second time. `signature` replaces the right one.
    """
    raw = body if isinstance(body, bytes) else (body if isinstance(body, str) else dump(body)).encode()
    timestamp = CLOCK if timestamp is None else timestamp
    if delivery is None:
        seconds = int(timestamp) if str(timestamp).isascii() and str(timestamp).isdigit() else CLOCK
        delivery = delivery_id(endpoint.label + raw.hex() + str(timestamp), min(seconds, 2 * CLOCK) * 1000)
    sent = {"Content-Type": CONTENT_TYPES[endpoint.format], "User-Agent": "Syncky/1.0",
            "X-Syncky-Format": endpoint.format,
            "X-Syncky-Delivery": delivery, "X-Syncky-Destination": endpoint.destination}
    if endpoint.secret:
        sent["X-Syncky-Timestamp"] = str(timestamp)
        sent["X-Syncky-Signature"] = signature or sign_request(endpoint.secret, timestamp, raw + b" " * padding)
    sent |= endpoint.auth_headers() | (headers or {})
    request = {"method": method, "target": target or endpoint.target,
               "headers": {name: value for name, value in sent.items() if value is not None}}
    if again:
        request["headers_again"] = again
    try:
        request["body"] = raw.decode()
        if raw.startswith(b"\xef\xbb\xbf"):  # readers of the file may take a mark at the front of a text away
            raise UnicodeError
    except UnicodeError:
        request.pop("body", None)
        request["body_base64"] = base64.b64encode(raw).decode()
    if padding:
        request["body_padding"] = padding
    expect = {"status": status}
    if code:
        expect["code"] = code
    if at:
        expect["at"] = at
    if expect_headers:
        expect["headers"] = expect_headers
    if status == 204:
        expect["body"] = ""
    return request | {"expect": expect}


def stored(sample, kind, value=None, value_name=None, unit=None, start=None, end=None, device=DEVICE, part=None):
    """The row of the view `samples` that shows `sample`; times are the sample's own unless given."""
    source = sample.get("source") or {}
    return {"device": device, "uuid": sample["uuid"], "part": sample.get("part", 0) if part is None else part, "type": sample["type"],
            "kind": kind, "value": value, "value_name": value_name, "unit": unit,
            "start": start or sample.get("start"), "end": end or sample.get("end"),
            "source_app": source.get("app"), "source_device": source.get("device"), "body": sample}


def stored_quantity(sample, **more):
    return stored(sample, "quantity", **({"value": sample["value"], "unit": sample.get("unit")} | more))


def place(body, path, missing=False):
    """`error.at` of the value at `path` in a body; of the object around it when the value itself is missing."""
    steps = [int(step) if step.isdigit() else step for step in path.replace("[", ".").replace("]", "").split(".")]
    steps = steps[:-1] if missing else steps
    mark, top = "\u0001", [json.loads(dump(body))]
    value, steps = top, [0, *steps]
    for step in steps[:-1]:
        value = value[step]
    value[steps[-1]] = mark
    offset = len(dump(top[0])[:dump(top[0]).index(dump(mark))].encode())
    return {"offset": offset, "line": 1, "path": path}


def case(name, description, endpoint, requests, rows=None, deletions=None, sets=None, clock=CLOCK):
    """One case: requests to a fresh store, one after another, and what the store holds after the last."""
    members = {"name": name, "description": description, "label": endpoint.label, "url": endpoint.url,
               "url_scheme": endpoint.url_scheme, "format": endpoint.format, "auth": endpoint.auth(),
               "secret": endpoint.secret, "types": endpoint.types, "link": endpoint.link(), "clock": clock}
    members = {key: value for key, value in members.items() if value is not None or key == "secret"}
    members["requests"] = requests if isinstance(requests, list) else [requests]
    if sets is None or rows:
        members["expect_stored"] = sorted(rows or [], key=row_order)
    if deletions is not None:
        members["expect_deletions"] = sorted(deletions, key=row_order)
    if sets is not None:
        members["expect_series_sets"] = sorted(sets, key=row_order)
    return members


def row_order(row):
    """As `ORDER BY device, uuid, part` does: by bytes."""
    return row["device"].encode(), row["uuid"].encode(), row.get("part", 0)
