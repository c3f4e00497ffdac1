#!/usr/bin/env bash
# Keeps the reference IDaaS running in development, and prints example commands. Its data stay in .build/idaas.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/idaas.sh

(umask 077 && mkdir -p .build/idaas)
start_idaas .build/idaas --simulators --listen "${LISTEN:-127.0.0.1:8800}"
trap 'kill "$idaas_pid" 2>/dev/null; wait "$idaas_pid" 2>/dev/null' EXIT
trap 'exit 0' INT TERM
assay=.build/release/assay
cat <<TEXT
The reference IDaaS answers at $idaas_url, issuer $idaas_issuer. Its log: .build/idaas/idaas.log. Ctrl-C ends it.

In another terminal, from this folder:

  export ASSAY_DEV_TOKEN=$ASSAY_DEV_TOKEN
  $assay login sms --domain $idaas_url --client demo --mobile +86-13800000000     # you solve the slider; the code is read from the outbox
  $assay login wechat --domain $idaas_url --client demo --user jane --mobile +86-13900000000     # the server simulates the WeChat app
  $assay login one-click --domain $idaas_url --client demo --sim CM:+86-13800000000              # ... and the carrier
  $assay session show                                                                  # shows who is logged in, by the verified id_token
  $assay session list
  $assay keys $idaas_issuer                                                            # the keys that sign its tokens
  $assay idaas keys rotate --now --dev --db .build/idaas/idaas.sqlite                  # sign with a new key from now on
  $assay idaas user list --dev --db .build/idaas/idaas.sqlite
  $assay session logout --all
  curl -s $idaas_url/openapi.json                                                      # the description of its API
TEXT
wait "$idaas_pid"
