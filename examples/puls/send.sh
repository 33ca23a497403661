#!/bin/sh
# Sends a batch as PulsHealth does, two heart rates, and asks for the month's digest:
# TOKEN=… examples/puls/send.sh http://localhost:8787/hook/puls
# No secret is ever an argument of a program, where any user's `ps` would show it: printf is built in, curl reads stdin.
set -eu
url=${1:?the endpoint, such as http://localhost:8787/hook/puls}
header=$(printf 'header = "Authorization: Bearer %s"' "${TOKEN:?the token: server link prints it within the link}")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# A header that promises two samples, then the two: the second in the same month.
gzip >"$folder/batch" <<'LINES'
{"schemaVersion":1,"batchID":"B5E1D000-0000-4000-8000-000000000001","deviceID":"example","type":"HKQuantityTypeIdentifierHeartRate","reason":"manual","exportedAt":1791961260000,"sampleCount":2,"deletionCount":0}
{"uuid":"5E1D0000-0000-4000-8000-0000000000A1","type":"HKQuantityTypeIdentifierHeartRate","kind":"quantity","start":1791961200000.5,"value":61,"unit":"count/min","sourceName":"Watch"}
{"uuid":"5E1D0000-0000-4000-8000-0000000000A2","type":"HKQuantityTypeIdentifierHeartRate","kind":"quantity","start":1791961260000,"value":63,"unit":"count/min","sourceName":"Watch"}
LINES
printf '%s\n' "$header" | curl --config - --silent --show-error --fail-with-body --header 'Content-Type: application/x-ndjson' \
    --header 'Content-Encoding: gzip' --header 'X-Puls-Protocol: 1' --data-binary "@$folder/batch" "$url/v1/batches"
printf '\n'
printf '%s\n' "$header" | curl --config - --silent --show-error --fail-with-body \
    "$url/v1/digest?type=HKQuantityTypeIdentifierHeartRate&from=1790812800000&to=1793491200000"
printf '\n'
