/* The sizes of structures, and the places of their members. */

#include "abi.h"

SIZE(assay_refresh_options, 88);
MEMBER(assay_refresh_options, size, 0);
MEMBER(assay_refresh_options, default_lifetime, 8);
MEMBER(assay_refresh_options, shortest_lifetime, 16);
MEMBER(assay_refresh_options, longest_lifetime, 24);
MEMBER(assay_refresh_options, stale_if_error, 32);
MEMBER(assay_refresh_options, attempt_limit, 40);
MEMBER(assay_refresh_options, seed, 48);
MEMBER(assay_refresh_options, clock, 56);
MEMBER(assay_refresh_options, wake, 64);
MEMBER(assay_refresh_options, release, 72);
MEMBER(assay_refresh_options, context, 80);

SIZE(assay_text, 16);
MEMBER(assay_text, bytes, 0);
MEMBER(assay_text, len, 8);

SIZE(assay_field, 32);
MEMBER(assay_field, name, 0);
MEMBER(assay_field, value, 16);

SIZE(assay_keys_state, 88);
MEMBER(assay_keys_state, size, 0);
MEMBER(assay_keys_state, health, 8);
MEMBER(assay_keys_state, is_fetching, 12);
MEMBER(assay_keys_state, key_count, 16);
MEMBER(assay_keys_state, generation, 24);
MEMBER(assay_keys_state, age, 32);
MEMBER(assay_keys_state, fresh_for, 40);
MEMBER(assay_keys_state, used_for, 48);
MEMBER(assay_keys_state, failures, 56);
MEMBER(assay_keys_state, shed_fetches, 64);
MEMBER(assay_keys_state, clock_skew, 72);
MEMBER(assay_keys_state, last_failure, 80);

SIZE(assay_issuer, 16);
MEMBER(assay_issuer, policy, 0);
MEMBER(assay_issuer, keys, 8);

SIZE(assay_verifier_options, 40);
MEMBER(assay_verifier_options, size, 0);
MEMBER(assay_verifier_options, token_bytes, 8);
MEMBER(assay_verifier_options, cache_bytes, 16);
MEMBER(assay_verifier_options, cache_seconds, 24);
MEMBER(assay_verifier_options, cache_digests, 32);
MEMBER(assay_verifier_options, reserved, 36);

SIZE(assay_gateway_options, 112);
MEMBER(assay_gateway_options, size, 0);
MEMBER(assay_gateway_options, folder, 8);
MEMBER(assay_gateway_options, cache_bytes, 24);
MEMBER(assay_gateway_options, cache_seconds, 32);
MEMBER(assay_gateway_options, cache_digests, 40);
MEMBER(assay_gateway_options, reserved, 44);
MEMBER(assay_gateway_options, seed, 48);
MEMBER(assay_gateway_options, clock, 56);
MEMBER(assay_gateway_options, wake, 64);
MEMBER(assay_gateway_options, release, 72);
MEMBER(assay_gateway_options, context, 80);
MEMBER(assay_gateway_options, sharing, 88);
MEMBER(assay_gateway_options, sharing_count, 96);
MEMBER(assay_gateway_options, replay_memory, 104);

SIZE(assay_use, 32);
MEMBER(assay_use, digest, 0);

SIZE(assay_request, 176);
MEMBER(assay_request, size, 0);
MEMBER(assay_request, method, 8);
MEMBER(assay_request, authority, 24);
MEMBER(assay_request, target, 40);
MEMBER(assay_request, fields, 56);
MEMBER(assay_request, field_count, 64);
MEMBER(assay_request, context, 72);
MEMBER(assay_request, context_count, 80);
MEMBER(assay_request, may_wait, 88);
MEMBER(assay_request, reserved, 92);
MEMBER(assay_request, policy, 96);
MEMBER(assay_request, scheme, 112);
MEMBER(assay_request, used, 128);
MEMBER(assay_request, used_count, 136);
MEMBER(assay_request, certificate, 144);
MEMBER(assay_request, certificate_digest, 160);

SIZE(assay_operation, 40);
MEMBER(assay_operation, kind, 0);
MEMBER(assay_operation, reserved, 4);
MEMBER(assay_operation, name, 8);
MEMBER(assay_operation, value, 24);

SIZE(assay_metadata, 48);
MEMBER(assay_metadata, provider, 0);
MEMBER(assay_metadata, key, 16);
MEMBER(assay_metadata, json, 32);

SIZE(assay_login, 56);
MEMBER(assay_login, size, 0);
MEMBER(assay_login, nonce, 8);
MEMBER(assay_login, access_token, 24);
MEMBER(assay_login, code, 40);

SIZE(assay_value, 24);
MEMBER(assay_value, result, 0);
MEMBER(assay_value, serial, 8);
MEMBER(assay_value, place, 16);
MEMBER(assay_value, type, 20);

SIZE(assay_http_options, 168);
MEMBER(assay_http_options, size, 0);
MEMBER(assay_http_options, request_limit, 8);
MEMBER(assay_http_options, connect_limit, 16);
MEMBER(assay_http_options, addresses, 24);
MEMBER(assay_http_options, roots_only, 28);
MEMBER(assay_http_options, roots, 32);
MEMBER(assay_http_options, certificate, 48);
MEMBER(assay_http_options, private_key, 64);
MEMBER(assay_http_options, proxy_host, 80);
MEMBER(assay_http_options, proxy_port, 96);
MEMBER(assay_http_options, reserved, 100);
MEMBER(assay_http_options, proxy_user, 104);
MEMBER(assay_http_options, proxy_password, 120);
MEMBER(assay_http_options, user_agent, 136);
MEMBER(assay_http_options, pins, 152);
MEMBER(assay_http_options, pin_count, 160);

SIZE(assay_http_answer, 80);
MEMBER(assay_http_answer, size, 0);
MEMBER(assay_http_answer, url, 8);
MEMBER(assay_http_answer, failure, 24);
MEMBER(assay_http_answer, status, 28);
MEMBER(assay_http_answer, fields, 32);
MEMBER(assay_http_answer, field_count, 40);
MEMBER(assay_http_answer, body, 48);
MEMBER(assay_http_answer, reason, 64);
