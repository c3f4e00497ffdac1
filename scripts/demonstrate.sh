#!/usr/bin/env bash
# Verifies real tokens against real keys: tokens of the RFCs, new tokens signed by the openssl command, and tokens of a provider on
# loopback whose keys change. Then logs in at the reference IDaaS, and opens nginx with the id_token. Exits with 0 only if every verdict is
# the expected one.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/idaas.sh
. scripts/gateway.sh

assay=.build/release/assay
work=$(mktemp -d)
provider=.build/release/loopback-provider
started=() gateway_pids=()
trap 'kill "${started[@]}" "${gateway_pids[@]}" 2>/dev/null || true; rm -rf "$work"' EXIT
faults=()

# expect OUTCOME "description" COMMAND…: runs the command, shows its outcome, and records a fault if it differs from OUTCOME.
expect() {
    local outcome=$1 what=$2 got
    shift 2
    if got=$("$@" 2>&1); then got=valid; else got=$(sed -n 's/^refused \([a-z0-9_]*\).*/\1/p' <<<"$got"); fi
    show "$outcome" "$what" "$got"
}

# show OUTCOME "description" GOT: the same for an outcome that is already known.
show() {
    printf '  %-58s %s\n' "$2" "$3"
    if [ "$3" != "$1" ]; then
        printf '    expected %s\n' "$1"
        wrong "$2: $3 instead of $1"
    fi
}

# wrong FAULT: records a fault. The last lines of the demonstration name all of them.
wrong() { faults+=("$1"); }

# tell COMMAND…: prints the provider's answer to a command.
tell() {
    local answer
    echo "$*" >&"${to_provider}"
    read -r -t 30 answer <&"${from_provider}" && echo "$answer"
}

# fetches: prints how often the keys were requested.
fetches() { tell requests; }

# judge TOKEN…: prints the running verifier's verdict on each token.
judge() {
    local verdict
    printf '%s\n' "$@" >&"${to_verifier}"
    for _ in "$@"; do read -r -t 30 verdict <&"${from_verifier}" && echo "$verdict"; done
}

# ask_until PATTERN [FIELD…]: asks the gateway until the answer has the pattern, for a minute at most, and prints the last answer. The
# service answers while it still fetches its first keys, or has not yet read its files after a signal.
ask_until() {
    local pattern=$1 answer end=$((SECONDS + 60))
    shift
    until answer=$(ask_gateway "$@") && [[ $answer == $pattern ]] || ((SECONDS > end)); do sleep 0.1; done
    echo "$answer"
}

base64url() { openssl base64 -A | tr '+/' '-_' | tr -d '='; }

# fixed_width DER: prints an ECDSA signature's two integers as 64 bytes (RFC 7518 section 3.4).
fixed_width() {
    openssl asn1parse -inform DER -in "$1" | sed -n 's/.*INTEGER *:\([0-9A-F-]*\).*/\1/p' | while read -r number; do
        printf '%064s' "$number" | tr ' ' '0'
    done | sed 's/../\\x&/g' | xargs -0 printf '%b'
}

# sign ALG KEY HEADER CLAIMS: prints a token signed by the openssl command.
sign() {
    local input
    input="$(printf '%s' "$3" | base64url).$(printf '%s' "$4" | base64url)"
    printf '%s' "$input" >"$work/input"
    case $1 in
        RS256) openssl dgst -sha256 -sign "$2" -out "$work/signature" "$work/input" ;;
        ES256)
            openssl dgst -sha256 -sign "$2" -out "$work/der" "$work/input"
            fixed_width "$work/der" >"$work/signature"
            ;;
        EdDSA) openssl pkeyutl -sign -rawin -inkey "$2" -in "$work/input" -out "$work/signature" ;;
    esac
    printf '%s.%s' "$input" "$(base64url <"$work/signature")"
}

echo
echo "Tokens of the RFCs, and the verdict on each, by the keys that the RFCs print:"
expect valid "RFC 7515 A.2, RS256, at the date of the example" $assay verify --key Examples/rfc/rfc7515-a2-rs256.jwk --now 1300819000 "$(cat Examples/rfc/rfc7515-a2-rs256.jwt)"
expect valid "RFC 7515 A.3, ES256, at the date of the example" $assay verify --key Examples/rfc/rfc7515-a3-es256.jwk --now 1300819000 "$(cat Examples/rfc/rfc7515-a3-es256.jwt)"
expect valid "RFC 8037 A.4, EdDSA: the signature, as it has no claims" $assay verify --no-claims --key Examples/rfc/rfc8037-a4-eddsa.jwk "$(cat Examples/rfc/rfc8037-a4-eddsa.jwt)"
expect expired "RFC 7515 A.2 today: it expired in 2011" $assay verify --key Examples/rfc/rfc7515-a2-rs256.jwk "$(cat Examples/rfc/rfc7515-a2-rs256.jwt)"
expect signature_invalid "RFC 7515 A.2, by a key of RFC 7520" $assay verify --keys Examples/rfc/other-rsa.jwks "$(cat Examples/rfc/rfc7515-a2-rs256.jwt)"

echo
echo "Tokens signed just now by the command openssl ($(openssl version | cut -d' ' -f1,2)), and the verdict on each:"
now=$(date +%s)
openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048 -out "$work/RS256.key" 2>/dev/null
openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out "$work/ES256.key" 2>/dev/null
openssl genpkey -algorithm ED25519 -out "$work/EdDSA.key" 2>/dev/null
for alg in RS256 ES256 EdDSA; do
    openssl pkey -in "$work/$alg.key" -pubout -out "$work/$alg.pem"
    header="{\"alg\":\"$alg\",\"typ\":\"JWT\"}"
    claims="{\"iss\":\"https://idp.example\",\"sub\":\"jane\",\"aud\":\"client-1\",\"iat\":$now,\"exp\":$((now + 600))}"
    good=$(sign $alg "$work/$alg.key" "$header" "$claims")
    expired=$(sign $alg "$work/$alg.key" "$header" "${claims/$((now + 600))/$((now - 600))}")
    forged="${good%%.*}.$(printf '%s' "${claims/jane/root}" | base64url).${good##*.}"
    judge=($assay verify --key "$work/$alg.pem" --issuer https://idp.example --audience)
    expect valid "$alg, good" "${judge[@]}" client-1 "$good"
    expect signature_invalid "$alg, tampered with: \"sub\":\"root\"" "${judge[@]}" client-1 "$forged"
    expect expired "$alg, expired ten minutes ago" "${judge[@]}" client-1 "$expired"
    expect audience_mismatch "$alg, for another audience" "${judge[@]}" client-2 "$good"
done
unsecured="$(printf '{"alg":"none"}' | base64url).$(printf '%s' "$claims" | base64url)."
expect unsecured_token "a token without a signature (alg none)" "${judge[@]}" client-1 "$unsecured"

echo
echo "What assay verify prints for a valid token:"
$assay verify --key "$work/EdDSA.pem" "$good" | sed 's/^/  /'

echo
echo "Tokens of a provider whose keys change, the verdict of one verifier on each, and how often it has fetched the keys:"
coproc PROVIDER { exec "$provider"; }
started+=("$PROVIDER_PID")
exec {from_provider}<&"${PROVIDER[0]}" {to_provider}>&"${PROVIDER[1]}"
read -r -t 30 _ issuer <&"$from_provider"
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
exec {to_verifier}>&- {to_provider}>&-

echo
echo "Logins at the reference IDaaS, and the time of each step: through WeChat, with one click, confirmed on the phone, and by SMS:"
mkdir "$work/idaas"
start_idaas "$work/idaas" --simulators
started+=("$idaas_pid")
ASSAY_ID_TOKEN_FILE=$work/id_token .build/release/login-walk "$idaas_url" demo "$assay" --dev --db "$work/idaas/idaas.sqlite" || wrong "the logins"

echo
echo "The vectors of this repository: tokens with the verdict that each must get:"
$assay conformance vectors | sed 's/^/  /' || wrong "the vectors"

echo
echo "Whole verifications of one token after another, beside OpenSSL's bare operation (a ratio above 1: the whole takes less time),"
echo "and refusals of texts that are no tokens (refuse.junk):"
.build/release/bench --quick --only rs256.single --only es256.single --only ed25519.single --only hs256.single --only refuse.junk | sed 's/^/  /'

echo
mkdir "$work/gateway"
start_gateway "$work/gateway" "$idaas_issuer" demo
echo "$gateway_name: the status of a request, and the user that the application is told, or why it is refused:"
id_token=$(cat "$work/id_token")
opened=$(ask_until '200 *' "Authorization: Bearer $id_token")
subject=${opened##* }
show "401 missing_token" "a request without a token" "$(ask_gateway)"
show "200 $subject" "a request with the id_token of the login by SMS" "$opened"
show "401 signature_invalid" "a request with the id_token, its signature changed" "$(ask_gateway "Authorization: Bearer ${id_token%????}AAAA")"
show "200 $subject" "a request with the id_token, and a field that names root" "$(ask_gateway "X-Auth-Subject: root" "Authorization: Bearer $id_token")"
printf 'revocations:\n  - sub: "%s"\n' "$subject" >"$work/gateway/revocations.yaml"
kill -HUP "${gateway_pids[0]}"
show "401 revoked" "the user is revoked at the gateway: the id_token again" "$(ask_until '401 revoked' "Authorization: Bearer $id_token")"

if ((${#faults[@]})); then
    printf 'wrong: %s\n' "${faults[@]}" >&2
    exit 1
fi
