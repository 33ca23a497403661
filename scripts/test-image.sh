#!/bin/sh
# Proves the container image without a container engine: scripts/test-image.sh
#
# Assembles the image's file tree in a temporary folder and runs init, serve, link, health and a signed delivery in a
# chroot that holds nothing else, not even /proc, as the image's own user. The delivery comes from outside, over
# loopback. Needs root.
set -eu
cd "$(dirname "$0")/.."
. scripts/lib.sh

[ "$(id -u)" -eq 0 ] || fail 77 "a chroot needs root"
need_packages curl openssl python3
# Not in every PATH, and `env -i` below has none at all.
chroot=$(PATH=$PATH:/usr/sbin:/sbin command -v chroot) || fail 69 "there is no chroot"

work=$(mktemp -d)
serving=
finish() {
    status=$?
    trap - EXIT
    [ -z "$serving" ] || kill "$serving" 2>/dev/null || true
    if [ "$status" -ne 0 ] && [ -s "$work/serve.log" ]; then
        say "the server's log:"
        cat "$work/serve.log" >&2
    fi
    rm -rf "$work"
    exit "$status"
}
trap finish EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

root=$work/root
scripts/assemble-image.sh "$root"

# inside COMMAND…: as the container engine would run it, with the variables of the Dockerfile and no other.
inside() {
    env -i SYNCKY_DATA=/data "$chroot" --userspec=10001:10001 "$root" /server "$@"
}

# wait_for SECONDS COMMAND…: until it succeeds.
wait_for() {
    tries=$(($1 * 20))
    shift
    until "$@" >/dev/null 2>&1; do
        tries=$((tries - 1))
        [ "$tries" -gt 0 ] || return 1
        kill -0 "$serving" 2>/dev/null || return 1
        sleep 0.05
    done
}

version=$(inside --version) || fail 1 "the executable does not start"
say "$(printf '%s' "$version" | tr '\n' ' ')"
inside init >"$work/init.out" 2>&1 || { cat "$work/init.out" >&2; fail 1 "init failed"; }
inside init >/dev/null 2>&1 && fail 1 "a second init was not refused"
modes=$(stat -c '%a %u' "$root/data" "$root/data/receiver.json" | tr '\n' ' ')
[ "$modes" = "700 10001 600 10001 " ] || fail 1 "the data folder and receiver.json have the wrong mode or owner: $modes"

env -i SYNCKY_DATA=/data "$chroot" --userspec=10001:10001 "$root" /server serve --bind 127.0.0.1 --port 0 --api-bind off \
    >"$work/serve.out" 2>"$work/serve.log" &
serving=$!
listening='s/.*listening.*127\.0\.0\.1:\([0-9][0-9]*\).*/\1/p'
has_port() { [ -n "$(sed -n "$listening" "$work/serve.log")" ]; }
wait_for 20 has_port || fail 1 "serve did not say where it listens"
port=$(sed -n "$listening" "$work/serve.log" | head -n 1)
say "serving on port $port"

wait_for 20 inside health --port "$port" || fail 1 "health says that the server is not ready"
curl -sSf --max-time 10 "http://127.0.0.1:$port/readyz" >/dev/null || fail 1 "readyz did not answer 2xx"

inside link --host 127.0.0.1 --port "$port" >"$work/link" 2>"$work/link.err" || { cat "$work/link.err" >&2; fail 1 "link failed"; }
inside link --host 127.0.0.1 --port "$port" --qr >"$work/qr" 2>"$work/qr.err" || { cat "$work/qr.err" >&2; fail 1 "link --qr failed"; }
[ "$(wc -l <"$work/qr")" -gt 15 ] || fail 1 "link --qr printed no QR code"

examples/send/send.sh <"$work/link" || fail 1 "the signed delivery was not taken"
sed 's/hmac=whsec_./hmac=whsec_~/' "$work/link" >"$work/wrong"
examples/send/send.sh <"$work/wrong" >/dev/null 2>&1 && fail 1 "a delivery with a wrong signature was taken"

kill -TERM "$serving"
wait "$serving" || fail 1 "serve did not stop cleanly on SIGTERM"
serving=

# What was answered with 204 is in the file, for any SQLite tool.
python3 - "$root/data/health.db" <<'PYTHON'
import sqlite3, sys
rows = sqlite3.connect(sys.argv[1]).execute(
    "SELECT type, value, value_name, unit, start FROM samples WHERE type IN ('steps', 'sleep_analysis') ORDER BY type"
).fetchall()
expected = [
    ("sleep_analysis", 3.0, "asleep_core", None, "2026-10-13T23:10:00Z"),
    ("steps", 412.0, None, "count", "2026-10-14T07:01:00Z"),
]
if rows != expected:
    sys.exit(f"health.db holds {rows}, expected {expected}")
PYTHON
say "init, serve, health, link and a signed delivery work in a chroot of the image's files alone"
