#!/bin/sh
# Sends an hour of heart rates as Health Auto Export does: TOKEN=… examples/health-auto-export/send.sh http://localhost:8787/hook/hae
# No secret is ever an argument of a program, where any user's `ps` would show it: printf is built in, curl reads stdin.
set -eu
url=${1:?the endpoint, such as http://localhost:8787/hook/hae}
header=$(printf 'header = "Authorization: Bearer %s"' "${TOKEN:?the token that server add printed}")
printf '%s\n' "$header" | curl --config - --silent --show-error --fail-with-body --header 'Content-Type: application/json' \
    --header 'automation-name: Example' --header 'automation-aggregation: Hours' --header 'automation-period: Today' \
    --data '{"data":{"metrics":[{"name":"heart_rate","units":"count/min","data":[{"date":"2026-10-14 07:00:00 +0200","Min":58,"Avg":63.5,"Max":71,"source":"Watch"}]}],"workouts":[]}}' \
    "$url"
