/* Results and values: outputs that are NULL, memory that is no result, and values that have outlived their token. */

#include "objects.h"

static assay_verifier *verifier;
static assay_result *result;

static void outputs(void) {
    const char *start = NULL;
    size_t len = 0;
    CHECK_EQUAL(assay_verify(result, verifier, TEXT(TOKEN), NOW), ASSAY_OK);
    assay_value value, object;
    CHECK_EQUAL(assay_result_claim(&value, result, TEXT("email")), ASSAY_OK);
    CHECK_EQUAL(assay_result_claim(&object, result, TEXT("realm_access")), ASSAY_OK);
    CHECK_EQUAL(assay_result_claim(NULL, result, TEXT("email")), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_result_claim(&value, result, NULL, 3), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_result_claim(&object, result, NULL, 0), ASSAY_NO_VALUE);
    CHECK_EQUAL(assay_result_claim_at(NULL, result, TEXT("/email")), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_value_string(NULL, &len, &value), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_value_string(&start, NULL, &value), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_value_integer(NULL, &value), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_value_number(NULL, &value), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_value_bool(NULL, &value), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_value_json(NULL, NULL, &value), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_value_count(NULL, &value), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_value_element(NULL, &value, 0), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_value_member(NULL, &start, &len, &object, 0), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_value_member(&value, NULL, &len, &object, 0), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_result_issuer(NULL, NULL, result), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_result_header(NULL, NULL, result), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_result_expiration(NULL, result), ASSAY_INVALID_ARGUMENT);
}

/* A call that is refused before it reads the token leaves the result of the earlier one. */
static void refused_calls(void) {
    const char *start = NULL;
    size_t len = 0;
    assay_value forged;
    CHECK_EQUAL(assay_verify(result, verifier, TEXT(TOKEN), NOW), ASSAY_OK);
    CHECK_EQUAL(assay_result_claim(&forged, result, TEXT("email")), ASSAY_OK);
    forged.place = UINT32_MAX;
    CHECK_EQUAL(assay_value_string(&start, &len, &forged), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_verify(result, NULL, TEXT(TOKEN), NOW), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_result_code(result), ASSAY_OK);
}

/* Memory that never was a result. */
static void foreign_memory(void) {
    static _Alignas(16) char memory[4096];
    assay_result *foreign = (assay_result *)memory;
    assay_text token = {TEXT(TOKEN)};
    assay_code code = 7;
    CHECK_EQUAL(assay_verify(foreign, verifier, TEXT(TOKEN), NOW), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_verify_batch(&code, &foreign, verifier, &token, 1, NOW), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_result_code(foreign), ASSAY_INVALID_ARGUMENT);
    CHECK(assay_result_init(memory + 8, 2048) == NULL);
    CHECK(assay_result_init(memory, ASSAY_RESULT_MINIMUM - 1) == NULL);
    CHECK(assay_result_init(memory, SIZE_MAX) == NULL);
}

/* A value ends with the token that it comes from. */
static void after_reset(void) {
    const char *start = NULL;
    size_t len = 0;
    int64_t number = 0;
    double ratio = 0;
    int truth = 0;
    for (int way = 0; way < 5; way++) {
        assay_value value, object, next;
        CHECK_EQUAL(assay_verify(result, verifier, TEXT(TOKEN), NOW), ASSAY_OK);
        CHECK_EQUAL(assay_result_claim(&value, result, TEXT("email")), ASSAY_OK);
        CHECK_EQUAL(assay_result_claim(&object, result, TEXT("realm_access")), ASSAY_OK);
        if (way == 0) { assay_result_reset(result); }
        if (way == 1) { CHECK_EQUAL(assay_verify(result, verifier, TEXT(TOKEN), NOW), ASSAY_OK); }
        if (way == 2) { CHECK_EQUAL(assay_verify(result, verifier, TEXT(TOKEN_TAMPERED), NOW), ASSAY_SIGNATURE_INVALID); }
        if (way == 3) { CHECK_EQUAL(assay_verify_payload(result, verifier, TEXT(TOKEN)), ASSAY_OK); }
        if (way == 4) {
            CHECK(assay_result_init(result, ASSAY_RESULT_SIZE) == result);
            CHECK_EQUAL(assay_verify(result, verifier, TEXT(TOKEN), NOW), ASSAY_OK);
        }
        CHECK_EQUAL(assay_value_string(&start, &len, &value), ASSAY_NO_CLAIMS);
        CHECK_EQUAL(assay_value_integer(&number, &value), ASSAY_NO_CLAIMS);
        CHECK_EQUAL(assay_value_number(&ratio, &value), ASSAY_NO_CLAIMS);
        CHECK_EQUAL(assay_value_bool(&truth, &value), ASSAY_NO_CLAIMS);
        CHECK_EQUAL(assay_value_json(&start, &len, &value), ASSAY_NO_CLAIMS);
        CHECK_EQUAL(assay_value_count(&len, &object), ASSAY_NO_CLAIMS);
        CHECK_EQUAL(assay_value_element(&next, &object, 0), ASSAY_NO_CLAIMS);
        CHECK_EQUAL(assay_value_member(&next, &start, &len, &object, 0), ASSAY_NO_CLAIMS);
    }
    assay_result_reset(result);
    CHECK_EQUAL(assay_result_code(result), ASSAY_NO_CLAIMS);
    CHECK_EQUAL(assay_result_subject(&start, &len, result), ASSAY_NO_CLAIMS);
    CHECK_EQUAL(assay_result_claim_at(&(assay_value){0}, result, TEXT("/email")), ASSAY_NO_CLAIMS);
}

int main(void) {
    verifier = new_verifier(JWKS);
    result = new_result(ASSAY_RESULT_SIZE);
    outputs();
    refused_calls();
    foreign_memory();
    after_reset();
    assay_verifier_free(verifier);
    free(result);
    return report();
}
