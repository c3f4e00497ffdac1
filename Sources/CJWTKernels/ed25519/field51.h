// Arithmetic modulo p = 2^255 - 19 on one number: five digits of radix 2^51, products in 128 bits.
//
// A number is the sum of digit k times 2^(51 k); digits may exceed 51 bits, so a number has many forms. Bounds, all inclusive:
//   tight   every digit <= 2^51 + 2^13     the result of a multiplication, a squaring or `carry`
//   loose   every digit <= 2^54            the operand of a multiplication, a squaring or `carry`
// Addition and subtraction do not carry: each function states its bounds. Source of the radix: Bernstein et al., "High-speed high-security
// signatures" (2011), section 4.

#ifndef CJWT_ED25519_FIELD51_H
#define CJWT_ED25519_FIELD51_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

__extension__ typedef unsigned __int128 cjwt_uint128;

typedef struct fe51 {
    uint64_t digit[5];
} fe51;

#define FE51_MASK ((UINT64_C(1) << 51) - 1)

static const fe51 kFe51Zero = {{0, 0, 0, 0, 0}};
static const fe51 kFe51One = {{1, 0, 0, 0, 0}};

// Adds digit by digit: two tight numbers give digits <= 2^52 + 2^14.
// Contract: digits(a) <= 2^51 + 2^13, digits(b) <= 2^51 + 2^13 => out = a + b, digits(out) <= 2^52 + 2^14
// Contract: => digits(out) = digits(a) + digits(b) (mod 2^64)
static inline void fe51_add(fe51 *out, const fe51 *a, const fe51 *b) {
    for (int i = 0; i < 5; i++) { out->digit[i] = a->digit[i] + b->digit[i]; }
}

// Adds 2 p so that no digit becomes negative: every digit of b must be <= 2^52 - 38. The result's digits are <= those of a + 2^52.
// Contract: digits(a) <= 2^63, digits(b) <= 2^52 - 38 => out = a - b (mod p), digits(out) <= digits(a) + 2^52
static inline void fe51_subtract(fe51 *out, const fe51 *a, const fe51 *b) {
    const uint64_t twice_p0 = UINT64_C(0xfffffffffffda), twice_p = UINT64_C(0xffffffffffffe);
    out->digit[0] = a->digit[0] + twice_p0 - b->digit[0];
    for (int i = 1; i < 5; i++) { out->digit[i] = a->digit[i] + twice_p - b->digit[i]; }
}

// Loose to tight: 2^255 = 19 (mod p), so the carry out of digit 4 returns to digit 0 times nineteen.
// Contract: digits(a) <= 2^54 => out = a (mod p), digits(out) <= 2^51 + 2^13
static inline void fe51_carry(fe51 *out, const fe51 *a) {
    uint64_t carry = 0, digit[5];
    for (int i = 0; i < 5; i++) {
        uint64_t sum = a->digit[i] + carry;
        digit[i] = sum & FE51_MASK;
        carry = sum >> 51;
    }
    digit[0] += 19 * carry;
    memcpy(out->digit, digit, sizeof digit);
}

// Takes the lowest digit off a product's column; the rest is carried to the next column.
static inline uint64_t fe51_take_digit(uint64_t *digit, cjwt_uint128 column) {
    *digit = (uint64_t)column & FE51_MASK;
    return (uint64_t)(column >> 51);
}

// Adds the carry out of digit 4, below 2^60, times 19 to digit 0: the sum fits a word. The digits are below 2^51.
static inline void fe51_close(fe51 *out, const uint64_t digit[5], uint64_t carry) {
    const uint64_t lowest = digit[0] + 19 * carry;
    *out = (fe51){{lowest & FE51_MASK, digit[1] + (lowest >> 51), digit[2], digit[3], digit[4]}};
}

// Always inlined: the callers compiled for mulx (verify.c) need their own copy, compiled for mulx.
// Loose times loose. `out` may be `a` or `b`. With digits <= 2^54, column 0 is at most 77 * 2^108, the others less, and column 4, which
// has no factor of 19, at most 5 * 2^108: every carry fits a word, and the last is below 2^60.
// Contract: digits(a) <= 2^54, digits(b) <= 2^54 => out = a b (mod p), digits(out) <= 2^51 + 2^13
static inline __attribute__((always_inline)) void fe51_multiply(fe51 *out, const fe51 *a, const fe51 *b) {
    const uint64_t a0 = a->digit[0], a1 = a->digit[1], a2 = a->digit[2], a3 = a->digit[3], a4 = a->digit[4];
    const cjwt_uint128 b0 = b->digit[0], b1 = b->digit[1], b2 = b->digit[2], b3 = b->digit[3], b4 = b->digit[4];
    const uint64_t a1x19 = 19 * a1, a2x19 = 19 * a2, a3x19 = 19 * a3, a4x19 = 19 * a4;
    uint64_t digit[5], carry;
    // Each column is finished before the next begins: two accumulators then suffice; five would spill.
    carry = fe51_take_digit(&digit[0], a0 * b0 + a1x19 * b4 + a2x19 * b3 + a3x19 * b2 + a4x19 * b1);
    carry = fe51_take_digit(&digit[1], carry + a0 * b1 + a1 * b0 + a2x19 * b4 + a3x19 * b3 + a4x19 * b2);
    carry = fe51_take_digit(&digit[2], carry + a0 * b2 + a1 * b1 + a2 * b0 + a3x19 * b4 + a4x19 * b3);
    carry = fe51_take_digit(&digit[3], carry + a0 * b3 + a1 * b2 + a2 * b1 + a3 * b0 + a4x19 * b4);
    carry = fe51_take_digit(&digit[4], carry + a0 * b4 + a1 * b3 + a2 * b2 + a3 * b1 + a4 * b0);
    fe51_close(out, digit, carry);
}

// Loose, squared. `out` may be `a`. Columns as in fe51_multiply.
// Contract: digits(a) <= 2^54 => out = a^2 (mod p), digits(out) <= 2^51 + 2^13
static inline void fe51_square(fe51 *out, const fe51 *a) {
    const cjwt_uint128 a0 = a->digit[0], a1 = a->digit[1], a2 = a->digit[2], a3 = a->digit[3], a4 = a->digit[4];
    const uint64_t a0x2 = 2 * a->digit[0], a1x2 = 2 * a->digit[1], a2x2 = 2 * a->digit[2], a3x2 = 2 * a->digit[3];
    const cjwt_uint128 a3x19 = 19 * a->digit[3], a4x19 = 19 * a->digit[4];
    uint64_t digit[5], carry;
    carry = fe51_take_digit(&digit[0], a0 * a0 + a1x2 * a4x19 + a2x2 * a3x19);
    carry = fe51_take_digit(&digit[1], carry + a0x2 * a1 + a2x2 * a4x19 + a3 * a3x19);
    carry = fe51_take_digit(&digit[2], carry + a0x2 * a2 + a1 * a1 + a3x2 * a4x19);
    carry = fe51_take_digit(&digit[3], carry + a0x2 * a3 + a1x2 * a2 + a4 * a4x19);
    carry = fe51_take_digit(&digit[4], carry + a0x2 * a4 + a1x2 * a3 + a2 * a2);
    fe51_close(out, digit, carry);
}

// The canonical form, below p, of a loose number, as four words of 64 bits.
// Contract: digits(a) <= 2^54 => words = a (mod p), words < p
static inline void fe51_to_words(uint64_t words[4], const fe51 *a) {
    fe51 t;
    fe51_carry(&t, a);
    // Now t < 2^255 + 19 * 2^4 < 2 p, so it exceeds p at most once: exactly where t + 19 reaches 2^255.
    uint64_t carry = 19;
    for (int i = 0; i < 5; i++) { carry = (t.digit[i] + carry) >> 51; }
    carry *= 19;
    for (int i = 0; i < 5; i++) {
        uint64_t sum = t.digit[i] + carry;
        t.digit[i] = sum & FE51_MASK;
        carry = sum >> 51;
    }
    words[0] = t.digit[0] | t.digit[1] << 51;
    words[1] = t.digit[1] >> 13 | t.digit[2] << 38;
    words[2] = t.digit[2] >> 26 | t.digit[3] << 25;
    words[3] = t.digit[3] >> 39 | t.digit[4] << 12;
}

// Bit 255 is dropped. Every digit is below 2^51.
// Contract: => out = words (mod 2^255), digits(out) < 2^51
static inline void fe51_from_words(fe51 *out, const uint64_t words[4]) {
    out->digit[0] = words[0] & FE51_MASK;
    out->digit[1] = (words[0] >> 51 | words[1] << 13) & FE51_MASK;
    out->digit[2] = (words[1] >> 38 | words[2] << 26) & FE51_MASK;
    out->digit[3] = (words[2] >> 25 | words[3] << 39) & FE51_MASK;
    out->digit[4] = words[3] >> 12 & FE51_MASK;
}

// Little-endian, on machines of either byte order.
// Contract: => words = in
static inline void load_le_words(uint64_t *words, size_t count, const uint8_t *in) {
    for (size_t i = 0; i < count; i++, in += 8) {
        uint64_t word = 0;
        for (int j = 7; j >= 0; j--) { word = word << 8 | in[j]; }
        words[i] = word;
    }
}

static inline int fe51_equal(const fe51 *a, const fe51 *b) {
    uint64_t x[4], y[4];
    fe51_to_words(x, a);
    fe51_to_words(y, b);
    return memcmp(x, y, sizeof x) == 0;
}

static inline int fe51_is_zero(const fe51 *a) { return fe51_equal(a, &kFe51Zero); }

// The inverse modulo p of a loose number, tight, and one. Zero where their product is not one, as for zero: then `out` is unspecified.
int cjwt_ed25519_invert(fe51 *out, const fe51 *a);

#endif
