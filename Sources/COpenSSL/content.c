// The encryption of contents (RFC 7518 section 5) and of their keys by AES key wrap (RFC 3394).

#include <limits.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <pthread.h>
#include <string.h>

#include "decryption.h"

enum { GCM_TAG = 16, BLOCK = 16, WRAP_CHECK = 8 };

/// Of the last two, half of the key and half of the digest count: the first half of the key is the MAC's (RFC 7518 section 5.2.2.1).
static const struct {
    const char *cipher;
    cossl_digest digest;
    size_t key, nonce, tag;
} contents[] = {
    [COSSL_CONTENT_A128GCM] = {"AES-128-GCM", COSSL_DIGEST_NONE, 16, 12, GCM_TAG},
    [COSSL_CONTENT_A256GCM] = {"AES-256-GCM", COSSL_DIGEST_NONE, 32, 12, GCM_TAG},
    [COSSL_CONTENT_A128CBC_HS256] = {"AES-128-CBC", COSSL_DIGEST_SHA256, 32, BLOCK, 16},
    [COSSL_CONTENT_A256CBC_HS512] = {"AES-256-CBC", COSSL_DIGEST_SHA512, 64, BLOCK, 32},
};

size_t cossl_content_key_length(cossl_content content) { return contents[content].key; }
size_t cossl_content_nonce_length(cossl_content content) { return contents[content].nonce; }
size_t cossl_content_tag_length(cossl_content content) { return contents[content].tag; }

// Ciphers, fetched once for the process

static pthread_once_t fetched_once = PTHREAD_ONCE_INIT;
static atomic_int has_fetched;
static EVP_CIPHER *fetched_contents[COSSL_CONTENT_A256CBC_HS512 + 1], *fetched_wraps[2];

static void fetch_all(void) {
    for (int c = COSSL_CONTENT_A128GCM; c <= COSSL_CONTENT_A256CBC_HS512; c++) {
        fetched_contents[c] = EVP_CIPHER_fetch(NULL, contents[c].cipher, NULL);
    }
    fetched_wraps[0] = EVP_CIPHER_fetch(NULL, "AES-128-WRAP", NULL);
    fetched_wraps[1] = EVP_CIPHER_fetch(NULL, "AES-256-WRAP", NULL);
}

/// Between cossl_begin and cossl_end.
static void fetch(void) {
    if (atomic_load_explicit(&has_fetched, memory_order_acquire)) { return; }
    pthread_once(&fetched_once, fetch_all);
    atomic_store_explicit(&has_fetched, 1, memory_order_release);
}

// AES-GCM

/// A context keyed for one direction, with the associated data absorbed; NULL if that fails.
static EVP_CIPHER_CTX *gcm_start(const cossl_content_input *input, int encrypts) {
    int written = 0;
    EVP_CIPHER *cipher = fetched_contents[input->content];
    EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();
    int ok = ctx != NULL && cipher != NULL && EVP_CipherInit_ex2(ctx, cipher, input->key, input->nonce, encrypts, NULL) == 1;
    // EVP does not take a NULL pointer as empty data.
    if (ok && input->context_len != 0) { ok = EVP_CipherUpdate(ctx, NULL, &written, input->context, (int)input->context_len) == 1; }
    if (ok) { return ctx; }
    EVP_CIPHER_CTX_free(ctx);
    return NULL;
}

static int gcm_update(EVP_CIPHER_CTX *ctx, uint8_t *out, size_t *out_len, const cossl_content_input *input) {
    int written = 0;
    *out_len = input->in_len;
    if (input->in_len == 0) { return 1; }
    return EVP_CipherUpdate(ctx, out, &written, input->in, (int)input->in_len) == 1 && (size_t)written == input->in_len;
}

static int gcm_open(uint8_t *out, size_t *out_len, const cossl_content_input *input, const uint8_t *tag) {
    int written = 0;
    uint8_t none[BLOCK];
    EVP_CIPHER_CTX *ctx = gcm_start(input, 0);
    // EVP takes the expected tag through a non-const pointer, but does not write to it.
    int ok = ctx != NULL && gcm_update(ctx, out, out_len, input) &&
             EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_SET_TAG, GCM_TAG, (void *)tag) == 1 && EVP_CipherFinal_ex(ctx, none, &written) == 1;
    EVP_CIPHER_CTX_free(ctx);
    return ok;
}

static int gcm_seal(uint8_t *out, size_t *out_len, uint8_t *tag, const cossl_content_input *input) {
    int written = 0;
    uint8_t none[BLOCK];
    EVP_CIPHER_CTX *ctx = gcm_start(input, 1);
    int ok = ctx != NULL && gcm_update(ctx, out, out_len, input) && EVP_CipherFinal_ex(ctx, none, &written) == 1 &&
             EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_GET_TAG, GCM_TAG, tag) == 1;
    EVP_CIPHER_CTX_free(ctx);
    return ok;
}

// AES-CBC with HMAC

/// The HMAC of context, nonce, ciphertext and the bits of the context in 64 bits (RFC 7518 section 5.2.2.1).
static int cbc_tag(uint8_t full[EVP_MAX_MD_SIZE], const cossl_content_input *input, const uint8_t *ciphertext, size_t ciphertext_len) {
    uint8_t bits[8];
    size_t full_len = 0;
    char name[16];
    cossl_digest digest = contents[input->content].digest;
    strncpy(name, cossl_digest_name(digest), sizeof name - 1);
    name[sizeof name - 1] = 0;
    OSSL_PARAM parameters[] = {OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, name, 0), OSSL_PARAM_construct_end()};
    for (int i = 0; i < 8; i++) { bits[i] = (uint8_t)((uint64_t)input->context_len * 8 >> (56 - 8 * i)); }
    EVP_MAC_CTX *ctx = EVP_MAC_CTX_new(cossl_evp_hmac());
    int ok = ctx != NULL && EVP_MAC_init(ctx, input->key, contents[input->content].key / 2, parameters) == 1 &&
             EVP_MAC_update(ctx, input->context, input->context_len) == 1 && EVP_MAC_update(ctx, input->nonce, BLOCK) == 1 &&
             EVP_MAC_update(ctx, ciphertext, ciphertext_len) == 1 && EVP_MAC_update(ctx, bits, sizeof bits) == 1 &&
             EVP_MAC_final(ctx, full, &full_len, EVP_MAX_MD_SIZE) == 1 && full_len == cossl_digest_length(digest);
    EVP_MAC_CTX_free(ctx);
    return ok;
}

static int cbc_run(uint8_t *out, size_t *out_len, const cossl_content_input *input, int encrypts) {
    int written = 0, last = 0;
    EVP_CIPHER *cipher = fetched_contents[input->content];
    EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();
    int ok = ctx != NULL && cipher != NULL &&
             EVP_CipherInit_ex2(ctx, cipher, input->key + contents[input->content].key / 2, input->nonce, encrypts, NULL) == 1 &&
             (input->in_len == 0 || EVP_CipherUpdate(ctx, out, &written, input->in, (int)input->in_len) == 1) &&
             EVP_CipherFinal_ex(ctx, out + written, &last) == 1;
    EVP_CIPHER_CTX_free(ctx);
    *out_len = ok ? (size_t)written + (size_t)last : 0;
    return ok;
}

static int cbc_open(uint8_t *out, size_t *out_len, const cossl_content_input *input, const uint8_t *tag) {
    uint8_t full[EVP_MAX_MD_SIZE];
    // The padding of a text whose tag does not match is never looked at (RFC 7518 section 5.2.2.2).
    int ok = cbc_tag(full, input, input->in, input->in_len) && CRYPTO_memcmp(full, tag, contents[input->content].tag) == 0 &&
             input->in_len != 0 && input->in_len % BLOCK == 0 && cbc_run(out, out_len, input, 0);
    OPENSSL_cleanse(full, sizeof full);
    return ok;
}

static int cbc_seal(uint8_t *out, size_t *out_len, uint8_t *tag, const cossl_content_input *input) {
    uint8_t full[EVP_MAX_MD_SIZE];
    int ok = cbc_run(out, out_len, input, 1) && cbc_tag(full, input, out, *out_len);
    if (ok) { memcpy(tag, full, contents[input->content].tag); }
    return ok;
}

// Both

static int is_gcm(const cossl_content_input *input) { return contents[input->content].digest == COSSL_DIGEST_NONE; }

/// EVP counts in int.
static int fits(const cossl_content_input *input) { return input->in_len <= INT_MAX - BLOCK && input->context_len <= INT_MAX; }

int cossl_content_open(uint8_t *out, size_t *out_len, const cossl_content_input *input, const uint8_t *tag) {
    *out_len = 0;
    if (!fits(input)) { return 0; }
    cossl_begin();
    fetch();
    int ok = is_gcm(input) ? gcm_open(out, out_len, input, tag) : cbc_open(out, out_len, input, tag);
    // A text whose tag does not match must not reach the caller.
    if (!ok) {
        OPENSSL_cleanse(out, input->in_len);
        *out_len = 0;
    }
    cossl_end();
    return ok;
}

int cossl_content_seal(uint8_t *out, size_t *out_len, uint8_t *tag, const cossl_content_input *input) {
    *out_len = 0;
    if (!fits(input)) { return 0; }
    cossl_begin();
    fetch();
    int ok = is_gcm(input) ? gcm_seal(out, out_len, tag, input) : cbc_seal(out, out_len, tag, input);
    cossl_end();
    return ok;
}

// AES key wrap

static int wrap(uint8_t *out, size_t out_len, const uint8_t *key, size_t key_len, const uint8_t *in, size_t in_len, int encrypts) {
    int written = 0;
    EVP_CIPHER *cipher = fetched_wraps[key_len == 32];
    EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();
    if (ctx != NULL) { EVP_CIPHER_CTX_set_flags(ctx, EVP_CIPHER_CTX_FLAG_WRAP_ALLOW); }
    int ok = ctx != NULL && cipher != NULL && EVP_CipherInit_ex2(ctx, cipher, key, NULL, encrypts, NULL) == 1 &&
             EVP_CipherUpdate(ctx, out, &written, in, (int)in_len) == 1 && (size_t)written == out_len;
    EVP_CIPHER_CTX_free(ctx);
    return ok;
}

/// RFC 3394 section 2: at least two blocks of eight bytes.
static int can_wrap(size_t key_len, size_t cek_len) {
    return (key_len == 16 || key_len == 32) && cek_len % 8 == 0 && cek_len >= 16 && cek_len <= COSSL_CEK_MAX;
}

int cossl_unwrap_cek(uint8_t *out, const cossl_decryption_key *recipient, const uint8_t *key, size_t key_len, const uint8_t *in,
                     size_t in_len) {
    uint8_t unwrapped[COSSL_CEK_MAX + WRAP_CHECK] = {0};
    if (in_len < WRAP_CHECK || !can_wrap(key_len, in_len - WRAP_CHECK)) { return 0; }
    size_t out_len = in_len - WRAP_CHECK;
    cossl_begin();
    fetch();
    int is_good = wrap(unwrapped, out_len, key, key_len, in, in_len, 0);
    cossl_end();
    memcpy(out, unwrapped, out_len);
    cossl_select(out, recipient->substitute, out_len, is_good);
    OPENSSL_cleanse(unwrapped, sizeof unwrapped);
    return 1;
}

int cossl_wrap_cek(uint8_t *out, const uint8_t *key, size_t key_len, const uint8_t *in, size_t in_len) {
    if (!can_wrap(key_len, in_len)) { return 0; }
    cossl_begin();
    fetch();
    int ok = wrap(out, in_len + WRAP_CHECK, key, key_len, in, in_len, 1);
    cossl_end();
    return ok;
}
