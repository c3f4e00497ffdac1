// p256.c: ECDSA over P-256, what CJWTKernelsECDSA.h says of it.

#include "CJWTKernelsECDSA.h"

// 32 windows of 128 rows, 256 KiB; 64 windows of 8 rows, 32 KiB.
enum { kFullWindow = 8, kSmallWindow = 4 };

#include "p256_curve.h"
#include "p256_scalar.h"
#include "p256_vector.h"
#include "nist_generator.h"
#include "nist_inspection.h"
#include "nist_self_test.h"
#include "nist_verify.h"

size_t cjwt_p256_table_bytes(cjwt_table_size size) { return table_bytes(size); }

int cjwt_p256_table_build(void *memory, cjwt_table_size size, const uint8_t x[32], const uint8_t y[32]) {
    return build_table(memory, size, x, y);
}

cjwt_verdict cjwt_p256_verify(const void *memory, const uint8_t hash[32], const uint8_t sig[64]) {
    uint64_t u1[LIMBS], u2[LIMBS], r[LIMBS];
    if (!p256_scalars(u1, u2, hash, sig)) { return CJWT_REFUSED; }
    number_read(r, sig, LIMBS);
    return judge(generator_table(), memory, u1, u2, r);
}

// Once: its table's memory is shared.
static int self_test_passes;

static void run_self_test(void) { self_test_passes = self_test(cjwt_p256_verify); }

int cjwt_p256_self_test(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    return pthread_once(&once, run_self_test) == 0 && self_test_passes;
}

const nist_internal p256_internal = {
    NIST_INSPECTION,
    .scalar_multiply = p256_scalar_multiply,
    .scalar_inverse = p256_scalar_inverse,
};
