#!/usr/bin/env python3
"""Puts the dashboard's files into the program: make-dashboard.py [--check]

Writes Sources/Receiver/Dashboard/DashboardAssets.swift from dashboard/ and, for what may be written into Apple Health,
schemas/types.json. With --check it writes nothing and fails where the file is not what it would write; a test does that.
"""
import base64
import hashlib
import json
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
TARGET = ROOT / "Sources/Receiver/Dashboard/DashboardAssets.swift"
CONTENT_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}
# What a page costs before it shows a number; the first paint is over a phone's wireless network, too.
LIMIT_BYTES = 200_000


def catalog():
    """What a form for a command needs: name to [unit, names of values, minimum, maximum] of all that apps may write."""
    types = json.loads((ROOT / "schemas/types.json").read_text(encoding="utf-8"))["types"]
    found = {}
    for entry in types:
        if entry.get("write") is False:
            continue
        found[entry["name"]] = [
            entry.get("unit"), [value["name"] for value in entry.get("values", [])] or None, entry.get("min"),
            entry.get("max"),
        ]
    lines = ",\n".join(f"{json.dumps(name)}:{json.dumps(value, separators=(',', ':'))}" for name, value in found.items())
    return f"// name: [unit, values, minimum, maximum] of each type that apps may write.\nexport const catalog = {{\n{lines}\n}};\n"


def assets():
    """(path, content type, text) of each, by path; the page itself is `/`."""
    texts = {"/catalog.js": (CONTENT_TYPES[".js"], catalog())}
    for file in (ROOT / "dashboard").iterdir():
        path = "/" if file.name == "index.html" else f"/{file.name}"
        texts[path] = (CONTENT_TYPES[file.suffix], file.read_text(encoding="utf-8"))
    return [(path, *texts[path]) for path in sorted(texts)]


def tag(text):
    """The first half of its SHA-256, in quotes, as a Swift string."""
    name = base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()[:16]).decode().rstrip("=")
    return f'"\\"{name}\\""'


def literal(text):
    """A raw string of several lines, indented as the closing quotes are."""
    if '"""#' in text or "\\#(" in text or not text.endswith("\n") or "\r" in text:
        sys.exit("a file has what a raw string can't hold, or no line feed at its end")
    body = "".join(f"                {line}\n" if line else "\n" for line in text.split("\n")[:-1])
    return f'#"""\n{body}\n                """#'


def swift(files):
    parts = ["// Made by scripts/make-dashboard.py from dashboard/: change those files, not this one.\n"]
    parts.append("/// The files of the dashboard, which anyone may load: they hold no data.")
    parts.append("package enum DashboardAssets {\n    /// By path; the page is `/`.")
    parts.append("    package static let all = [")
    for path, content_type, text in files:
        parts.append(
            f'        DashboardAsset(\n            path: "{path}", contentType: "{content_type}", tag: {tag(text)},\n'
            f"            text: {literal(text)}),")
    return "\n".join(parts) + "\n    ]\n}\n"


def main():
    if sys.argv[1:] not in ([], ["--check"]):
        sys.exit("usage: make-dashboard.py [--check]")
    files = assets()
    size = sum(len(text.encode()) for _, _, text in files)
    if size > LIMIT_BYTES:
        sys.exit(f"the dashboard has {size} bytes, over {LIMIT_BYTES}")
    text = swift(files)
    if sys.argv[1:]:
        if not TARGET.exists() or TARGET.read_text(encoding="utf-8") != text:
            sys.exit("Sources/Receiver/Dashboard/DashboardAssets.swift is not what dashboard/ gives: run scripts/make-dashboard.py")
    else:
        TARGET.write_text(text, encoding="utf-8")
        print(f"{len(files)} files, {size} bytes")


if __name__ == "__main__":
    main()
