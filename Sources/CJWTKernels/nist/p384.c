// p384.c: ECDSA over P-384, what CJWTKernelsECDSA.h says of it.

#include "CJWTKernelsECDSA.h"

// 55 windows of 64 rows, 330 KiB; 96 windows of 8 rows, 72 KiB.
enum { kFullWindow = 7, kSmallWindow = 4 };

#include "p384_curve.h"
#include "p384_vector.h"
#include "nist_generator.h"
#include "nist_scalar.h"
#include "nist_inspection.h"
#include "nist_self_test.h"
#include "nist_verify.h"

size_t cjwt_p384_table_bytes(cjwt_table_size size) { return table_bytes(size); }

int cjwt_p384_table_build(void *memory, cjwt_table_size size, const uint8_t x[48], const uint8_t y[48]) {
    return build_table(memory, size, x, y);
}

cjwt_verdict cjwt_p384_verify(const void *memory, const uint8_t hash[48], const uint8_t sig[96]) {
    uint64_t u1[LIMBS], u2[LIMBS], r[LIMBS];
    if (!scalars(u1, u2, hash, sig)) { return CJWT_REFUSED; }
    number_read(r, sig, LIMBS);
    return judge(generator_table(), memory, u1, u2, r);
}

// Once: its table's memory is shared.
static int self_test_passes;

static void run_self_test(void) { self_test_passes = self_test(cjwt_p384_verify); }

int cjwt_p384_self_test(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    return pthread_once(&once, run_self_test) == 0 && self_test_passes;
}

const nist_internal p384_internal = {
    NIST_INSPECTION,
    .scalar_multiply = scalar_multiply,
    .scalar_inverse = scalar_inverse,
};
