#include "bridge.h"

#include <stdlib.h>

static const size_t first_size = 4096, largest_size = 1 << 20;

static int resize(assay_go_slot *slot, size_t size) {
    void *memory = malloc(size);
    assay_result *result = assay_result_init(memory, size);
    if (result == NULL) {
        free(memory);
        return 0;
    }
    free(slot->memory);
    slot->memory = memory;
    slot->size = size;
    slot->result = result;
    return 1;
}

assay_go_slot *assay_go_slot_new(void) {
    assay_go_slot *slot = calloc(1, sizeof *slot);
    if (slot != NULL && !resize(slot, first_size)) {
        free(slot);
        return NULL;
    }
    return slot;
}

void assay_go_slot_free(assay_go_slot *slot) {
    if (slot == NULL) return;
    free(slot->memory);
    free(slot);
}

// Whether the slot has grown to what the valid token needs.
static int grow(assay_go_slot *slot, assay_code code) {
    if (code != ASSAY_RESULT_TOO_SMALL) return 0;
    size_t needed = assay_result_needed(slot->result);
    return needed > slot->size && needed <= largest_size && resize(slot, needed);
}

typedef assay_code text_function(const char **, size_t *, const assay_result *);

static assay_text text(const assay_go_slot *slot, text_function *function) {
    assay_text text = {NULL, 0};
    if (function(&text.bytes, &text.len, slot->result) != ASSAY_OK) return (assay_text){NULL, 0};
    return text;
}

static void take(assay_go_slot *slot, assay_code code) {
    slot->code = code;
    slot->offset = code == ASSAY_OK ? -1 : assay_result_offset(slot->result);
    slot->claim = code == ASSAY_OK ? NULL : assay_result_claim_name(slot->result);
    if (code != ASSAY_OK) return;
    slot->payload = text(slot, assay_result_payload);
    slot->header = text(slot, assay_result_header);
}

void assay_go_verify(assay_go_slot *slot, const assay_verifier *verifier, const char *token, size_t token_len, double now) {
    assay_code code = assay_verify(slot->result, verifier, token, token_len, now);
    if (grow(slot, code)) code = assay_verify(slot->result, verifier, token, token_len, now);
    take(slot, code);
}

void assay_go_verify_login(assay_go_slot *slot, const assay_verifier *verifier, const char *token, size_t token_len, double now,
                           const char *nonce, size_t nonce_len, const char *access_token, size_t access_token_len, const char *code_text,
                           size_t code_len) {
    assay_login login = {sizeof login, {nonce, nonce_len}, {access_token, access_token_len}, {code_text, code_len}};
    assay_code code = assay_verify_login(slot->result, verifier, token, token_len, now, &login);
    if (grow(slot, code)) code = assay_verify_login(slot->result, verifier, token, token_len, now, &login);
    take(slot, code);
}

void assay_go_verify_payload(assay_go_slot *slot, const assay_verifier *verifier, const char *token, size_t token_len) {
    assay_code code = assay_verify_payload(slot->result, verifier, token, token_len);
    if (grow(slot, code)) code = assay_verify_payload(slot->result, verifier, token, token_len);
    take(slot, code);
}

assay_code assay_go_verify_batch(assay_go_slot **slots, const assay_verifier *verifier, const char *bytes, const size_t *lengths,
                                 size_t count, double now) {
    assay_text *tokens = calloc(count, sizeof *tokens);
    assay_result **results = calloc(count, sizeof *results);
    assay_code *codes = calloc(count, sizeof *codes);
    assay_code outcome = ASSAY_INVALID_ARGUMENT;
    if (tokens == NULL || results == NULL || codes == NULL) goto done;
    for (size_t index = 0; index < count; index++) {
        tokens[index] = (assay_text){bytes, lengths[index]};
        bytes += lengths[index];
        results[index] = slots[index]->result;
    }
    outcome = assay_verify_batch(codes, results, verifier, tokens, count, now);
    if (outcome != ASSAY_OK) goto done;
    for (size_t index = 0; index < count; index++) {
        if (codes[index] == ASSAY_RESULT_TOO_SMALL)
            assay_go_verify(slots[index], verifier, tokens[index].bytes, tokens[index].len, now);
        else
            take(slots[index], codes[index]);
    }
done:
    free(tokens);
    free(results);
    free(codes);
    return outcome;
}
