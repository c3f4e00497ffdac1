// cjwt_p256_ifma_self_test: known answers, one token at a time and in mixed lanes, with tables of both sizes.

#include "table.h"

#include <pthread.h>

#if defined(__x86_64__)

#include "../nist/ecdsa_cases.h"

// The key of a signature with r = 3, whose R has the x n + 3.
static const char kWrappedX[] = "dfc15811f89d0a2fd9a8b512d08c63630543abe6e690675c1641cc510e669a7b",
                  kWrappedY[] = "fbc60de2280e24ad0ac5a31b022984a651408f81b67d4fad72267a2346c85368";

static struct {
    _Alignas(64) uint8_t bytes[2][sizeof(p256_table) + kP256SmallRows * 64];
} tables;
static int passed;

static int builds(void *table, const char *x, const char *y) {
    uint8_t coordinates[2][32];
    from_hex(coordinates[0], 32, x);
    from_hex(coordinates[1], 32, y);
    return cjwt_p256_ifma_table_build(table, CJWT_TABLE_SMALL, coordinates[0], coordinates[1]);
}

static void add_own_cases(signature_cases *all, const void *key, const void *wrapped, const void *generator) {
    const ecdsa_vector *v = &kP256Vector;
    // RFC 6979, A.2.5, SHA-256 of "test".
    add_case(all, key, CJWT_ACCEPTED, "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
             "f1abb023518351cd71d881567b1ea663ed3efcf6c5132b354f28d3b0b7d38367",
             "019f4113742a2b14bd25926b49c649155f267e60d3814b4c0cc84250e46f0083");
    // Signed with the private key 1.
    add_case(all, generator, CJWT_ACCEPTED, v->hash, "e03ba9ee4dbd1a2f5ba7daf7ace31cbfff8f55a8d8de771ebb9570ef6e0f790f",
             "2c29e96f30428c7ea7e456aa84ddcb020007d7c7527c70cfec95cd94da2cbd4b");
    add_case(all, wrapped, CJWT_ACCEPTED, v->hash, "3", "3");
    // e + r = n: the sum is the neutral element.
    add_case(all, generator, CJWT_UNDECIDED, v->hash, "50d4241d5564913f1d521e296b0be038a263ddab3e2e156f91a88d3899b55392", "1");
    add_case(all, generator, CJWT_REFUSED, v->hash, v->r, v->s);
    add_case(all, key, CJWT_REFUSED, v->hash, v->s, v->r);
}

static void run(void) {
    void *key = tables.bytes[0], *wrapped = tables.bytes[1];
    signature_cases all = {.hash_len = 32, .half_len = 32};
    if (!builds(key, kP256Vector.x, kP256Vector.y) || !builds(wrapped, kWrappedX, kWrappedY)) { return; }
    add_ecdsa_cases(&all, &kP256Vector, key, p256_generator_table());
    add_own_cases(&all, key, wrapped, p256_generator_table());
    passed = cases_hold(&all, cjwt_p256_ifma_verify) && cases_hold_in_lanes(&all, cjwt_p256_ifma_verify8);
}

int cjwt_p256_ifma_self_test(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    if (!cjwt_ifma_available()) { return 1; }
    (void)pthread_once(&once, run);
    return passed;
}

#endif
