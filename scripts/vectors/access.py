"""Cases of requests that are refused before their body is read as samples: credentials, headers, paths, sizes."""

import base64

from .build import CLOCK, Endpoint, ask, case, dump, sign_request, stored_quantity, sync
from .pairing import padded
from .samples import STEPS

BEARER = Endpoint("bearer-unsigned", secret=None)
BASIC = Endpoint("basic", scheme="basic", user="phone", secret=None)
HEADER = Endpoint("header-signed", scheme="header", header="X-Api-Key")
SIGNED = Endpoint("phone")
BODY = dump(sync([STEPS]))


def refused(name, description, endpoint, status, code, body=BODY, **more):
    return case("native_" + name, description, endpoint, ask(endpoint, body, status, code, **more))


def cases():
    yield from tokens()
    yield from signatures()
    yield from requests()


def basic(text):
    return {"Authorization": "Basic " + base64.b64encode(text.encode()).decode()}


def tokens():
    def wrong(name, description, endpoint, headers, **more):
        return refused("token_" + name, description, endpoint, 401, "unauthorized", headers=headers, **more)

    token = BEARER.token
    yield wrong("missing", "No Authorization.", BEARER, {"Authorization": None})
    yield wrong("wrong", "Another token of the same length.", BEARER, {"Authorization": "Bearer " + token[:-1] + "_"})
    yield wrong("longer", "The token and one character more.", BEARER, {"Authorization": f"Bearer {token}a"})
    yield wrong("shorter", "The token without its last character.", BEARER, {"Authorization": f"Bearer {token[:-1]}"})
    yield wrong("empty", "A scheme without a token.", BEARER, {"Authorization": "Bearer"})
    yield wrong("bare", "A token without its scheme.", BEARER, {"Authorization": token})
    yield wrong("other_scheme", "The right token as another scheme's.", BEARER, {"Authorization": "Token " + token})
    yield wrong("in_two_fields", "Two Authorization fields, even equal ones.", BEARER, {},
                again={"Authorization": "Bearer " + token})
    yield wrong("in_the_query", "A token in the URL is none.", BEARER, {"Authorization": None},
                target=BEARER.target + "?token=" + token)
    yield wrong("of_another_scheme_for_basic", "Bearer on an endpoint with Basic.", BASIC,
                {"Authorization": "Bearer " + BASIC.token})
    yield wrong("basic_user", "The right password of another user.", BASIC, basic(f"Phone:{BASIC.token}"))
    yield wrong("basic_password", "The wrong password.", BASIC, basic("phone:" + BASIC.token.lower()))
    yield wrong("basic_without_colon", "No colon between user and password.", BASIC, basic("phone" + BASIC.token))
    yield wrong("basic_no_base64", "Not base64.", BASIC, {"Authorization": "Basic ***"})
    yield wrong("header_wrong", "The wrong value of the owner's header.", HEADER, {"X-Api-Key": HEADER.token + "="})
    yield wrong("header_missing", "The owner's header is missing; its value stands elsewhere.", HEADER,
                {"X-Api-Key": None, "Authorization": "Bearer " + HEADER.token})
    yield wrong("header_in_two_fields", "The owner's header twice.", HEADER, {}, again={"X-Api-Key": HEADER.token})
    yield wrong("before_signature", "The token comes first: a wrong signature changes nothing of the answer.", SIGNED,
                {"Authorization": "Bearer wrong", "X-Syncky-Signature": None})
    yield wrong("before_body", "A body that is no JSON changes nothing of the answer either.", BEARER,
                {"Authorization": "Bearer wrong"}, body="{")
    yield wrong("before_format", "Nor does a format that we don't know.", BEARER,
                {"Authorization": "Bearer wrong", "X-Syncky-Format": "toml"})
    yield case("native_token_right_after_wrong", "A wrong token doesn't lock out the right one.", BEARER,
               [ask(BEARER, BODY, 401, "unauthorized", headers={"Authorization": "Bearer wrong"}), ask(BEARER, BODY)],
               [stored_quantity(STEPS)])


def signatures():
    right = sign_request(SIGNED.secret, CLOCK, BODY.encode())

    def wrong(name, description, code="signature", **more):
        return refused("signature_" + name, description, SIGNED, 401, code, **more)

    yield wrong("missing", "An endpoint with a secret refuses unsigned requests.",
                headers={"X-Syncky-Timestamp": None, "X-Syncky-Signature": None})
    yield wrong("without_timestamp", "No timestamp.", headers={"X-Syncky-Timestamp": None})
    yield wrong("without_signature", "A timestamp alone.", headers={"X-Syncky-Signature": None})
    yield wrong("of_another_body", "One byte of the body changed after signing.", body=BODY.replace("412", "413"),
                signature=right)
    yield wrong("of_another_time", "The timestamp changed after signing.", timestamp=CLOCK + 1, signature=right)
    yield wrong("of_another_secret", "Signed with another secret.",
                signature=sign_request("whsec_another", CLOCK, BODY.encode()))
    yield wrong("of_the_decoded_secret", "Signed with the part behind `whsec_`.",
                signature=sign_request(SIGNED.secret[6:], CLOCK, BODY.encode()))
    yield wrong("of_the_body_alone", "Signed without the timestamp and the dot.",
                signature=sign_request(SIGNED.secret, "", BODY.encode()))
    yield wrong("upper_case", "Upper case digits.", signature="v1=" + right[3:].upper())
    yield wrong("v0", "Another version.", signature="v0=" + right[3:])
    yield wrong("without_version", "The digits alone.", signature=right[3:])
    yield wrong("upper_case_version", "An upper case version.", signature="V1=" + right[3:])
    yield wrong("cut_short", "The last digit is missing.", signature=right[:-1])
    yield wrong("longer", "One digit more.", signature=right + "0")
    yield wrong("in_a_list", "Two signatures in one field, one of them right.", signature=f"{right},{right}")
    yield wrong("in_quotes", "The right one in quotes.", signature=f'"{right}"')
    yield wrong("in_two_fields", "The right one twice.", again={"X-Syncky-Signature": right})
    yield wrong("of_a_reply", "The form of a reply's signature.", signature=f"t={CLOCK},{right}")
    for name, text in [("plus", f"+{CLOCK}"), ("minus", f"-{CLOCK}"), ("fraction", f"{CLOCK}.0"), ("empty", ""),
                       ("16_digits", f"{CLOCK:016}"), ("hexadecimal", hex(CLOCK)), ("arabic_digits", "١٧٩١٩٦١٥٠٠"),
                       ("rfc_3339", "2026-10-14T07:05:00Z"), ("exponent", "1791961500e0")]:
        yield refused("timestamp_" + name, "Signed over a timestamp that is not 1 to 15 ASCII digits.", SIGNED, 401,
                      "signature", timestamp=text)
    yield refused("timestamp_in_two_fields", "The timestamp twice.", SIGNED, 401, "signature",
                  again={"X-Syncky-Timestamp": str(CLOCK)})
    for name, seconds in [("early", CLOCK - 301), ("late", CLOCK + 301), ("in_milliseconds", CLOCK * 1000),
                          ("15_digits", 999999999999999), ("zero", 0)]:
        yield refused("timestamp_" + name, "Signed rightly, more than 300 seconds off our clock.", SIGNED, 401,
                      "timestamp", timestamp=seconds)


def requests():
    def wrong(name, description, status, code, endpoint=SIGNED, **more):
        return refused(name, description, endpoint, status, code, **more)

    def with_headers(headers):
        return {"headers": headers}

    yield wrong("format_missing", "Neither X-Syncky-Format nor X-Syncky-Kind.", 400, "format_missing",
                **with_headers({"X-Syncky-Format": None}))
    for name, value in [("unknown", "toml"), ("upper_case", "Native"), ("empty", "")]:
        yield wrong("format_" + name, "A format that is none of the four.", 400, "format_unknown",
                    **with_headers({"X-Syncky-Format": value}))
    yield wrong("format_in_two_fields", "Two formats.", 400, "format_unknown", again={"X-Syncky-Format": "native"})
    for name, value in [("65_characters", "a" * 65), ("underscore", "a_b"), ("dot", "a.b"), ("empty", ""),
                        ("space", "a b"), ("letter", "ä"), ("missing", None)]:
        yield wrong("delivery_id_" + name, "X-Syncky-Delivery is not 1 to 64 of A-Z a-z 0-9 and hyphen.", 400,
                    "delivery_invalid", **with_headers({"X-Syncky-Delivery": value}))
    yield wrong("delivery_id_in_two_fields", "X-Syncky-Delivery twice.", 400, "delivery_invalid",
                again={"X-Syncky-Delivery": "another"})
    for name, value in [("gzip", "gzip"), ("list", "identity, gzip")]:
        yield wrong("content_encoding_" + name, "Bodies are never compressed.", 415, "encoding_unsupported",
                    **with_headers({"Content-Encoding": value}))
    yield case("native_body_too_large", "One byte past 4 MiB.", SIGNED,
               padded(SIGNED, BODY, (4 << 20) + 1, status=413, code="body_too_large"))
    yield wrong("body_too_large_for_a_stranger", "Who has no token learns nothing of the limit.", 401, "unauthorized",
                padding=4 << 20, **with_headers({"Authorization": None}))
    for name, target in [("endpoint", "/hook/another"), ("root", "/"), ("hook", "/hook/"), ("below", "/hook/phone/x"),
                         ("upper_case", "/hook/Phone"), ("encoded", "/hook/..%2fphone")]:
        yield wrong("path_unknown_" + name, "No such endpoint: no token is looked at.", 404, "not_found", target=target)
    for method in ("GET", "HEAD", "PUT", "DELETE", "OPTIONS"):  # the answer to HEAD has no body to hold a code
        yield wrong("method_" + method.lower(), "An endpoint takes POST alone.", 405,
                    "method_not_allowed" if method != "HEAD" else None, method=method, expect_headers={"Allow": "POST"})
