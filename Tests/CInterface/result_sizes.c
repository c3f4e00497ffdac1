/* The memory of a result: a result of every size holds all claims of a token, or none. */

#include "claims.h"

static _Alignas(16) char memory[16384];

/* Verifies with a result of `size` bytes. Nothing behind them changes. */
static void size_of_result(const assay_verifier *verifier, size_t size, size_t needed) {
    memset(memory, 0x5a, sizeof memory);
    assay_result *result = assay_result_init(memory, size);
    assay_code code = assay_verify(result, verifier, TEXT(TOKEN_ESCAPED), NOW);
    CHECK_EQUAL(code, size < needed ? ASSAY_RESULT_TOO_SMALL : ASSAY_OK);
    CHECK_EQUAL(assay_result_needed(result), needed);
    size_t spoiled = 0;
    for (size_t i = size; i < sizeof memory; i++) { spoiled += memory[i] != 0x5a; }
    CHECK_EQUAL(spoiled, 0);
    if (code == ASSAY_OK) { registered_claims(result); }
}

int main(void) {
    assay_verifier *verifier = new_verifier(JWKS);
    assay_result *result = assay_result_init(memory, sizeof memory);
    CHECK_EQUAL(assay_verify(result, verifier, TEXT(TOKEN_ESCAPED), NOW), ASSAY_OK);
    size_t needed = assay_result_needed(result);
    CHECK(needed > ASSAY_RESULT_MINIMUM && needed <= assay_result_size(sizeof(TOKEN_ESCAPED) - 1) && needed < 4096);
    for (size_t size = ASSAY_RESULT_MINIMUM; size <= needed + 16; size += 7) { size_of_result(verifier, size, needed); }
    result = assay_result_init(memory, ASSAY_RESULT_MINIMUM);
    CHECK_EQUAL(assay_verify(result, verifier, TEXT(TOKEN), NOW), ASSAY_RESULT_TOO_SMALL);
    CHECK_EQUAL(assay_result_http_status(result), 500);
    CHECK(assay_result_size(16384) <= ASSAY_RESULT_SIZE);
    CHECK(assay_result_size(0) >= ASSAY_RESULT_MINIMUM);
    assay_verifier_free(verifier);
    return report();
}
