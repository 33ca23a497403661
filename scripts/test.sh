#!/bin/sh
# Installs what is missing, builds and runs all tests: scripts/test.sh [options of `swift test`].
# Fails when a test fails, and when no test ran.
set -eu
cd "$(dirname "$0")/.."
. scripts/lib.sh

need_swift
# shellcheck disable=SC2086 # lists of names
need_packages $build_packages $qr_package $zone_package $clock_package
say "building (minutes the first time)"
swift build --build-tests

log=$(mktemp)
trap 'rm -f "$log"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
# `tee` would hide the status of the tests, so it goes by way of a file.
{
    swift test --skip-build "$@" 2>&1 && echo 0 >"$log.status" || echo $? >"$log.status"
} | tee "$log"
status=$(cat "$log.status")
rm -f "$log.status"
[ "$status" -eq 0 ] || fail 1 "tests failed"

# Swift Testing closes with "Test run with N tests in M suites passed"; a filter that matches nothing leaves N at 0.
count=$(sed -n 's/.*Test run with \([0-9][0-9]*\) test.*/\1/p' "$log" | tail -n 1)
[ "${count:-0}" -gt 0 ] || fail 1 "no test ran"
say "$count tests passed"
