/* Verifiers of several issuers, with and without a cache, their batches, and what they keep of the objects that made them. */

#include "claims.h"

static void batch(const assay_verifier *verifier) {
    enum { count = 150 };
    assay_text tokens[count];
    assay_code codes[count];
    assay_result *results[count];
    for (int i = 0; i < count; i++) {
        tokens[i] = i % 3 == 1 ? (assay_text){TEXT(TOKEN_TAMPERED)} : i % 7 == 2 ? (assay_text){NULL, 0} : (assay_text){TEXT(TOKEN)};
        results[i] = i % 5 == 4 ? NULL : new_result(4096);
    }
    CHECK_EQUAL(assay_verify_batch(codes, results, verifier, tokens, count, NOW), ASSAY_OK);
    for (int i = 0; i < count; i++) {
        CHECK_EQUAL(codes[i], i % 3 == 1 ? ASSAY_SIGNATURE_INVALID : i % 7 == 2 ? ASSAY_MALFORMED_TOKEN : ASSAY_OK);
        if (results[i] != NULL) { CHECK_EQUAL(assay_result_code(results[i]), codes[i]); }
        if (results[i] != NULL && codes[i] == ASSAY_OK) { registered_claims(results[i]); }
        free(results[i]);
    }
    CHECK_EQUAL(assay_verify_batch(codes, NULL, verifier, tokens, count, NOW), ASSAY_OK);
    CHECK_EQUAL(codes[1], ASSAY_SIGNATURE_INVALID);
    CHECK_EQUAL(assay_verify_batch(NULL, NULL, verifier, NULL, 0, NOW), ASSAY_OK);
}

/* Each of the two issuers has its own keys. */
static void tokens_of_two_issuers(const assay_verifier *verifier, assay_result *result) {
    for (int round = 0; round < 4; round++) {
        CHECK_EQUAL(assay_verify(result, verifier, TEXT(TOKEN), NOW), ASSAY_OK);
        registered_claims(result);
        CHECK_EQUAL(assay_verify(result, verifier, TEXT(TOKEN_OTHER_ISSUER), NOW), ASSAY_OK);
        CHECK_EQUAL(assay_verify(result, verifier, TEXT(TOKEN_SECOND), NOW), ASSAY_UNKNOWN_KEY);
        CHECK_EQUAL(assay_verify(result, verifier, TEXT(TOKEN_UNKNOWN_ISSUER), NOW), ASSAY_ISSUER_MISMATCH);
        CHECK_EQUAL(assay_verify(result, verifier, TEXT(TOKEN_WITHOUT_ISSUER), NOW), ASSAY_MISSING_CLAIM);
        CHECK(strcmp(assay_result_claim_name(result), "iss") == 0);
    }
    assay_text tokens[3] = {{TEXT(TOKEN)}, {TEXT(TOKEN_OTHER_ISSUER)}, {TEXT(TOKEN_SECOND)}};
    assay_code codes[3];
    CHECK_EQUAL(assay_verify_batch(codes, NULL, verifier, tokens, 3, NOW), ASSAY_OK);
    CHECK(codes[0] == ASSAY_OK && codes[1] == ASSAY_OK && codes[2] == ASSAY_UNKNOWN_KEY);
    CHECK_EQUAL(assay_verify_payload(result, verifier, TEXT(TOKEN_PAYLOAD)), ASSAY_INVALID_ARGUMENT);
}

/* Two issuers of one verifier have different names, and each policy names its issuer. */
static void refuse_issuers(assay_issuer issuers[2]) {
    assay_policy *open = NULL;
    assay_verifier *verifier = NULL;
    issuers[1].policy = issuers[0].policy;
    CHECK_EQUAL(assay_verifier_new(&verifier, issuers, 2, NULL), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_policy_new(&open), ASSAY_OK);
    issuers[1].policy = open;
    CHECK_EQUAL(assay_verifier_new(&verifier, issuers, 2, NULL), ASSAY_INVALID_ARGUMENT);
    CHECK(verifier == NULL);
    assay_policy_free(open);
}

static void several_issuers(assay_result *result) {
    assay_policy *first = new_policy(ISSUER), *second = new_policy("https://other.example");
    assay_keys *first_keys = new_keys(JWKS), *second_keys = new_keys(JWKS_SECOND);
    assay_issuer issuers[2] = {{first, first_keys}, {second, second_keys}};
    assay_verifier_options options = {sizeof options, 0, 0, 0, 0, 0};
    for (int cached = 0; cached < 2; cached++) {
        assay_verifier *verifier = NULL;
        options.cache_bytes = cached ? 1 << 20 : 0;
        CHECK_EQUAL(assay_verifier_new(&verifier, issuers, 2, &options), ASSAY_OK);
        tokens_of_two_issuers(verifier, result);
        assay_verifier_free(verifier);
    }
    refuse_issuers(issuers);
    assay_policy_free(first);
    assay_policy_free(second);
    assay_keys_free(first_keys);
    assay_keys_free(second_keys);
}

/* The verifier keeps its keys, and a policy that is changed afterwards does not change it. */
static void lifetimes(assay_result *result) {
    assay_policy *policy = new_policy(ISSUER);
    assay_keys *keys = new_keys(PEM);
    assay_issuer issuer = {policy, keys};
    assay_verifier_options options = {sizeof options, 0, 1 << 20, 0, 1, 0};
    assay_verifier *before = NULL, *after = NULL;
    CHECK_EQUAL(assay_verifier_new(&before, &issuer, 1, &options), ASSAY_OK);
    CHECK_EQUAL(assay_policy_add(policy, ASSAY_RULE_REVOKED_TOKEN_ID, TEXT("token-1")), ASSAY_OK);
    CHECK_EQUAL(assay_verifier_new(&after, &issuer, 1, NULL), ASSAY_OK);
    assay_policy_free(policy);
    assay_keys_prepare(keys);
    assay_keys_free(keys);
    for (int round = 0; round < 4; round++) {
        CHECK_EQUAL(assay_verify(result, before, TEXT(TOKEN), NOW), ASSAY_OK);
        registered_claims(result);
        CHECK_EQUAL(assay_verify(result, before, TEXT(TOKEN), NOW + 3600), ASSAY_EXPIRED);
    }
    CHECK_EQUAL(assay_verify(result, after, TEXT(TOKEN), NOW), ASSAY_REVOKED);
    assay_verifier_free(before);
    assay_verifier_free(after);
}

int main(void) {
    assay_verifier *verifier = new_verifier(JWKS);
    assay_result *result = new_result(ASSAY_RESULT_SIZE);
    batch(verifier);
    several_issuers(result);
    lifetimes(result);
    assay_verifier_free(verifier);
    free(result);
    return report();
}
