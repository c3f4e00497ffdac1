#!/usr/bin/env bash
# Verifies real tokens: those of the RFCs by the keys that the RFCs print, and new ones signed by the openssl command. Then the
# vectors, and the first throughput. ASSAY names another command instead of .build/release/assay. Exits with 0 only if every verdict is the expected one.
set -euo pipefail
cd "$(dirname "$0")/../.."
. scripts/demonstrations/common.sh

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
echo "The vectors of this repository: tokens with the verdict that each must get:"
$assay conformance vectors | sed 's/^/  /' || wrong "the vectors"

echo
count=100000
yes "$good" | head -n $count >"$work/batch" || true
started_at=$(date +%s%N)
valid=$($assay verify --key "$work/EdDSA.pem" --batch "$work/batch" --quiet | grep -c '^valid$')
milliseconds=$((($(date +%s%N) - started_at) / 1000000))
show $count "$count EdDSA tokens in $milliseconds ms, each signature verified: valid" "$valid"
finish
