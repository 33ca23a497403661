#!/bin/sh
# Runs the whole test suite under a sanitizer: scripts/sanitize.sh [address|thread] [options of `swift test`]; both when none
# is named. Fails when a test fails and when the sanitizer reports anything. Reports are kept in .build/sanitize.
#
# Each builds into a folder of its own. Under them tests take several times as long as without.
set -eu
cd "$(dirname "$0")/.."
. scripts/lib.sh

need_swift
# shellcheck disable=SC2086 # lists of names
need_packages $build_packages $qr_package $zone_package $clock_package
reports=$PWD/.build/sanitize
mkdir -p "$reports"

sanitize() {
    kind=$1
    shift
    rm -f "$reports/$kind".*
    say "building for the $kind sanitizer (minutes the first time)"
    swift build --build-tests "--sanitize=$kind" --scratch-path ".build/$kind"
    preload=
    if [ "$kind" = thread ]; then
        # Says where `Mutex` takes a lock that was held: scripts/sanitize/mutex.c.
        compiler=$(command -v cc || command -v clang || echo "$(dirname "$(command -v swift)")/clang")
        # Its calling convention is clang's alone.
        command -v clang >/dev/null 2>&1 && compiler=clang
        "$compiler" -O1 -shared -fPIC -o "$reports/mutex.so" scripts/sanitize/mutex.c -ldl || fail 69 "scripts/sanitize/mutex.c needs clang"
        preload=$reports/mutex.so
    fi
    status=0
    # One test at a time: a dozen servers under a sanitizer at once are slower than what their clients wait for. Left out is the
    # test at the guide's clock: libfaketime and the thread sanitizer both stand in front of the C library, and wait for each
    # other before the program begins.
    # Leaks: what lives to the process's end is no leak of a server's, and the tests' own frameworks have many.
    TSAN_OPTIONS="log_path=$reports/thread halt_on_error=0" \
        ASAN_OPTIONS="log_path=$reports/address detect_leaks=0 detect_stack_use_after_return=1" \
        LD_PRELOAD=$preload \
        swift test --skip-build --no-parallel --skip repliesAtTheGuidesClock "--sanitize=$kind" --scratch-path ".build/$kind" "$@" >"$reports/$kind.log" 2>&1 || status=$?
    tail -n 3 "$reports/$kind.log"
    found=$(find "$reports" -name "$kind.[0-9]*" | wc -l)
    if [ "$found" -gt 0 ]; then
        grep -h SUMMARY "$reports/$kind".[0-9]* | sort | uniq -c >&2
        fail 1 "the $kind sanitizer reported something: $reports/$kind.*"
    fi
    [ "$status" -eq 0 ] || fail 1 "tests failed under the $kind sanitizer: $reports/$kind.log"
    say "clean under the $kind sanitizer"
}

case ${1:-} in
address | thread) sanitize "$@" ;;
"" | -*)
    sanitize address "$@"
    sanitize thread "$@"
    ;;
*) fail 64 "usage: scripts/sanitize.sh [address|thread] [options of swift test]" ;;
esac
