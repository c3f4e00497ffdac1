// cjwt_rsa_ifma_self_test, cjwt_rsa_scalar_self_test: known answers for every size, one at a time, and with IFMA in lanes.

#include "rsa_ifma.h"

#include "rsa_known_answers.h"

enum { kMostKeyBytes = 4224 };

typedef struct prepared {
    _Alignas(64) uint8_t memory[kMostKeyBytes];
} prepared;

// The real key and its signature.
typedef struct real {
    prepared key;
    uint8_t modulus[kRealBytes], signature[kRealBytes];
} real;

typedef int power_function(const void *key, uint8_t *em, const uint8_t *sig);

// The real signature is valid, and invalid with one bit changed; the modulus itself is out of range.
static int real_signature_holds(const real *real, power_function *power) {
    uint8_t em[kRealBytes], changed[kRealBytes];
    int holds = power(&real->key, em, real->signature) == 1 && is_real_message(em);
    for (size_t i = 0; i < kRealBytes; i += 37) {
        memcpy(changed, real->signature, kRealBytes);
        changed[i] ^= (uint8_t)(1u << (i % 7));
        holds &= power(&real->key, em, changed) == 0 || !is_real_message(em);
    }
    return holds && power(&real->key, em, real->modulus) == 0;
}

static int scalar_powers_hold(size_t len, const uint64_t sums[kLanes]) {
    prepared key;
    uint8_t sig[kMostBytes], em[kMostBytes], modulus[kMostBytes];
    uint64_t state = len;
    generate_modulus(&state, modulus, len);
    int holds = cjwt_rsa_scalar_key_build(&key, modulus, len);
    for (int i = 0; i < kLanes && holds; i++) {
        generate_number(&state, sig, len);
        holds &= cjwt_rsa_scalar_power(&key, em, sig) && sum_of(em, len) == sums[i];
    }
    return holds;
}

int cjwt_rsa_scalar_self_test(void) {
    real real;
    from_hex(real.modulus, kRealBytes, kModulus);
    from_hex(real.signature, kRealBytes, kSignature);
    int holds = cjwt_rsa_scalar_key_build(&real.key, real.modulus, kRealBytes) && real_signature_holds(&real, cjwt_rsa_scalar_power);
    for (size_t i = 0; i < 3 && holds; i++) { holds = scalar_powers_hold(256 + 128 * i, kSums[i]); }
    return holds;
}

#if defined(__x86_64__)

// One at a time, then in lanes: lane 3 has a number out of range, lane 5 is idle, and lane 1 has the real key if there is one.
static int powers_hold(const real *real, size_t len, const uint64_t sums[kLanes]) {
    prepared key;
    uint8_t sigs[kLanes][kMostBytes], ems[kLanes][kMostBytes], modulus[kMostBytes];
    const void *keys[kLanes];
    uint8_t *em_of[kLanes];
    const uint8_t *sig_of[kLanes];
    int results[kLanes], holds = 1;
    uint64_t state = len;
    generate_modulus(&state, modulus, len);
    holds &= cjwt_rsa_ifma_key_build(&key, modulus, len);
    for (int i = 0; i < kLanes && holds; i++) {
        generate_number(&state, sigs[i], len);
        holds &= cjwt_rsa_ifma_power(&key, ems[i], sigs[i]) && sum_of(ems[i], len) == sums[i];
        keys[i] = i == 5 ? NULL : i == 1 && len == kRealBytes ? &real->key : &key;
        em_of[i] = ems[i];
        sig_of[i] = keys[i] == &real->key ? real->signature : sigs[i];
    }
    memset(ems, 0, sizeof ems);
    sig_of[3] = modulus;
    if (!holds) {
        return 0;
    }
    cjwt_rsa_ifma_power8(results, keys, em_of, sig_of);
    for (int i = 0; i < kLanes; i++) {
        int idle = i == 3 || i == 5;
        holds &= results[i] == !idle;
        holds &= keys[i] == &real->key ? is_real_message(ems[i]) : sum_of(ems[i], len) == (idle ? 0 : sums[i]);
    }
    return holds;
}

int cjwt_rsa_ifma_self_test(void) {
    real real;
    from_hex(real.modulus, kRealBytes, kModulus);
    from_hex(real.signature, kRealBytes, kSignature);
    int holds = cjwt_rsa_ifma_key_build(&real.key, real.modulus, kRealBytes) && real_signature_holds(&real, cjwt_rsa_ifma_power);
    for (size_t i = 0; i < 3 && holds; i++) { holds = powers_hold(&real, 256 + 128 * i, kSums[i]); }
    return holds;
}

#endif
