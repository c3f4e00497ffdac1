// rsa_muludq_power.h: RSA_LANES tokens, one in each lane, of one key or of several of one length. The including file includes before what
// multiplies: rsa_muludq_multiply.h or rsa_ifma256_multiply.h.

#ifndef CJWT_RSA_MULUDQ_POWER_H
#define CJWT_RSA_MULUDQ_POWER_H

#include "rsa_digits.h"

typedef struct lanes {
    _Alignas(column) uint64_t inverse[RSA_LANES];
    const rsa_shape *shape;
    const rsa_lanes_key *keys[RSA_LANES];  // an idle lane has another lane's key
    int has_work[RSA_LANES];
} lanes;

// Zero where all lanes are idle. The first active lane determines the size; a lane with a key of another size becomes idle.
static int lanes_of(lanes *l, const void *const keys[RSA_LANES]) {
    const rsa_lanes_key *some = NULL;
    for (int i = RSA_LANES - 1; i >= 0; i--) { some = keys[i] != NULL ? keys[i] : some; }
    if (some == NULL) {
        return 0;
    }
    l->shape = some->shape;
    for (int i = 0; i < RSA_LANES; i++) {
        const rsa_lanes_key *key = keys[i];
        l->has_work[i] = key != NULL && key->shape == some->shape;
        l->keys[i] = l->has_work[i] ? key : some;
        l->inverse[i] = l->keys[i]->inverse;
    }
    return 1;
}

// put_lane puts a number's digits, which follow one another, into a lane.
// Contract: digits(digits) < W => lane = digits, apart
static void put_lane(uint64_t *lane, const uint64_t *digits, size_t count) {
    for (size_t i = 0; i < count; i++) { lane[kStride * i] = digits[i]; }
}

// Contract: => lane = 0
static void clear_lane(uint64_t *lane, size_t count) {
    for (size_t i = 0; i < count; i++) { lane[kStride * i] = 0; }
}

// put_numbers puts into lanes: the moduli, R^2 modulo each, and the signatures, and says which of these are in range. An idle lane gets
// zero. A signature out of range is also computed: it is below 2n, because n has its top bit set, so the bounds hold, and its power is
// ignored.
static void put_numbers(int *results, const lanes *l, const uint8_t *const *sigs, uint64_t *n, uint64_t *r_squared, uint64_t *s) {
    const size_t digits = l->shape->digits;
    for (size_t i = 0; i < RSA_LANES; i++) {
        put_lane(n + i, key_modulus(l->keys[i]), digits);
        put_lane(r_squared + i, key_r_squared(l->keys[i]), digits);
        if (l->has_work[i]) {
            digits_from_bytes(s + i, sigs[i], l->shape);
            results[i] = digits_less(s + i, n + i, digits);
        } else {
            clear_lane(s + i, digits);
        }
    }
}

static void take_powers(const int *results, const lanes *l, uint8_t *const *ems, const uint64_t *n, uint64_t *x) {
    for (size_t i = 0; i < RSA_LANES; i++) {
        if (results[i]) {
            reduce_once(x + i, n + i, l->shape->digits);
            bytes_from_digits(ems[i], x + i, l->shape);
        }
    }
}

// power needs four times digits * RSA_LANES words.
static void power(int *results, const lanes *l, uint8_t *const *ems, const uint8_t *const *sigs, uint64_t *buffers) {
    const size_t digits = l->shape->digits, words = digits * RSA_LANES;
    uint64_t *n = buffers, *s = n + words, *x = s + words, *q = x + words;
    put_numbers(results, l, sigs, n, x, s);
    montgomery_multiply(x, s, n, l->inverse, q, digits);
    for (int i = 0; i < 16; i++) { montgomery_square(x, n, l->inverse, q, digits); }
    // s^65536 * R times the plain s, over R: this leaves Montgomery form at no cost.
    montgomery_multiply(x, s, n, l->inverse, q, digits);
    take_powers(results, l, ems, n, x);
}

// One function for each size, so that each uses only the stack it needs.
#define SIZE(BITS)                                                                                                         \
    static __attribute__((noinline)) void power_##BITS(int *results, const lanes *l, uint8_t *const *ems,                  \
                                                       const uint8_t *const *sigs) {                                       \
        _Alignas(column) uint64_t buffers[4 * kDigits##BITS * RSA_LANES];                                                  \
        power(results, l, ems, sigs, buffers);                                                                             \
    }

SIZE(2048)
SIZE(3072)
SIZE(4096)

static void powers(int results[RSA_LANES], const void *const keys[RSA_LANES], uint8_t *const ems[RSA_LANES],
                   const uint8_t *const sigs[RSA_LANES]) {
    lanes l;
    memset(results, 0, RSA_LANES * sizeof *results);
    if (!lanes_of(&l, keys)) {
        return;
    }
    switch (l.shape->digits) {
    case kDigits2048: power_2048(results, &l, ems, sigs); break;
    case kDigits3072: power_3072(results, &l, ems, sigs); break;
    default: power_4096(results, &l, ems, sigs); break;
    }
}

#endif
