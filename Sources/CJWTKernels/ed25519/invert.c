// cjwt_ed25519_invert: the inverse modulo p = 2^255 - 19 by division steps (Bernstein, Yang, "Fast constant-time gcd computation and
// modular inversion", 2019), in variable time: what is inverted here is public.
//
// Two numbers f (odd) and g begin as p and a and end as +-1 and 0. A step with delta > 0 and g odd takes (f, g) to (g, (g - f) / 2);
// any other takes g to g / 2 or (g + f) / 2. Sixty-two steps look at the low 62 bits of f and g only, so they are done on words, and
// their effect is kept as a matrix (u v; q r), which is then applied, divided by 2^62, to f and g and, modulo p, to d and e, where
// a d = f and a e = g hold modulo p throughout.
//
// Big numbers are signed: five digits of radix 2^62, the lower four in [0, 2^62), the sign in the highest.

#include "field51.h"

__extension__ typedef __int128 int128;

#define DIGIT_MASK ((INT64_C(1) << 62) - 1)

enum { kDigits = 5, kStepsAtOnce = 62 };

typedef struct {
    int64_t digit[kDigits];
} signed_number;

// Every entry is at most 2^62 in absolute value, and so is the sum of each row's absolute values.
typedef struct {
    int64_t u, v, q, r;
} step_matrix;

// p in this radix: 128 * 2^248 - 19. Its inverse modulo 2^62.
static const int64_t kTopOfP = 128, kBottomOfP = -19;
static const uint64_t kInverseOfP = UINT64_C(0x39435e50d79435e5);

// The w for which g + w f ends in `bits` zeros, or in six where that is fewer. f and g are odd.
static inline uint64_t cancelling_multiple(uint64_t f, uint64_t g, int bits) {
    uint64_t mask = (UINT64_MAX >> (64 - bits)) & 63;
    return (f * g * (f * f - 2)) & mask;  // f (f^2 - 2) = -1 / f modulo 2^6 for odd f
}

// divide_steps does 62 steps on the low words of f and g. `eta` is -delta. Returns the new eta.
static int64_t divide_steps(step_matrix *matrix, int64_t eta, uint64_t f, uint64_t g) {
    uint64_t u = 1, v = 0, q = 0, r = 1;
    for (int left = kStepsAtOnce;;) {
        // The bit at `left` stops the count of zeros there.
        int zeros = __builtin_ctzll(g | (UINT64_MAX << left));
        g >>= zeros;
        u <<= zeros;
        v <<= zeros;
        eta -= zeros;
        left -= zeros;
        if (left == 0) { break; }
        if (eta < 0) {
            uint64_t old_f = f, old_u = u, old_v = v;
            eta = -eta;
            f = g, g = -old_f;
            u = q, q = -old_u;
            v = r, r = -old_v;
        }
        // No exchange comes before eta + 1 steps: so many bits of g may be cancelled by one multiple of f.
        int bits = eta + 1 < left ? (int)eta + 1 : left;
        uint64_t w = cancelling_multiple(f, g, bits);
        g += w * f;
        q += w * u;
        r += w * v;
    }
    *matrix = (step_matrix){(int64_t)u, (int64_t)v, (int64_t)q, (int64_t)r};
    return eta;
}

// (f, g) becomes matrix (f, g) / 2^62, exactly. `len` digits are in use; the ones above only repeat the sign.
static void apply_to_fg(signed_number *f, signed_number *g, const step_matrix *m, int len) {
    int128 cf = (int128)m->u * f->digit[0] + (int128)m->v * g->digit[0];
    int128 cg = (int128)m->q * f->digit[0] + (int128)m->r * g->digit[0];
    for (int i = 1; i < len; i++) {
        cf = (cf >> 62) + (int128)m->u * f->digit[i] + (int128)m->v * g->digit[i];
        cg = (cg >> 62) + (int128)m->q * f->digit[i] + (int128)m->r * g->digit[i];
        f->digit[i - 1] = (int64_t)cf & DIGIT_MASK;
        g->digit[i - 1] = (int64_t)cg & DIGIT_MASK;
    }
    f->digit[len - 1] = (int64_t)(cf >> 62);
    g->digit[len - 1] = (int64_t)(cg >> 62);
}

// The multiple of p to add to a row's product so that 2^62 divides it. `multiple` is what has been chosen for range already.
static inline int64_t clearing_multiple(int128 product, int64_t multiple) {
    return multiple - (int64_t)((kInverseOfP * (uint64_t)product + (uint64_t)multiple) & (uint64_t)DIGIT_MASK);
}

// (d, e) becomes matrix (d, e) / 2^62 modulo p. Both stay in (-2 p, p): p is added first to what is negative, which gives (-p, p);
// then the product is in (-2^62 p, 2^62 p), and at most 2^62 - 1 times p are taken away.
static void apply_to_de(signed_number *d, signed_number *e, const step_matrix *m) {
    int64_t d_sign = d->digit[kDigits - 1] >> 63, e_sign = e->digit[kDigits - 1] >> 63;
    int128 cd = (int128)m->u * d->digit[0] + (int128)m->v * e->digit[0];
    int128 ce = (int128)m->q * d->digit[0] + (int128)m->r * e->digit[0];
    int64_t pd = clearing_multiple(cd, (m->u & d_sign) + (m->v & e_sign));
    int64_t pe = clearing_multiple(ce, (m->q & d_sign) + (m->r & e_sign));
    cd += (int128)pd * kBottomOfP;
    ce += (int128)pe * kBottomOfP;
    for (int i = 1; i < kDigits; i++) {
        int64_t top = i == kDigits - 1 ? kTopOfP : 0;
        cd = (cd >> 62) + (int128)m->u * d->digit[i] + (int128)m->v * e->digit[i] + (int128)pd * top;
        ce = (ce >> 62) + (int128)m->q * d->digit[i] + (int128)m->r * e->digit[i] + (int128)pe * top;
        d->digit[i - 1] = (int64_t)cd & DIGIT_MASK;
        e->digit[i - 1] = (int64_t)ce & DIGIT_MASK;
    }
    d->digit[kDigits - 1] = (int64_t)(cd >> 62);
    e->digit[kDigits - 1] = (int64_t)(ce >> 62);
}

// Drops the highest digit of f and g while it only repeats the sign in both.
static int shortened(signed_number *f, signed_number *g, int len) {
    int64_t top_f = f->digit[len - 1], top_g = g->digit[len - 1];
    if (len == 1 || (top_f ^ (top_f >> 63)) != 0 || (top_g ^ (top_g >> 63)) != 0) { return len; }
    // The digit below becomes the highest and takes the sign over.
    f->digit[len - 2] |= (int64_t)((uint64_t)top_f << 62);
    g->digit[len - 2] |= (int64_t)((uint64_t)top_g << 62);
    return len - 1;
}

static int is_zero(const signed_number *a, int len) {
    int64_t any = 0;
    for (int i = 0; i < len; i++) { any |= a->digit[i]; }
    return any == 0;
}

// d, in (-2 p, p), times `sign`, as a tight number: after adding 2 p it is in (0, 4 p), below 2^257.
static void to_field(fe51 *out, const signed_number *d, int64_t sign) {
    int64_t carry = 0;
    uint64_t digit[kDigits];
    for (int i = 0; i < kDigits; i++) {
        int64_t twice_p = 2 * (i == 0 ? kBottomOfP : i == kDigits - 1 ? kTopOfP : 0);
        int64_t sum = (sign < 0 ? -d->digit[i] : d->digit[i]) + twice_p + carry;
        digit[i] = (uint64_t)(sum & DIGIT_MASK);
        carry = sum >> 62;
    }
    out->digit[0] = digit[0] & FE51_MASK;
    out->digit[1] = (digit[0] >> 51 | digit[1] << 11) & FE51_MASK;
    out->digit[2] = (digit[1] >> 40 | digit[2] << 22) & FE51_MASK;
    out->digit[3] = (digit[2] >> 29 | digit[3] << 33) & FE51_MASK;
    out->digit[4] = digit[3] >> 18 | digit[4] << 44;
    fe51_carry(out, out);
}

void cjwt_ed25519_invert(fe51 *out, const fe51 *a) {
    uint64_t words[4];
    fe51_to_words(words, a);
    signed_number f = {{kBottomOfP & DIGIT_MASK, DIGIT_MASK, DIGIT_MASK, DIGIT_MASK, kTopOfP - 1}}, g, d = {{0}}, e = {{1}};
    g.digit[0] = (int64_t)(words[0] & (uint64_t)DIGIT_MASK);
    g.digit[1] = (int64_t)((words[0] >> 62 | words[1] << 2) & (uint64_t)DIGIT_MASK);
    g.digit[2] = (int64_t)((words[1] >> 60 | words[2] << 4) & (uint64_t)DIGIT_MASK);
    g.digit[3] = (int64_t)((words[2] >> 58 | words[3] << 6) & (uint64_t)DIGIT_MASK);
    g.digit[4] = (int64_t)(words[3] >> 56);

    int64_t eta = -1;
    int len = kDigits;
    while (!is_zero(&g, len)) {
        step_matrix matrix;
        eta = divide_steps(&matrix, eta, (uint64_t)f.digit[0], (uint64_t)g.digit[0]);
        apply_to_de(&d, &e, &matrix);
        apply_to_fg(&f, &g, &matrix, len);
        len = shortened(&f, &g, len);
    }
    // f is now the greatest common divisor up to its sign: one of +-1, or +-p where a is zero, and then d is zero.
    to_field(out, &d, f.digit[len - 1] >> 63 | 1);
}
