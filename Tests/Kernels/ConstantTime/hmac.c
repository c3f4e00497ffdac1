// Whether the time of an HMAC's verification could depend on the tag: hmac count | hmac mark [leaky]
//
// `count` counts the executed instructions for every place of the first wrong byte; they must be equal. `mark` runs under valgrind with the
// secret marked as uninitialised (ctgrind): valgrind reports every branch and every address that depends on it, in libcrypto too. `leaky`
// compares byte by byte and stops early: the check must refuse it.

#include "CInstructionCount.h"
#include "../../../Sources/COpenSSL/internal.h"

#include <stdio.h>
#include <string.h>
#include <valgrind/memcheck.h>

static const uint8_t message[] = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ1c2VyLTEifQ";
static const cossl_digest digests[] = {COSSL_DIGEST_SHA256, COSSL_DIGEST_SHA384, COSSL_DIGEST_SHA512};

typedef struct verification {
    const cossl_hmac_states *states;
    cossl_digest digest;
    uint8_t tag[64], sig[64];
    int is_leaky, verdict;
} verification;

static void verify(void *context) {
    verification *v = context;
    size_t len = cossl_digest_length(v->digest);
    if (!v->is_leaky) {
        v->verdict = cossl_hmac_verify(v->states, v->digest, message, sizeof message, v->sig, len);
        return;
    }
    v->verdict = 1;
    for (size_t i = 0; i < len && v->verdict; i++) { v->verdict = v->tag[i] == v->sig[i]; }
}

// prepare makes the states of the secret and the right tag.
static int prepare(verification *v, const uint8_t secret[64]) {
    v->states = cossl_hmac_states_new(secret, 64);
    return v->states != NULL && cossl_hmac_bytes(v->tag, v->digest, secret, 64, message, sizeof message);
}

static uint64_t instructions(verification *v) {
    cinstruction_counts counts;
    for (int i = 0; i < 4; i++) { verify(v); }
    return cinstruction_count(&counts, verify, v) ? counts.ours.instructions + counts.libcrypto.instructions : 0;
}

// is_even counts each place of the first wrong byte, and the right tag.
static int is_even(cossl_digest digest, int is_leaky) {
    uint8_t secret[64];
    memset(secret, 0x5a, sizeof secret);
    verification v = {.digest = digest, .is_leaky = is_leaky};
    if (!prepare(&v, secret)) { return -1; }
    uint64_t least = UINT64_MAX, most = 0;
    for (size_t place = 0; place <= cossl_digest_length(digest); place++) {
        memcpy(v.sig, v.tag, sizeof v.sig);
        for (size_t i = place; i < cossl_digest_length(digest); i++) { v.sig[i] ^= 0x55; }
        uint64_t count = instructions(&v);
        if (v.verdict != (place == cossl_digest_length(digest))) { return -1; }
        least = count < least ? count : least;
        most = count > most ? count : most;
    }
    if (most == 0) { return -2; }
    printf("%s, tag of %zu bytes: %llu to %llu instructions\n", is_leaky ? "early exit" : "HMAC", cossl_digest_length(digest),
           (unsigned long long)least, (unsigned long long)most);
    return least == most;
}

static int count(void) {
    int failed = 0;
    for (int d = 0; d < 3; d++) {
        int even = is_even(digests[d], 0), leaky = is_even(digests[d], 1);
        if (even == -2) {
            printf("0 passed, 0 failed, 1 skipped\n");
            return 0;
        }
        failed += even != 1;
        // The counter must see a comparison that stops early.
        failed += leaky != 0;
    }
    printf("%d passed, %d failed\n", 6 - failed, failed);
    return failed != 0;
}

// mark verifies a right and a wrong tag of a marked secret. valgrind gives the exit status.
static int mark(int is_leaky) {
    for (int d = 0; d < 3; d++) {
        uint8_t secret[64];
        memset(secret, 0x5a, sizeof secret);
        VALGRIND_MAKE_MEM_UNDEFINED(secret, sizeof secret);
        verification v = {.digest = digests[d], .is_leaky = is_leaky};
        if (!prepare(&v, secret)) { return 2; }
        for (int is_right = 0; is_right <= 1; is_right++) {
            // What an attacker sends is public, also if it is the tag.
            memcpy(v.sig, v.tag, sizeof v.sig);
            VALGRIND_MAKE_MEM_DEFINED(v.sig, sizeof v.sig);
            v.sig[0] ^= !is_right;
            verify(&v);
            // The verdict is public.
            VALGRIND_MAKE_MEM_DEFINED(&v.verdict, sizeof v.verdict);
            if (v.verdict != is_right) { return 2; }
        }
        cossl_hmac_states_free((cossl_hmac_states *)v.states);
    }
    return 0;
}

int main(int argc, char **argv) {
    if (argc > 1 && strcmp(argv[1], "mark") == 0) { return mark(argc > 2); }
    return count();
}
