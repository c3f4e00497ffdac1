// cjwt_p256_ifma_table_build: a key's table, eight windows at a time, one in each lane.
//
// Each multiple of a window is the previous one plus 2 * 2^(w i) Q, by an affine addition. Four of them are kept with the factor H between
// successive Z, so that one inversion serves all: Z_d = Z_(d-1) H_d. No addition here is exceptional: (2 d - 1) B = ±2 B has no solution,
// because the order is a prime above 2^255.

#include "table.h"

#include <pthread.h>

#if defined(__x86_64__)

#include "../nist/nist_word.h"
#include "../nist/p256_scalar.h"
#include "rows8.h"

// Additions per inversion: as many as keep the stack below 16 KiB.
enum { kRun = 4 };

const uint64_t p256_prime[4] = {UINT64_C(0xffffffffffffffff), UINT64_C(0x00000000ffffffff), UINT64_C(0), UINT64_C(0xffffffff00000001)};

// 2^520 mod p, and the curve's b in Montgomery's form.
static const uint64_t kRSquared[5] = {UINT64_C(0x300), UINT64_C(0xffffffff00000), UINT64_C(0xffffefffffffb), UINT64_C(0xfdfffffffffff),
                                      UINT64_C(0x4ffffff)};
static const uint64_t kB[5] = {UINT64_C(0xdf6229c4bddfd), UINT64_C(0xca8843090d89c), UINT64_C(0x212ed6acf005c), UINT64_C(0x83415a220abf7),
                               UINT64_C(0xc30061dd4874)};

CJWT_IFMA_INLINE fe8_factor times(fe8_factor a, fe8_factor b) { return fe8_carry(fe8_mul(a, b)); }

CJWT_IFMA_INLINE fe8_factor squared(fe8_factor a, int times_squared) {
    for (int i = 0; i < times_squared; i++) { a = fe8_carry(fe8_sqr(a)); }
    return a;
}

// inverse raises to p - 2 = (2^32 - 1) 2^224 + 2^192 + (2^94 - 1) 2^2 + 1. x_k is a^(2^k - 1).
CJWT_IFMA static void inverse(fe8_factor *out, const fe8_factor *in) {
    fe8_factor a = *in;
    fe8_factor x2 = times(squared(a, 1), a), x4 = times(squared(x2, 2), x2), x8 = times(squared(x4, 4), x4);
    fe8_factor x16 = times(squared(x8, 8), x8), x32 = times(squared(x16, 16), x16);
    fe8_factor x6 = times(squared(x4, 2), x2), x14 = times(squared(x8, 6), x6), x30 = times(squared(x16, 14), x14);
    fe8_factor t = times(squared(x32, 32), a);  // bits 255..192
    t = times(squared(t, 128), x32);            // bits 95..64
    t = times(squared(t, 32), x32);             // bits 63..32
    t = times(squared(t, 30), x30);             // bits 31..2
    *out = times(squared(t, 2), a);
}

// canonical returns the least residue of a < 2 p.
// Contract: digits(a) < 2^52, a < 2 p => return = a (mod p), return < p, digits(return) < 2^52
CJWT_IFMA_INLINE fe8 canonical(fe8 a) {
    fe8 less = a;
    const uint64_t p[5] = {FE8_P0, FE8_P1, FE8_P2, FE8_P3, FE8_P4};
    __m512i borrow = _mm512_setzero_si512();
    for (int i = 0; i < 5; i++) {
        __m512i v = _mm512_add_epi64(_mm512_sub_epi64(a.l[i], fe8_all(p[i])), borrow);
        borrow = _mm512_srai_epi64(v, 52);
        less.l[i] = i < 4 ? _mm512_and_si512(v, fe8_all(FE8_MASK52)) : v;
    }
    __mmask8 below = _mm512_movepi64_mask(borrow);
    for (int i = 0; i < 5; i++) { less.l[i] = _mm512_mask_mov_epi64(less.l[i], below, a.l[i]); }
    return less;
}

// affine returns the point whose 1/Z is ±w: x = X w^2, y = Y w^3, and -y where `negated`.
CJWT_IFMA_INLINE affine8 affine(const fe8 *x, const fe8 *y, fe8_factor w, int negated) {
    fe8_factor ww = fe8_carry(fe8_sqr(w)), www = times(w, ww);
    fe8_sum ay = fe8_mul(fe8_as_factor(*y), www);
    if (negated) { ay = fe8_sub(fe8_times_p(2, 17), ay); }
    return (affine8){.x = canonical(fe8_digits(fe8_mul(fe8_as_factor(*x), ww))), .y = canonical(fe8_digits(ay))};
}

// store writes row d of eight windows.
CJWT_IFMA_INLINE void store(p256_table *table, uint32_t first_window, uint32_t d, const affine8 *q) {
    __m512i w[8];
    fe8_to_words(w, q->x);
    fe8_to_words(w + 4, q->y);
    transpose(w);
    uint32_t per_window = p256_table_rows_per_window(table->bits);
    for (uint32_t i = 0; i < 8; i++) { _mm512_store_si512(table->rows[(first_window + i) * per_window + d], w[i]); }
}

// minus_inverse_z returns -1/Z for the Z = zzz / ZZ of p.
CJWT_IFMA_INLINE fe8_factor minus_inverse_z(const point8 *p) {
    fe8_factor i;
    inverse(&i, &p->zzz);
    return times(p->zz, i);
}

// store_run writes the rows d0 .. d0 + count - 1, from the last point's Z downwards. Rows of odd d have the opposite sign of zzz.
CJWT_IFMA_APART static void store_run(p256_table *table, uint32_t window, uint32_t d0, uint32_t count, const point8 *last,
                                      const fe8_factor h[kRun], const fe8 x[kRun], const fe8 y[kRun]) {
    fe8_factor w = minus_inverse_z(last);
    for (uint32_t i = count; i-- > 0;) {
        affine8 q = affine(&x[i], &y[i], w, (d0 + i) % 2 == 1);
        store(table, window, d0 + i, &q);
        w = times(w, h[i]);
    }
}

// store_multiples writes all rows of eight windows, given 2^(w i) Q and its double.
CJWT_IFMA_APART static void store_multiples(p256_table *table, uint32_t window, const affine8 *base, const affine8 *twice) {
    uint32_t count = p256_table_rows_per_window(table->bits);
    affine8 minus_twice = *twice;
    minus_twice.y = canonical(fe8_digits(fe8_sub(fe8_times_p(2, 2), fe8_as_sum(twice->y))));
    fe8_factor h[kRun];
    fe8 x[kRun], y[kRun];
    point8 p;
    point8_set(&p, base);
    store(table, window, 0, base);
    for (uint32_t d = 1; d < count;) {
        uint32_t d0 = d, run = 0;
        for (; run < kRun && d < count; run++, d++) {
            h[run] = point8_add_affine(&p, d % 2 == 1 ? twice : &minus_twice);
            x[run] = p.x, y[run] = p.y;
        }
        store_run(table, window, d0, run, &p, h, x, y);
    }
}

// own_affine makes p affine; p was only set and doubled, so its zzz is -ZZZ and its Z has the sign that makes w = 1/-Z.
CJWT_IFMA_INLINE affine8 own_affine(const point8 *p) { return affine(&p->x, &p->y, minus_inverse_z(p), 0); }

CJWT_IFMA_INLINE void take_lane(point8 *to, const point8 *from, uint32_t lane) {
    const __m512i *source = (const __m512i *)(const void *)from;
    __m512i *target = (__m512i *)(void *)to;
    for (size_t i = 0; i < sizeof(point8) / sizeof(__m512i); i++) {
        target[i] = _mm512_mask_mov_epi64(target[i], (__mmask8)(1u << lane), source[i]);
    }
}

CJWT_IFMA_APART static void double_often(point8 *p, uint32_t times_two) {
    for (uint32_t i = 0; i < times_two; i++) { point8_double(p); }
}

CJWT_IFMA static void build(p256_table *table, const affine8 *q) {
    point8 power, bases;  // power is 2^(w i) Q in every lane
    point8_set(&power, q);
    bases = power;
    for (uint32_t window = 0; window < table->windows; window += 8) {
        for (uint32_t lane = 0; lane < 8; lane++) {
            take_lane(&bases, &power, lane);
            double_often(&power, table->bits);
        }
        affine8 base = own_affine(&bases);
        double_often(&bases, 1);
        affine8 twice = own_affine(&bases);
        store_multiples(table, window, &base, &twice);
    }
}

// read_coordinate returns zero where the number is not below p.
CJWT_IFMA static int read_coordinate(fe8 *out, const uint8_t bytes[32]) {
    uint64_t words[4];
    number_read(words, bytes, 4);
    if (!number_is_below(words, p256_prime, 4)) { return 0; }
    __m512i w[4];
    for (int i = 0; i < 4; i++) { w[i] = fe8_all(words[i]); }
    *out = canonical(fe8_digits(fe8_mul(fe8_as_factor(fe8_from_words(w)), fe8_as_factor(fe8_set(kRSquared)))));
    return 1;
}

// is_on_curve says whether y^2 = x^3 - 3 x + b. (0, ±sqrt b) are points too; the neutral element has no affine coordinates.
CJWT_IFMA static int is_on_curve(const affine8 *q) {
    fe8_factor x = fe8_as_factor(q->x);
    fe8_sum x3 = fe8_mul(fe8_carry(fe8_sqr(x)), x), y2 = fe8_sqr(fe8_as_factor(q->y)), x1 = fe8_as_sum(q->x);
    fe8_sum right = fe8_add(fe8_sub(fe8_add(x3, fe8_times_p(3, 4)), fe8_add(fe8_add(x1, x1), x1)), fe8_as_sum(fe8_set(kB)));
    fe8_sum difference = fe8_sub(fe8_add(right, fe8_times_p(2, 17)), y2);
    return fe8_is_zero(fe8_fold(difference)) == 0xff;
}

CJWT_IFMA static int build_checked(p256_table *table, cjwt_table_size size, const uint8_t x[32], const uint8_t y[32]) {
    affine8 q;
    if (!read_coordinate(&q.x, x) || !read_coordinate(&q.y, y) || !is_on_curve(&q)) { return 0; }
    uint32_t bits = size == CJWT_TABLE_FULL ? kP256FullBits : kP256SmallBits;
    *table = (p256_table){.bits = bits, .windows = 256 / bits};
    build(table, &q);
    return 1;
}

static struct {
    _Alignas(64) uint8_t bytes[sizeof(p256_table) + kP256FullRows * 64];
} generator;

static int generator_is_built;

static void build_generator(void) {
    // SP 800-186, 3.2.1.3.
    static const uint8_t x[32] = {0x6b, 0x17, 0xd1, 0xf2, 0xe1, 0x2c, 0x42, 0x47, 0xf8, 0xbc, 0xe6, 0xe5, 0x63, 0xa4, 0x40, 0xf2,
                                  0x77, 0x03, 0x7d, 0x81, 0x2d, 0xeb, 0x33, 0xa0, 0xf4, 0xa1, 0x39, 0x45, 0xd8, 0x98, 0xc2, 0x96};
    static const uint8_t y[32] = {0x4f, 0xe3, 0x42, 0xe2, 0xfe, 0x1a, 0x7f, 0x9b, 0x8e, 0xe7, 0xeb, 0x4a, 0x7c, 0x0f, 0x9e, 0x16,
                                  0x2b, 0xce, 0x33, 0x57, 0x6b, 0x31, 0x5e, 0xce, 0xcb, 0xb6, 0x40, 0x68, 0x37, 0xbf, 0x51, 0xf5};
    generator_is_built = build_checked((p256_table *)(void *)generator.bytes, CJWT_TABLE_FULL, x, y);
}

const p256_table *p256_generator_table(void) { return (const p256_table *)(const void *)generator.bytes; }

size_t cjwt_p256_ifma_table_bytes(cjwt_table_size size) {
    return sizeof(p256_table) + (size == CJWT_TABLE_FULL ? kP256FullRows : kP256SmallRows) * sizeof(uint64_t[8]);
}

int cjwt_p256_ifma_table_build(void *table, cjwt_table_size size, const uint8_t x[32], const uint8_t y[32]) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    if (!cjwt_ifma_available() || pthread_once(&once, build_generator) != 0 || !generator_is_built) { return 0; }
    return build_checked(table, size, x, y);
}

#endif
