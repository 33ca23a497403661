#!/bin/sh
# Sends a push of two days, the second one empty: TOKEN=… examples/relay/send.sh http://localhost:8787/hook/relay
# No secret is ever an argument of a program, where any user's `ps` would show it: printf is built in, curl reads stdin.
set -eu
url=${1:?the endpoint, such as http://localhost:8787/hook/relay} now=$(date -u +%Y-%m-%dT%H:%M:%SZ)
printf 'header = "Authorization: Bearer %s"\n' "${TOKEN:?the token that server init printed}" |
    curl --config - --silent --show-error --fail-with-body --header 'Content-Type: application/json' --data "{
\"schema\":1,\"exportedAt\":\"$now\",\"device\":{\"id\":\"example\",\"timeZone\":\"Europe/Berlin\"},
\"days\":[\"2026-10-13\",\"2026-10-14\"],
\"metrics\":[{\"day\":\"2026-10-13\",\"name\":\"step_count\",\"unit\":\"count\",\"source\":\"Watch\",\"sum\":4391},
{\"day\":\"2026-10-13\",\"name\":\"heart_rate\",\"unit\":\"count/min\",\"source\":\"Watch\",\"avg\":61.5,\"min\":48,\"max\":141,\"count\":288}],
\"workouts\":[{\"start\":\"2026-10-13T05:00:00Z\",\"end\":\"2026-10-13T05:31:10Z\",\"activity\":\"Running\",\"duration\":1870}]}" "$url"
