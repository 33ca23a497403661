#!/bin/bash
# Posts what the receiver stored to n8n's webhook as native bodies: examples/n8n/forward.sh [DAYS]
#
# Exports the samples that start in the last DAYS (default 1), at most 1,000,000 bytes a request. Run it from cron or a
# systemd timer. n8n keeps no memory of what it got: samples come again, and device and uuid tell them apart.
#
# N8N_URL     such as https://n8n.example.net/webhook/syncky-health
# N8N_HEADER  a file that holds one line, readable by this user alone: X-Api-Key: …
# RECEIVER    the receiver's executable, default syncky-receiver; SYNCKY_DATA is its data folder
set -euo pipefail
export N8N_URL=${N8N_URL:?} N8N_HEADER=${N8N_HEADER:?}
from=$(date -u -d "${1:-1} days ago" +%Y-%m-%dT%H:%M:%SZ)
# One body a line. curl reads the key from the file, so that no list of processes shows it.
"${RECEIVER:-syncky-receiver}" export --format native --from "$from" |
    split -l 1 --filter='curl --silent --show-error --fail-with-body --max-time 60 --output /dev/null --header "@$N8N_HEADER" \
        --header "Content-Type: application/json" --data-binary @- "$N8N_URL"'
