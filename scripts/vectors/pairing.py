"""Cases of every kind of sample, of the Check connection request, and of every way to say who speaks."""

from . import known
from .build import CLOCK, Endpoint, ask, case, delivery_id, dump, stored_quantity, sync
from .samples import EVERY_KIND_SAMPLES, HEART_RATE, ROWS_OF_EVERY_KIND, STEPS


def cases():
    one = [stored_quantity(STEPS)]
    id = delivery_id("every kind", CLOCK * 1000)
    about = {"destination": known.EVERY_KIND.destination, "id": id, "index": 0, "count": 1,
             "sent_at": "2026-10-14T07:05:00Z"}
    check = ask(known.EVERY_KIND, known.CHECK_BODY, delivery=known.CHECK_DELIVERY, signature=known.CHECK_SIGNATURE)
    yield case("native_every_kind", "One sample of every kind and one deletion in a whole delivery.",
               known.EVERY_KIND,
               ask(known.EVERY_KIND,
                   sync(EVERY_KIND_SAMPLES, [{"uuid": "5E1D0000-0000-4000-8000-000000000099", "type": "steps"}],
                        delivery=about), delivery=id),
               ROWS_OF_EVERY_KIND)
    yield case("native_check_connection",
               "The Check connection request as the contract prints it, with its signature: it stores nothing.",
               known.EVERY_KIND, check)
    yield case("native_check_connection_with_samples",
               "A test delivery stores nothing and deletes nothing, whatever is in it.", known.EVERY_KIND,
               [ask(known.EVERY_KIND, sync([STEPS])),
                ask(known.EVERY_KIND, sync([HEART_RATE], [{"uuid": STEPS["uuid"], "type": "steps"}],
                                           delivery=about | {"test": True}))], one)
    yield case("native_test_false", "`test` may be there and false: an ordinary delivery.", known.EVERY_KIND,
               ask(known.EVERY_KIND, sync([STEPS], delivery=about | {"test": False}), delivery=id), one)

    yield case("native_header_auth", "A header of the owner's choice; the link is the one that the contract prints.",
               known.HEADER, ask(known.HEADER, sync([STEPS])), one)
    for endpoint, description in [
        (Endpoint("bearer-unsigned", secret=None), "A Bearer token and no signature."),
        (Endpoint("no-auth", scheme="none", secret=None), "Neither token nor signature."),
        (Endpoint("no-auth-signed", scheme="none"), "The signature alone."),
        (Endpoint("basic", scheme="basic", user="phone"), "Basic auth and a signature."),
        (Endpoint("basic-colon", scheme="basic", user="The phone", token="pässword:with:colons 100%"),
         "A password with colons, a space, a percent sign and a letter outside ASCII."),
        (Endpoint("header-signed", scheme="header", header="X-Api-Key", types=["steps", "heart_rate", "workout"]),
         "A header of the owner's choice and a signature; a comma between types stays as it is."),
        (Endpoint("label", label="Küche & Bad 100% ☕ ~-._", url="https://receiver.example/hook/label"),
         "Every byte of the label outside the unreserved set is percent-encoded."),
        (Endpoint("query", url="http://[fd12:3456:789a::1]:8787/hook/query?room=1&note=a%20b"),
         "An IPv6 address, a port and a query, which belongs to the URL and changes nothing here."),
        (Endpoint("dev", url_scheme="syncky-dev"), "A link for the development build."),
        (Endpoint("staging", url_scheme="syncky-staging", scheme="none", secret=None, types=["body_mass"]),
         "A link for the beta build, without any secret."),
        (Endpoint("own-secret", secret="a secret of one's own: +/="),
         "A secret that is not the app's form: the whole text is the key."),
        (Endpoint("long-secret", secret="whsec_" + "k" * 90),
         "A key longer than the hash's block of 64 bytes."),
    ]:
        name = "native_auth_" + endpoint.url.split("/hook/")[1].split("?")[0].replace("-", "_")
        yield case(name, description, endpoint, ask(endpoint, sync([STEPS])), one)

    basic = Endpoint("basic-case", scheme="basic", user="phone", secret=None)
    bearer = Endpoint("scheme-case", secret=None)
    value = basic.auth_headers()["Authorization"]
    yield case("native_auth_scheme_in_any_case", "The name of an auth scheme has no case (RFC 9110 section 11.1).",
               bearer, ask(bearer, sync([STEPS]), headers={"Authorization": "bEARER " + bearer.token}), one)
    yield case("native_auth_basic_in_any_case", "The same for Basic.", basic,
               ask(basic, sync([STEPS]), headers={"Authorization": value.replace("Basic", "BASIC")}), one)

    unsigned = Endpoint("signature-ignored", secret=None)
    yield case("native_signature_without_a_secret", "An endpoint without a secret ignores signatures, even wrong ones.",
               unsigned, ask(unsigned, sync([STEPS]), headers={"X-Syncky-Timestamp": "yesterday",
                                                               "X-Syncky-Signature": "v1=none"}), one)

    signed = Endpoint("clock")
    yield case("native_signature_window", "300 seconds either way are accepted, inclusive; zeros in front count.",
               signed, [ask(signed, sync([STEPS]), timestamp=CLOCK - 300),
                        ask(signed, sync([HEART_RATE]), timestamp=CLOCK + 300),
                        ask(signed, sync([]), timestamp=f"{CLOCK:015}")],
               [stored_quantity(STEPS), stored_quantity(HEART_RATE)])
    yield case("native_lowercase_header_names", "Header names have no case.", signed,
               lowercase(ask(signed, sync([STEPS]))), one)

    yield case("native_without_destination", "X-Syncky-Destination is not needed to store a sample.", bearer,
               ask(bearer, sync([STEPS]), headers={"X-Syncky-Destination": None}), one)
    yield case("native_delivery_id_differs", "Where `delivery.id` differs from the header, the header counts.", signed,
               ask(signed, sync([STEPS], delivery=about)), one)
    yield case("native_delivery_id_longest", "64 characters of A-Z a-z 0-9 and hyphen.", signed,
               ask(signed, sync([STEPS]), delivery="Ab9-" * 16), one)
    yield case("native_content_type_does_not_matter", "The body is read by X-Syncky-Format alone.", bearer,
               ask(bearer, sync([STEPS]), headers={"Content-Type": "text/plain"}), one)
    yield case("native_content_encoding_identity", "`identity` is no encoding.", bearer,
               ask(bearer, sync([STEPS]), headers={"Content-Encoding": "identity"}), one)
    yield case("native_white_space", "White space between the tokens, spaces behind the body, up to 4 MiB in all.",
               signed, [ask(signed, "\r\n\t " + dump(sync([STEPS])).replace(",", " ,\n").replace(":[", "\t: [")),
                        padded(signed, dump(sync([HEART_RATE])), 4 << 20)],
               [stored_quantity(STEPS), stored_quantity(HEART_RATE)])


def lowercase(request):
    return request | {"headers": {name.lower(): value for name, value in request["headers"].items()}}


def padded(endpoint, body, total, **more):
    """A request whose body has `total` bytes: spaces follow it."""
    return ask(endpoint, body, padding=total - len(body.encode()), **more)
