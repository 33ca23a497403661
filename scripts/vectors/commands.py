"""Write-back: commands in replies to data requests, and the results that end them."""

from . import known
from .build import CLOCK, Endpoint, ask, case, delivery_id, dump, sign_reply, stored_quantity, sync
from .exchanges import exchange
from .samples import STEPS

START = "2026-10-14T07:00:00Z"
WATER = {"op": "write", "type": "dietary_water", "value": "0.25", "unit": "L", "start": START}
EXERCISE = {"op": "write", "type": "apple_exercise_time", "value": "30", "unit": "min", "start": START}


def message(*commands):
    """The body of a reply; each command is one as `command` makes it."""
    return dump({"v": 1, "type": "commands", "commands": list(commands)})


def command(id, draft, version=1):
    """The command object of a draft, members in the guide's order."""
    value = draft.get("value_name") if "value_name" in draft else draft.get("value")
    if "value" in draft:
        value = float(value) if "." in value else int(value)
    members = {"command_id": id, "version": version, "op": draft["op"], "type": draft["type"], "value": value,
               "unit": draft.get("unit"), "start": draft.get("start"), "end": draft.get("end", draft.get("start"))}
    return {name: value for name, value in members.items() if value is not None}


def data(endpoint, body, reply=None, queue=None, clock=CLOCK, delivery=None, signature=None):
    """A data request at `clock` and its answer: 204, or `reply` signed for it."""
    delivery = delivery or delivery_id(endpoint.label + dump(body) + str(clock), clock * 1000)
    headers = None
    if reply is not None:
        headers = {"Content-Type": "application/json"}
        if endpoint.secret:
            headers["X-Syncky-Signature"] = signature or sign_reply(endpoint.secret, delivery, clock, reply.encode())
    request = ask(endpoint, body, 204 if reply is None else 200, timestamp=clock, delivery=delivery,
                  expect_headers=headers)
    return finish(request, reply, queue, clock)


def results(endpoint, body, clock=CLOCK, status=204, code=None, at=None, queue=None, delivery=None, signature=None,
            headers=None):
    """A results request at `clock`."""
    request = ask(endpoint, body, status, code, at, timestamp=clock, delivery=delivery, signature=signature,
                  headers={"X-Syncky-Format": None, "X-Syncky-Kind": "results"} | (headers or {}))
    return finish(request, None, queue, clock)


def finish(request, reply, queue, clock):
    if reply is not None:
        request["expect"]["body"] = reply
    if clock != CLOCK:
        request["clock"] = clock
    if queue:
        request["queue"] = queue
    return request


def result(id, status="applied", version=1, **more):
    return {"command_id": id, "version": version, "status": status, **more}


def told(*all):
    return {"v": 1, "type": "results", "results": list(all)}


def row(id, draft, state="waiting", reason=None, version=1, sent=0, **more):
    return {"id": id, "version": version, "op": draft["op"], "type": draft["type"], "state": state, "reason": reason,
            "sent": sent, **more}


def cases():
    yield walk_through()
    yield from replies()
    yield from refusals()
    yield echo()


def walk_through():
    """The guide's sections 10 and 11 as they are printed: ids, clocks, bodies, signatures."""
    endpoint = known.EVERY_KIND
    water = {"uuid": "5E1D0000-0000-4000-8000-000000000077", "type": "dietary_water", "value": 250, "unit": "mL",
             "start": START, "end": START, "source": {"app": "health.syncky", "device": "iPhone"}}
    requests = [
        ask(endpoint, known.CHECK_BODY, delivery=known.CHECK_DELIVERY, signature=known.CHECK_SIGNATURE),
        data(endpoint, sync([STEPS]), known.WRITES_BODY, [WATER, EXERCISE], known.WRITES_TIME, known.WRITES_DELIVERY,
             known.WRITES_SIGNATURE),
        results(endpoint, known.RESULTS_BODY, known.RESULTS_TIME, delivery=known.RESULTS_DELIVERY,
                signature=known.RESULTS_SIGNATURE),
        data(endpoint, sync([water]), clock=known.RESULTS_TIME + 60),
        data(endpoint, sync([]), known.DELETE_BODY, [{"id": "c_1", "op": "delete", "type": "dietary_water"}],
             known.DELETE_TIME, known.DELETE_DELIVERY, known.DELETE_SIGNATURE),
        results(endpoint, told(result("c_1", version=2)), known.DELETE_TIME + 30),
        data(endpoint, sync([], [{"uuid": water["uuid"], "type": water["type"]}]), clock=known.DELETE_TIME + 60),
    ]
    entry = case("commands_walk_through", "Two writes, their results, and the removal of what the first one wrote.",
                 endpoint, requests, [stored_quantity(STEPS)])
    entry["expect_commands"] = [
        row("c_2", EXERCISE, "rejected", "type_not_allowed", sent=1, first_sent_at="2026-10-14T07:12:03Z",
            last_sent_at="2026-10-14T07:12:03Z", result_at="2026-10-14T07:12:33Z"),
        row("c_1", {"op": "delete", "type": "dietary_water"}, "applied", version=2, sent=1, sample_uuid=None),
    ]
    return exchange(entry)


def replies():
    phone = Endpoint("phone")
    first, second = command("c_1", WATER), command("c_2", EXERCISE)

    request = data(phone, sync([STEPS]), message(first), [WATER])
    repeated = request | {"expect": {"status": 204, "body": ""}}
    repeated.pop("queue")
    later = [data(phone, sync([STEPS]), message(first), clock=CLOCK + 1),
             data(phone, sync([], [{"uuid": STEPS["uuid"], "type": "steps"}]), message(first), clock=CLOCK + 2),
             data(phone, sync([]), message(first), clock=CLOCK + 3)]
    entry = case("commands_until_their_result",
                 "A command goes out in the reply to every data request, repeats, deletions and empty ones too, but not "
                 "to a used signature.", phone, [request, repeated, *later])
    entry["expect_commands"] = [row("c_1", WATER, sent=4)]
    yield exchange(entry)

    check = sync([], delivery={"id": "x", "test": True})
    ask_check = finish(ask(phone, check), None, [WATER], CLOCK)
    broken = ask(phone, '{"v":1,', 400, "json_invalid")
    late = ask(phone, sync([STEPS]), 401, "timestamp", timestamp=CLOCK - 301)
    entry = case("commands_in_no_other_reply",
                 "Check connection, a refused request and a results request are answered without commands.", phone,
                 [ask_check, broken, late, results(phone, told(result("c_7")))])
    entry["expect_commands"] = [row("c_1", WATER)]
    yield exchange(entry)

    plain = Endpoint("unsigned", url="https://receiver.example/hook/unsigned", secret=None)
    entry = case("commands_without_a_secret", "An endpoint without a secret answers with commands that are not signed.",
                 plain, [data(plain, sync([STEPS]), message(first, second), [WATER, EXERCISE])],
                 [stored_quantity(STEPS)])
    yield exchange(entry)

    better = WATER | {"id": "c_1", "value": "0.5"}
    entry = case("commands_old_versions_result",
                 "The result for a version that a newer one replaced doesn't end the newer one.", phone,
                 [data(phone, sync([]), message(first), [WATER]),
                  results(phone, told(result("c_1")), CLOCK + 1, queue=[better]),
                  data(phone, sync([]), message(command("c_1", better, 2)), clock=CLOCK + 2),
                  results(phone, told(result("c_1", version=2)), CLOCK + 3),
                  data(phone, sync([]), clock=CLOCK + 4)])
    entry["expect_commands"] = [row("c_1", better, "applied", version=2, sent=1)]
    yield exchange(entry)

    named = {"id": "how:I.feel-1", "op": "write", "type": "headache", "value_name": "mild", "start": START,
             "end": "2026-10-14T07:30:00.5Z"}
    entry = case("commands_category", "A category's name, an id of the owner's, an end of its own.", phone,
                 [data(phone, sync([]), message(command(named["id"], named)), [named])])
    yield exchange(entry)

    more = result("c_1", "rejected", reason="of_the_future", tries=3)
    entry = case("results_with_unknown_members", "An unknown reason is kept, unknown members and ids don't matter.",
                 phone,
                 [data(phone, sync([]), message(first), [WATER]),
                  results(phone, told(result("c_9"), more, more) | {"later": {}}, CLOCK + 1)])
    entry["expect_commands"] = [row("c_1", WATER, "rejected", "of_the_future", sent=1)]
    yield exchange(entry)


def refusals():
    phone = Endpoint("phone")
    right = told(result("c_1"))
    wrong = told(result("c_1"), result("c_2", "done"))
    offset = dump(wrong).index('"done"')
    entry = case("results_refused", "A results request that is not as it should be ends no command at all.", phone,
                 [data(phone, sync([]), message(command("c_1", WATER)), [WATER]),
                  results(phone, wrong, status=400, code="member_invalid",
                          at={"offset": offset, "line": 1, "path": "results[1].status"}),
                  results(phone, sync([STEPS]), status=400, code="not_results"),
                  results(phone, right, status=400, code="kind_and_format", headers={"X-Syncky-Format": "native"}),
                  results(phone, right, status=400, code="kind_unknown", headers={"X-Syncky-Kind": "Results"}),
                  results(phone, right, status=400, code="kind_unknown", headers={"X-Syncky-Kind": ""}),
                  results(phone, right, status=401, code="signature", signature="v1=" + "0" * 64),
                  ask(phone, right, 400, "not_sync")])
    entry["expect_commands"] = [row("c_1", WATER, sent=1)]
    yield exchange(entry)


def echo():
    """What the phone wrote comes back as one of its samples."""
    phone = Endpoint("phone")
    sample = {"uuid": "5E1D0000-0000-4000-8000-000000000078", "type": "dietary_water", "value": 250, "unit": "mL",
              "start": START, "end": START}
    other = sample | {"uuid": "5E1D0000-0000-4000-8000-000000000079", "value": 300}
    entry = case("commands_echo", "A sample of a command's type, time and value, be it in another unit, is what the command wrote.", phone,
                 [data(phone, sync([]), message(command("c_1", WATER)), [WATER]),
                  results(phone, told(result("c_1")), CLOCK + 1),
                  data(phone, sync([other, sample]), clock=CLOCK + 2)],
                 [stored_quantity(sample), stored_quantity(other)])
    entry["expect_commands"] = [row("c_1", WATER, "applied", sent=1, sample_uuid=sample["uuid"])]
    return exchange(entry)
