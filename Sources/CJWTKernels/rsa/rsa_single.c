// cjwt_rsa_ifma_power: one token, its digits eight to a register.
//
// Operand scanning, reduction interleaved: at step i the digit b_i of one operand is broadcast and multiplied with all of the other,
// the quotient digit q_i with all of n, and the columns move down by one. (Gueron and Krasnov, "Software implementation of modular
// exponentiation, using advanced vector instructions architectures", 2012, with 52-bit digits.)
//
// A quotient digit depends on the lowest column, and that on the quotient digit before: a chain that, taken through the vectors,
// costs a broadcast, a multiplication, a shift and a way back for every digit. So the two lowest columns are kept in general
// registers too, where a digit costs two multiplications. The vectors' work follows two steps behind.

#include "../include/CJWTKernelsVerdict.h"
#include "rsa_digits.h"

#if defined(__x86_64__)

#include "rsa_carry.h"

enum { kSpare = 64 - kDigitBits };

// What the general registers know. A product with a factor that was shifted up by kSpare has its high 52 bits in the upper word, and
// its low 52 in the lower one, shifted up too.
typedef struct low_columns {
    uint64_t a0, a1, n0, n1;  // the two lowest digits of the operands; those of a are shifted up
    uint64_t inverse;         // -1/n mod 2^52, shifted up
    uint64_t head;            // the column that is lowest now, with all carries, without a0*b
    uint64_t next;            // the column above it, without this step's products
} low_columns;

typedef struct product {
    uint64_t low, high;
} product;

static inline __attribute__((always_inline)) product multiply_shifted(uint64_t shifted, uint64_t other) {
    unsigned __int128 wide = (unsigned __int128)shifted * other;
    return (product){(uint64_t)wide >> kSpare, (uint64_t)(wide >> 64)};
}

// step multiplies with one digit: a's vectors from `first` on, and all of n's. With `first` above zero, a0 and a1 are not multiplied.
//
// Columns hold at most the sum of 4 * 80 products of 52 bits, and `head` a carry of 2^10 besides: below 2^61.
IFMA_INLINE void step(__m512i *r, low_columns *low, const __m512i *a, const __m512i *n, const uint64_t *digit,
                      const unsigned first, const unsigned vectors) {
    product a0b = {0, 0}, a1b = {0, 0};
    if (first == 0) {
        a0b = multiply_shifted(low->a0, *digit);
        a1b = multiply_shifted(low->a1, *digit);
    }
    uint64_t head = low->head + a0b.low;
    uint64_t q_shifted = head * low->inverse;
    product n0q = multiply_shifted(q_shifted, low->n0), n1q = multiply_shifted(q_shifted, low->n1);
    // head + n0q.low ends in 52 zero bits, as q was chosen for that: what it carries is head / 2^52 rounded up.
    low->head = low->next + a1b.low + a0b.high + ((head + DIGIT_MASK) >> kDigitBits) + n1q.low + n0q.high;

    const __m512i b = _mm512_set1_epi64((int64_t)*digit), q = _mm512_set1_epi64((int64_t)(q_shifted >> kSpare));
    UNROLL for (unsigned v = first; v < vectors; v++) { r[v] = _mm512_madd52lo_epu64(r[v], a[v], b); }
    UNROLL for (unsigned v = 0; v < vectors; v++) { r[v] = _mm512_madd52lo_epu64(r[v], n[v], q); }
    UNROLL for (unsigned v = 0; v + 1 < vectors; v++) { r[v] = _mm512_alignr_epi64(r[v + 1], r[v], 1); }
    r[vectors - 1] = _mm512_alignr_epi64(_mm512_setzero_si512(), r[vectors - 1], 1);
    // Taken before the high halves are added, which would come four cycles later: those two are known here.
    low->next = (uint64_t)_mm_extract_epi64(_mm512_castsi512_si128(r[0]), 1) + a1b.high + n1q.high;
    UNROLL for (unsigned v = first; v < vectors; v++) { r[v] = _mm512_madd52hi_epu64(r[v], a[v], b); }
    UNROLL for (unsigned v = 0; v < vectors; v++) { r[v] = _mm512_madd52hi_epu64(r[v], n[v], q); }
}

IFMA_INLINE low_columns low_columns_of(const rsa_ifma_key *key, const uint64_t *a) {
    const uint64_t *n = key_modulus(key);
    return (low_columns){.a0 = a[0] << kSpare, .a1 = a[1] << kSpare, .n0 = n[0], .n1 = n[1], .inverse = key->inverse << kSpare};
}

IFMA_INLINE void load(__m512i *digits, const uint64_t *from, const unsigned vectors) {
    UNROLL for (unsigned v = 0; v < vectors; v++) { digits[v] = _mm512_load_si512(from + kLanes * v); }
}

// The vectors never see the carries of the columns that left; `head` has them.
IFMA_INLINE void finish(uint64_t *r, __m512i *columns, const low_columns *low, const unsigned vectors) {
    columns[0] = _mm512_mask_set1_epi64(columns[0], 1, (int64_t)low->head);
    carry_columns(columns, vectors);
    UNROLL for (unsigned v = 0; v < vectors; v++) { _mm512_store_si512(r + kLanes * v, columns[v]); }
}

IFMA_INLINE void multiply(const rsa_ifma_key *key, uint64_t *r, const uint64_t *a, const uint64_t *b, const unsigned vectors,
                          const unsigned digits) {
    __m512i columns[kMaxVectors], multiplicand[kMaxVectors], n[kMaxVectors];
    load(multiplicand, a, vectors);
    load(n, key_modulus(key), vectors);
    UNROLL for (unsigned v = 0; v < vectors; v++) { columns[v] = _mm512_setzero_si512(); }
    low_columns low = low_columns_of(key, a);
#pragma clang loop unroll(disable)
    for (unsigned i = 0; i < digits; i++) {
        step(columns, &low, multiplicand, n, b + i, 0, vectors);
    }
    finish(r, columns, &low, vectors);
}

// double_digits: 2a, carried. It fits, as 4n < R.
IFMA_INLINE void double_digits(__m512i *doubled, const __m512i *a, const unsigned vectors) {
    const __m512i mask = _mm512_set1_epi64(DIGIT_MASK);
    __m512i below = _mm512_setzero_si512();
    UNROLL for (unsigned v = 0; v < vectors; v++) {
        __m512i top_bit = _mm512_srli_epi64(digits_up(a[v], below), kDigitBits - 1);
        doubled[v] = _mm512_or_si512(_mm512_and_si512(_mm512_slli_epi64(a[v], 1), mask), top_bit);
        below = a[v];
    }
}

// square takes each product of two vectors once, doubled: in the steps of the digits of vector v the multiplicand is a's vector v
// as it is, the doubled ones above it, and nothing below. The first doubled one has the top bit of a's vector v in its lowest
// bit, which is no part of it here.
IFMA_INLINE void square(const rsa_ifma_key *key, uint64_t *r, const uint64_t *a, const unsigned vectors, const unsigned digits) {
    __m512i columns[kMaxVectors], plain[kMaxVectors], multiplicand[kMaxVectors], n[kMaxVectors];
    const __m512i not_lowest_bit = _mm512_set_epi64(-1, -1, -1, -1, -1, -1, -1, -2);
    load(plain, a, vectors);
    double_digits(multiplicand, plain, vectors);
    load(n, key_modulus(key), vectors);
    UNROLL for (unsigned v = 0; v < vectors; v++) { columns[v] = _mm512_setzero_si512(); }
    low_columns low = low_columns_of(key, a);
    UNROLL for (unsigned v = 0; v < vectors; v++) {
        multiplicand[v] = _mm512_load_si512(a + kLanes * v);
        if (v + 1 < vectors) {
            multiplicand[v + 1] = _mm512_and_si512(multiplicand[v + 1], not_lowest_bit);
        }
        const unsigned end = digits < kLanes * (v + 1) ? digits : kLanes * (v + 1);
#pragma clang loop unroll(disable)
        for (unsigned i = kLanes * v; i < end; i++) {
            step(columns, &low, multiplicand, n, a + i, v, vectors);
        }
    }
    finish(r, columns, &low, vectors);
}

// One copy of the code for each size: the numbers of vectors and digits are constants in it.
#define SIZE(DIGITS, VECTORS)                                                                                                    \
    IFMA static __attribute__((noinline)) void multiply_##DIGITS(const rsa_ifma_key *key, uint64_t *r, const uint64_t *a,        \
                                                                 const uint64_t *b) {                                            \
        multiply(key, r, a, b, VECTORS, DIGITS);                                                                                 \
    }                                                                                                                            \
    IFMA static __attribute__((noinline)) void square_##DIGITS(const rsa_ifma_key *key, uint64_t *r, const uint64_t *a) {        \
        square(key, r, a, VECTORS, DIGITS);                                                                                      \
    }                                                                                                                            \
    IFMA static __attribute__((noinline)) void carry_##DIGITS(uint64_t *columns) {                                               \
        __m512i vectors[VECTORS];                                                                                                \
        load(vectors, columns, VECTORS);                                                                                         \
        carry_columns(vectors, VECTORS);                                                                                         \
        UNROLL for (unsigned v = 0; v < VECTORS; v++) { _mm512_store_si512(columns + kLanes * v, vectors[v]); }                  \
    }

SIZE(40, 5)
SIZE(60, 8)
SIZE(80, 10)

void rsa_ifma_multiply(const rsa_ifma_key *key, uint64_t *r, const uint64_t *a, const uint64_t *b) {
    switch (key->shape->digits) {
    case 40: multiply_40(key, r, a, b); break;
    case 60: multiply_60(key, r, a, b); break;
    default: multiply_80(key, r, a, b); break;
    }
}

void rsa_ifma_square(const rsa_ifma_key *key, uint64_t *r, const uint64_t *a) {
    switch (key->shape->digits) {
    case 40: square_40(key, r, a); break;
    case 60: square_60(key, r, a); break;
    default: square_80(key, r, a); break;
    }
}

void rsa_ifma_carry(const rsa_ifma_shape *shape, uint64_t *columns) {
    switch (shape->digits) {
    case 40: carry_40(columns); break;
    case 60: carry_60(columns); break;
    default: carry_80(columns); break;
    }
}

int cjwt_rsa_ifma_power(const void *memory, uint8_t *em, const uint8_t *sig) {
    const rsa_ifma_key *key = memory;
    const rsa_ifma_shape *shape = key->shape;
    _Alignas(64) uint64_t s[kMaxDigits] = {0}, x[kMaxDigits];
    digits_from_bytes(s, 1, sig, shape);
    if (!digits_less(s, 1, key_modulus(key), 1, shape->digits)) {
        return 0;
    }
    rsa_ifma_multiply(key, x, s, key_r_squared(key));
    for (int i = 0; i < 16; i++) {
        rsa_ifma_square(key, x, x);
    }
    // s^65536 * R times the plain s, over R: this leaves Montgomery's form at no cost.
    rsa_ifma_multiply(key, x, x, s);
    reduce_once(x, 1, key_modulus(key), 1, shape->digits);
    bytes_from_digits(em, x, 1, shape);
    return 1;
}

#endif
