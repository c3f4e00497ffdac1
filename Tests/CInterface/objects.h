/* What several test programs make from the fixtures. */

#ifndef ASSAY_TEST_OBJECTS_H
#define ASSAY_TEST_OBJECTS_H

#include <assay.h>
#include <stdlib.h>
#include "check.h"
#include "fixtures.h"

#define TEXT(literal) literal, sizeof(literal) - 1

static inline assay_verifier *new_verifier(const char *jwks) {
    assay_verifier *verifier = NULL;
    CHECK_EQUAL(assay_verifier_new_jwks(&verifier, jwks, strlen(jwks), TEXT(ISSUER), TEXT("client-1")), ASSAY_OK);
    return verifier;
}

static inline assay_policy *new_policy(const char *issuer) {
    assay_policy *policy = NULL;
    CHECK_EQUAL(assay_policy_new(&policy), ASSAY_OK);
    CHECK_EQUAL(assay_policy_add(policy, ASSAY_RULE_ISSUER, issuer, strlen(issuer)), ASSAY_OK);
    CHECK_EQUAL(assay_policy_add(policy, ASSAY_RULE_AUDIENCE, TEXT("client-1")), ASSAY_OK);
    return policy;
}

static inline assay_keys *new_keys(const char *document) {
    assay_keys *keys = NULL;
    CHECK_EQUAL(assay_keys_new(&keys, document, strlen(document)), ASSAY_OK);
    return keys;
}

/* A verifier of one issuer, with these keys. */
static inline assay_verifier *new_verifier_with(const assay_keys *keys) {
    assay_policy *policy = new_policy(ISSUER);
    assay_issuer issuer = {policy, keys};
    assay_verifier *verifier = NULL;
    CHECK_EQUAL(assay_verifier_new(&verifier, &issuer, 1, NULL), ASSAY_OK);
    assay_policy_free(policy);
    return verifier;
}

static inline assay_result *new_result(size_t size) { return assay_result_init(malloc(size), size); }

#endif
