// p256_recode: a scalar's digits (table.h), and the rows they select, in the order in which the lanes take them.

#include "lanes.h"

#if defined(__x86_64__)

#include "../nist/nist_word.h"
#include "../nist/p256_scalar.h"

void p256_recode(p256_digits *digits, const uint64_t k[4]) {
    uint64_t odd[4] = {k[0], k[1], k[2], k[3]};
    digits->negative = (k[0] & 1) == 0;
    if (digits->negative) { (void)number_sub(odd, p256_order, k, 4); }
    for (int i = 0; i < 4; i++) { digits->half[i] = odd[i] >> 1 | (i < 3 ? odd[i + 1] << 63 : UINT64_C(1) << 63); }
}

void p256_lane_r_set(p256_lane_r *lanes, int lane, const uint64_t r[4]) {
    // Only numbers below p - n < 2^127 have a second candidate, so the upper words nearly always decide.
    uint64_t also[4] = {r[0], r[1], r[2], r[3]};
    if (r[3] == 0 && r[2] == 0) {
        uint64_t second[4];
        (void)number_add(second, r, p256_order, 4);
        if (number_is_below(second, p256_prime, 4)) {
            lanes->has_second = 1;
            for (int i = 0; i < 4; i++) { also[i] = second[i]; }
        }
    }
    for (int i = 0; i < 4; i++) { lanes->r[i][lane] = r[i], lanes->also[i][lane] = also[i]; }
}

#endif
