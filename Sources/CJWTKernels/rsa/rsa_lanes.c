// cjwt_rsa_ifma_power8: eight tokens, one in each lane, of one key or of several of one length.

#include "rsa_digits.h"

#if defined(__x86_64__)

typedef struct lanes {
    const rsa_ifma_shape *shape;
    const rsa_ifma_key *keys[kLanes];  // a lane without work has another lane's key
    int all_one_key;
    uint64_t inverse[kLanes];
} lanes;

// Zero where no lane has work.
static int lanes_of(lanes *l, const void *const keys[kLanes]) {
    const rsa_ifma_key *some = NULL;
    for (int i = 0; i < kLanes; i++) { some = keys[i] != NULL ? keys[i] : some; }
    if (some == NULL) {
        return 0;
    }
    l->shape = some->shape;
    l->all_one_key = 1;
    for (int i = 0; i < kLanes; i++) {
        l->keys[i] = keys[i] != NULL ? keys[i] : some;
        l->all_one_key &= l->keys[i] == some;
        l->inverse[i] = l->keys[i]->inverse;
    }
    return 1;
}

// spread puts one of the numbers of the lanes' keys, from word `offset` of their numbers on, into lanes.
static void spread(uint64_t *out, const lanes *l, size_t offset) {
    for (size_t i = 0; i < l->shape->digits; i++) {
        for (int j = 0; j < kLanes; j++) {
            const rsa_ifma_key *key = l->all_one_key ? l->keys[0] : l->keys[j];
            out[kLanes * i + j] = key->numbers[offset + i];
        }
    }
}

// power8 needs four times digits * 8 words.
static void power8(int *results, const lanes *l, const void *const *keys, uint8_t *const *ems, const uint8_t *const *sigs,
                   uint64_t *buffers) {
    const rsa_ifma_shape *shape = l->shape;
    const size_t digits = shape->digits, words = digits * kLanes;
    uint64_t *n = buffers, *s = n + words, *x = s + words, *q = x + words;
    spread(n, l, 0);
    spread(x, l, kLanes * shape->vectors);
    memset(s, 0, words * sizeof *s);
    for (int i = 0; i < kLanes; i++) {
        if (keys[i] == NULL) { continue; }
        digits_from_bytes(s + i, kLanes, sigs[i], shape);
        results[i] = digits_less(s + i, kLanes, n + i, kLanes, digits);
    }
    // A signature that is not below n is below 2n still, as n has its top bit set: within the bounds, and nobody reads its power.
    rsa_ifma_multiply8(x, s, n, l->inverse, q, digits);
    for (int i = 0; i < 16; i++) { rsa_ifma_square8(x, n, l->inverse, q, digits); }
    rsa_ifma_multiply8(x, s, n, l->inverse, q, digits);
    for (int i = 0; i < kLanes; i++) {
        if (!results[i]) { continue; }
        reduce_once(x + i, kLanes, n + i, kLanes, digits);
        bytes_from_digits(ems[i], x + i, kLanes, shape);
    }
}

// One function for each size, so that each takes no more stack than it needs.
#define SIZE(DIGITS)                                                                                                     \
    static __attribute__((noinline)) void power8_##DIGITS(int *results, const lanes *l, const void *const *keys,         \
                                                          uint8_t *const *ems, const uint8_t *const *sigs) {             \
        _Alignas(64) uint64_t buffers[4 * DIGITS * kLanes];                                                              \
        power8(results, l, keys, ems, sigs, buffers);                                                                    \
    }

SIZE(40)
SIZE(60)
SIZE(80)

void cjwt_rsa_ifma_power8(int results[kLanes], const void *const keys[kLanes], uint8_t *const ems[kLanes],
                          const uint8_t *const sigs[kLanes]) {
    lanes l;
    memset(results, 0, kLanes * sizeof *results);
    if (!lanes_of(&l, keys)) {
        return;
    }
    switch (l.shape->digits) {
    case 40: power8_40(results, &l, keys, ems, sigs); break;
    case 60: power8_60(results, &l, keys, ems, sigs); break;
    default: power8_80(results, &l, keys, ems, sigs); break;
    }
}

#else

void cjwt_rsa_ifma_power8(int results[8], const void *const keys[8], uint8_t *const ems[8], const uint8_t *const sigs[8]) {
    (void)keys, (void)ems, (void)sigs;
    memset(results, 0, 8 * sizeof *results);
}

#endif
