// HMAC (RFC 2104) over libcrypto's SHA-2, with the two keyed states computed once per key:
//
//   tag = H((secret ^ opad) || H((secret ^ ipad) || message))
//
// EVP_MAC computes the same, but needs two allocations and a string comparison per call, and would keep a copy of the secret per thread; it
// remains the reference. libcrypto compares tags in constant time. Without the SHA-2 state functions keys have no states, and EVP_MAC
// verifies.

#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/crypto.h>
#include <openssl/sha.h>
#include <stddef.h>
#include <string.h>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "internal.h"

#ifndef OPENSSL_NO_DEPRECATED_3_0

typedef union sha_state {
    SHA256_CTX sha256;
    SHA512_CTX sha512;
} sha_state;

struct cossl_hmac_states {
    sha_state inner[COSSL_DIGEST_SHA512 + 1];
    sha_state outer[COSSL_DIGEST_SHA512 + 1];
};

static int start(sha_state *state, cossl_digest digest) {
    if (digest == COSSL_DIGEST_SHA256) { return SHA256_Init(&state->sha256); }
    return digest == COSSL_DIGEST_SHA384 ? SHA384_Init(&state->sha512) : SHA512_Init(&state->sha512);
}

static int absorb(sha_state *state, cossl_digest digest, const uint8_t *in, size_t in_len) {
    if (digest == COSSL_DIGEST_SHA256) { return SHA256_Update(&state->sha256, in, in_len); }
    return SHA512_Update(&state->sha512, in, in_len);
}

static int finish(uint8_t *out, sha_state *state, cossl_digest digest) {
    if (digest == COSSL_DIGEST_SHA256) { return SHA256_Final(out, &state->sha256); }
    return SHA512_Final(out, &state->sha512);
}

/// Compares sixteen bytes a call, for which libcrypto has a path without a byte loop; every digest length is a multiple of sixteen. All
/// bytes are always compared.
static int tags_match(const uint8_t *tag, const uint8_t *sig, size_t tag_len) {
    int difference = 0;
    for (size_t i = 0; i < tag_len; i += 16) { difference |= CRYPTO_memcmp(tag + i, sig + i, 16); }
    return difference == 0;
}

static size_t block_length(cossl_digest digest) { return digest == COSSL_DIGEST_SHA256 ? 64 : 128; }

static int keyed_state(sha_state *state, cossl_digest digest, const uint8_t block[128], uint8_t pad) {
    uint8_t padded[128];
    for (size_t i = 0; i < block_length(digest); i++) { padded[i] = block[i] ^ pad; }
    int ok = start(state, digest) && absorb(state, digest, padded, block_length(digest));
    OPENSSL_cleanse(padded, sizeof padded);
    return ok;
}

static int prepare_states(cossl_hmac_states *states, cossl_digest digest, const uint8_t *secret, size_t secret_len) {
    uint8_t block[128] = {0};
    int ok = 1;
    if (secret_len > block_length(digest)) {
        ok = cossl_digest_bytes(block, digest, secret, secret_len);
    } else {
        memcpy(block, secret, secret_len);
    }
    ok = ok && keyed_state(&states->inner[digest], digest, block, 0x36) && keyed_state(&states->outer[digest], digest, block, 0x5c);
    OPENSSL_cleanse(block, sizeof block);
    return ok;
}

cossl_hmac_states *cossl_hmac_states_new(const uint8_t *secret, size_t secret_len) {
    cossl_hmac_states *states = OPENSSL_zalloc(sizeof *states);
    for (int d = COSSL_DIGEST_SHA256; states != NULL && d <= COSSL_DIGEST_SHA512; d++) {
        if (prepare_states(states, (cossl_digest)d, secret, secret_len)) { continue; }
        cossl_hmac_states_free(states);
        return NULL;
    }
    return states;
}

void cossl_hmac_states_free(cossl_hmac_states *states) { OPENSSL_clear_free(states, sizeof *states); }

enum { kBlock = 64, kTag = 32 };

/// The words of a state as bytes, the highest byte of each first. By vectors where every CPU of the target has them: what reads the bytes
/// next loads sixteen at a time, and would wait until four smaller stores had reached the cache.
static inline void store_words(uint8_t out[kTag], const SHA_LONG words[8]) {
#if defined(__SSE2__)
    for (size_t i = 0; i < kTag; i += 16) {
        __m128i four = _mm_loadu_si128((const __m128i *)(const void *)(words + i / 4));
        __m128i pairs = _mm_or_si128(_mm_slli_epi16(four, 8), _mm_srli_epi16(four, 8));
        __m128i bytes = _mm_shufflehi_epi16(_mm_shufflelo_epi16(pairs, _MM_SHUFFLE(2, 3, 0, 1)), _MM_SHUFFLE(2, 3, 0, 1));
        _mm_storeu_si128((__m128i *)(void *)(out + i), bytes);
    }
#else
    for (size_t i = 0; i < kTag / 4; i++) {
        for (size_t j = 0; j < 4; j++) { out[4 * i + j] = (uint8_t)(words[i] >> 8 * (3 - j)); }
    }
#endif
}

/// Pads what follows a block of the secret, the last `rest` bytes of which are at `end`, and returns the length of the blocks there (FIPS
/// 180-4 section 5.1.1). The rest of both blocks is zero.
static inline size_t pad(uint8_t end[2 * kBlock], size_t rest, uint64_t len) {
    size_t padded = rest < kBlock - 8 ? kBlock : 2 * kBlock;
    uint64_t bits = 8 * (kBlock + len);
    end[rest] = 0x80;
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    bits = __builtin_bswap64(bits);
#endif
    memcpy(end + padded - 8, &bits, 8);
    return padded;
}

/// What a forger would need, side by side, so that one call wipes it.
typedef struct secrets {
    uint8_t tag[kTag];
    /// The outer hash's second block: the inner digest, then padding.
    uint8_t digest[kBlock];
    /// First the words, which are the inner and then the outer state.
    SHA256_CTX state;
} secrets;

/// The padding of a block of the secret and the inner digest: 96 bytes.
static const uint8_t kOuterPadding[kBlock - kTag] = {0x80, [kBlock - kTag - 2] = 8 * (kBlock + kTag) >> 8};

/// Wipes with vectors, where OPENSSL_cleanse stores eight bytes at a time. The compiler has to assume that the last line reads the zeros.
static inline void cleanse(void *memory, size_t len) {
    memset(memory, 0, len);
    __asm__ volatile("" : : "r"(memory) : "memory");
}

/// HMAC-SHA-256 from whole blocks: SHA256_Update then neither copies nor keeps a part of one, and SHA256_Final is not needed.
static int verify_sha256(const SHA256_CTX *inner, const SHA256_CTX *outer, const uint8_t *msg, size_t msg_len, const uint8_t *sig) {
    uint8_t end[2 * kBlock] = {0};
    secrets s;
    size_t rest = msg_len % kBlock;
    s.state = *inner;
    memcpy(s.digest + kTag, kOuterPadding, sizeof kOuterPadding);
    if (rest > 0) { memcpy(end, msg + msg_len - rest, rest); }
    int ok = SHA256_Update(&s.state, msg, msg_len - rest) && SHA256_Update(&s.state, end, pad(end, rest, msg_len));
    store_words(s.digest, s.state.h);
    memcpy(s.state.h, outer->h, sizeof outer->h);
    ok = ok && SHA256_Update(&s.state, s.digest, kBlock);
    store_words(s.tag, s.state.h);
    ok = ok && tags_match(s.tag, sig, kTag);
    cleanse(&s, offsetof(secrets, state) + sizeof s.state.h);
    return ok;
}

int cossl_hmac_verify(const cossl_hmac_states *states, cossl_digest digest, const uint8_t *msg, size_t msg_len, const uint8_t *sig,
                      size_t sig_len) {
    if (digest == COSSL_DIGEST_SHA256) {
        int fits = sig_len == kTag;
        return fits && verify_sha256(&states->inner[digest].sha256, &states->outer[digest].sha256, msg, msg_len, sig);
    }
    // Aligned: OPENSSL_cleanse wipes byte by byte up to a multiple of eight.
    _Alignas(16) uint8_t tag[64];
    size_t tag_len = cossl_digest_length(digest);
    if (digest < COSSL_DIGEST_SHA384 || digest > COSSL_DIGEST_SHA512 || sig_len != tag_len) { return 0; }
    sha_state state = states->inner[digest];
    int ok = absorb(&state, digest, msg, msg_len) && finish(tag, &state, digest);
    state = states->outer[digest];
    ok = ok && absorb(&state, digest, tag, tag_len) && finish(tag, &state, digest);
    ok = ok && tags_match(tag, sig, tag_len);
    // A forger would need the tag, and the outer state contains it. Only this digest's part of the tag and the state was written.
    OPENSSL_cleanse(tag, tag_len);
    OPENSSL_cleanse(&state, sizeof state.sha512);
    return ok;
}

#else

cossl_hmac_states *cossl_hmac_states_new(const uint8_t *secret, size_t secret_len) {
    (void)secret;
    (void)secret_len;
    return NULL;
}

void cossl_hmac_states_free(cossl_hmac_states *states) { (void)states; }

int cossl_hmac_verify(const cossl_hmac_states *states, cossl_digest digest, const uint8_t *msg, size_t msg_len, const uint8_t *sig,
                      size_t sig_len) {
    (void)states;
    (void)digest;
    (void)msg;
    (void)msg_len;
    (void)sig;
    (void)sig_len;
    return 0;
}

#endif
