// self_test.h: shared by the self tests: numbers as their specifications print them, and signatures that every kernel must judge alike.

#ifndef CJWT_SELF_TEST_H
#define CJWT_SELF_TEST_H

#include "CJWTKernelsVerdict.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

// from_hex writes `len` bytes: a number in hexadecimal, or a byte string of that length.
static inline void from_hex(uint8_t *out, size_t len, const char *digits) {
    size_t count = strlen(digits);
    memset(out, 0, len);
    for (size_t i = 0; i < count; i++) {
        char digit = digits[count - 1 - i];
        out[len - 1 - i / 2] |= (uint8_t)((digit <= '9' ? digit - '0' : digit - 'a' + 10) << (4 * (i % 2)));
    }
}

typedef struct signature_case {
    const void *table;
    cjwt_verdict verdict;
    uint8_t hash[64], sig[132];
} signature_case;

enum { kMaxCases = 20, kCaseLanes = 8 };

typedef struct signature_cases {
    size_t hash_len, half_len;  // of a hash, and of each half of a signature
    int count;
    signature_case cases[kMaxCases];
} signature_cases;

// add_case adds the signature first || second, and returns it so that the caller may alter it.
static inline signature_case *add_case(
    signature_cases *all, const void *table, cjwt_verdict verdict, const char *hash, const char *first, const char *second) {
    signature_case *added = &all->cases[all->count++];
    *added = (signature_case){.table = table, .verdict = verdict};
    from_hex(added->hash, all->hash_len, hash);
    from_hex(added->sig, all->half_len, first);
    from_hex(added->sig + all->half_len, all->half_len, second);
    return added;
}

typedef cjwt_verdict verify_function(const void *table, const uint8_t *hash, const uint8_t *sig);
typedef void verify8_function(
    cjwt_verdict *verdicts, const void *const *tables, const uint8_t *const *hashes, const uint8_t *const *sigs);

static inline int cases_hold(const signature_cases *all, verify_function *verify) {
    int hold = 1;
    for (int i = 0; i < all->count; i++) {
        const signature_case *one = &all->cases[i];
        hold &= verify(one->table, one->hash, one->sig) == one->verdict;
    }
    return hold;
}

// cases_hold_in_lanes verifies eight cases, cyclically, beginning with each; every second time with an idle lane.
static inline int cases_hold_in_lanes(const signature_cases *all, verify8_function *verify8) {
    int hold = 1;
    for (int first = 0; first < all->count; first++) {
        const int idle = first % 2 == 0 ? first % kCaseLanes : -1;
        const void *tables[kCaseLanes];
        const uint8_t *hashes[kCaseLanes], *sigs[kCaseLanes];
        cjwt_verdict verdicts[kCaseLanes];
        for (int i = 0; i < kCaseLanes; i++) {
            const signature_case *one = &all->cases[(first + i) % all->count];
            tables[i] = i == idle ? NULL : one->table;
            hashes[i] = i == idle ? NULL : one->hash;
            sigs[i] = i == idle ? NULL : one->sig;
        }
        verify8(verdicts, tables, hashes, sigs);
        for (int i = 0; i < kCaseLanes; i++) {
            hold &= verdicts[i] == (i == idle ? CJWT_UNDECIDED : all->cases[(first + i) % all->count].verdict);
        }
    }
    return hold;
}

#endif
