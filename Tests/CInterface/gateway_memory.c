/* What a decision allocates: nothing, once the decision has the memory that requests need. */

#include "gateway.h"

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

static _Thread_local long allocations;

void *malloc(size_t size) {
    allocations++;
    return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
    allocations++;
    return __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size) {
    allocations++;
    return __libc_realloc(memory, size);
}

int posix_memalign(void **out, size_t alignment, size_t size) {
    allocations++;
    *out = __libc_memalign(alignment, size);
    return *out == NULL;
}

static const struct {
    const char *target, *name, *value;
    assay_code code;
} requests[] = {
    {"/orders/17?page=2", "Authorization", "Bearer " TOKEN, ASSAY_OK},
    {"/orders?access_token=" TOKEN, NULL, NULL, ASSAY_OK},
    {"/orders", "Cookie", "a=1; session=" TOKEN, ASSAY_OK},
    {"/trial", "Authorization", "Bearer " TOKEN, ASSAY_OK},
    {"/open", NULL, NULL, ASSAY_OK},
    {"/orders", "Authorization", "Bearer " TOKEN_TAMPERED, ASSAY_SIGNATURE_INVALID},
    {"/orders", NULL, NULL, ASSAY_MISSING_TOKEN},
    {"/admins?page=2", "Accept", "text/html", ASSAY_MISSING_TOKEN},
    {"/admins", "Authorization", "Bearer " TOKEN, ASSAY_CLAIM_MISMATCH},
    {"/nowhere", NULL, NULL, ASSAY_NO_ROUTE},
    {"/open", "X_User", "root", ASSAY_AMBIGUOUS_FIELD},
};

/* Tokens that a status list judges. */
static const struct {
    const char *value;
    assay_code code;
} listed[] = {
    {"Bearer " TOKEN_LISTED, ASSAY_OK},
    {"Bearer " TOKEN_REVOKED, ASSAY_REVOKED},
    {"Bearer " TOKEN_BEYOND, ASSAY_INVALID_STATUS},
};

#define LISTED "{\"providers\": [{\"name\": \"main\", \"issuer\": \"" ISSUER "\", \"anyAudience\": true, \"statusLists\": {}}]," \
    " \"policies\": [{\"name\": \"all\", \"requires\": \"main\"}], \"policy\": \"all\"}"

static assay_decision *decision;

static void count(const assay_gateway *gateway, const char *target, const char *name, const char *value, assay_code code) {
    long before = 0;
    for (int round = 0; round < 200; round++) {
        /* The first rounds grow the memory, and put the token into the cache. */
        if (round == 100) { before = allocations; }
        CHECK_EQUAL(decide(decision, gateway, target, name, value), code);
        assay_operation operation;
        for (size_t n = 0; assay_decision_operation(&operation, decision, n) == ASSAY_OK; n++) {}
    }
    CHECK_EQUAL(allocations - before, 0);
}

int main(void) {
    assay_gateway *gateway = new_gateway(SETTINGS);
    CHECK_EQUAL(assay_decision_new(&decision), ASSAY_OK);
    supply_keys(gateway, JWKS);
    for (size_t i = 0; i < sizeof requests / sizeof *requests; i++) {
        count(gateway, requests[i].target, requests[i].name, requests[i].value, requests[i].code);
    }
    assay_gateway_free(gateway);
    gateway = new_gateway(LISTED);
    supply_keys(gateway, JWKS);
    CHECK_EQUAL(decide(decision, gateway, "/a", "Authorization", listed[0].value), ASSAY_STATUS_UNAVAILABLE);
    CHECK_EQUAL(supply(gateway, LIST_URL, LIST), ASSAY_OK);
    for (size_t i = 0; i < sizeof listed / sizeof *listed; i++) {
        count(gateway, "/a", "Authorization", listed[i].value, listed[i].code);
    }
    assay_gateway_free(gateway);
    assay_decision_free(decision);
    return report();
}
