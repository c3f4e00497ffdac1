// p521_field.h: arithmetic modulo p = 2^521 - 1 in nine digits of 58 bits, products in 128 bits. No Montgomery form: 2^522 = 2 (mod p), so
// the upper half of a product returns to the lower one doubled.
//
// A number is the sum of digit k times 2^(58 k). Every element has digits below E = 2^58 + 2^10, so it has several forms; only
// `field_to_words` gives the least residue. Every function takes and gives elements, so a sum needs no bound of its own.

#ifndef P521_FIELD_H
#define P521_FIELD_H

#include "nist_inverse.h"

enum { kDigits = 9, kDigitBits = 58, kRadixBits = 0 };

#define P521_MASK ((UINT64_C(1) << kDigitBits) - 1)
#define P521_TOP_MASK (P521_MASK >> 1)  // of the last digit: 8 * 58 + 57 = 521

typedef struct field {
    uint64_t v[kDigits];
} field;

// take_digit takes the lowest digit off a product's column; the rest is carried to the next column.
NIST_INLINE nist_u128 take_digit(uint64_t *digit, nist_u128 column) {
    *digit = (uint64_t)column & P521_MASK;
    return column >> kDigitBits;
}

// close_product sets r to the digits, where the last is what the columns left: its part above 2^521 returns to the lowest digit.
NIST_INLINE void close_product(field *r, const uint64_t digits[kDigits - 1], nist_u128 last) {
    nist_u128 lowest = digits[0] + (last >> (kDigitBits - 1));
    r->v[0] = (uint64_t)lowest & P521_MASK;
    r->v[1] = digits[1] + (uint64_t)(lowest >> kDigitBits);
    NIST_UNROLL
    for (int i = 2; i < kDigits - 1; i++) { r->v[i] = digits[i]; }
    r->v[kDigits - 1] = (uint64_t)last & P521_TOP_MASK;
}

// column returns the products of a b that belong to digit k: those of digit k + 9 count twice. At most 17 (2^58 + 2^10)^2 < 2^121.
NIST_INLINE nist_u128 column(const field *a, const field *b, const uint64_t twice_b[kDigits], int k) {
    nist_u128 sum = 0;
    NIST_UNROLL
    for (int i = 0; i < kDigits; i++) { sum += (nist_u128)a->v[i] * (i <= k ? b->v[k - i] : twice_b[k - i + kDigits]); }
    return sum;
}

// x86-64 has fewer registers than a product has digits, and the compiler would move them to and fro. A product takes a twentieth less time
// with operands that are loaded for each multiplication.
#if defined(__x86_64__)
#define P521_LOADED volatile
#else
#define P521_LOADED
#endif

// loaded_column is column, with such operands.
NIST_INLINE nist_u128 loaded_column(const P521_LOADED field *a, const P521_LOADED field *b, const P521_LOADED uint64_t *twice_b, int k) {
    nist_u128 sum = 0;
    NIST_UNROLL
    for (int i = 0; i < kDigits; i++) { sum += (nist_u128)a->v[i] * (i <= k ? b->v[k - i] : twice_b[k - i + kDigits]); }
    return sum;
}

NIST_INLINE void double_digits(uint64_t twice[kDigits], const field *a) {
    NIST_UNROLL
    for (int i = 0; i < kDigits; i++) { twice[i] = 2 * a->v[i]; }
}

// Contract: digits(a) < E, digits(b) < E => r = a b (mod p), digits(r) < E
static inline void field_multiply(field *r, const field *a, const field *b) {
    uint64_t twice[kDigits], digits[kDigits - 1];
    nist_u128 carry = 0;
    double_digits(twice, b);
    NIST_UNROLL
    for (int k = 0; k < kDigits - 1; k++) { carry = take_digit(&digits[k], carry + loaded_column(a, b, twice, k)); }
    close_product(r, digits, carry + loaded_column(a, b, twice, kDigits - 1));
}

// carry_digits moves what each digit has above its bits to the next one, and from the last one to the first. All digits at once: so each
// is afterwards below 2^58 + 2^7.
// Contract: digits(a) < 2^64 => r = a (mod p), digits(r) < 2^58 + 2^7
NIST_INLINE void carry_digits(field *r, const uint64_t a[kDigits]) {
    uint64_t carry = a[kDigits - 1] >> (kDigitBits - 1);
    NIST_UNROLL
    for (int i = 0; i < kDigits; i++) {
        uint64_t digit = a[i];
        r->v[i] = (digit & (i < kDigits - 1 ? P521_MASK : P521_TOP_MASK)) + carry;
        carry = digit >> kDigitBits;
    }
}

// Digit i of 4 p, which is more than a digit of an element.
NIST_INLINE uint64_t digit_of_four_p(int i) { return 4 * (i < kDigits - 1 ? P521_MASK : P521_TOP_MASK); }

// Contract: digits(a) < E, digits(b) < E => r = a + b (mod p), digits(r) < E
NIST_INLINE void field_add(field *r, const field *a, const field *b) {
    uint64_t sum[kDigits];
    NIST_UNROLL
    for (int i = 0; i < kDigits; i++) { sum[i] = a->v[i] + b->v[i]; }
    carry_digits(r, sum);
}

// Contract: digits(a) < E, digits(b) < E => r = a - b (mod p), digits(r) < E
NIST_INLINE void field_subtract(field *r, const field *a, const field *b) {
    uint64_t difference[kDigits];
    NIST_UNROLL
    for (int i = 0; i < kDigits; i++) { difference[i] = a->v[i] + (digit_of_four_p(i) - b->v[i]); }
    carry_digits(r, difference);
}

// field_negate_if sets r to -a where mask is all ones, to a where it is zero.
// Contract: mask = 0, digits(a) < E => r = a (mod p), digits(r) < E
// Contract: mask = 2^64 - 1, digits(a) < E => r = -a (mod p), digits(r) < E
NIST_INLINE void field_negate_if(field *r, const field *a, uint64_t mask) {
    uint64_t chosen[kDigits];
    NIST_UNROLL
    for (int i = 0; i < kDigits; i++) { chosen[i] = ((digit_of_four_p(i) - a->v[i]) & mask) | (a->v[i] & ~mask); }
    carry_digits(r, chosen);
}

// field_multiply_subtract sets r to a b - c d: the columns of a b and of c times -d are added, at most 2^122, and carried once.
// Contract: digits(a) < E, digits(b) < E, digits(c) < E, digits(d) < E => r = a b - c d (mod p), digits(r) < E
static inline void field_multiply_subtract(field *r, const field *a, const field *b, const field *c, const field *d) {
    uint64_t twice_b[kDigits], twice_d[kDigits], digits[kDigits - 1];
    field negative;
    nist_u128 carry = 0;
    field_negate_if(&negative, d, ~UINT64_C(0));
    double_digits(twice_b, b);
    double_digits(twice_d, &negative);
    NIST_UNROLL
    for (int k = 0; k < kDigits - 1; k++) {
        carry = take_digit(&digits[k], carry + column(a, b, twice_b, k) + column(c, &negative, twice_d, k));
    }
    close_product(r, digits, carry + column(a, b, twice_b, kDigits - 1) + column(c, &negative, twice_d, kDigits - 1));
}

// square_column is column(a, a, …) with each product of two different digits computed once, from a doubled digit.
NIST_INLINE nist_u128 square_column(const field *a, const uint64_t twice[kDigits], int k) {
    nist_u128 sum = 0;
    NIST_UNROLL
    for (int i = 0; i < kDigits; i++) {
        int j = k - i < 0 ? k - i + kDigits : k - i;
        uint64_t left = i + j == k ? a->v[i] : twice[i];
        if (i <= j) { sum += (nist_u128)left * (i == j ? a->v[j] : twice[j]); }
    }
    return sum;
}

// Contract: digits(a) < E => r = a^2 (mod p), digits(r) < E
static inline void field_square(field *r, const field *a) {
    uint64_t twice[kDigits], digits[kDigits - 1];
    nist_u128 carry = 0;
    double_digits(twice, a);
    NIST_UNROLL
    for (int k = 0; k < kDigits - 1; k++) { carry = take_digit(&digits[k], carry + square_column(a, twice, k)); }
    close_product(r, digits, carry + square_column(a, twice, kDigits - 1));
}

// spread_columns sets each digit to the low bits of its column and to what the column before has above its own. All columns at once, as
// carry_digits. A digit stays below 2^63: columns are below 2^121, and the last one, where nothing counts twice, below 2^120.
NIST_INLINE void spread_columns(uint64_t digits[kDigits], const nist_u128 columns[kDigits]) {
    nist_u128 before = columns[kDigits - 1];
    digits[0] = ((uint64_t)columns[0] & P521_MASK) + (uint64_t)(before >> 64 << 7) + ((uint64_t)before >> (kDigitBits - 1));
    NIST_UNROLL
    for (int k = 1; k < kDigits; k++) {
        before = columns[k - 1];
        digits[k] = ((uint64_t)columns[k] & (k < kDigits - 1 ? P521_MASK : P521_TOP_MASK)) + (uint64_t)(before >> 64 << 6) +
                    ((uint64_t)before >> kDigitBits);
    }
}

// field_multiply_less sets r to a b - c, with one carry for both.
// Contract: digits(a) < E, digits(b) < E, digits(c) < E => r = a b - c (mod p), digits(r) < E
static inline void field_multiply_less(field *r, const field *a, const field *b, const field *c) {
    uint64_t twice[kDigits], digits[kDigits];
    nist_u128 columns[kDigits];
    double_digits(twice, b);
    NIST_UNROLL
    for (int k = 0; k < kDigits; k++) { columns[k] = loaded_column(a, b, twice, k); }
    spread_columns(digits, columns);
    NIST_UNROLL
    for (int k = 0; k < kDigits; k++) { digits[k] += digit_of_four_p(k) - c->v[k]; }
    carry_digits(r, digits);
}

// field_square_less sets r to a^2 - b - c, with one carry for all.
// Contract: digits(a) < E, digits(b) < E, digits(c) < E => r = a^2 - b - c (mod p), digits(r) < E
static inline void field_square_less(field *r, const field *a, const field *b, const field *c) {
    uint64_t twice[kDigits], digits[kDigits];
    nist_u128 columns[kDigits];
    double_digits(twice, a);
    NIST_UNROLL
    for (int k = 0; k < kDigits; k++) { columns[k] = square_column(a, twice, k); }
    spread_columns(digits, columns);
    NIST_UNROLL
    for (int k = 0; k < kDigits; k++) { digits[k] += (digit_of_four_p(k) - b->v[k]) + (digit_of_four_p(k) - c->v[k]); }
    carry_digits(r, digits);
}

// field_from converts a number below 2^522.
// Contract: a < 2^522 => r = a, digits(r) < 2^58, apart
static inline void field_from(field *r, const uint64_t a[LIMBS]) {
    for (int i = 0; i < kDigits; i++) {
        int word = kDigitBits * i / 64, shift = kDigitBits * i % 64;
        uint64_t bits = a[word] >> shift;
        if (shift + kDigitBits > 64) { bits |= a[word + 1] << (64 - shift); }
        r->v[i] = bits & P521_MASK;
    }
}

// add_and_carry sets r to a + first, with every digit within its bits, and returns what is above 2^521.
NIST_INLINE uint64_t add_and_carry(uint64_t r[kDigits], const uint64_t a[kDigits], uint64_t first) {
    uint64_t carry = first;
    for (int i = 0; i < kDigits - 1; i++) {
        uint64_t sum = a[i] + carry;
        r[i] = sum & P521_MASK;
        carry = sum >> kDigitBits;
    }
    carry += a[kDigits - 1];
    r[kDigits - 1] = carry & P521_TOP_MASK;
    return carry >> (kDigitBits - 1);
}

// field_to_words sets words to the least residue.
//
// An element is below 2^522 + 2^475, so the first round gives 2 and less, and after the second the number is at most 2^521 + 1 < 2 p: at
// least p exactly where one more makes it reach 2^521.
// Contract: digits(a) < E => words = a (mod p), words < p
static inline void field_to_words(uint64_t words[LIMBS], const field *a) {
    uint64_t d[kDigits], unused[kDigits];
    uint64_t above = add_and_carry(d, a->v, 0);
    d[0] += above;
    (void)add_and_carry(d, d, add_and_carry(unused, d, 1));
    for (int i = 0; i < LIMBS; i++) {
        int digit = 64 * i / kDigitBits, shift = 64 * i % kDigitBits, taken = kDigitBits - shift;
        words[i] = d[digit] >> shift;
        if (digit + 1 < kDigits) { words[i] |= d[digit + 1] << taken; }
        if (taken + kDigitBits < 64 && digit + 2 < kDigits) { words[i] |= d[digit + 2] << (taken + kDigitBits); }
    }
}

// Contract: digits(a) < E => return = [a = 0 (mod p)]
static inline int field_is_zero(const field *a) {
    uint64_t words[LIMBS];
    field_to_words(words, a);
    return number_is_zero(words, LIMBS);
}

// field_is_equal says whether a and b are the same modulo p.
static inline int field_is_equal(const field *a, const field *b) {
    uint64_t left[LIMBS], right[LIMBS];
    field_to_words(left, a);
    field_to_words(right, b);
    return number_is_equal(left, right, LIMBS);
}

// claim_inverse sets r to what division steps give for 1 / a; zero where that is no element. Not trusted: field_invert multiplies back.
static inline int claim_inverse(field *r, const field *a) {
    uint64_t words[LIMBS], inverted[LIMBS];
    field_to_words(words, a);
    inverse(inverted, words, &kPrime, LIMBS);
    if (!number_is_below(inverted, kPrime.limbs, LIMBS)) { return 0; }
    field_from(r, inverted);
    return 1;
}

#endif
