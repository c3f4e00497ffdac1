// AES-128-ECB, which protects no secret here; a deployed captcha requires it. Do not use it for anything else.

#include <limits.h>
#include <openssl/evp.h>

#include "internal.h"

int cossl_aes128_ecb_encrypt(uint8_t *out, size_t *out_len, const uint8_t key[16], const uint8_t *in, size_t in_len) {
    int first = 0, last = 0;
    if (in_len > INT_MAX - 16) { return 0; }
    cossl_begin();
    EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();
    int ok = ctx != NULL && EVP_EncryptInit_ex(ctx, EVP_aes_128_ecb(), NULL, key, NULL) == 1 &&
             (in_len == 0 || EVP_EncryptUpdate(ctx, out, &first, in, (int)in_len) == 1) && EVP_EncryptFinal_ex(ctx, out + first, &last) == 1;
    EVP_CIPHER_CTX_free(ctx);
    cossl_end();
    *out_len = ok ? (size_t)first + (size_t)last : 0;
    return ok;
}
