// What Go calls: one call of C for each verification, and no pointer to Go memory that is kept.
#ifndef ASSAY_GO_BRIDGE_H
#define ASSAY_GO_BRIDGE_H

#include <assay.h>

// The memory of one verification at a time, and what it gave. The texts point into the result.
typedef struct assay_go_slot {
    assay_result *result;
    void *memory;
    size_t size;
    assay_code code;
    int64_t offset;
    const char *claim;
    assay_text payload, header;
} assay_go_slot;

// NULL without memory.
assay_go_slot *assay_go_slot_new(void);
void assay_go_slot_free(assay_go_slot *slot);

void assay_go_verify(assay_go_slot *slot, const assay_verifier *verifier, const char *token, size_t token_len, double now);
void assay_go_verify_login(assay_go_slot *slot, const assay_verifier *verifier, const char *token, size_t token_len, double now,
                           const char *nonce, size_t nonce_len, const char *access_token, size_t access_token_len, const char *code,
                           size_t code_len);
void assay_go_verify_payload(assay_go_slot *slot, const assay_verifier *verifier, const char *token, size_t token_len);

// Verifies `count` tokens, whose lengths and bytes follow one another. Every slot receives its own verdict.
assay_code assay_go_verify_batch(assay_go_slot **slots, const assay_verifier *verifier, const char *bytes, const size_t *lengths,
                                 size_t count, double now);

#endif
