#!/bin/sh
# Asks a real server, filled with invented samples, all that schemas/openapi.json allows and much that it doesn't, and
# compares the answers with it: scripts/check-api.sh
#
# The tool is schemathesis from PyPI, in a folder of its own below .build. The same requests each time, and bounded in number:
# a minute at most. No connection leaves this machine but to install it.
set -eu
cd "$(dirname "$0")/.."
. scripts/lib.sh

tools=.build/api-tools
wanted=schemathesis==4.32.5

need_swift
# shellcheck disable=SC2086 # lists of names
need_packages $build_packages
command -v python3 >/dev/null 2>&1 || need_packages python3
swift build --product server >&2
server=$(swift build --product server --show-bin-path)/server
if ! [ -x "$tools/bin/schemathesis" ] || ! [ "$(cat "$tools/wanted" 2>/dev/null)" = "$wanted" ]; then
    say "installing $wanted"
    rm -rf "$tools"
    python3 -m venv "$tools" >&2 || {
        need_packages python3-venv
        rm -rf "$tools"
        /usr/bin/python3 -m venv "$tools" >&2
    }
    "$tools/bin/pip" install -q --disable-pip-version-check "$wanted" >&2 || fail 69 "$wanted can't be installed"
    printf '%s' "$wanted" >"$tools/wanted"
fi
exec python3 scripts/check-api.py "$server" "$tools/bin/schemathesis"
