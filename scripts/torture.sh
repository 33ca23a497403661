#!/bin/sh
# Kills a server again and again while phones send, and looks whether all that it acknowledged is there exactly once:
# scripts/torture.sh ROUNDS [--seed N] [--only kill|term|full|tmpfs|eio|clock|descriptors] [--seconds S] [--debug]. Ends with 1 and
# the folder's name when something is missing or torn. What a round does is in scripts/torture/torture.py.
#
# `tmpfs` is a disk of a few megabytes, for root alone. `full` and `eio` come from a library in front of the C library, which
# this script compiles; the clock's jumps from libfaketime, without which those rounds are left out.
set -eu
cd "$(dirname "$0")/.."
. scripts/lib.sh

[ $# -gt 0 ] || fail 64 "usage: scripts/torture.sh ROUNDS [--seed N] [--only KIND] [--seconds S] [--debug]"
configuration=release
words=
for word in "$@"; do
    if [ "$word" = --debug ]; then configuration=debug; else words="$words $word"; fi
done
need_swift
command -v python3 >/dev/null 2>&1 || need_packages python3
# shellcheck disable=SC2086 # lists of names
need_packages $build_packages $clock_package
if [ "$configuration" = release ]; then
    build_release
else
    swift build --product server >&2
    server=$(swift build --show-bin-path)/server
fi
out=.build/torture
mkdir -p "$out"
# The toolchain that compiles the server has a C compiler beside it.
compiler=$(command -v cc || command -v clang || dirname "$(command -v swift)")
[ -x "$compiler" ] && [ ! -d "$compiler" ] || compiler=$compiler/clang
"$compiler" -O1 -shared -fPIC -o "$out/failing-disk.so" scripts/torture/failing-disk.c -ldl ||
    fail 69 "scripts/torture/failing-disk.c doesn't compile"
faketime=
for library in /usr/lib/*/faketime/libfaketimeMT.so.1 /usr/lib/*/faketime/libfaketime.so.1; do
    [ ! -e "$library" ] || { faketime=$library; break; }
done
# shellcheck disable=SC2086 # words of the command line, none with a space
exec python3 scripts/torture/torture.py $words --server "$server" --shim "$PWD/$out/failing-disk.so" --faketime "$faketime"
