/* What passes once: tokens and DPoP proofs, with a memory of the gateway's own, of several gateways, and of the host. */

#define _DEFAULT_SOURCE 1

#include "gateway.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define WITH(members) "{\"providers\": [{\"name\": \"main\", \"issuer\": \"" ISSUER "\", \"audiences\": [\"client-1\"], " members \
    "}], \"policies\": [{\"name\": \"all\", \"requires\": \"main\"}, {\"name\": \"again\", \"requires\": \"main\"}], \"policy\": \"all\"}"
#define ONCE WITH("\"once\": true")
#define PLAIN WITH("\"once\": false")
#define BOUND WITH("\"dpop\": {\"tokens\": \"bound\"}")
#define BOUND_WITH(terms) WITH("\"dpop\": {\"tokens\": \"bound\", " terms "}")
#define BOUND_LONGER WITH("\"dpop\": {\"tokens\": \"bound\", \"maximumAgeSeconds\": 1000}")

static assay_decision *decision;

static assay_gateway *new_with(const char *settings, const assay_replay_memory *memory) {
    assay_gateway_options options = {.size = sizeof options, .clock = read_clock, .wake = count_wake, .context = &now_nanoseconds};
    options.replay_memory = memory;
    assay_gateway *gateway = NULL;
    CHECK_EQUAL(assay_gateway_new(&gateway, settings, strlen(settings), &options), ASSAY_OK);
    supply_keys(gateway, JWKS);
    return gateway;
}

static assay_code judge(const assay_gateway *gateway, const char *token) {
    char value[8192];
    snprintf(value, sizeof value, "Bearer %s", token);
    return decide(decision, gateway, "/a", "Authorization", value);
}

/* A request with a bound token and some fields `DPoP`. */
typedef struct bound_request {
    assay_request request;
    assay_field fields[3];
    char value[8192];
} bound_request;

static assay_request *with_proofs(bound_request *out, const char *scheme, const char *token, const char *first, const char *second) {
    snprintf(out->value, sizeof out->value, "%s %s", scheme, token);
    out->request = request_with(&out->fields[0], "/a", "Authorization", out->value);
    const char *proofs[] = {first, second};
    for (size_t i = 0; i < 2 && proofs[i] != NULL; i++) {
        out->fields[out->request.field_count++] = (assay_field){text_of("dpop"), text_of(proofs[i])};
    }
    return &out->request;
}

static assay_code prove(const assay_gateway *gateway, const char *proof, double now) {
    bound_request bound;
    return assay_gateway_decide(decision, gateway, with_proofs(&bound, "DPoP", TOKEN_BOUND, proof, NULL), now);
}

static void tokens(void) {
    assay_gateway *gateway = new_with(ONCE, NULL);
    CHECK_EQUAL(judge(gateway, TOKEN), ASSAY_OK);
    CHECK_EQUAL(judge(gateway, TOKEN), ASSAY_REPLAYED);
    CHECK_EQUAL(assay_decision_status(decision), 401);
    CHECK_EQUAL(judge(gateway, TOKEN_TAMPERED), ASSAY_SIGNATURE_INVALID);
    CHECK_EQUAL(assay_gateway_replace(gateway, TEXT(ONCE)), ASSAY_OK);
    CHECK_EQUAL(judge(gateway, TOKEN), ASSAY_REPLAYED);
    assay_gateway_free(gateway);
    gateway = new_with(PLAIN, NULL);
    CHECK_EQUAL(judge(gateway, TOKEN), ASSAY_OK);
    CHECK_EQUAL(judge(gateway, TOKEN), ASSAY_OK);
    CHECK_EQUAL(assay_gateway_replace(gateway, TEXT(ONCE)), ASSAY_OK);
    CHECK_EQUAL(judge(gateway, TOKEN), ASSAY_OK);
    CHECK_EQUAL(judge(gateway, TOKEN), ASSAY_REPLAYED);
    assay_gateway_free(gateway);
}

static void proofs(void) {
    assay_gateway *gateway = new_with(BOUND, NULL);
    bound_request bound;
    CHECK_EQUAL(prove(gateway, PROOF, NOW), ASSAY_OK);
    CHECK_EQUAL(prove(gateway, PROOF, NOW), ASSAY_REPLAYED_PROOF);
    CHECK_EQUAL(prove(gateway, NULL, NOW), ASSAY_MISSING_PROOF);
    CHECK_EQUAL(assay_gateway_decide(decision, gateway, with_proofs(&bound, "Bearer", TOKEN_BOUND, PROOF_SECOND, NULL), NOW),
                ASSAY_BOUND_TOKEN_WITHOUT_PROOF);
    CHECK_EQUAL(assay_gateway_decide(decision, gateway, with_proofs(&bound, "DPoP", TOKEN_BOUND, PROOF_SECOND, PROOF), NOW),
                ASSAY_SEVERAL_PROOFS);
    with_proofs(&bound, "DPoP", TOKEN_BOUND, PROOF_SECOND, NULL)->method = text_of("POST");
    CHECK_EQUAL(assay_gateway_decide(decision, gateway, &bound.request, NOW), ASSAY_PROOF_METHOD_MISMATCH);
    with_proofs(&bound, "DPoP", TOKEN_BOUND, PROOF_SECOND, NULL)->authority = text_of("other.example");
    CHECK_EQUAL(assay_gateway_decide(decision, gateway, &bound.request, NOW), ASSAY_PROOF_URL_MISMATCH);
    with_proofs(&bound, "DPoP", TOKEN_BOUND, PROOF_SECOND, NULL)->target = text_of("/b");
    CHECK_EQUAL(assay_gateway_decide(decision, gateway, &bound.request, NOW), ASSAY_PROOF_URL_MISMATCH);
    with_proofs(&bound, "DPoP", TOKEN_BOUND, PROOF_SECOND, NULL)->scheme = text_of("http");
    CHECK_EQUAL(assay_gateway_decide(decision, gateway, &bound.request, NOW), ASSAY_PROOF_URL_MISMATCH);
    CHECK_EQUAL(prove(gateway, PROOF_SECOND, NOW), ASSAY_OK);
    char text[65536];
    CHECK(assay_gateway_metrics(text, sizeof text, gateway) < sizeof text);
    CHECK(strstr(text, "assay_gateway_replay_uses_total{result=\"first\"} 2\n") != NULL);
    CHECK(strstr(text, "assay_gateway_replay_uses_total{result=\"replayed\"} 1\n") != NULL);
    CHECK(strstr(text, "assay_gateway_replay_entries_promised 262144\n") != NULL);
    assay_gateway_free(gateway);
}

/* A host that decides again about the same request says what that has used. */
static void the_same_request(void) {
    assay_gateway *gateway = new_with(BOUND, NULL);
    bound_request bound;
    assay_use used[2];
    assay_request *request = with_proofs(&bound, "DPoP", TOKEN_BOUND, PROOF, NULL);
    CHECK_EQUAL(assay_gateway_decide(decision, gateway, request, NOW), ASSAY_OK);
    CHECK_EQUAL(assay_decision_use(&used[0], decision, 0), ASSAY_OK);
    CHECK_EQUAL(assay_decision_use(&used[1], decision, 1), ASSAY_NO_VALUE);
    request->policy = text_of("again");
    CHECK_EQUAL(assay_gateway_decide(decision, gateway, request, NOW), ASSAY_REPLAYED_PROOF);
    CHECK_EQUAL(assay_decision_use(&used[1], decision, 0), ASSAY_NO_VALUE);
    request->used = used;
    request->used_count = 1;
    for (int i = 0; i < 3; i++) {
        CHECK_EQUAL(assay_gateway_decide(decision, gateway, request, NOW), ASSAY_OK);
        CHECK_EQUAL(assay_decision_use(&used[1], decision, 0), ASSAY_OK);
        CHECK(memcmp(&used[0], &used[1], sizeof used[0]) == 0);
        CHECK_EQUAL(assay_decision_use(&used[1], decision, 1), ASSAY_NO_VALUE);
    }
    used[0].digest[0] ^= 1;
    CHECK_EQUAL(assay_gateway_decide(decision, gateway, request, NOW), ASSAY_REPLAYED_PROOF);
    request->used_count = 65;
    CHECK_EQUAL(assay_gateway_decide(decision, gateway, request, NOW), ASSAY_INVALID_ARGUMENT);
    request->used_count = 1;
    request->used = NULL;
    CHECK_EQUAL(assay_gateway_decide(decision, gateway, request, NOW), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_decision_use(NULL, decision, 0), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_decision_use(used, NULL, 0), ASSAY_INVALID_ARGUMENT);
    assay_gateway_free(gateway);
}

/* An older caller knows no uses and no memory. */
static void older_structures(void) {
    assay_gateway_options options = {.size = offsetof(assay_gateway_options, replay_memory), .seed = 1};
    options.replay_memory = (const assay_replay_memory *)&options;
    assay_gateway *gateway = NULL;
    CHECK_EQUAL(assay_gateway_new(&gateway, TEXT(ONCE), &options), ASSAY_OK);
    supply_keys(gateway, JWKS);
    bound_request bound;
    assay_request *request = with_proofs(&bound, "Bearer", TOKEN, NULL, NULL);
    request->size = offsetof(assay_request, used);
    request->used_count = 1;
    CHECK_EQUAL(assay_gateway_decide(decision, gateway, request, NOW), ASSAY_OK);
    request->size--;
    CHECK_EQUAL(assay_gateway_decide(decision, gateway, request, NOW), ASSAY_INVALID_ARGUMENT);
    options.size--;
    CHECK_EQUAL(assay_gateway_new(&gateway, TEXT(ONCE), &options), ASSAY_INVALID_ARGUMENT);
    assay_gateway_free(gateway);
}

/* Gateways that share a memory remember a proof for as long as any of them takes one. */
static void several_gateways(void) {
    assay_replay_memory *memory = NULL;
    CHECK_EQUAL(assay_replay_memory_new(&memory, 100), ASSAY_OK);
    assay_gateway *first = new_with(BOUND, memory), *second = new_with(BOUND_LONGER, memory);
    assay_replay_memory_free(memory);
    CHECK_EQUAL(prove(first, PROOF, NOW), ASSAY_OK);
    CHECK_EQUAL(prove(second, PROOF, NOW), ASSAY_REPLAYED_PROOF);
    /* The token has ended by then, and its refusal would come first. */
    CHECK_EQUAL(prove(second, PROOF, NOW + 250), ASSAY_REPLAYED_PROOF);
    CHECK_EQUAL(prove(first, PROOF, NOW + 250), ASSAY_PROOF_TOO_OLD);
    assay_gateway_free(first);
    CHECK_EQUAL(prove(second, PROOF_SECOND, NOW + 250), ASSAY_OK);
    assay_gateway_free(second);
}

static void full(void) {
    static const char *const many[] = {TOKENS};
    assay_replay_memory *memory = NULL;
    CHECK_EQUAL(assay_replay_memory_new(&memory, 4), ASSAY_OK);
    assay_gateway *gateway = new_with(ONCE, memory);
    for (size_t i = 0; i < 8; i++) { CHECK_EQUAL(judge(gateway, many[i]), ASSAY_OK); }
    for (size_t i = 8; i < 12; i++) { CHECK_EQUAL(judge(gateway, many[i]), ASSAY_REPLAY_MEMORY_UNAVAILABLE); }
    CHECK_EQUAL(assay_decision_status(decision), 503);
    CHECK_EQUAL(assay_decision_retry_after(decision), 1);
    CHECK_EQUAL(judge(gateway, many[0]), ASSAY_REPLAYED);
    assay_gateway_free(gateway);
    assay_replay_memory_free(memory);
}

static void *shared_block(size_t size) {
    void *block = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    CHECK(block != MAP_FAILED);
    return block;
}

/* A block of the host outlives gateways and memories, as nginx's zone does a reload. */
static void block_of_the_host(void) {
    size_t size = assay_replay_memory_size(1000);
    CHECK_EQUAL(size, 1000 * 16 + 64);
    CHECK_EQUAL(assay_replay_memory_size(0), 0);
    CHECK_EQUAL(assay_replay_memory_size((UINT64_C(1) << 30) + 1), 0);
    char *block = shared_block(size);
    for (uint32_t is_new = 1; is_new < 2; is_new--) {
        assay_replay_memory *memory = NULL;
        CHECK_EQUAL(assay_replay_memory_new(&memory, 0), ASSAY_OK);
        assay_gateway *gateway = new_with(ONCE, memory);
        CHECK_EQUAL(judge(gateway, TOKEN), ASSAY_REPLAY_MEMORY_UNAVAILABLE);
        CHECK_EQUAL(assay_replay_memory_place(memory, block + 8, size - 8, is_new), ASSAY_INVALID_ARGUMENT);
        CHECK_EQUAL(assay_replay_memory_place(memory, block, 64, is_new), ASSAY_INVALID_ARGUMENT);
        CHECK_EQUAL(assay_replay_memory_place(memory, block, size, 2), ASSAY_INVALID_ARGUMENT);
        CHECK_EQUAL(assay_replay_memory_place(memory, block, size - 64, 0), ASSAY_INVALID_ARGUMENT);
        CHECK_EQUAL(assay_replay_memory_place(memory, NULL, size, is_new), ASSAY_INVALID_ARGUMENT);
        CHECK_EQUAL(assay_replay_memory_place(NULL, block, size, is_new), ASSAY_INVALID_ARGUMENT);
        CHECK_EQUAL(assay_replay_memory_place(memory, block, size, is_new), ASSAY_OK);
        CHECK_EQUAL(assay_replay_memory_place(memory, block, size, is_new), ASSAY_INVALID_ARGUMENT);
        CHECK_EQUAL(judge(gateway, TOKEN), is_new ? ASSAY_OK : ASSAY_REPLAYED);
        assay_gateway_free(gateway);
        assay_replay_memory_free(memory);
        if (is_new == 0) { break; }
    }
    munmap(block, size);
    assay_replay_memory *memory = NULL;
    CHECK_EQUAL(assay_replay_memory_new(&memory, (UINT64_C(1) << 30) + 1), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_replay_memory_new(NULL, 1), ASSAY_INVALID_ARGUMENT);
    assay_replay_memory_free(NULL);
}

/* Runs `body` in a child; its result. */
static int in_child(int (*body)(void *), void *context) {
    pid_t child = fork();
    if (child == 0) { _exit(body(context)); }
    int status = -1;
    CHECK(child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status));
    return WEXITSTATUS(status);
}

static int uses_the_token(void *gateway) { return judge(gateway, TOKEN) == ASSAY_OK; }
static int uses_the_proof(void *gateway) { return prove(gateway, PROOF, NOW) == ASSAY_OK; }
static int is_refused_a_memory(void *gateway) { return assay_gateway_replace(gateway, TEXT(ONCE)) == ASSAY_INVALID_SETTINGS; }

static void forks(void) {
    assay_gateway *gateway = new_with(ONCE, NULL);
    CHECK_EQUAL(in_child(uses_the_token, gateway), 1);
    CHECK_EQUAL(in_child(uses_the_token, gateway), 0);
    CHECK_EQUAL(judge(gateway, TOKEN), ASSAY_REPLAYED);
    assay_gateway_free(gateway);
    gateway = new_with(BOUND, NULL);
    CHECK_EQUAL(in_child(uses_the_proof, gateway), 1);
    CHECK_EQUAL(prove(gateway, PROOF, NOW), ASSAY_REPLAYED_PROOF);
    assay_gateway_free(gateway);
    gateway = new_with(PLAIN, NULL);
    CHECK_EQUAL(in_child(is_refused_a_memory, gateway), 1);
    CHECK_EQUAL(assay_gateway_replace(gateway, TEXT(ONCE)), ASSAY_OK);
    assay_gateway_free(gateway);
}

static atomic_int is_over, busy;

/* Verifies proofs until the end. A used one and one without its nonce go through all locks. */
static void *prove_all(void *gateways) {
    assay_decision *own = NULL;
    CHECK_EQUAL(assay_decision_new(&own), ASSAY_OK);
    bound_request bound;
    assay_request *request = with_proofs(&bound, "DPoP", TOKEN_BOUND, PROOF, NULL);
    for (int i = 0; !is_over; i++) {
        assay_gateway_decide(own, ((assay_gateway **)gateways)[i % 2], request, NOW + i % 3);
        if (i == 1) { busy++; }
    }
    assay_decision_free(own);
    return NULL;
}

static int proves_in_time(void *gateways) {
    alarm(20);
    return prove(((assay_gateway **)gateways)[0], PROOF, NOW) == ASSAY_REPLAYED_PROOF &&
           prove(((assay_gateway **)gateways)[1], PROOF, NOW) == ASSAY_MISSING_PROOF_NONCE;
}

/* A fork waits until no thread holds a lock of the clients' keys or of nonces. */
static void forks_beside_proofs(void) {
    assay_gateway *gateways[] = {new_with(BOUND, NULL), new_with(BOUND_WITH("\"nonces\": {\"periodSeconds\": 1}"), NULL)};
    pthread_t threads[4];
    CHECK_EQUAL(prove(gateways[0], PROOF, NOW), ASSAY_OK);
    for (size_t i = 0; i < 4; i++) { CHECK(pthread_create(&threads[i], NULL, prove_all, gateways) == 0); }
    /* A fork beside the first call of a function is the host's mistake (assay.h). */
    while (busy < 4) { sched_yield(); }
    for (int i = 0; i < 300; i++) { CHECK_EQUAL(in_child(proves_in_time, gateways), 1); }
    is_over = 1;
    for (size_t i = 0; i < 4; i++) { pthread_join(threads[i], NULL); }
    for (size_t i = 0; i < 2; i++) { assay_gateway_free(gateways[i]); }
}

/* Nobody knows whether a proof from before the memory was used. Nonces of the process are none of another process, so they tell it too. */
static void before_the_start(void) {
    static const char *const settings[] = {BOUND_LONGER, BOUND_WITH("\"maximumAgeSeconds\": 1000, \"nonces\": {}")};
    static const assay_code codes[] = {ASSAY_PROOF_TOO_OLD, ASSAY_MISSING_PROOF_NONCE};
    for (size_t i = 0; i < 2; i++) {
        assay_gateway *gateway = new_with(settings[i], NULL);
        bound_request bound;
        assay_request *request = with_proofs(&bound, "DPoP", TOKEN_TODAY, PROOF_TODAY, NULL);
        CHECK_EQUAL(assay_gateway_decide(decision, gateway, request, ASSAY_NOW), codes[i]);
        const char *nonce;
        size_t length = 0;
        CHECK_EQUAL(assay_decision_proof_nonce(&nonce, &length, decision), i == 0 ? ASSAY_NO_VALUE : ASSAY_OK);
        CHECK_EQUAL(length, i == 0 ? 0 : 32);
        assay_gateway_free(gateway);
    }
}

int main(void) {
    CHECK_EQUAL(assay_decision_new(&decision), ASSAY_OK);
    tokens();
    proofs();
    the_same_request();
    older_structures();
    several_gateways();
    full();
    block_of_the_host();
    forks();
    forks_beside_proofs();
    before_the_start();
    assay_decision_free(decision);
    return report();
}
