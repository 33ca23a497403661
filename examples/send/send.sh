#!/bin/sh
# Sends a signed native delivery as the phone would: server link --host localhost | examples/send/send.sh
# No secret is ever an argument of a program, where any user's `ps` would show it: printf is built in, curl reads stdin.
set -eu
read -r link
part() { printf '%s' "$link" | sed -n "s/.*[?&]$1=\([^&]*\).*/\1/p" | sed 's/%3A/:/g; s/%2F/\//g; s/%5B/[/g; s/%5D/]/g'; }
secret=$(part hmac) time=$(date +%s) id=$(openssl rand -hex 16) body=$(mktemp)
trap 'rm -f "$body"' EXIT
from='"source":{"app":"com.apple.Health","device":"Apple Watch"}'
cat >"$body" <<END
{"v":1,"type":"sync","device":"d_example","samples":[
{"uuid":"5E1D0000-0000-4000-8000-000000000001","type":"steps","value":412,"unit":"count","start":"2026-10-14T07:01:00Z","end":"2026-10-14T07:01:59Z",$from},
{"uuid":"51EE0000-0000-4000-8000-000000000001","type":"sleep_analysis","value":"asleep_core","start":"2026-10-13T23:10:00Z","end":"2026-10-14T00:40:00Z",$from},
{"uuid":"0B6F0000-0000-4000-8000-000000000001","type":"workout","activity":"running","duration_s":1870,"energy_kcal":312.4,"start":"2026-10-14T05:00:00Z","end":"2026-10-14T05:31:10Z",$from},
{"uuid":"0E0B0000-0000-4000-8000-000000000001","type":"heartbeat_series","start":"2026-10-14T06:00:00Z","end":"2026-10-14T06:01:00Z","count":2,"part":0,"parts":1,"beats":[[0,0],[842,0]],$from},
{"uuid":"characteristic:blood_type","type":"characteristic","name":"blood_type","value":"a_positive"}],
"deleted":[{"uuid":"5E1D0000-0000-4000-8000-000000000099","type":"steps"}],"acks":[],"more":false}
END
# HMAC-SHA256 by its definition (RFC 2104): sha256((key ^ 5C…) + sha256((key ^ 36…) + text)), for keys of up to 64 bytes.
key_xor() { key=$secret; for _ in $(seq 64); do c=${key%"${key#?}"}; key=${key#?}; n=0; [ -z "$c" ] || n=$(printf %d "'$c"); printf "\\$(printf %o $((n ^ $1)))"; done; }
inner() { { key_xor 54; printf '%s.' "$time"; cat "$body"; } | openssl dgst -sha256 -binary; }
signature=$({ key_xor 92; inner; } | openssl dgst -sha256 -r | cut -c 1-64)
curl --config - <<END
url = "$(part url)"
header = "Authorization: Bearer $(part token)"
header = "X-Syncky-Timestamp: $time"
header = "X-Syncky-Signature: v1=$signature"
header = "X-Syncky-Format: native"
header = "X-Syncky-Delivery: $id"
header = "Content-Type: application/json"
data-binary = "@$body"
write-out = "%{http_code}\n"
silent
show-error
fail-with-body
END
