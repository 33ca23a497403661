#!/bin/sh
# Opens the dashboard of a real server in a headless Chromium: scripts/check-dashboard.sh [--screenshots]
#
# The data are those that `server demo` invents. With --screenshots the pictures in docs/screenshots are made anew, too.
set -eu
case ${1:-} in
"" | --screenshots) ;;
*) echo "usage: scripts/check-dashboard.sh [--screenshots]" >&2; exit 64 ;;
esac
cd "$(dirname "$0")/.."
. scripts/lib.sh

need_swift
# shellcheck disable=SC2086 # lists of names
need_packages $build_packages $zone_package python3 chromium
python3 scripts/make-dashboard.py --check
build_release

if [ "${1:-}" != --screenshots ]; then
    exec timeout 300 python3 Tests/Dashboard/check.py --server "$server"
fi
# A font that looks much as those of a phone or a Mac do, and two programs that make the pictures small.
need_packages fonts-inter pngquant optipng
pictures=$(mktemp -d)
trap 'rm -rf "$pictures"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
timeout 600 python3 Tests/Dashboard/check.py --server "$server" --screenshots "$pictures"
pngquant --quality 60-92 --strip --force --ext .png "$pictures"/*.png
optipng -quiet -o2 "$pictures"/*.png
mkdir -p docs/screenshots
rm -f docs/screenshots/*.png
cp "$pictures"/*.png docs/screenshots/
du -ch docs/screenshots/*.png | tail -n 1
