// The libcrypto functions that Secrets needs besides digests: random bytes, wiping, AES-256-GCM (NIST SP 800-38D). Not used for tokens.

#include <limits.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/rand.h>

#include "internal.h"

int cossl_random_bytes(uint8_t *out, size_t out_len) {
    cossl_begin();
    int ok = RAND_bytes_ex(NULL, out, out_len, 0) == 1;
    cossl_end();
    return ok;
}

void cossl_wipe(void *memory, size_t len) { OPENSSL_cleanse(memory, len); }

int cossl_scrypt(uint8_t *out, size_t out_len, const uint8_t *password, size_t password_len, const uint8_t *salt, size_t salt_len,
                 unsigned log_n, uint64_t r, uint64_t p, uint64_t max_memory) {
    if (log_n == 0 || log_n > 30) { return 0; }
    cossl_begin();
    int ok = EVP_PBE_scrypt((const char *)password, password_len, salt, salt_len, (uint64_t)1 << log_n, r, p, max_memory, out, out_len) == 1;
    cossl_end();
    return ok;
}

/// A context keyed for one direction, with the associated data absorbed; NULL if that fails. EVP counts in int.
static EVP_CIPHER_CTX *gcm_start(const cossl_gcm_input *input, int encrypts) {
    int written = 0;
    if (input->in_len > INT_MAX || input->context_len > INT_MAX) { return NULL; }
    EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();
    int ok = ctx != NULL && EVP_CipherInit_ex(ctx, EVP_aes_256_gcm(), NULL, input->key, input->nonce, encrypts) == 1;
    // EVP does not take a NULL pointer as empty data.
    if (ok && input->context_len != 0) {
        ok = EVP_CipherUpdate(ctx, NULL, &written, input->context, (int)input->context_len) == 1;
    }
    if (ok) { return ctx; }
    EVP_CIPHER_CTX_free(ctx);
    return NULL;
}

static int gcm_update(EVP_CIPHER_CTX *ctx, uint8_t *out, const cossl_gcm_input *input) {
    int written = 0;
    if (input->in_len == 0) { return 1; }
    return EVP_CipherUpdate(ctx, out, &written, input->in, (int)input->in_len) == 1 && (size_t)written == input->in_len;
}

int cossl_gcm_seal(uint8_t *out, uint8_t tag[COSSL_GCM_TAG], const cossl_gcm_input *input) {
    int written = 0;
    uint8_t none[COSSL_GCM_TAG];
    cossl_begin();
    EVP_CIPHER_CTX *ctx = gcm_start(input, 1);
    int ok = ctx != NULL && gcm_update(ctx, out, input) && EVP_CipherFinal_ex(ctx, none, &written) == 1 &&
             EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_GET_TAG, COSSL_GCM_TAG, tag) == 1;
    EVP_CIPHER_CTX_free(ctx);
    cossl_end();
    return ok;
}

int cossl_gcm_open(uint8_t *out, const uint8_t tag[COSSL_GCM_TAG], const cossl_gcm_input *input) {
    int written = 0;
    uint8_t none[COSSL_GCM_TAG];
    cossl_begin();
    EVP_CIPHER_CTX *ctx = gcm_start(input, 0);
    // EVP takes the expected tag through a non-const pointer, but does not write to it.
    int ok = ctx != NULL && gcm_update(ctx, out, input) &&
             EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_SET_TAG, COSSL_GCM_TAG, (void *)tag) == 1 &&
             EVP_CipherFinal_ex(ctx, none, &written) == 1;
    // Plaintext with an invalid tag must not reach the caller.
    if (!ok) { OPENSSL_cleanse(out, input->in_len); }
    EVP_CIPHER_CTX_free(ctx);
    cossl_end();
    return ok;
}
