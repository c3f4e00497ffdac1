// Compares the arithmetic of eight lanes with that of one number, which ed25519_arithmetic.c compares with libcrypto.

#include "ed25519.h"

#include "../../../Sources/CJWTKernels/ed25519/lanes_rows.h"

#if defined(__x86_64__)

typedef struct {
    _Alignas(64) uint64_t digit[5][kLanes];
} stored_lanes;

static void edgy_lanes(ed25519_run *run, stored_lanes *out, unsigned bits, uint64_t most) {
    const int all = next_random(&run->random) % 16 == 0;
    for (int i = 0; i < 5; i++) {
        for (int lane = 0; lane < kLanes; lane++) {
            uint64_t digit = ed25519_edgy_word(&run->random, next_random(&run->random) % 2 ? 51 : bits);
            out->digit[i][lane] = all || digit > most ? most : digit;
        }
    }
}

// Digits of up to 64 bits as a tight number: 51 bits stay, and the bits above go to the next digit.
static void lane_of(fe51 *out, const stored_lanes *a, int lane) {
    fe51 low, high;
    for (int i = 0; i < 5; i++) {
        low.digit[i] = a->digit[i][lane] & FE51_MASK;
        high.digit[(i + 1) % 5] = (i == 4 ? 19 : 1) * (a->digit[i][lane] >> 51);
    }
    fe51_add(out, &low, &high);
    fe51_carry(out, out);
}

static int digits_are_at_most(const stored_lanes *a, uint64_t most) {
    int hold = 1;
    for (int i = 0; i < 5; i++) {
        for (int lane = 0; lane < kLanes; lane++) { hold &= a->digit[i][lane] <= most; }
    }
    return hold;
}

LANES static void load(__m512i out[5], const stored_lanes *a) {
    for (int i = 0; i < 5; i++) { out[i] = _mm512_load_si512(a->digit[i]); }
}

LANES static void store(stored_lanes *out, const __m512i a[5]) {
    for (int i = 0; i < 5; i++) { _mm512_store_si512(out->digit[i], a[i]); }
}

LANES static void multiply(stored_lanes *out, const stored_lanes *a, const stored_lanes *b) {
    fe8 x, y;
    fe8_wide wide;
    load(x.digit, a);
    load(y.digit, b);
    fe8_multiply(&wide, &x, &y);
    store(out, wide.digit);
}

LANES static void carry(stored_lanes *out, const stored_lanes *a) {
    fe8 x;
    fe8_wide wide;
    load(wide.digit, a);
    fe8_carry(&x, &wide);
    store(out, x.digit);
}

LANES static void subtract(stored_lanes *out, const stored_lanes *a, const stored_lanes *b) {
    fe8_wide x, y, z;
    load(x.digit, a);
    load(y.digit, b);
    fe8_subtract(&z, &x, &y);
    store(out, z.digit);
}

typedef void scalar_operation(fe51 *out, const fe51 *a, const fe51 *b);

static void expect_each(ed25519_run *run, const stored_lanes *out, const stored_lanes *a, const stored_lanes *b,
                        scalar_operation *operation, const char *what, uint64_t number) {
    for (int lane = 0; lane < kLanes; lane++) {
        fe51 x, y, z, expected;
        lane_of(&x, a, lane);
        lane_of(&y, b, lane);
        lane_of(&z, out, lane);
        operation(&expected, &x, &y);
        ed25519_expect(run, fe51_equal(&z, &expected), what, number);
    }
}

static void first_of_two(fe51 *out, const fe51 *a, const fe51 *b) {
    (void)b;
    *out = *a;
}

static void check_operations(ed25519_run *run, uint64_t number) {
    const uint64_t carried = (UINT64_C(1) << 51) + (1 << 15), operand = (UINT64_C(1) << 52) - 1, wide = (UINT64_C(1) << 61) - 1;
    stored_lanes a, b, out;
    edgy_lanes(run, &a, 52, carried);
    edgy_lanes(run, &b, 52, carried);
    multiply(&out, &a, &b);
    ed25519_expect(run, digits_are_at_most(&out, UINT64_C(250) << 51), "bound of a product in lanes", number);
    expect_each(run, &out, &a, &b, fe51_multiply, "multiplication in lanes", number);

    edgy_lanes(run, &b, 52, operand);
    multiply(&out, &a, &b);
    ed25519_expect(run, digits_are_at_most(&out, UINT64_C(345) << 51), "bound of a product with a row in lanes", number);
    expect_each(run, &out, &a, &b, fe51_multiply, "multiplication by a row in lanes", number);

    edgy_lanes(run, &a, 61, wide);
    carry(&out, &a);
    ed25519_expect(run, digits_are_at_most(&out, carried), "bound of a carry in lanes", number);
    expect_each(run, &out, &a, &a, first_of_two, "carry in lanes", number);

    edgy_lanes(run, &a, 61, UINT64_C(1) << 61);
    edgy_lanes(run, &b, 60, ((UINT64_C(1) << 51) - 19) << 9);
    subtract(&out, &a, &b);
    expect_each(run, &out, &a, &b, fe51_subtract, "subtraction in lanes", number);
}

LANES static void read_addends(stored_lanes *sums, stored_lanes *differences, stored_lanes *xy2ds, const table_term terms[kLanes]) {
    addend8 addends;
    addend8_read(&addends, terms);
    store(sums, addends.sum.digit);
    store(differences, addends.difference.digit);
    store(xy2ds, addends.xy2d.digit);
}

// Rows of any words below 2^255, with either sign, in every lane.
static void check_rows(ed25519_run *run, uint64_t number) {
    _Alignas(64) table_row rows[kLanes];
    _Alignas(64) table_term terms[kLanes];
    stored_lanes sums, differences, xy2ds;
    for (int lane = 0; lane < kLanes; lane++) {
        for (int i = 0; i < 12; i++) { rows[lane].word[i] = ed25519_edgy_word(&run->random, i % 4 == 3 ? 63 : 64); }
        terms[lane] = (table_term)&rows[lane] | (next_random(&run->random) & 1);
    }
    read_addends(&sums, &differences, &xy2ds, terms);
    ed25519_expect(run, digits_are_at_most(&xy2ds, (UINT64_C(1) << 52) - 1), "bound of a row in lanes", number);
    for (int lane = 0; lane < kLanes; lane++) {
        const int negative = (int)(terms[lane] & 1);
        fe51 sum, difference, xy2d, x, y, z;
        fe51_from_words(&sum, rows[lane].word + (negative ? kDifferenceWord : kSumWord));
        fe51_from_words(&difference, rows[lane].word + (negative ? kSumWord : kDifferenceWord));
        fe51_from_words(&xy2d, rows[lane].word + kXY2DWord);
        if (negative) { fe51_subtract(&xy2d, &kFe51Zero, &xy2d); }
        lane_of(&x, &sums, lane);
        lane_of(&y, &differences, lane);
        lane_of(&z, &xy2ds, lane);
        ed25519_expect(run, fe51_equal(&x, &sum) && fe51_equal(&y, &difference) && fe51_equal(&z, &xy2d), "row in lanes", number);
    }
}

void ed25519_check_lanes(ed25519_run *run, uint64_t cases) {
    if (!cjwt_ifma_available()) { return; }
    for (uint64_t i = 0; i < cases / 44; i++) {
        check_operations(run, i);
        check_rows(run, i);
    }
}

#else

void ed25519_check_lanes(ed25519_run *run, uint64_t cases) { (void)run, (void)cases; }

#endif
