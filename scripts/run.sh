#!/bin/sh
# Installs what is missing, builds, sets up an endpoint unless there is one, prints its setup link with a QR code and
# serves: scripts/run.sh [options of `server serve`]. Run it again at any time: it does only what is left to do.
#
# The data folder is $SYNCKY_DATA, else $XDG_DATA_HOME/syncky-receiver, else ~/.local/share/syncky-receiver.
set -eu
# A relative folder means one where the caller is, not one of the checkout.
case ${SYNCKY_DATA:-} in "" | /*) ;; *) SYNCKY_DATA=$PWD/$SYNCKY_DATA ;; esac
cd "$(dirname "$0")/.."
. scripts/lib.sh

need_swift
# shellcheck disable=SC2086 # lists of names
need_packages $build_packages $qr_package
build_release

# The link must name the port and the scheme that `serve` is told.
link="link --qr" option=
for word in "$@"; do
    case $word in
    --data | --data=*) fail 64 "the data folder goes into the environment: SYNCKY_DATA=DIR scripts/run.sh" ;;
    --port=*) link="$link $word" ;;
    --tls-cert | --tls-cert=*) link="$link --https" ;;
    esac
    [ "$option" != --port ] || link="$link --port=$word"
    option=$word
done

SYNCKY_DATA=${SYNCKY_DATA:-${XDG_DATA_HOME:-$HOME/.local/share}/syncky-receiver}
export SYNCKY_DATA
if [ -e "$SYNCKY_DATA/receiver.json" ]; then
    say "the data folder is $SYNCKY_DATA"
else
    "$server" init
fi
# shellcheck disable=SC2086 # words, none with a space
"$server" $link || say "no link for now: server link says more; serving anyway"
exec "$server" serve "$@"
