#!/bin/sh
# Installs what is missing, builds, sets up an endpoint unless there is one, prints its setup link with a QR code and
# serves: scripts/run.sh [options of `server serve`]. Run it again at any time: it does only what is left to do.
#
# The data folder is $SYNCKY_DATA, else $XDG_DATA_HOME/syncky-receiver, else ~/.local/share/syncky-receiver.
set -eu
cd "$(dirname "$0")/.."
. scripts/lib.sh

need_swift
# shellcheck disable=SC2086 # lists of names
need_packages $build_packages $qr_package
build_release

data=${SYNCKY_DATA:-${XDG_DATA_HOME:-$HOME/.local/share}/syncky-receiver}
export SYNCKY_DATA="$data"
if [ -e "$data/receiver.json" ]; then
    say "using the endpoint in $data"
else
    "$server" init
fi
"$server" link --qr
exec "$server" serve "$@"
