/* A misuse: two threads use one result, which verifies two tokens in turn. Each call has its answer or is refused, and no answer is a
 * mixture. */

#include <pthread.h>
#include <stdatomic.h>
#include "objects.h"

static assay_verifier *verifier;
static assay_result *result;

static atomic_int refused, wrong;

static void count(assay_code code, assay_code expected) {
    refused += code == ASSAY_INVALID_ARGUMENT;
    wrong += code != expected && code != ASSAY_INVALID_ARGUMENT;
}

static void *misuse(void *context) {
    (void)context;
    for (int i = 0; i < 20000; i++) {
        assay_value value;
        int64_t number = INT64_MAX;
        count(assay_verify(result, verifier, TEXT(TOKEN), NOW), ASSAY_OK);
        if (assay_result_claim(&value, result, TEXT("big")) == ASSAY_OK) { assay_value_integer(&number, &value); }
        wrong += number != INT64_MAX;
        count(assay_verify(result, verifier, TEXT(TOKEN_ESCAPED), NOW), ASSAY_OK);
        const char *text = NULL;
        size_t len = 0;
        if (assay_result_claim(&value, result, TEXT("text")) == ASSAY_OK && assay_value_json(&text, &len, &value) == ASSAY_OK) {
            wrong += len < 11;
        }
        count(assay_verify(result, verifier, TEXT(TOKEN_TAMPERED), NOW), ASSAY_SIGNATURE_INVALID);
        assay_result_reset(result);
    }
    return NULL;
}

int main(void) {
    static _Alignas(16) char memory[3 * 8192];
    memset(memory, 0x5a, sizeof memory);
    verifier = new_verifier(JWKS);
    result = assay_result_init(memory + 8192, 8192);
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) { pthread_create(&threads[i], NULL, misuse, NULL); }
    for (int i = 0; i < 2; i++) { pthread_join(threads[i], NULL); }
    size_t spoiled = 0;
    for (size_t i = 0; i < 8192; i++) { spoiled += memory[i] != 0x5a || memory[2 * 8192 + i] != 0x5a; }
    CHECK_EQUAL(spoiled, 0);
    CHECK_EQUAL(wrong, 0);
    CHECK(refused > 0);
    CHECK_EQUAL(assay_verify(result, verifier, TEXT(TOKEN), NOW), ASSAY_OK);
    assay_verifier_free(verifier);
    return report();
}
