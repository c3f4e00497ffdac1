/* What a result says of the fixtures' token. */

#ifndef ASSAY_TEST_CLAIMS_H
#define ASSAY_TEST_CLAIMS_H

#include "objects.h"

/* A function that gives a string, and then the string: the function is called before its outputs are read. */
#define CHECK_STRING(call, bytes, len, expected) \
    do { \
        CHECK_EQUAL(call, ASSAY_OK); \
        CHECK(is_text(bytes, len, expected)); \
    } while (0)

static inline assay_value claim(const assay_result *result, const char *name) {
    assay_value value;
    memset(&value, 0, sizeof value);
    CHECK_EQUAL(assay_result_claim(&value, result, name, strlen(name)), ASSAY_OK);
    return value;
}

static inline assay_value at(const assay_result *result, const char *pointer) {
    assay_value value;
    memset(&value, 0, sizeof value);
    CHECK_EQUAL(assay_result_claim_at(&value, result, pointer, strlen(pointer)), ASSAY_OK);
    return value;
}

static inline void registered_claims(const assay_result *result) {
    const char *text = NULL;
    size_t len = 0;
    int64_t date = 0;
    CHECK_STRING(assay_result_issuer(&text, &len, result), text, len, ISSUER);
    CHECK_STRING(assay_result_subject(&text, &len, result), text, len, "user-1");
    CHECK_STRING(assay_result_token_id(&text, &len, result), text, len, "token-1");
    CHECK_STRING(assay_result_key_id(&text, &len, result), text, len, "key-1");
    CHECK_STRING(assay_result_algorithm(&text, &len, result), text, len, "RS256");
    CHECK_EQUAL(assay_result_expiration(&date, result), ASSAY_OK);
    CHECK_EQUAL(date, (int64_t)NOW + 300);
    CHECK_EQUAL(assay_result_not_before(&date, result), ASSAY_OK);
    CHECK_EQUAL(date, (int64_t)NOW - 5);
    CHECK_EQUAL(assay_result_issued_at(&date, result), ASSAY_OK);
    CHECK_EQUAL(date, (int64_t)NOW);
    CHECK_EQUAL(assay_result_authentication_time(&date, result), ASSAY_OK);
    CHECK_EQUAL(date, (int64_t)NOW - 60);
    CHECK_EQUAL(assay_result_header(&text, &len, result), ASSAY_OK);
    CHECK(len > 20 && text[0] == '{' && text[len - 1] == '}');
    CHECK_EQUAL(assay_result_payload(&text, &len, result), ASSAY_OK);
    CHECK(len > 300 && text[0] == '{' && text[len - 1] == '}');
}

#endif
