"""Whole exchanges: requests in a row and replies, with the signatures that the contract prints."""

from . import known
from .build import CLOCK, Endpoint, ask, case, sign_reply, stored_quantity, sync
from .samples import STEPS


def reply(delivery, time, body, signature):
    """A reply of ours: `signature` covers the request's delivery id, the time and the body."""
    return {"delivery": delivery, "time": time, "body": body, "signature": signature}


def exchange(entry, replies=(), results=()):
    return entry | {"replies": list(replies), "results": list(results)}


def cases():
    endpoint = known.EVERY_KIND
    yield exchange(case(
        "check_connection", "The Check connection request as printed, at its clock; any byte changed is refused.",
        endpoint,
        [ask(endpoint, known.CHECK_BODY, delivery=known.CHECK_DELIVERY, signature=known.CHECK_SIGNATURE),
         ask(endpoint, known.CHECK_BODY.replace("true", "True"), 401, "signature", delivery=known.CHECK_DELIVERY,
             signature=known.CHECK_SIGNATURE)]))
    phone = Endpoint("phone")
    first = ask(phone, sync([STEPS]))
    yield exchange(case(
        "repeated_signature", "A request whose reply was lost comes again byte for byte: 204 each time, one row.",
        phone, [first, first, first], [stored_quantity(STEPS)]))
    yield exchange(
        case("writes_and_results", "Two writes in a reply over plain HTTP, and the request with what became of them.",
             endpoint, [], clock=known.WRITES_TIME),
        [reply(known.WRITES_DELIVERY, known.WRITES_TIME, known.WRITES_BODY, known.WRITES_SIGNATURE)],
        [{"delivery": known.RESULTS_DELIVERY, "time": known.RESULTS_TIME, "body": known.RESULTS_BODY,
          "signature": known.RESULTS_SIGNATURE}])
    yield exchange(
        case("delete", "A delete of what a command wrote.", endpoint, [], clock=known.DELETE_TIME),
        [reply(known.DELETE_DELIVERY, known.DELETE_TIME, known.DELETE_BODY, known.DELETE_SIGNATURE)])
    # An answer without commands has no body, so its signature covers none.
    id, body = "a-Z-09", ""
    yield exchange(
        case("empty_reply", "The signature of a reply without a body.", endpoint, []),
        [reply(id, CLOCK, body, sign_reply(endpoint.secret, id, CLOCK, body.encode()))])
