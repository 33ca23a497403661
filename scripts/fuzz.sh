#!/bin/sh
# Fuzzes what reads bytes of strangers, guided by coverage, under the address sanitizer: scripts/fuzz.sh SECONDS [TARGET…]
# runs each target (all of them when none is named) that many seconds, one after the other. It ends with status 1 at the
# first finding and prints how to run that input again: scripts/fuzz.sh --reproduce TARGET FILE.
#
# Targets are in Fuzzing/; each starts from Fuzzing/corpus/TARGET and Fuzzing/regressions/TARGET. What it finds on its way
# stays in .build/fuzz/corpus, so that the next run goes on from there; FUZZ_FRESH=1 forgets it. FUZZ_JSON=FILE gets a line
# for each target: executions, edges, seconds.
set -eu
cd "$(dirname "$0")/.."
. scripts/lib.sh

out=.build/fuzz
targets="head body json number time native hae csv influx results config gzip multipart zone catalog signature export puls xml zip"
usage="usage: scripts/fuzz.sh SECONDS [TARGET…] | --reproduce TARGET FILE | --build | --list. Targets: $targets"

# flags of one module: as in Package.swift, and what the fuzzer needs. Assertions stay in although it is optimised: the
# scanner's own bounds are some of them.
flags="-O -assert-config Debug -swift-version 6 -package-name receiver -enable-testing -sanitize=fuzzer,address
    -enable-upcoming-feature ExistentialAny -enable-upcoming-feature MemberImportVisibility
    -enable-upcoming-feature InternalImportsByDefault -parse-as-library -wmo
    -I Sources/CLinux -I Sources/COpenSSL -I Sources/CSQLite -I Sources/CZlib -I $out"

# Builds what is older than its sources; a module that changed has those behind it built, too.
build() {
    mkdir -p "$out"
    # Other flags or another compiler: from the beginning.
    stamp="$banner $flags"
    [ "$(cat "$out/stamp" 2>/dev/null)" = "$stamp" ] || rm -f "$out"/*.a "$out/fuzz"
    printf '%s\n' "$stamp" >"$out/stamp"
    changed=
    libraries=
    for module in Threads Transport Wire Signing Samples Storage Insights Receiver; do
        library=$out/lib$module.a
        libraries="$library $libraries"
        if [ -n "$changed" ] || [ ! -e "$library" ] ||
            [ -n "$(find "Sources/$module" -newer "$library" -print -quit)" ]; then
            say "building $module"
            changed=yes
            # shellcheck disable=SC2046,SC2086 # lists of words; no path has a space
            swiftc $flags -emit-module -emit-module-path "$out/$module.swiftmodule" -emit-library -static \
                -module-name "$module" -o "$library" $(find "Sources/$module" -name '*.swift' | sort) ||
                fail 1 "$module doesn't build"
        fi
    done
    if [ -n "$changed" ] || [ ! -e "$out/fuzz" ] || [ -n "$(find Fuzzing -name '*.swift' -newer "$out/fuzz" -print -quit)" ]; then
        say "building the targets"
        # shellcheck disable=SC2046,SC2086 # lists of words
        swiftc $flags -module-name Fuzz -o "$out/fuzz" $(find Fuzzing -name '*.swift' | sort) $libraries \
            -lssl -lcrypto -lsqlite3 -lz 2>"$out/link.log" || {
            cat "$out/link.log" >&2
            fail 1 "the targets don't build"
        }
    fi
}

# Most bytes of an input. Inputs longer than any rule needs only make it slow.
longest() {
    case $1 in
    number | time) echo 128 ;;
    zone | signature | multipart) echo 2048 ;;
    catalog) echo 65536 ;;
    *) echo 8192 ;;
    esac
}

# The sanitizer's symbolizer, a child, may keep a pipe open behind a crash: the output goes to a file.
fuzz() {
    target=$1
    found=$out/corpus/$target
    artifacts=$out/findings/$target
    log=$out/$target.log
    [ -z "${FUZZ_FRESH:-}" ] || rm -rf "$found"
    mkdir -p "$found" "$artifacts"
    set -- "$found"
    for seeds in "Fuzzing/corpus/$target" "Fuzzing/regressions/$target"; do
        [ ! -d "$seeds" ] || set -- "$@" "$seeds"
    done
    dictionary=Fuzzing/dictionaries/$target
    [ ! -e "$dictionary" ] || set -- "$@" "-dict=$dictionary"
    status=0
    SWIFT_BACKTRACE=enable=no SWIFT_DETERMINISTIC_HASHING=1 FUZZ_TARGET=$target \
        ASAN_OPTIONS=symbolize=0:detect_leaks=0:quarantine_size_mb=16 \
        "$out/fuzz" "$@" "-max_total_time=$seconds" "-max_len=$(longest "$target")" -timeout=10 -rss_limit_mb=1024 \
        -print_final_stats=1 "-artifact_prefix=$artifacts/" >"$log" 2>&1 </dev/null || status=$?
    runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log" | tail -n 1)
    edges=$(sed -n 's/.* cov: \([0-9]*\).*/\1/p' "$log" | tail -n 1)
    features=$(sed -n 's/.* ft: \([0-9]*\).*/\1/p' "$log" | tail -n 1)
    printf '%-10s %12s runs %6s edges %7s features %s\n' "$target" "${runs:-0}" "${edges:-0}" "${features:-0}" \
        "$([ "$status" -eq 0 ] && echo ok || echo FINDING)"
    [ -z "${FUZZ_JSON:-}" ] || printf '{"target":"%s","seconds":%s,"runs":%s,"edges":%s,"features":%s,"ok":%s}\n' "$target" \
        "$seconds" "${runs:-0}" "${edges:-0}" "${features:-0}" "$([ "$status" -eq 0 ] && echo true || echo false)" >>"$FUZZ_JSON"
    [ "$status" -eq 0 ] && return 0
    grep -a -m 5 -e '^FINDING' -e 'Fatal error' -e '^SUMMARY' -e '==ERROR' -e 'ERROR: libFuzzer' "$log" >&2 || tail -n 20 "$log" >&2
    input=$(find "$artifacts" -type f -newer "$out/started" | tail -n 1)
    fail 1 "$target found something; again: scripts/fuzz.sh --reproduce $target ${input:-$log}"
}

case ${1:-} in
--list) printf '%s\n' $targets; exit ;;
--build | --reproduce) [ "$1" = --build ] || [ $# -eq 3 ] || fail 64 "$usage" ;;
"" | *[!0-9]*) fail 64 "$usage" ;;
esac
need_swift
# shellcheck disable=SC2086 # a list of names
need_packages $build_packages
build
: >"$out/started"
case $1 in
--build) exit ;;
--reproduce)
    SWIFT_DETERMINISTIC_HASHING=1 FUZZ_TARGET=$2 ASAN_OPTIONS=detect_leaks=0 exec "$out/fuzz" -timeout=10 "$3" </dev/null
    ;;
esac
seconds=$1
shift
for name in "$@"; do
    case " $targets " in *" $name "*) ;; *) fail 64 "there is no target $name. $usage" ;; esac
done
[ $# -gt 0 ] || set -- $targets
# shellcheck disable=SC2086 # a list of names
for name in "$@"; do fuzz "$name"; done
