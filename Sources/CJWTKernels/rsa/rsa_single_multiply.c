// rsa_ifma_multiply, rsa_ifma_square, rsa_ifma_carry: one Montgomery multiplication, digits eight to a register.
//
// Operand scanning, reduction interleaved: at step i the digit b_i of one operand is broadcast and multiplied with the whole other operand,
// the quotient digit q_i with all of n, and the columns move down. (Gueron and Krasnov, "Software implementation of modular exponentiation,
// using advanced vector instructions architectures", 2012, with 52-bit digits.) Latency limits the speed in two ways:
//
// - A quotient digit depends on the lowest column, which depends on the previous quotient digit. In vectors, that takes a broadcast, a
//   multiplication, a shift and a move back for every digit. So general registers hold the three lowest columns: the effect of one quotient
//   digit on the next costs two multiplications there, and the vectors may finish two digits later.
// - Low halves of products belong to column i, high halves to i + 1. One set of columns for both would take four dependent multiply-adds
//   and a shift for each digit. There are two sets, one column apart: each moves by two columns every other step.

#include "rsa_ifma.h"

#if defined(__x86_64__)

#include "rsa_carry.h"

enum { kSpare = 64 - kDigitBits };

// The state in general registers. A product with a factor that was shifted up by kSpare has its high 52 bits in the upper word, and its low
// 52 bits in the lower one, shifted up too.
typedef struct low_columns {
    uint64_t a0, a1, a2, n0, n1, n2;  // the three lowest digits of the operands; those of a are shifted up
    uint64_t inverse;                 // -1/n mod 2^52, shifted up
    uint64_t head;                    // the column that is lowest now, with all carries, but without a0*b
    uint64_t next, above;             // the two columns above it, without this step's products
} low_columns;

typedef struct product {
    uint64_t low, high;
} product;

static inline __attribute__((always_inline)) product multiply_shifted(uint64_t shifted, uint64_t other) {
    unsigned __int128 wide = (unsigned __int128)shifted * other;
    return (product){(uint64_t)wide >> kSpare, (uint64_t)(wide >> 64)};
}

// quotient_digit removes the lowest column, and returns the q that makes it a multiple of 2^52.
static inline __attribute__((always_inline)) uint64_t quotient_digit(low_columns *low, uint64_t b, int with_a) {
    product a0b = {0, 0}, a1b = {0, 0}, a2b = {0, 0};
    if (with_a) {
        a0b = multiply_shifted(low->a0, b);
        a1b = multiply_shifted(low->a1, b);
        a2b = multiply_shifted(low->a2, b);
    }
    uint64_t head = low->head + a0b.low;
    uint64_t q_shifted = head * low->inverse;
    product n0q = multiply_shifted(q_shifted, low->n0), n1q = multiply_shifted(q_shifted, low->n1);
    product n2q = multiply_shifted(q_shifted, low->n2);
    // head + n0q.low ends in 52 zero bits: its carry is head / 2^52, rounded up.
    uint64_t carry = (head + DIGIT_MASK) >> kDigitBits;
    low->head = (low->next + a1b.low + a0b.high + carry) + (n1q.low + n0q.high);
    low->next = (low->above + a2b.low + a1b.high) + (n2q.low + n1q.high);
    return q_shifted >> kSpare;
}

IFMA_INLINE void add_products(__m512i *even, __m512i *odd, __m512i a, __m512i b) {
    *even = _mm512_madd52lo_epu64(*even, a, b);
    *odd = _mm512_madd52hi_epu64(*odd, a, b);
}

// column_above is lane three of `even` and lane two of `odd`, through memory: a direct move takes instructions on the two ports that do the
// multiply-adds, and these limit the speed (measured: 5 to 9 % slower).
IFMA_INLINE uint64_t column_above(__m512i even, __m512i odd) {
    _Alignas(32) uint64_t words[8];
    const volatile uint64_t *back = words;
    _mm256_store_si256((__m256i *)words, _mm512_castsi512_si256(even));
    _mm256_store_si256((__m256i *)(words + 4), _mm512_castsi512_si256(odd));
    return back[3] + back[6];
}

// step multiplies with one digit: a's vectors from `first` on, and all of n's. With `first` above zero, a has no digits below it. Lane zero
// of `even` is the lowest column, and of `odd` the one above it; afterwards, of `odd` the lowest and of `even` the next.
//
// A column is at most the sum of 4 * 80 half products, and `head` also has a carry of less than 2^10: below 2^61.
IFMA_INLINE void step(__m512i *even, __m512i *odd, low_columns *low, const __m512i *a, const __m512i *n, const uint64_t *digit,
                      const unsigned first, const unsigned vectors) {
    const __m512i b = _mm512_set1_epi64((int64_t)*digit);
    const __m512i q = _mm512_set1_epi64((int64_t)quotient_digit(low, *digit, first == 0));
    UNROLL for (unsigned v = 0; v < vectors; v++) {
        if (v >= first) { add_products(&even[v], &odd[v], a[v], b); }
        add_products(&even[v], &odd[v], n[v], q);
    }
    low->above = column_above(even[0], odd[0]);
    UNROLL for (unsigned v = 0; v + 1 < vectors; v++) { even[v] = _mm512_alignr_epi64(even[v + 1], even[v], 2); }
    even[vectors - 1] = _mm512_alignr_epi64(_mm512_setzero_si512(), even[vectors - 1], 2);
}

// two_steps restores the roles of the two sets of columns.
IFMA_INLINE void two_steps(__m512i *even, __m512i *odd, low_columns *low, const __m512i *a, const __m512i *n, const uint64_t *digits,
                           const unsigned first, const unsigned vectors) {
    step(even, odd, low, a, n, digits, first, vectors);
    step(odd, even, low, a, n, digits + 1, first, vectors);
}

IFMA_INLINE low_columns low_columns_of(const rsa_ifma_key *key, const uint64_t *a) {
    const uint64_t *n = key_modulus(key);
    return (low_columns){
        .a0 = a[0] << kSpare, .a1 = a[1] << kSpare, .a2 = a[2] << kSpare,
        .n0 = n[0], .n1 = n[1], .n2 = n[2], .inverse = key->inverse << kSpare};
}

IFMA_INLINE void load(__m512i *digits, const uint64_t *from, const unsigned vectors) {
    UNROLL for (unsigned v = 0; v < vectors; v++) { digits[v] = _mm512_load_si512(from + kLanes * v); }
}

IFMA_INLINE void clear(__m512i *columns, const unsigned vectors) {
    UNROLL for (unsigned v = 0; v < vectors; v++) { columns[v] = _mm512_setzero_si512(); }
}

// The vectors do not contain the carries of the removed columns; `head` does. The column above the top of `odd` is zero, because the value
// fits the digits.
IFMA_INLINE void finish(uint64_t *r, __m512i *even, const __m512i *odd, const low_columns *low, const unsigned vectors) {
    UNROLL for (unsigned v = 0; v < vectors; v++) {
        __m512i below = v == 0 ? _mm512_setzero_si512() : odd[v - 1];
        even[v] = _mm512_add_epi64(even[v], digits_up(odd[v], below));
    }
    even[0] = _mm512_mask_set1_epi64(even[0], 1, (int64_t)low->head);
    carry_columns(even, vectors);
    UNROLL for (unsigned v = 0; v < vectors; v++) { _mm512_store_si512(r + kLanes * v, even[v]); }
}

IFMA_INLINE void multiply(const rsa_ifma_key *key, uint64_t *r, const uint64_t *a, const uint64_t *b, const unsigned vectors,
                          const unsigned digits) {
    __m512i even[kMaxVectors], odd[kMaxVectors], multiplicand[kMaxVectors], n[kMaxVectors];
    load(multiplicand, a, vectors);
    load(n, key_modulus(key), vectors);
    clear(even, vectors);
    clear(odd, vectors);
    low_columns low = low_columns_of(key, a);
#pragma clang loop unroll(disable)
    for (unsigned i = 0; i < digits; i += 2) {
        two_steps(even, odd, &low, multiplicand, n, b + i, 0, vectors);
    }
    finish(r, even, odd, &low, vectors);
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
// unchanged, the doubled vectors above it, and nothing below. The first doubled vector has the top bit of a's vector v in its lowest bit,
// which must be ignored here.
IFMA_INLINE void square(const rsa_ifma_key *key, uint64_t *r, const uint64_t *a, const unsigned vectors, const unsigned digits) {
    __m512i even[kMaxVectors], odd[kMaxVectors], plain[kMaxVectors], multiplicand[kMaxVectors], n[kMaxVectors];
    const __m512i not_lowest_bit = _mm512_set_epi64(-1, -1, -1, -1, -1, -1, -1, -2);
    load(plain, a, vectors);
    double_digits(multiplicand, plain, vectors);
    load(n, key_modulus(key), vectors);
    clear(even, vectors);
    clear(odd, vectors);
    low_columns low = low_columns_of(key, a);
    UNROLL for (unsigned v = 0; v < vectors; v++) {
        multiplicand[v] = _mm512_load_si512(a + kLanes * v);
        if (v + 1 < vectors) {
            multiplicand[v + 1] = _mm512_and_si512(multiplicand[v + 1], not_lowest_bit);
        }
        const unsigned end = digits < kLanes * (v + 1) ? digits : kLanes * (v + 1);
#pragma clang loop unroll(disable)
        for (unsigned i = kLanes * v; i < end; i += 2) {
            two_steps(even, odd, &low, multiplicand, n, a + i, v, vectors);
        }
    }
    finish(r, even, odd, &low, vectors);
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

// Contract: digits(a) < 2^52, digits(b) < 2^52, digits(n) < 2^52, 4 n < R, inverse n[0] = -1 (mod 2^52), a < 2 n, b < 2 n => R r = a b (mod n), r < 2 n, digits(r) < 2^52
void rsa_ifma_multiply(const rsa_ifma_key *key, uint64_t *r, const uint64_t *a, const uint64_t *b) {
    switch (key->shape->digits) {
    case 40: multiply_40(key, r, a, b); break;
    case 60: multiply_60(key, r, a, b); break;
    default: multiply_80(key, r, a, b); break;
    }
}

// Contract: digits(a) < 2^52, digits(n) < 2^52, 4 n < R, inverse n[0] = -1 (mod 2^52), a < 2 n => R r = a^2 (mod n), r < 2 n, digits(r) < 2^52
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

#endif
