#!/usr/bin/env python3
"""Writes the API's OpenAPI document: scripts/make-openapi.py [--check]

It goes to schemas/openapi.json and, compiled in for GET /openapi.json, to a Swift file. docs/api.md tells people the same.
A test compares it with the table of routes, both ways, and real answers with its schemas.
"""
import json
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
DOCUMENT = "schemas/openapi.json"
SWIFT = "Sources/Receiver/ReadAPI/Routes/OpenAPIText.swift"

TEXT = {"type": "string"}
NAME = {"type": ["string", "null"]}
NUMBER = {"type": "number"}
# Also null for a sum of senders' numbers that no double holds.
FIGURE = {"type": ["number", "null"]}
COUNT = {"type": "integer", "minimum": 0}
MAYBE_COUNT = {"type": ["integer", "null"], "minimum": 0}
FLAG = {"type": "boolean"}
TIME = {"type": "string", "format": "date-time"}
MAYBE_TIME = {"type": ["string", "null"], "format": "date-time"}
DATE = {"type": "string", "format": "date"}
# What a query takes as text: no control characters.
SHOWN = r"^[^\u0000-\u001f\u007f-\u009f]+$"


def ref(name):
    return {"$ref": f"#/components/schemas/{name}"}


def maybe(schema):
    return {"oneOf": [schema, {"type": "null"}]}


def array(items):
    return {"type": "array", "items": items}


def tuple_of(*items):
    return {"type": "array", "prefixItems": list(items), "minItems": len(items), "maxItems": len(items)}


def record(optional=(), description=None, **members):
    schema = {"type": "object"}
    if description:
        schema["description"] = description
    names = {name.rstrip("_"): value for name, value in members.items()}
    required = [name for name in names if name not in optional]
    schema.update(properties=names, additionalProperties=False)
    if required:
        schema["required"] = required
    return schema


# MARK: Parameters

def parameter(description, schema, example=None):
    return {"description": description, "schema": schema, **({"example": example} if example else {})}


MOMENT = {"anyOf": [{"type": "string", "format": "date-time"}, {"type": "string", "format": "date"}]}
LIST = {"type": "string", "pattern": r"^[^\u0000-\u001f\u007f-\u009f,]+(,[^\u0000-\u001f\u007f-\u009f,]+)*$"}

PARAMETERS = {
    "person": parameter(
        "Whose data. Needed where the token is for several persons.", {"type": "string", "pattern": SHOWN}, "me"),
    "type": parameter("A type by Syncky's name, such as `steps`.", {"type": "string", "pattern": SHOWN}, "heart_rate"),
    "types": parameter("Types with commas between them, at most 100. Without it all that the token is for.", LIST, "steps,heart_rate"),
    "from": parameter(
        "Belongs to the range. A time with any offset, or a day, which is its begin by the person's clock.", MOMENT,
        "2026-10-05"),
    "to": parameter("Doesn't belong to the range; as `from`, and not before it.", MOMENT, "2026-10-12T00:00:00+02:00"),
    "order": parameter("By start.", {"enum": ["asc", "desc"], "default": "asc"}),
    "limit": parameter("How many at most.", {"type": "integer", "minimum": 1, "maximum": 10000, "default": 1000}),
    "cursor": parameter(
        "The `next` of the answer before, with all else as it was.", {"type": "string", "pattern": "^[A-Za-z0-9_-]+$"}),
    "device": parameter("The store's device.", {"type": "string", "pattern": SHOWN}),
    "source": parameter("Of one app, `APP`, or of one device, `@DEVICE`.", {"type": "string", "pattern": SHOWN}),
    "include": parameter("`body`: the sender's whole object too.", {"enum": ["body"]}, "body"),
    "by": parameter(
        "How long a bucket is by the person's clock; weeks begin on Monday.",
        {"enum": ["hour", "day", "week", "month", "year"], "default": "day"}, "hour"),
    "merge": parameter(
        "Which samples of a cumulative type count where several sources were there.",
        {"enum": ["priority", "highest-source"], "default": "priority"}),
    "sources": parameter("Whether each bucket says what each source has in it.", {"enum": ["true", "false"]}, "true"),
    "since": parameter(
        "The `next` of the answer before, or of one without `since`.", {"type": "string", "pattern": SHOWN}),
    "endpoint": parameter(
        "NAME of an endpoint. Needed to change something where there are several.",
        {"type": "string", "pattern": SHOWN}),
    "uuid": parameter("Of a workout, in either case.", {"type": "string", "pattern": SHOWN},
                      "0B6F0000-0000-4000-8000-000000000001"),
    "id": parameter("Of a command.", {"type": "string", "pattern": SHOWN}),
}

# MARK: What is answered

SOURCE = record(app=NAME, device=NAME, description="What recorded it.")
KINDS = ["other", "quantity", "category", "workout", "characteristic", "state_of_mind", "gad7_assessment",
         "phq9_assessment", "audiogram", "activity_summary", "workout_route", "heartbeat_series"]
AGGREGATION = {"enum": ["cumulative", "discrete_arithmetic", "discrete_temporally_weighted",
                        "discrete_equivalent_continuous_level", None]}
STAGES = ["asleep_rem", "asleep_deep", "asleep_core", "asleep_unspecified", "awake", "in_bed"]

WORKOUT = dict(
    uuid=TEXT, device=TEXT, activity=TEXT, start=TIME, end=TIME, duration_s=FIGURE, energy_kcal=FIGURE,
    distance_m=FIGURE, source=ref("Source"), has_route=FLAG)

SCHEMAS = {
    "Problem": record(
        description="RFC 9457.", optional=["parameter"],
        type={"const": "about:blank"}, title=TEXT, status={"type": "integer"},
        code={"type": "string", "pattern": "^[a-z0-9_]+$", "description": "Stable."}, detail=TEXT,
        parameter={"type": "string", "description": "The one at fault."}),
    "Source": SOURCE,
    "Types": record(person=TEXT, zone=TEXT, types=array(record(
        type=TEXT, kind={"enum": KINDS}, unit=NAME, aggregation=AGGREGATION, samples=COUNT, first=MAYBE_TIME,
        last=MAYBE_TIME))),
    "Sample": record(
        optional=["body"],
        uuid={"type": "string", "description": "A uuid in upper case, or another key of the sender's."},
        part={"type": "integer"}, type=TEXT, kind={"enum": KINDS}, value=FIGURE, value_name=NAME, unit=NAME,
        start=MAYBE_TIME, end=MAYBE_TIME,
        utc_offset={"type": ["integer", "null"], "description": "Minutes east of UTC, where the sender told it."},
        source=ref("Source"), device=TEXT, endpoint=TEXT, received_at=MAYBE_TIME,
        body={"type": "object", "description": "With `include=body`: the sender's object."}),
    "Samples": record(samples=array(ref("Sample")), next=NAME),
    "Latest": record(samples=array(ref("Sample"))),
    "Bucket": record(
        optional=["sum", "min", "mean", "max", "last", "seconds", "sources"],
        description="`sum` of a cumulative type, `min`, `mean`, `max` and `last` of a discrete one, else `seconds`.",
        start=TIME, end=TIME, samples=COUNT, sum=FIGURE, min=FIGURE, mean=FIGURE, max=FIGURE, last=FIGURE,
        seconds=FIGURE,
        sources=array(record(app=NAME, device=NAME, value=FIGURE, counted=FIGURE, samples=COUNT))),
    "Buckets": record(
        person=TEXT, type=TEXT, zone=TEXT, unit=NAME, aggregation=AGGREGATION,
        by=PARAMETERS["by"]["schema"], merge=PARAMETERS["merge"]["schema"], unconverted=COUNT,
        buckets=array(ref("Bucket"))),
    "Sources": record(sources=array(record(
        app=NAME, device=NAME, class_={"enum": ["watch", "phone", "other"]}, samples=COUNT, set=FLAG))),
    "Nights": record(nights=array(record(
        date=DATE, nap=FLAG, start=TIME, end=TIME, source=ref("Source"), asleep_s=NUMBER, awake_s=NUMBER,
        in_bed_s=NUMBER, stages=record(**{stage: NUMBER for stage in STAGES}),
        segments=array(record(stage={"enum": STAGES}, start=TIME, end=TIME))))),
    "Workout": record(**WORKOUT),
    "Workouts": record(workouts=array(ref("Workout")), next=NAME),
    "Split": record(m=NUMBER, s=NUMBER, start=TIME, heart_rate=FIGURE, climb_m=FIGURE),
    "WorkoutDetail": record(
        **WORKOUT,
        heart_rate=maybe(record(min=FIGURE, mean=FIGURE, max=FIGURE, points=array(tuple_of(TIME, FIGURE)))),
        route=array(tuple_of(TIME, NUMBER, NUMBER, FIGURE)),
        splits=record(km=array(ref("Split")), mile=array(ref("Split"))), body={"type": "object"}),
    "Ring": record(phone=FIGURE, goal=FIGURE, computed=FIGURE, drift=FIGURE, explained_by=maybe(ref("Source"))),
    "Activity": record(days=array(record(date=DATE, move=ref("Ring"), exercise=ref("Ring"), stand=ref("Ring")))),
    "Change": record(
        optional=["sample"], op={"enum": ["insert", "update", "delete"]}, type=TEXT, device=TEXT, uuid=TEXT,
        part={"type": "integer"}, sample=ref("Sample")),
    "Changes": record(changes=array(ref("Change")), next=TEXT, more=FLAG),
    "Command": record(
        id=TEXT, endpoint=TEXT, version=COUNT, op={"enum": ["write", "delete"]}, type=TEXT,
        value={"type": ["number", "string", "null"]}, unit=NAME, start=MAYBE_TIME, end=MAYBE_TIME,
        state={"enum": ["waiting", "applied", "rejected"]}, reason=NAME, sent=COUNT, queued_at=TIME,
        first_sent_at=MAYBE_TIME, last_sent_at=MAYBE_TIME, result_at=MAYBE_TIME, sample=NAME),
    "Commands": record(commands=array(ref("Command"))),
    "NewCommand": {"oneOf": [
        record(
            optional=["unit", "start", "end", "id", "endpoint"], description="As `server write` takes it; a time without an offset is on the endpoint's clock.",
            type={"type": "string", "pattern": "^[a-z][a-z0-9_]{1,63}$"}, value={"type": ["number", "string"]},
            unit=TEXT, start=TIME, end=TIME, id={"type": "string", "pattern": "^[A-Za-z0-9_.:-]{1,64}$"},
            endpoint=TEXT),
        record(
            optional=["endpoint"], description="Has the phone delete what a command wrote.",
            delete=TEXT, endpoint=TEXT)]},
    "CommandMade": record(id=TEXT, version=COUNT, warnings=array(TEXT)),
    "Status": record(
        endpoints=array(record(
            name=TEXT, person=TEXT, format=TEXT, auth=TEXT, signed=FLAG, last_stored=MAYBE_TIME, samples=MAYBE_COUNT)),
        waiting=COUNT,
        commands=array(record(
            id=TEXT, endpoint=TEXT, version=COUNT, op={"enum": ["write", "delete"]}, type=TEXT,
            state={"enum": ["waiting", "applied", "rejected"]}, reason=NAME, sent=COUNT)),
        last_stored=MAYBE_TIME, warnings=array(record(code=TEXT, message=TEXT)),
        rhythms=array(record(
            endpoint=TEXT, person=TEXT, type=TEXT, last_stored=TIME, usual_s=NUMBER, longest_s=NUMBER, quiet=FLAG)),
        deliveries=array(record(
            endpoint=TEXT, received_at=TIME, dialect=NAME, status={"type": "integer"}, code=NAME, stored=COUNT,
            changed=COUNT, deleted=COUNT, skipped=COUNT))),
    "Token": record(
        name=TEXT, scope={"enum": ["read", "write"]}, person=NAME, persons=array(TEXT),
        types={"type": ["array", "null"], "items": TEXT}, expires=MAYBE_TIME),
    "SignIn": record(token=TEXT),
}

RESPONSES = {
    "304": "The client has this answer: its `If-None-Match` is the `ETag`.",
    "400": "A parameter or a member of the body is not right; `code` and `parameter` say which.",
    "401": "No token, or not a good one.",
    "403": "The token is not for that: `forbidden`, `person_forbidden`, `type_forbidden`, `cross_origin`.",
    "404": "`not_found`, `person_unknown`.",
    "406": "No form that `Accept` takes.",
    "409": "`command_sent`, `command_conflict`.",
    "410": "`cursor_expired`: begin anew.",
    "413": "The body is too large.",
    "415": "Another `Content-Type` than this takes, or a body with an encoding.",
    "429": "Too many wrong tokens from this address; `Retry-After` says for how long.",
    "503": "The data can't be read now.",
}

JSON, CSV, FORM = "application/json", "text/csv", "application/x-www-form-urlencoded"


class Route:
    def __init__(self, method, path, summary, schema=None, needed=(), optional=(), access="read", forms=None, status="200",
                 body=None, body_forms=(JSON,), codes=()):
        self.method, self.path, self.summary, self.schema = method, path, summary, schema
        self.needed, self.optional, self.access, self.status = needed, optional, access, status
        self.forms = forms if forms is not None else ([JSON, CSV] if schema else [])
        self.body, self.body_forms, self.codes = body, body_forms, codes

    def operation(self):
        operation = {"operationId": self.name(), "summary": self.summary}
        places = [part[1:part.index("}")] for part in self.path.split("/") if part.startswith("{")]
        parameters = [self.parameter(name, "path", True) for name in places]
        parameters += [self.parameter(name, "query", True) for name in self.needed]
        parameters += [self.parameter(name, "query", False) for name in self.optional]
        if parameters:
            operation["parameters"] = parameters
        if self.body:
            operation["requestBody"] = {
                "required": True, "content": {form: {"schema": ref(self.body)} for form in self.body_forms}}
        operation["responses"] = {self.status: self.success()}
        for code in sorted(set(self.common()) | set(self.codes)):
            operation["responses"][code] = {"$ref": f"#/components/responses/{code}"}
        if self.access != "open":
            operation["security"] = [{"token": [self.access]}, {"session": [self.access]}]
        else:
            operation["security"] = []
        return operation

    def name(self):
        words = self.path.replace("/api/v1", "").replace("{", "").replace("}", "").replace(".", "/").strip("/")
        return "_".join([self.method.lower()] + words.split("/")).replace("get_", "", 1)

    def common(self):
        codes = ["400", "406", "503"]
        if self.access != "open":
            codes += ["401", "403", "404", "429"]
        if self.method == "GET":
            codes.append("304")
        else:
            codes += ["403", "413"]
        return codes

    def parameter(self, name, place, required):
        known = PARAMETERS[name]
        return {"name": name, "in": place, "required": required, **known}

    def success(self):
        if self.status == "204":
            return {"description": "Done."}
        response = {"description": "The answer."}
        if self.method == "GET" and "text/event-stream" not in self.forms:
            response["headers"] = {"ETag": {"required": True, "schema": TEXT}}
        content = {}
        for form in self.forms:
            content[form] = {"schema": ref(self.schema) if form == JSON and self.schema else TEXT}
            if form.endswith("geo+json"):
                content[form] = {"schema": {"type": "object"}}
        if self.schema is None and JSON in self.forms:
            content[JSON] = {"schema": {"type": "object"}}
        response["content"] = content
        return response


RANGE = ("person", "from", "to")
ROUTES = [
    Route("GET", "/api/v1/types", "The types that there are samples of.", "Types", optional=["person"]),
    Route("GET", "/api/v1/samples",
          "Raw rows by start, then device, unit, uuid and part. Rows without a start come first, and not in a range that"
          " `from` or `to` bounds.",
          "Samples", needed=["type"],
          optional=["person", "from", "to", "order", "limit", "cursor", "device", "source", "include"]),
    Route("GET", "/api/v1/buckets", "Numbers of hours, days, weeks, months or years; those without data left out.",
          "Buckets", needed=["type", "from", "to"], optional=["person", "by", "merge", "sources"]),
    Route("GET", "/api/v1/sources", "Sources in the order in which they count.", "Sources", optional=["person", "type"]),
    Route("GET", "/api/v1/sleep", "Nights and naps, by the morning on which they ended.", "Nights",
          needed=["from", "to"], optional=["person", "source"]),
    Route("GET", "/api/v1/workouts", "Workouts, newest first.", "Workouts",
          optional=["person", "from", "to", "limit", "cursor"]),
    Route("GET", "/api/v1/workouts/{uuid}.gpx", "A workout's route as GPX 1.1.", optional=["person", "device"],
          forms=["application/gpx+xml"]),
    Route("GET", "/api/v1/workouts/{uuid}.geojson", "A workout's route as GeoJSON.", optional=["person", "device"],
          forms=["application/geo+json"]),
    Route("GET", "/api/v1/workouts/{uuid}", "A workout with its curve, route and splits.", "WorkoutDetail",
          optional=["person", "device"], forms=[JSON]),
    Route("GET", "/api/v1/activity", "The rings of the phone beside what the samples come to.", "Activity",
          needed=["from", "to"], optional=["person"]),
    Route("GET", "/api/v1/latest", "The newest sample of each type, by type.", "Latest", optional=["person", "types"]),
    Route("GET", "/api/v1/changes", "What was inserted, updated and deleted, in the order of commits.", "Changes",
          optional=["person", "since", "limit", "types"], forms=[JSON, CSV, "text/event-stream"], codes=["410"]),
    Route("GET", "/api/v1/status", "Endpoints, commands, warnings, rhythms and the last deliveries.", "Status",
          forms=[JSON]),
    Route("GET", "/api/v1/commands", "What phones are asked to write.", "Commands", optional=["person", "endpoint"]),
    Route("POST", "/api/v1/commands", "Has a phone write or delete something.", "CommandMade", access="write",
          forms=[JSON], status="201", body="NewCommand", codes=["409", "415"]),
    Route("DELETE", "/api/v1/commands/{id}", "Withdraws a command that waits.", access="write", status="204",
          optional=["endpoint"], forms=[JSON], codes=["409"]),
    Route("GET", "/metrics", "Counters for Prometheus.", forms=["text/plain"]),
    Route("GET", "/openapi.json", "This document.", access="open", forms=[JSON]),
    Route("POST", "/session", "Signs a browser in: a cookie for a token.", access="open", status="204",
          body="SignIn", body_forms=(JSON, FORM), forms=[JSON], codes=["401", "415", "429"]),
    Route("GET", "/session", "What the token is for.", "Token", forms=[JSON]),
    Route("DELETE", "/session", "Signs a browser out.", access="open", status="204", forms=[JSON]),
]


def document():
    paths = {}
    for route in ROUTES:
        paths.setdefault(route.path, {})[route.method.lower()] = route.operation()
    problem = {"application/problem+json": {"schema": ref("Problem")}}
    responses = {}
    for code, description in RESPONSES.items():
        responses[code] = {"description": description}
        if code != "304":
            responses[code]["content"] = problem
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Syncky Receiver", "version": "1",
            "description": "Stored Apple Health data. Times in answers are UTC, but for start and end of buckets, nights"
                           " and workouts, which show the person's clock with its offset."},
        "servers": [{"url": "/"}],
        "paths": paths,
        "components": {
            "schemas": SCHEMAS, "responses": responses,
            "securitySchemes": {
                "token": {"type": "http", "scheme": "bearer", "description": "Of `server token add`."},
                "session": {"type": "apiKey", "in": "cookie", "name": "syncky_session"}}},
    }


def swift(text):
    body = "".join("        " + line + "\n" for line in text.splitlines())
    return (
        "// Made by scripts/make-openapi.py: change the script, not this file.\n\n"
        "/// `schemas/openapi.json` as it was when this program was built.\n"
        f'enum OpenAPIText {{\n    static let document = #"""\n{body}\n        """#\n}}\n')


def main():
    text = json.dumps(document(), indent=1, ensure_ascii=False) + "\n"
    files = {DOCUMENT: text, SWIFT: swift(text)}
    if "--check" in sys.argv[1:]:
        stale = [path for path, text in files.items() if (ROOT / path).read_text(encoding="utf-8") != text]
        if stale:
            sys.exit(f"not what scripts/make-openapi.py gives: {', '.join(stale)}")
    else:
        for path, text in files.items():
            (ROOT / path).write_text(text, encoding="utf-8")


main()
