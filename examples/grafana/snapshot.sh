#!/bin/bash
# Copies the receiver's database for Grafana: examples/grafana/snapshot.sh FOLDER
#
# FOLDER/health.db is replaced in one step: whoever has the old one open reads it to the end, whoever opens it anew gets
# the new one. The copy has no write-ahead log, so that it opens in a folder that is mounted read-only.
#
# RECEIVER  the receiver's executable, default syncky-receiver; SYNCKY_DATA is its data folder
# GROUP     who may read the copy; without it only this user can
set -euo pipefail
folder=${1:?"snapshot.sh FOLDER"}
mkdir -p "$folder"
# What a run left that was ended by force or a power cut.
rm -f "$folder"/.health.*
new=$folder/.health.$$
trap 'rm -f "$new"' EXIT
"${RECEIVER:-syncky-receiver}" backup "$new" >/dev/null
if [ -n "${GROUP:-}" ]; then
    chgrp "$GROUP" "$new"
    chmod 0640 "$new"
fi
mv -f "$new" "$folder/health.db"
