/* NULL in place of every object: a code each, and never a crash. */

#include "objects.h"

static void frees(void) {
    assay_keys_free(NULL);
    assay_policy_free(NULL);
    assay_verifier_free(NULL);
    assay_fetch_free(NULL);
    assay_result_reset(NULL);
    assay_keys_prepare(NULL);
}

static void texts(void) {
    char text[8];
    CHECK(assay_result_init(NULL, 4096) == NULL);
    CHECK_EQUAL(assay_result_code(NULL), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_result_offset(NULL), -1);
    CHECK_EQUAL(assay_result_needed(NULL), 0);
    CHECK_EQUAL(assay_result_http_status(NULL), 500);
    CHECK(assay_result_claim_name(NULL) == NULL);
    CHECK_EQUAL(assay_result_challenge(text, sizeof text, NULL, NULL, 0, NULL, 0), 0);
    CHECK_EQUAL(assay_result_description(NULL, 0, NULL), strlen("not a result"));
    /* A size that no memory has: nothing but the NUL is written. */
    memset(text, 'x', sizeof text);
    CHECK_EQUAL(assay_result_description(text, SIZE_MAX, NULL), strlen("not a result"));
    CHECK(text[0] == 0 && text[1] == 'x');
    CHECK(strcmp(assay_code_name(12345), "unknown") == 0);
    CHECK(strcmp(assay_code_name(UINT32_MAX), "unknown") == 0);
    CHECK_EQUAL(assay_code_http_status(12345), 500);
    CHECK(strcmp(assay_fetch_url(NULL), "") == 0);
    CHECK(strcmp(assay_fetch_issuer(NULL), "") == 0);
    CHECK_EQUAL(assay_keys_next_due(NULL), -1);
}

static void results(void) {
    const char *start = NULL;
    size_t len = 0;
    int64_t number = 0;
    assay_value value;
    CHECK_EQUAL(assay_result_claim(&value, NULL, "x", 1), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_result_claim_at(&value, NULL, "/x", 2), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_result_issuer(&start, &len, NULL), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_result_subject(&start, &len, NULL), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_result_token_id(&start, &len, NULL), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_result_key_id(&start, &len, NULL), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_result_algorithm(&start, &len, NULL), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_result_header(&start, &len, NULL), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_result_payload(&start, &len, NULL), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_result_expiration(&number, NULL), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_result_not_before(&number, NULL), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_result_issued_at(&number, NULL), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_result_authentication_time(&number, NULL), ASSAY_INVALID_ARGUMENT);
}

/* NULL, and a value whose result is NULL. */
static void values(const assay_value *none) {
    const char *start = NULL, *name = NULL;
    size_t len = 0;
    int64_t number = 0;
    double ratio = 0;
    int truth = 0;
    assay_value value;
    CHECK_EQUAL(assay_value_string(&start, &len, none), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_value_integer(&number, none), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_value_number(&ratio, none), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_value_bool(&truth, none), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_value_json(&start, &len, none), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_value_count(&len, none), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_value_element(&value, none, 0), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_value_member(&value, &name, &len, none, 0), ASSAY_INVALID_ARGUMENT);
}

int main(void) {
    static const assay_value empty;
    frees();
    texts();
    results();
    values(NULL);
    values(&empty);
    return report();
}
