#!/usr/bin/env bash
# Verifies tokens of a provider whose keys change, and opens nginx with one of them. Exits with 0 only if every verdict is the expected one.
set -euo pipefail
cd "$(dirname "$0")/../.."
. scripts/demonstrations/common.sh

. scripts/gateway.sh

# fetches: prints how often the keys were requested.
fetches() { tell requests; }

# judge TOKEN…: prints the running verifier's verdict on each token.
judge() {
    local verdict
    printf '%s\n' "$@" >&"${to_verifier}"
    for _ in "$@"; do read -r -t 30 verdict <&"${from_verifier}" && echo "$verdict"; done
}

echo
echo "Tokens of a provider whose keys change, the verdict of one verifier on each, and how often it has fetched the keys:"
start_provider
mkfifo "$work/tokens" "$work/verdicts"
$assay verify --issuer "$issuer" --audience client-1 --batch - --quiet <"$work/tokens" >"$work/verdicts" &
started+=("$!")
exec {to_verifier}>"$work/tokens" {from_verifier}<"$work/verdicts"

old=$(tell token)
show valid "a token under the current key" "$(judge "$old")"
show 1 "  fetches so far: the first, through the metadata" "$(fetches)"
name=$(tell rotate)
new=$(tell token)
show valid "the provider rotates: a token under $name, at once" "$(judge "$new")"
show 2 "  fetches so far: one more, for the new key id" "$(fetches)"
show valid "the token from before: its key is still published" "$(judge "$old")"
show signature_invalid "the new token, with the signature of the one before" "$(judge "${new%.*}.${old##*.}")"
tell remove key-2 >/dev/null
name=$(tell rotate)
show valid "key-2 is gone, the provider rotates: a token under $name" "$(judge "$(tell token)")"
show 3 "  fetches so far: one more, for the new key id" "$(fetches)"
show unknown_key "the token from before: its key is gone" "$(judge "$old")"
tell down >/dev/null
show valid "the provider is down: a token under a known key" "$(judge "$new")"
tell up >/dev/null

before=$(fetches) start=$SECONDS
junk=()
for number in {1..200}; do junk+=("$(printf '{"alg":"ES256","kid":"junk-%s"}' "$number" | base64url).${new#*.}"); done
refused=$(judge "${junk[@]}" | sort | uniq -c | sort -rn | awk '{printf "%s%s %s", separator, $1, $2; separator = ", "}')
printf '  %-58s %s\n' "200 tokens with invented key ids" "$refused"
after=$(fetches)
printf '  %-58s %s\n' "  fetches that they caused (2 in ten seconds at most)" "$((after - before))"
if ((after - before > 2 * (1 + (SECONDS - start + 1) / 10))) || [[ $refused == *valid* ]]; then
    wrong "invented key ids: $refused, $((after - before)) fetches"
fi
show valid "a token under a known key, after them" "$(judge "$new")"
echo
echo "The keys that the provider publishes now, as assay keys $issuer prints them:"
$assay keys "$issuer" | sed 's/^/  /'
exec {to_verifier}>&-

echo
mkdir "$work/gateway"
start_gateway "$work/gateway" "$issuer" client-1
echo "$gateway_name: the status of a request, and the user that the application is told, or why it is refused:"
token=$(tell token)
opened=$(ask_until '200 *' "Authorization: Bearer $token")
subject=${opened##* }
show "401 missing_token" "a request without a token" "$(ask_gateway)"
show "200 $subject" "a request with a token of the provider" "$opened"
show "401 signature_invalid" "a request with the token, its signature changed" "$(ask_gateway "Authorization: Bearer ${token%????}AAAA")"
show "200 $subject" "a request with the token, and a field that names root" "$(ask_gateway "X-Auth-Subject: root" "Authorization: Bearer $token")"
printf 'revocations:\n  - sub: "%s"\n' "$subject" >"$work/gateway/revocations.yaml"
kill -HUP "${gateway_pids[0]}"
show "401 revoked" "the user is revoked at the gateway: the token again" "$(ask_until '401 revoked' "Authorization: Bearer $token")"

finish
