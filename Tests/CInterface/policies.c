/* The rules of a policy, each alone, and the policies for ID tokens and access tokens. */

#include "objects.h"

static assay_code verdict_under(uint32_t rule, const char *text, int64_t number) {
    assay_policy *policy = NULL;
    assay_keys *keys = new_keys(JWKS);
    CHECK_EQUAL(assay_policy_new(&policy), ASSAY_OK);
    assay_code code = text != NULL ? assay_policy_add(policy, rule, text, strlen(text)) : assay_policy_set(policy, rule, number);
    assay_issuer issuer = {policy, keys};
    assay_verifier *verifier = NULL;
    if (code == ASSAY_OK) {
        CHECK_EQUAL(assay_verifier_new(&verifier, &issuer, 1, NULL), ASSAY_OK);
        code = assay_verify(NULL, verifier, TEXT(TOKEN), NOW + 330);
    }
    assay_verifier_free(verifier);
    assay_policy_free(policy);
    assay_keys_free(keys);
    return code;
}

static void rules(void) {
    CHECK_EQUAL(verdict_under(ASSAY_RULE_ISSUER, ISSUER, 0), ASSAY_OK);
    CHECK_EQUAL(verdict_under(ASSAY_RULE_ISSUER, "x", 0), ASSAY_ISSUER_MISMATCH);
    CHECK_EQUAL(verdict_under(ASSAY_RULE_AUDIENCE, "client-2", 0), ASSAY_OK);
    CHECK_EQUAL(verdict_under(ASSAY_RULE_AUDIENCE, "x", 0), ASSAY_AUDIENCE_MISMATCH);
    CHECK_EQUAL(verdict_under(ASSAY_RULE_ALGORITHM, "RS256", 0), ASSAY_OK);
    CHECK_EQUAL(verdict_under(ASSAY_RULE_ALGORITHM, "ES256", 0), ASSAY_ALGORITHM_NOT_ALLOWED);
    CHECK_EQUAL(verdict_under(ASSAY_RULE_ALGORITHM, "none", 0), ASSAY_UNSUPPORTED_ALGORITHM);
    CHECK_EQUAL(verdict_under(ASSAY_RULE_TYPE, "JWT", 0), ASSAY_OK);
    CHECK_EQUAL(verdict_under(ASSAY_RULE_TYPE, "at+jwt", 0), ASSAY_TYPE_MISMATCH);
    CHECK_EQUAL(verdict_under(ASSAY_RULE_REQUIRED_CLAIM, "email", 0), ASSAY_OK);
    CHECK_EQUAL(verdict_under(ASSAY_RULE_REQUIRED_CLAIM, "x", 0), ASSAY_MISSING_CLAIM);
    CHECK_EQUAL(verdict_under(ASSAY_RULE_CONTEXT_CLASS, "gold", 0), ASSAY_MISSING_CLAIM);
    CHECK_EQUAL(verdict_under(ASSAY_RULE_AUTHENTICATION_METHOD, "otp", 0), ASSAY_MISSING_CLAIM);
    CHECK_EQUAL(verdict_under(ASSAY_RULE_REVOKED_TOKEN_ID, "token-1", 0), ASSAY_REVOKED);
    CHECK_EQUAL(verdict_under(ASSAY_RULE_NONCE, "n-1", 0), ASSAY_OK);
    CHECK_EQUAL(verdict_under(ASSAY_RULE_NONCE, "x", 0), ASSAY_NONCE_MISMATCH);
    CHECK_EQUAL(verdict_under(ASSAY_RULE_ACCESS_TOKEN, "x", 0), ASSAY_MISSING_CLAIM);
    CHECK_EQUAL(verdict_under(ASSAY_RULE_AUTHORIZATION_CODE, "x", 0), ASSAY_MISSING_CLAIM);
    CHECK_EQUAL(verdict_under(ASSAY_RULE_SUBJECT, "user-1", 0), ASSAY_OK);
    CHECK_EQUAL(verdict_under(ASSAY_RULE_SUBJECT, "x", 0), ASSAY_SUBJECT_MISMATCH);
    CHECK_EQUAL(verdict_under(ASSAY_RULE_SCOPE, "offers", 0), ASSAY_OK);
    CHECK_EQUAL(verdict_under(ASSAY_RULE_SCOPE, "order", 0), ASSAY_INSUFFICIENT_SCOPE);
    CHECK_EQUAL(verdict_under(ASSAY_RULE_LEEWAY, NULL, 31), ASSAY_OK);
    CHECK_EQUAL(verdict_under(ASSAY_RULE_LEEWAY, NULL, 0), ASSAY_EXPIRED);
    CHECK_EQUAL(verdict_under(ASSAY_RULE_MAXIMUM_AGE, NULL, 100), ASSAY_TOO_OLD);
    CHECK_EQUAL(verdict_under(ASSAY_RULE_MAXIMUM_AUTHENTICATION_AGE, NULL, 300), ASSAY_AUTHENTICATION_TOO_OLD);
    CHECK_EQUAL(verdict_under(ASSAY_RULE_EXPIRATION_REQUIRED, NULL, 0), ASSAY_OK);
    CHECK_EQUAL(verdict_under(ASSAY_RULE_EXPIRATION_REQUIRED, NULL, 2), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(verdict_under(ASSAY_RULE_LEEWAY, NULL, -1), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(verdict_under(ASSAY_RULE_LEEWAY, NULL, INT64_MAX), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(verdict_under(ASSAY_RULE_LEEWAY, "1", 0), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(verdict_under(ASSAY_RULE_ISSUER, NULL, 1), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(verdict_under(999, "x", 0), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(verdict_under(ASSAY_RULE_ISSUER, "\xff\xfe", 0), ASSAY_INVALID_ARGUMENT);
}

static void presets(void) {
    assay_policy *policies[2] = {NULL, NULL};
    assay_keys *keys = new_keys(JWKS);
    CHECK_EQUAL(assay_policy_new_id_token(&policies[0], TEXT(ISSUER), TEXT("client-1")), ASSAY_OK);
    CHECK_EQUAL(assay_policy_new_access_token(&policies[1], TEXT(ISSUER), TEXT("client-1")), ASSAY_OK);
    static const assay_code expected[2] = {ASSAY_AUDIENCE_MISMATCH, ASSAY_TYPE_MISMATCH};
    for (int i = 0; i < 2; i++) {
        assay_issuer issuer = {policies[i], keys};
        assay_verifier *verifier = NULL;
        CHECK_EQUAL(assay_verifier_new(&verifier, &issuer, 1, NULL), ASSAY_OK);
        CHECK_EQUAL(assay_verify(NULL, verifier, TEXT(TOKEN), NOW), expected[i]);
        assay_verifier_free(verifier);
        assay_policy_free(policies[i]);
    }
    assay_keys_free(keys);
}

int main(void) {
    rules();
    presets();
    return report();
}
