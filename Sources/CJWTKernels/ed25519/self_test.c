// cjwt_ed25519_self_test, cjwt_ed25519_ifma_self_test: every kernel verifies fixed signatures, valid and altered.
//
// Not used in verification: this allocates the tables of two keys, one of each size.

#include "../self_test.h"

#include <errno.h>
#include <stdlib.h>

#include "CJWTKernelsEd25519.h"

// RFC 8032 section 7.1, tests 1 and 2; `h` is SHA-512(R || A || M).
static const struct {
    const char *key, *r, *s, *h;
} kVectors[2] = {
    {"d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
     "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e06522490155",
     "5fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b",
     "2771062b6b536fe7ffbdda0320c3827b035df10d284df3f08222f04dbca7a4c20ef15bdc988a22c7207411377c33f2ac09b1e86a046234283768ee7ba03c0e9f"},
    {"3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
     "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da",
     "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00",
     "a271df0d2b0d03bd17b4ed9a4b6afddf2e73287fd630f1a137d87ce873a591cc31b6dd852a98b5dd1226fe993d8228278ceba21f80b8fc95986a70d71edf3faf"},
};

// The second vector's S plus L: the same number modulo L, but an invalid signature (RFC 8032 section 5.1.7).
static const char kSPlusOrder[] = "f52db7415978abc61b2c2eb6aeebfca0387b2eaeb4302aeeb00d291612bb0c10";

static signature_case *add(signature_cases *all, const void *table, cjwt_verdict verdict, int vector) {
    return add_case(all, table, verdict, kVectors[vector].h, kVectors[vector].r, kVectors[vector].s);
}

static void add_cases(signature_cases *all, const void *full, const void *small) {
    add(all, full, CJWT_ACCEPTED, 0);
    add(all, small, CJWT_ACCEPTED, 1);
    add(all, full, CJWT_REFUSED, 0)->sig[0] ^= 1;
    add(all, small, CJWT_REFUSED, 1)->sig[31] ^= 0x80;
    add(all, full, CJWT_REFUSED, 0)->sig[32] ^= 1;
    add_case(all, small, CJWT_REFUSED, kVectors[1].h, kVectors[1].r, kSPlusOrder);
    add(all, full, CJWT_REFUSED, 0)->hash[0] ^= 1;
    add(all, full, CJWT_REFUSED, 1);
}

static int builds(void *table, cjwt_table_size size, const char *key) {
    uint8_t bytes[32];
    from_hex(bytes, 32, key);
    return cjwt_ed25519_table_build(table, size, bytes);
}

static void *allocate_table(cjwt_table_size size) { return aligned_alloc(64, (cjwt_ed25519_table_bytes(size) + 63) / 64 * 64); }

// A point of small order, (0, -1), and y = p get no table.
static int test_with(void *full, void *small, int with_lanes) {
    signature_cases all = {.hash_len = 64, .half_len = 32};
    if (builds(small, CJWT_TABLE_SMALL, "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f") ||
        builds(small, CJWT_TABLE_SMALL, "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f") ||
        !builds(full, CJWT_TABLE_FULL, kVectors[0].key) || !builds(small, CJWT_TABLE_SMALL, kVectors[1].key)) {
        return 0;
    }
    add_cases(&all, full, small);
    if (!with_lanes) { return cases_hold(&all, cjwt_ed25519_verify); }
    return cases_hold(&all, cjwt_ed25519_ifma_verify) && cases_hold_in_lanes(&all, cjwt_ed25519_ifma_verify8);
}

static int self_test(int with_lanes) {
    void *full = allocate_table(CJWT_TABLE_FULL), *small = allocate_table(CJWT_TABLE_SMALL);
    int has_memory = full != NULL && small != NULL;
    int passes = has_memory && test_with(full, small, with_lanes);
    free(full);
    free(small);
    if (!passes) { errno = has_memory ? 0 : ENOMEM; }
    return passes;
}

int cjwt_ed25519_self_test(void) { return self_test(0); }

int cjwt_ed25519_ifma_self_test(void) {
    errno = 0;
    return cjwt_ifma_available() && self_test(1);
}
