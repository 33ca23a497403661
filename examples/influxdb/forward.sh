#!/bin/bash
# Writes what the receiver stored to InfluxDB 2: examples/influxdb/forward.sh [DAYS]
#
# Exports the samples that start in the last DAYS (default 7) and posts them in requests of 5,000 lines. What InfluxDB has
# already is written over with itself: measurement, tags and time make a point, so running this twice changes nothing.
# Choose DAYS longer than the phone may be away, since a sample arrives later than it starts.
#
# INFLUX_URL     such as http://localhost:8086/api/v2/write?org=home&bucket=health&precision=ns
# INFLUX_HEADER  a file that holds one line, readable by this user alone: Authorization: Token …
# RECEIVER       the receiver's executable, default syncky-receiver; SYNCKY_DATA is its data folder
set -euo pipefail
export INFLUX_URL=${INFLUX_URL:?} INFLUX_HEADER=${INFLUX_HEADER:?}
from=$(date -u -d "${1:-7} days ago" +%Y-%m-%dT%H:%M:%SZ)
# curl reads the token from the file, so that no list of processes shows it. A failed request fails the whole run.
"${RECEIVER:-syncky-receiver}" export --format influx --from "$from" |
    split -l 5000 --filter='curl --silent --show-error --fail-with-body --max-time 60 --retry 3 --header "@$INFLUX_HEADER" \
        --header "Content-Type: text/plain; charset=utf-8" --data-binary @- "$INFLUX_URL"'
