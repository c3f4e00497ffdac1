// nist_kernel.h: the functions of CJWTKernelsECDSA.h and the parts of nist_internal.h for one curve.
//
// The curve's file defines CURVE, its name, SCALARS(FUNCTION), the name of its function for scalars, and kVector.

#ifndef NIST_KERNEL_H
#define NIST_KERNEL_H

#include "CJWTKernelsECDSA.h"
#include "nist_generator.h"
#include "nist_inspection.h"
#include "nist_self_test.h"
#include "nist_verify.h"

#define NAMED_(BEFORE, NAME, AFTER) BEFORE##NAME##AFTER
#define NAMED(BEFORE, NAME, AFTER) NAMED_(BEFORE, NAME, AFTER)
#define KERNEL(FUNCTION) NAMED(cjwt_, CURVE, FUNCTION)

size_t KERNEL(_table_bytes)(cjwt_table_size size) { return table_bytes(size); }

int KERNEL(_table_build)(void *memory, cjwt_table_size size, const uint8_t x[kNumberBytes], const uint8_t y[kNumberBytes]) {
    return build_table(memory, size, x, y);
}

cjwt_verdict KERNEL(_verify)(const void *memory, const uint8_t hash[kHashBytes], const uint8_t sig[2 * kNumberBytes]) {
    uint64_t u1[LIMBS], u2[LIMBS], r[LIMBS], s[LIMBS];
    if (!SCALARS(scalar_read)(r, sig) || !SCALARS(scalar_read)(s, sig + kNumberBytes)) { return CJWT_REFUSED; }
    if (!SCALARS(scalars)(u1, u2, hash, r, s)) { return CJWT_UNDECIDED; }
    return judge(generator_table(), memory, u1, u2, r);
}

const void *KERNEL(_generator)(void) { return generator_table(); }

// Once: all callers share the table's memory.
static int self_test_passes;

static void run_self_test(void) { self_test_passes = self_test(&kVector, KERNEL(_verify)); }

int KERNEL(_self_test)(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    return pthread_once(&once, run_self_test) == 0 && self_test_passes;
}

const void *KERNEL(_self_test_table)(void) { return self_test_memory.bytes; }

const nist_internal NAMED(, CURVE, _internal) = {
    NIST_INSPECTION,
    .scalar_multiply = SCALARS(scalar_multiply),
    .scalar_inverse = SCALARS(scalar_inverse),
};

#endif
