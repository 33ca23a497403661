#!/bin/sh
# Checks test-vectors/ and schemas/ without the product: scripts/check-vectors.sh
#
# Every file is JSON, the files made from Python are what the cases give, and they and the bodies in them are of the
# shapes in schemas/. Tests of the product replay the same files.
set -eu
cd "$(dirname "$0")/.."
. scripts/lib.sh

python=python3
if ! python3 -c 'import jsonschema' 2>/dev/null; then
    need_packages python3 python3-jsonschema
    python=/usr/bin/python3
    [ -x "$python" ] || python=python3
fi
"$python" scripts/make-vectors.py --check
"$python" - <<'PYTHON'
import base64, json, pathlib
import jsonschema

def load(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)

schemas = {path.name: load(path) for path in pathlib.Path("schemas").glob("*.schema.json")}
for schema in schemas.values():
    jsonschema.Draft202012Validator.check_schema(schema)

def inlined(node, home):
    """A schema with references to other files as local ones, so that nothing is ever fetched."""
    if isinstance(node, dict):
        return {name: (reference(value, home) if name == "$ref" else inlined(value, home))
                for name, value in node.items() if name not in ("$id", "$schema")}
    return [inlined(item, home) for item in node] if isinstance(node, list) else node

def reference(target, home):
    file, _, pointer = target.partition("#")
    return f"#/$defs/{file or home}{pointer}"

bundle = {name: inlined(schema, name) for name, schema in schemas.items()}

def validator(target):
    return jsonschema.Draft202012Validator(
        {"$schema": "https://json-schema.org/draft/2020-12/schema", "$ref": "#/$defs/" + target, "$defs": bundle})

for name in ("types", "units"):
    validator(f"{name}.schema.json").validate(load(f"schemas/{name}.json"))

files = 0
for path in sorted(pathlib.Path("test-vectors").rglob("*.json")):
    content = load(path)
    files += 1
    if path.stem in schemas["vectors.schema.json"]["$defs"]:
        validator("vectors.schema.json/$defs/" + path.stem).validate(content)

sync, bodies = validator("inner-sync.schema.json"), 0
for case in load("test-vectors/webhook-requests.json")["cases"]:
    for request in case["requests"]:
        if case["format"] == "native" and request["expect"]["status"] == 204 and "body" in request:
            sync.validate(json.loads(request["body"]))
            bodies += 1

# Replies that carry commands, and results that are taken.
messages = {name: validator(f"inner-commands.schema.json/$defs/{name}") for name in ("commands", "results")}
for case in load("test-vectors/webhook-exchanges.json")["cases"]:
    for request in case.get("requests", []):
        expected = request["expect"]
        if expected["status"] == 200 and '"type":"commands"' in expected["body"]:
            messages["commands"].validate(json.loads(expected["body"]))
            bodies += 1
        if expected["status"] == 204 and request["headers"].get("X-Syncky-Kind") == "results":
            messages["results"].validate(json.loads(request["body"]))
            bodies += 1
print(f"{files} vector files, {bodies} accepted bodies and {len(schemas)} schemas are in order")
PYTHON
