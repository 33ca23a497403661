#!/bin/sh
# Counts the instructions that decoding one fixed body of 1 MB takes, each dialect, and compares them with
# scripts/instructions.txt: scripts/check-instructions.sh [--update]
#
# Unlike seconds, instructions are the same on every machine of an architecture, however busy: valgrind runs them on a
# processor of its own making. A dialect that takes over 10 % more than written down fails; --update writes the counts down.
set -eu
case ${1:-} in
"" | --update) ;;
*) echo "usage: scripts/check-instructions.sh [--update]" >&2; exit 64 ;;
esac
cd "$(dirname "$0")/.."
. scripts/lib.sh

numbers=scripts/instructions.txt
dialects="native csv influx hae results"
room_percent=10

need_swift
# shellcheck disable=SC2086 # lists of names
need_packages $build_packages valgrind
# As the image's executable is built, so that what is there already need not be built again.
swift build -c release --static-swift-stdlib --product bench >&2
bench=$(swift build -c release --static-swift-stdlib --product bench --show-bin-path)/bench
machine=$(uname -m)

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# count DIALECT: the instructions between the start and the return of `countedPass` in Sources/bench/DecodeOnce.swift.
count() {
    # Tables have the same collisions each time.
    SWIFT_DETERMINISTIC_HASHING=1 valgrind --tool=callgrind --callgrind-out-file=/dev/null \
        --toggle-collect='*11countedPass*' "$bench" --count "$1" >"$work/log" 2>&1 || {
        cat "$work/log" >&2
        fail 1 "bench --count $1 failed under valgrind"
    }
    counted=$(sed -n 's/.*Collected : \([0-9][0-9]*\).*/\1/p' "$work/log")
    # A function that was inlined or renamed is never entered.
    [ "${counted:-0}" -gt 1000000 ] || fail 1 "$1: valgrind did not find the function that is counted"
    printf '%s' "$counted"
}

status=0
for dialect in $dialects; do
    counted=$(count "$dialect")
    printf '%s %s %s\n' "$machine" "$dialect" "$counted" >>"$work/counts"
    expected=$(awk -v m="$machine" -v d="$dialect" '$1 == m && $2 == d { print $3 }' "$numbers")
    if [ -z "$expected" ]; then
        say "$dialect: $counted instructions; $numbers has no number for $machine"
        continue
    fi
    percent=$((counted * 100 / expected - 100))
    say "$dialect: $counted instructions, $expected expected, $percent %"
    [ "${1:-}" != --update ] || continue
    if [ "$((counted * 100))" -gt "$((expected * (100 + room_percent)))" ]; then
        say "$dialect: over $room_percent % more than expected; find out why, or write it down with --update"
        status=1
    elif [ "$((counted * 100))" -lt "$((expected * (100 - room_percent)))" ]; then
        say "$dialect: over $room_percent % less than expected; write it down with --update, so that it stays so"
    fi
done
if [ "${1:-}" = --update ]; then
    { grep -v "^$machine " "$numbers" || true; cat "$work/counts"; } >"$work/numbers"
    cat "$work/numbers" >"$numbers"
    say "wrote $numbers"
fi
exit "$status"
