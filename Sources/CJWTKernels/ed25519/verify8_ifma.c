// cjwt_ed25519_ifma_verify8: eight signatures, one in each lane; their keys and table sizes may differ.

#include "CJWTKernelsEd25519.h"
#include "lanes_rows.h"

#if defined(__x86_64__)

typedef struct {
    fe51 x[kLanes], y[kLanes], z[kLanes];
} eight_points;

// The n-th term of a lane is terms[n * kLanes + lane]. The point at infinity pads shorter lists.
typedef struct {
    _Alignas(64) table_term terms[kMostTerms * kLanes];
    size_t count;
} eight_lists;

// Reads lane by lane; returns the lanes to verify as bits. Writes the verdicts of the other lanes.
static unsigned read_signatures(eight_lists *lists, cjwt_verdict verdicts[kLanes], const void *const tables[kLanes],
                                const uint8_t *const h[kLanes], const uint8_t *const sigs[kLanes]) {
    size_t counts[kLanes] = {0};
    unsigned judged = 0;
    lists->count = 0;
    for (unsigned lane = 0; lane < kLanes; lane++) {
        verdicts[lane] = tables[lane] == NULL ? CJWT_UNDECIDED : CJWT_REFUSED;
        if (tables[lane] == NULL) { continue; }
        if (!cjwt_ed25519_terms_of_signature(lists->terms + lane, kLanes, &counts[lane], tables[lane], h[lane], sigs[lane])) {
            continue;
        }
        judged |= 1U << lane;
        if (counts[lane] > lists->count) { lists->count = counts[lane]; }
    }
    for (unsigned lane = 0; lane < kLanes; lane++) {
        for (size_t n = counts[lane]; n < lists->count; n++) { lists->terms[n * kLanes + lane] = (table_term)&cjwt_ed25519_identity_row; }
    }
    return judged;
}

// Twice X, Y and Z of each lane's sum, which represents the same point.
LANES static void sums_of_terms(eight_points *out, const eight_lists *lists) {
    point8 p;
    addend8 next;
    fe8 p_z;
    point8_set_identity(&p);
    for (size_t n = 0; n < lists->count; n++) {
        addend8_read(&next, lists->terms + n * kLanes);
        point8_add(&p, &next);
    }
    fe8_carry(&p_z, &p.z);
    for (int i = 0; i < 5; i++) {
        _Alignas(64) uint64_t sum[kLanes], difference[kLanes], z[kLanes];
        const uint64_t twice_p = i == 0 ? UINT64_C(0xfffffffffffda) : UINT64_C(0xffffffffffffe);
        _mm512_store_si512(sum, p.sum.digit[i]);
        _mm512_store_si512(difference, p.difference.digit[i]);
        _mm512_store_si512(z, p_z.digit[i]);
        for (int lane = 0; lane < kLanes; lane++) {
            out->x[lane].digit[i] = sum[lane] + twice_p - difference[lane];
            out->y[lane].digit[i] = sum[lane] + difference[lane];
            out->z[lane].digit[i] = 2 * z[lane];
        }
    }
}

// One inversion for all lanes (Montgomery's trick). No Z is zero (point.h); a zero would be excluded and its lane undecided, without effect
// on the others. Returns the lanes whose z is now its inverse.
static unsigned invert_all(fe51 z[kLanes], unsigned lanes) {
    fe51 products[kLanes + 1], inverse, z_inverse;
    products[0] = kFe51One;
    for (unsigned lane = 0; lane < kLanes; lane++) {
        if (fe51_is_zero(&z[lane])) { lanes &= ~(1U << lane); }
        fe51_multiply(&products[lane + 1], &products[lane], lanes >> lane & 1 ? &z[lane] : &kFe51One);
    }
    if (!cjwt_ed25519_invert(&inverse, &products[kLanes])) { return 0; }
    for (unsigned lane = kLanes; lane-- > 0;) {
        if (!(lanes >> lane & 1)) { continue; }
        fe51_multiply(&z_inverse, &inverse, &products[lane]);
        fe51_multiply(&inverse, &inverse, &z[lane]);
        z[lane] = z_inverse;
    }
    return lanes;
}

void cjwt_ed25519_ifma_verify8(cjwt_verdict verdicts[8], const void *const tables[8], const uint8_t *const h[8],
                               const uint8_t *const sigs[8]) {
    eight_lists lists;
    eight_points points;
    uint8_t encoded[32];
    unsigned judged = read_signatures(&lists, verdicts, tables, h, sigs);
    if (judged == 0) { return; }
    sums_of_terms(&points, &lists);
    unsigned invertible = invert_all(points.z, judged);
    for (unsigned lane = 0; lane < kLanes; lane++) {
        if (!(judged >> lane & 1)) { continue; }
        cjwt_ed25519_point_encode(encoded, &points.x[lane], &points.y[lane], &points.z[lane]);
        int equal = memcmp(encoded, sigs[lane], sizeof encoded) == 0;
        verdicts[lane] = !(invertible >> lane & 1) ? CJWT_UNDECIDED : equal ? CJWT_ACCEPTED : CJWT_REFUSED;
    }
}

#endif
