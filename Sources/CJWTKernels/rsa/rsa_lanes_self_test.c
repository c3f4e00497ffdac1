// cjwt_rsa_avx512f_self_test, cjwt_rsa_avx2_self_test, cjwt_rsa_ifma256_self_test: known answers for every size, in each lane.

#define RSA_LANES 1

#include "rsa_muludq.h"

#if defined(__x86_64__)

#include "../include/CJWTKernelsVerdict.h"
#include "rsa_known_answers.h"

enum { kMostKeyBytes = 2560 };

typedef struct prepared {
    _Alignas(64) uint8_t memory[kMostKeyBytes];
} prepared;

typedef struct kernel {
    int (*build)(void *key, const uint8_t *modulus, size_t modulus_len);
    void (*power)(int *results, const void *const *keys, uint8_t *const *ems, const uint8_t *const *sigs);
    size_t lanes;
} kernel;

// What the lanes get and give: number i in lane i, or in lane i % 4 of the second run.
typedef struct numbers {
    const void *keys[kAnswers];
    const uint8_t *sigs[kAnswers];
    uint8_t *ems[kAnswers], results_of[kAnswers][kMostBytes];
    int results[kAnswers];
} numbers;

static void run(numbers *all, const kernel *k) {
    memset(all->results_of, 0, sizeof all->results_of);
    for (size_t i = 0; i < kAnswers; i++) { all->ems[i] = all->results_of[i]; }
    for (size_t i = 0; i < kAnswers; i += k->lanes) { k->power(all->results + i, all->keys + i, all->ems + i, all->sigs + i); }
}

// All eight numbers; then number 3 is out of range, number 5 idle.
static int powers_hold(const kernel *k, size_t len, const uint64_t sums[kAnswers]) {
    prepared key;
    numbers all;
    uint8_t modulus[kMostBytes], sigs[kAnswers][kMostBytes];
    uint64_t state = len;
    generate_modulus(&state, modulus, len);
    int holds = k->build(&key, modulus, len);
    for (int i = 0; i < kAnswers; i++) {
        generate_number(&state, sigs[i], len);
        all.keys[i] = &key, all.sigs[i] = sigs[i];
    }
    for (int round = 0; round < 2 && holds; round++) {
        run(&all, k);
        for (int i = 0; i < kAnswers; i++) {
            int computed = round == 0 || (i != 3 && i != 5);
            holds &= all.results[i] == computed && sum_of(all.results_of[i], len) == (computed ? sums[i] : 0);
        }
        all.sigs[3] = modulus, all.keys[5] = NULL;
    }
    return holds;
}

// The real signature beside seven that differ in one bit; the lanes with odd numbers have another copy of its key.
static int real_signature_holds(const kernel *k) {
    prepared keys[2];
    numbers all;
    uint8_t modulus[kRealBytes], sigs[kAnswers][kRealBytes];
    from_hex(modulus, kRealBytes, kModulus);
    int holds = k->build(&keys[0], modulus, kRealBytes) && k->build(&keys[1], modulus, kRealBytes);
    for (int i = 0; i < kAnswers; i++) {
        from_hex(sigs[i], kRealBytes, kSignature);
        if (i != 2) { sigs[i][37 * i % kRealBytes] ^= (uint8_t)(1u << (i % 7)); }
        all.keys[i] = &keys[i % 2], all.sigs[i] = sigs[i];
    }
    if (holds) { run(&all, k); }
    for (int i = 0; i < kAnswers && holds; i++) { holds &= (all.results[i] && is_real_message(all.results_of[i])) == (i == 2); }
    return holds;
}

static int self_test(kernel k) {
    int holds = real_signature_holds(&k);
    for (size_t i = 0; i < 3 && holds; i++) { holds = powers_hold(&k, 256 + 128 * i, kSums[i]); }
    return holds;
}

int cjwt_rsa_avx512f_self_test(void) {
    return cjwt_avx512f_available() && self_test((kernel){cjwt_rsa_lanes_key_build, cjwt_rsa_avx512f_power8, 8});
}

int cjwt_rsa_avx2_self_test(void) {
    return cjwt_avx2_available() && self_test((kernel){cjwt_rsa_lanes_key_build, cjwt_rsa_avx2_power4, 4});
}

int cjwt_rsa_ifma256_self_test(void) {
    return cjwt_ifma256_available() && self_test((kernel){cjwt_rsa_ifma256_key_build, cjwt_rsa_ifma256_power4, 4});
}

#endif
