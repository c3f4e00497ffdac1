/* Calls that verify and calls that fetch, with tokens, results and fetches that are wrong: a code each, and never a crash. */

#include "objects.h"

static assay_verifier *verifier;
static assay_result *result;
static assay_keys *keys;

static void verifying(void) {
    CHECK_EQUAL(assay_verify(result, NULL, TEXT(TOKEN), NOW), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_verify(result, verifier, NULL, 1, NOW), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_verify(result, verifier, TOKEN, SIZE_MAX, NOW), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_verify(result, verifier, NULL, 0, NOW), ASSAY_MALFORMED_TOKEN);
    CHECK_EQUAL(assay_verify(result, verifier, TOKEN, 0, NOW), ASSAY_MALFORMED_TOKEN);
    CHECK_EQUAL(assay_verify(result, verifier, "", 0, NOW), ASSAY_MALFORMED_TOKEN);
    CHECK_EQUAL(assay_verify(NULL, NULL, NULL, 0, NOW), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_verify_payload(result, NULL, TEXT(TOKEN)), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_verify_payload(result, verifier, NULL, 0), ASSAY_MALFORMED_TOKEN);
    CHECK_EQUAL(assay_verify_login(result, verifier, TEXT(TOKEN), NOW, NULL), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_verify_login(result, NULL, TEXT(TOKEN), NOW, NULL), ASSAY_INVALID_ARGUMENT);
}

static void batches(void) {
    assay_code code = 7;
    assay_text token = {NULL, 1};
    CHECK_EQUAL(assay_verify_batch(&code, NULL, verifier, &token, 1, NOW), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_verify_batch(&code, NULL, verifier, NULL, 1, NOW), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_verify_batch(NULL, NULL, verifier, &token, 1, NOW), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_verify_batch(&code, NULL, NULL, &token, 1, NOW), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_verify_batch(&code, NULL, verifier, &token, SIZE_MAX, NOW), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(code, 7);
}

/* Two tokens of one batch cannot share a result. The refused call leaves the result free. */
static void shared_result(void) {
    assay_text twice[2] = {{TEXT(TOKEN)}, {TEXT(TOKEN)}};
    assay_result *same[2] = {result, result};
    assay_code codes[2] = {7, 7};
    CHECK_EQUAL(assay_verify_batch(codes, same, verifier, twice, 2, NOW), ASSAY_INVALID_ARGUMENT);
    CHECK(codes[0] == 7 && codes[1] == 7);
    CHECK_EQUAL(assay_verify(result, verifier, TEXT(TOKEN), NOW), ASSAY_OK);
}

/* Keys without a source have no fetch, and neither has NULL. */
static void requests(void) {
    assay_keys *hosted = NULL;
    assay_fetch *fetch = NULL;
    assay_keys_state state = {0};
    CHECK_EQUAL(assay_keys_new_url(&hosted, TEXT("https://x/keys"), NULL), ASSAY_OK);
    CHECK_EQUAL(assay_keys_request(NULL, hosted), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_keys_request(&fetch, NULL), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_keys_request(&fetch, keys), ASSAY_NOT_DUE);
    CHECK_EQUAL(assay_keys_refresh(NULL), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_keys_refresh(keys), ASSAY_NOT_DUE);
    CHECK_EQUAL(assay_keys_next_due(keys), -1);
    CHECK_EQUAL(assay_keys_status(&state, NULL), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_keys_status(NULL, hosted), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_keys_status(&state, hosted), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_keys_install(hosted, NULL, 200, NULL, 0, NULL, 0), ASSAY_INVALID_ARGUMENT);
    assay_keys_free(hosted);
}

static void answers(void) {
    assay_keys *hosted = NULL, *others = NULL;
    assay_fetch *fetch = NULL;
    const char *name = NULL, *value = NULL;
    CHECK_EQUAL(assay_keys_new_url(&hosted, TEXT("https://x/keys"), NULL), ASSAY_OK);
    CHECK_EQUAL(assay_keys_new_url(&others, TEXT("https://x/keys"), NULL), ASSAY_OK);
    CHECK_EQUAL(assay_keys_request(&fetch, hosted), ASSAY_OK);
    CHECK_EQUAL(assay_fetch_field(NULL, &value, fetch, 0), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_fetch_field(&name, NULL, fetch, 0), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_fetch_field(&name, &value, NULL, 0), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_fetch_field(&name, &value, fetch, SIZE_MAX), ASSAY_NO_VALUE);
    CHECK_EQUAL(assay_keys_install(NULL, fetch, 200, NULL, 0, NULL, 0), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_keys_install(others, fetch, 200, NULL, 0, NULL, 0), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_keys_install(keys, fetch, 200, NULL, 0, NULL, 0), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_keys_install(hosted, fetch, 200, NULL, 1, NULL, 0), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_keys_install(hosted, fetch, 200, NULL, SIZE_MAX, NULL, 0), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_keys_install(hosted, fetch, 200, NULL, 0, NULL, 1), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_keys_install(hosted, fetch, 1000, NULL, 0, NULL, 0), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_keys_fail(hosted, fetch, 0), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_keys_fail(hosted, fetch, 12), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_keys_install(hosted, fetch, 200, NULL, 0, NULL, 0), ASSAY_FETCH_FAILED);
    CHECK_EQUAL(assay_keys_install(hosted, fetch, 200, NULL, 0, TEXT(JWKS)), ASSAY_FETCH_ENDED);
    /* A fetch keeps its keys. */
    assay_keys_free(hosted);
    assay_fetch_free(fetch);
    assay_keys_free(others);
}

int main(void) {
    verifier = new_verifier(JWKS);
    result = new_result(ASSAY_RESULT_SIZE);
    keys = new_keys(JWKS);
    verifying();
    batches();
    shared_result();
    requests();
    answers();
    assay_verifier_free(verifier);
    assay_keys_free(keys);
    free(result);
    return report();
}
