#!/usr/bin/env python3
"""Writes the vector files of test-vectors/ that are made from Python: scripts/make-vectors.py [--check]

The cases are in scripts/vectors/; the output is the same in every run. With --check nothing is written: it fails when a
file is not what the cases give. Needs nothing but Python 3.9.
"""

import json
import pathlib
import sys

sys.dont_write_bytecode = True
from vectors import (  # noqa: E402
    access, commands, exchanges, hae, hae_requests, known, lines, pairing, parts, puls, refused, relay, repeats, rows, steps,
    values)
from vectors import puls_calls  # noqa: E402

FOLDER = pathlib.Path(__file__).resolve().parent.parent / "test-vectors"


def files():
    """Name, description and cases of each file."""
    requests = [case for module in (pairing, repeats, values, refused, access, lines, hae_requests) for case in module.cases()]
    yield "webhook-requests.json", "Requests in every format, their answers and what is stored.", requests
    messages = list(exchanges.cases()) + list(commands.cases())
    yield "webhook-exchanges.json", "Messages in a row, and signatures of replies.", messages
    yield "series-parts.json", "Sets in parts, and what they join to.", list(parts.cases())
    yield "hae-accepted.json", "Bodies of the Health Auto Export shape, and what a decoder makes of them.", list(hae.taken())
    yield "hae-refused.json", "Bodies of the Health Auto Export shape that are refused as a whole.", list(hae.refused())
    yield "puls-accepted.json", "Batches of the PulsHealth app, and what a decoder makes of them.", list(puls.accepted())
    yield "puls-refused.json", "Batches of the PulsHealth app that are refused, and how that is said.", list(puls.refused())
    yield "puls-calls.json", "Calls of PulsHealth one after another, and their answers.", list(puls_calls.cases())
    yield "relay-accepted.json", "Pushes of Health Relay, and what a decoder makes of them.", list(relay.taken())
    yield "relay-refused.json", "Pushes of Health Relay that are refused as a whole.", list(relay.refused())
    yield "steps-accepted.json", "Day totals of steps, and what a decoder makes of them.", list(steps.taken())
    yield "steps-refused.json", "Day totals of steps that are refused as a whole.", list(steps.refused())


def bodies():
    """Name and text of each file that holds an array of bodies for a decoder, one line a case."""
    for name, cases in rows.files():
        yield name, cases, "[\n" + ",\n".join(json.dumps(case, ensure_ascii=False) for case in cases) + "\n]\n"


def layout(description, cases):
    """One line a case's member, so that a change shows as a line."""
    text = []
    for case in cases:
        members = []
        for name, value in case.items():
            if isinstance(value, list) and value and name != "types":
                inner = ",\n    ".join(json.dumps(item, ensure_ascii=False) for item in value)
                members.append(f"{json.dumps(name)}: [\n    {inner}]")
            else:
                members.append(f"{json.dumps(name)}: {json.dumps(value, ensure_ascii=False)}")
        text.append("{" + ",\n  ".join(members) + "}")
    return f'{{"description": {json.dumps(description)},\n"cases": [\n' + ",\n".join(text) + "\n]}\n"


def main():
    known.check()
    stale = []
    texts = [(name, cases, layout(description, cases)) for name, description, cases in files()]
    for name, cases, text in [*texts, *bodies()]:
        names = [case["name"] for case in cases]
        doubled = {one for one in names if names.count(one) > 1}
        if doubled:
            raise SystemExit(f"{name}: two cases have the name {', '.join(sorted(doubled))}")
        content = json.loads(text)
        if (content["cases"] if isinstance(content, dict) else content) != cases:
            raise SystemExit(f"{name}: a case changes when it is written as JSON")
        path = FOLDER / name
        if "--check" in sys.argv[1:]:
            if not path.exists() or path.read_text(encoding="utf-8") != text:
                stale.append(name)
        else:
            path.write_text(text, encoding="utf-8")
            print(f"{name}: {len(cases)} cases")
    if stale:
        raise SystemExit(f"not what the cases give: {', '.join(stale)}; run scripts/make-vectors.py")


if __name__ == "__main__":
    main()
