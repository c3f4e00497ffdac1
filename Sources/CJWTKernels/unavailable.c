// The functions that need instructions of x86-64, for other machines: they build no table or key, and decide nothing.

#include "CJWTKernels.h"

#include <string.h>

#if !defined(__x86_64__)

cjwt_verdict cjwt_p256_ifma_verify(const void *table, const uint8_t hash[32], const uint8_t sig[64]) {
    (void)table, (void)hash, (void)sig;
    return CJWT_UNDECIDED;
}

void cjwt_p256_ifma_verify8(cjwt_verdict verdicts[8], const void *const tables[8], const uint8_t *const hashes[8],
                            const uint8_t *const sigs[8]) {
    (void)tables, (void)hashes, (void)sigs;
    for (int i = 0; i < 8; i++) { verdicts[i] = CJWT_UNDECIDED; }
}

size_t cjwt_p256_ifma_table_bytes(cjwt_table_size size) {
    (void)size;
    return 0;
}

int cjwt_p256_ifma_table_build(void *table, cjwt_table_size size, const uint8_t x[32], const uint8_t y[32]) {
    (void)table, (void)size, (void)x, (void)y;
    return 0;
}

int cjwt_p256_ifma_self_test(void) { return 1; }

cjwt_verdict cjwt_p384_ifma_verify(const void *table, const uint8_t hash[48], const uint8_t sig[96]) {
    (void)table, (void)hash, (void)sig;
    return CJWT_UNDECIDED;
}

void cjwt_p384_ifma_verify8(cjwt_verdict verdicts[8], const void *const tables[8], const uint8_t *const hashes[8],
                            const uint8_t *const sigs[8]) {
    (void)tables, (void)hashes, (void)sigs;
    for (int i = 0; i < 8; i++) { verdicts[i] = CJWT_UNDECIDED; }
}

int cjwt_p384_ifma_self_test(void) { return 1; }

cjwt_verdict cjwt_p521_ifma_verify(const void *table, const uint8_t hash[64], const uint8_t sig[132]) {
    (void)table, (void)hash, (void)sig;
    return CJWT_UNDECIDED;
}

void cjwt_p521_ifma_verify8(cjwt_verdict verdicts[8], const void *const tables[8], const uint8_t *const hashes[8],
                            const uint8_t *const sigs[8]) {
    (void)tables, (void)hashes, (void)sigs;
    for (int i = 0; i < 8; i++) { verdicts[i] = CJWT_UNDECIDED; }
}

int cjwt_p521_ifma_self_test(void) { return 1; }

cjwt_verdict cjwt_ed25519_ifma_verify(const void *table, const uint8_t h[64], const uint8_t sig[64]) {
    (void)table, (void)h, (void)sig;
    return CJWT_UNDECIDED;
}

void cjwt_ed25519_ifma_verify8(cjwt_verdict verdicts[8], const void *const tables[8], const uint8_t *const h[8],
                               const uint8_t *const sigs[8]) {
    (void)tables, (void)h, (void)sigs;
    for (int i = 0; i < 8; i++) { verdicts[i] = CJWT_UNDECIDED; }
}

int cjwt_rsa_ifma_power(const void *key, uint8_t *em, const uint8_t *sig) {
    (void)key, (void)em, (void)sig;
    return 0;
}

int cjwt_rsa_ifma_key_build(void *memory, const uint8_t *modulus, size_t modulus_len) {
    (void)memory, (void)modulus, (void)modulus_len;
    return 0;
}

void cjwt_rsa_ifma_power8(int results[8], const void *const keys[8], uint8_t *const ems[8], const uint8_t *const sigs[8]) {
    (void)keys, (void)ems, (void)sigs;
    memset(results, 0, 8 * sizeof *results);
}

int cjwt_rsa_ifma_self_test(void) { return 0; }

int cjwt_rsa_lanes_key_build(void *memory, const uint8_t *modulus, size_t modulus_len) {
    (void)memory, (void)modulus, (void)modulus_len;
    return 0;
}

void cjwt_rsa_avx512f_power8(int results[8], const void *const keys[8], uint8_t *const ems[8], const uint8_t *const sigs[8]) {
    (void)keys, (void)ems, (void)sigs;
    memset(results, 0, 8 * sizeof *results);
}

void cjwt_rsa_avx2_power4(int results[4], const void *const keys[4], uint8_t *const ems[4], const uint8_t *const sigs[4]) {
    (void)keys, (void)ems, (void)sigs;
    memset(results, 0, 4 * sizeof *results);
}

int cjwt_rsa_ifma256_key_build(void *memory, const uint8_t *modulus, size_t modulus_len) {
    (void)memory, (void)modulus, (void)modulus_len;
    return 0;
}

void cjwt_rsa_ifma256_power4(int results[4], const void *const keys[4], uint8_t *const ems[4], const uint8_t *const sigs[4]) {
    (void)keys, (void)ems, (void)sigs;
    memset(results, 0, 4 * sizeof *results);
}

int cjwt_rsa_avx512f_self_test(void) { return 0; }

int cjwt_rsa_avx2_self_test(void) { return 0; }

int cjwt_rsa_ifma256_self_test(void) { return 0; }

int cjwt_sha2_lanes(uint8_t *out, size_t digest_len, const cjwt_message *messages, size_t count) {
    (void)out, (void)digest_len, (void)messages, (void)count;
    return 0;
}

int cjwt_sha256_one(uint8_t out[32], const uint8_t *in, size_t len) {
    (void)out, (void)in, (void)len;
    return 0;
}

#endif
