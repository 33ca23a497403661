#!/bin/sh
# Sends two days of steps and asks for the summary: TOKEN=… examples/steps/send.sh http://localhost:8787/hook/trainee
# No secret is ever an argument of a program, where any user's `ps` would show it: printf is built in, curl reads stdin.
set -eu
url=${1:?the endpoint, such as http://localhost:8787/hook/trainee} today=$(date +%F)
header=$(printf 'header = "Authorization: Bearer %s"' "${TOKEN:?the token that server init printed}")
printf '%s\n' "$header" | curl --config - --silent --show-error --fail-with-body --header 'Content-Type: application/json' \
    --data "{\"days\":[{\"date\":\"2026-10-13\",\"steps\":8123},{\"date\":\"$today\",\"steps\":4391}]}" "$url/v1/trainee/health/days"
printf '%s\n' "$header" | curl --config - --silent --show-error --fail-with-body "$url/v1/trainee/health/summary"
