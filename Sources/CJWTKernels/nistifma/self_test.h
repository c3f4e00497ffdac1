// self_test.h: known answers of a curve's kernels in lanes, one token at a time and in mixed lanes, with the key's small table and the
// generator's full one.

#ifndef CJWT_NISTIFMA_SELF_TEST_H
#define CJWT_NISTIFMA_SELF_TEST_H

#include <pthread.h>

#include "../nist/ecdsa_cases.h"

static int self_test_passes;

static void run_self_test(void) {
    const void *key = KERNEL(_self_test_table)();
    signature_cases all = {.hash_len = kHashBytes, .half_len = kNumberBytes};
    if (!KERNEL(_self_test)()) { return; }
    add_ecdsa_cases(&all, &kVector, key, KERNEL(_generator)());
    add_sum_cases(&all, &kVector, KERNEL(_generator)());
    self_test_passes = cases_hold(&all, KERNEL(_ifma_verify)) && cases_hold_in_lanes(&all, KERNEL(_ifma_verify8));
}

#endif
