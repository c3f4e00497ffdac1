// COpenSSL: the few things Assay asks of libcrypto, in C, so that Swift never sees an OpenSSL type.
//
// What every function here assumes, once:
// - A length may be zero, and then the pointer may be NULL. Input and output never overlap.
// - Functions that can fail return one on success and zero otherwise; nothing else is encoded in the result.
// - OpenSSL's error queue is left as it was found, on success and on failure.
// - A `cossl_key` is immutable and may be used from any number of threads at once. `_free` accepts NULL.
// - Memory exhaustion is a failure, never a success.

#ifndef ASSAY_COPENSSL_H
#define ASSAY_COPENSSL_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum cossl_kind {
    COSSL_KIND_RSA = 1,
    COSSL_KIND_EC = 2,
    COSSL_KIND_OKP = 3,
    COSSL_KIND_OCT = 4,
    COSSL_KIND_AKP = 5,
} cossl_kind;

/// A named group: for EC and OKP the curve, for AKP the parameter set.
typedef enum cossl_group {
    COSSL_GROUP_NONE = 0,
    COSSL_GROUP_P256 = 1,
    COSSL_GROUP_P384 = 2,
    COSSL_GROUP_P521 = 3,
    COSSL_GROUP_SECP256K1 = 4,
    COSSL_GROUP_ED25519 = 5,
    COSSL_GROUP_ED448 = 6,
    COSSL_GROUP_MLDSA44 = 7,
    COSSL_GROUP_MLDSA65 = 8,
    COSSL_GROUP_MLDSA87 = 9,
} cossl_group;

typedef enum cossl_digest {
    COSSL_DIGEST_NONE = 0,
    COSSL_DIGEST_SHA256 = 1,
    COSSL_DIGEST_SHA384 = 2,
    COSSL_DIGEST_SHA512 = 3,
    /// SHAKE256 with 114 bytes of output, the hash inside Ed448 (RFC 8032 section 5.2).
    COSSL_DIGEST_SHAKE256_114 = 4,
} cossl_digest;

typedef enum cossl_scheme {
    COSSL_SCHEME_RSA_PKCS1 = 1,
    COSSL_SCHEME_RSA_PSS = 2,
    COSSL_SCHEME_ECDSA = 3,
    COSSL_SCHEME_EDDSA = 4,
    COSSL_SCHEME_HMAC = 5,
    COSSL_SCHEME_MLDSA = 6,
} cossl_scheme;

/// The longest digest above, in bytes.
#define COSSL_DIGEST_MAX 114

// Keys: keys.c, import.c

/// A key that signatures are verified with; for COSSL_KIND_OCT the shared secret.
typedef struct cossl_key cossl_key;

/// cossl_key_new_rsa takes modulus and exponent, big-endian. The caller has checked size and range; n must be odd.
int cossl_key_new_rsa(cossl_key **out, const uint8_t *n, size_t n_len, const uint8_t *e, size_t e_len);

/// cossl_key_new_ec takes the affine coordinates, each exactly cossl_coordinate_length bytes. Fails off the curve.
int cossl_key_new_ec(cossl_key **out, cossl_group group, const uint8_t *x, size_t x_len, const uint8_t *y, size_t y_len);

/// cossl_key_new_raw takes the public key of an OKP or AKP group as its bytes. Fails where libcrypto lacks the group.
int cossl_key_new_raw(cossl_key **out, cossl_group group, const uint8_t *bytes, size_t bytes_len);

/// cossl_key_new_oct copies a shared secret, which cossl_key_free wipes.
int cossl_key_new_oct(cossl_key **out, const uint8_t *secret, size_t secret_len);

void cossl_key_free(cossl_key *key);

/// The bytes of one coordinate of an EC group; zero for any other group.
size_t cossl_coordinate_length(cossl_group group);

/// One where this libcrypto has the group (ML-DSA needs 3.5 or later).
int cossl_group_available(cossl_group group);

/// One where the OKP secret key `d` belongs to the public key `x`.
int cossl_okp_pair_matches(cossl_group group, const uint8_t *d, size_t d_len, const uint8_t *x, size_t x_len);

/// The public parts of an imported key: RSA n and e, EC x and y, OKP and AKP the raw key in `first`.
typedef struct cossl_components {
    cossl_kind kind;
    cossl_group group;
    uint8_t *first;
    size_t first_len;
    uint8_t *second;
    size_t second_len;
} cossl_components;

/// cossl_import_public_key reads one PEM block (PUBLIC KEY, RSA PUBLIC KEY, CERTIFICATE; text before it is ignored) or one DER
/// document (SubjectPublicKeyInfo, Certificate, PKCS#1 RSAPublicKey). A private key is refused. Free the result.
int cossl_import_public_key(cossl_components *out, const uint8_t *in, size_t in_len);
void cossl_components_free(cossl_components *components);

// Verification: verify.c

/// cossl_verify answers one for a good signature of `msg`, zero for anything else. ECDSA signatures are r||s (RFC 7518 section
/// 3.4), RSA-PSS uses MGF1 with the same digest and a salt of the digest's length. What depends on thread and key alone is
/// prepared once for each and kept: at most 128 contexts a thread.
int cossl_verify(const cossl_key *key, cossl_scheme scheme, cossl_digest digest, const uint8_t *msg, size_t msg_len,
                 const uint8_t *sig, size_t sig_len);

/// cossl_verify_reference answers as cossl_verify, always through EVP and with nothing kept: the oracle.
int cossl_verify_reference(const cossl_key *key, cossl_scheme scheme, cossl_digest digest, const uint8_t *msg, size_t msg_len,
                           const uint8_t *sig, size_t sig_len);

/// The number of contexts the calling thread keeps. For tests.
size_t cossl_thread_context_count(void);

/// One where libcrypto's error queue of this thread is empty. For tests.
int cossl_error_queue_is_empty(void);

/// One where `em`, the result of the RSA operation for a modulus of 8 * em_len bits, is the encoding of `hash` (RFC 8017 section 9):
/// RSA_PKCS1 or RSA_PSS with a salt of the digest's length. From 2048 bits on.
int cossl_rsa_padding_matches(cossl_scheme scheme, cossl_digest digest, const uint8_t *hash, const uint8_t *em, size_t em_len);

// Digests: digest.c

/// The bytes of a digest; zero for COSSL_DIGEST_NONE.
size_t cossl_digest_length(cossl_digest digest);

/// cossl_digest_bytes writes cossl_digest_length bytes to `out`.
int cossl_digest_bytes(uint8_t *out, cossl_digest digest, const uint8_t *in, size_t in_len);

/// cossl_digest_pieces writes the digest of `first` followed by `second`; SHA-2 alone.
int cossl_digest_pieces(uint8_t *out, cossl_digest digest, const uint8_t *first, size_t first_len, const uint8_t *second,
                        size_t second_len);

/// cossl_hmac_bytes writes cossl_digest_length bytes, the HMAC of `in` under `secret`, to `out`. For what is stored, not for tokens.
int cossl_hmac_bytes(uint8_t *out, cossl_digest digest, const uint8_t *secret, size_t secret_len, const uint8_t *in, size_t in_len);

/// One where the two are equal; time depends on `len` alone.
int cossl_equal_constant_time(const uint8_t *a, const uint8_t *b, size_t len);

// Signing, for JWTSigning alone: sign.c

/// A private or shared key. Immutable; usable from several threads.
typedef struct cossl_signing_key cossl_signing_key;

/// cossl_signing_key_generate makes an RSA key of `bits` bits with e = 65537, or a key of an EC or OKP group.
int cossl_signing_key_generate(cossl_signing_key **out, cossl_kind kind, cossl_group group, unsigned bits);

/// cossl_signing_key_import reads one PEM or DER private key (PKCS#8, or a traditional form).
int cossl_signing_key_import(cossl_signing_key **out, const uint8_t *in, size_t in_len);

/// cossl_signing_key_from_secret copies an HMAC secret, which cossl_signing_key_free wipes.
int cossl_signing_key_from_secret(cossl_signing_key **out, const uint8_t *secret, size_t secret_len);

void cossl_signing_key_free(cossl_signing_key *key);

/// cossl_signing_key_public gives the public parts (fails for a secret). Free the result.
int cossl_signing_key_public(cossl_components *out, const cossl_signing_key *key);

/// cossl_signing_key_document gives the private key in PKCS#8 DER (fails for a secret). Free the result with cossl_document_free.
int cossl_signing_key_document(uint8_t **out, size_t *out_len, const cossl_signing_key *key);

/// cossl_sign writes the JWS form of a signature and its length; `max_out` 5,000 bytes suffice for every scheme.
int cossl_sign(uint8_t *out, size_t *out_len, size_t max_out, const cossl_signing_key *key, cossl_scheme scheme,
               cossl_digest digest, const uint8_t *msg, size_t msg_len);

// Secrets, for the module of that name alone: secrets.c

/// cossl_random_bytes takes them from libcrypto's generator for public values.
int cossl_random_bytes(uint8_t *out, size_t out_len);

/// cossl_wipe overwrites with zeros, which no compiler leaves out.
void cossl_wipe(void *memory, size_t len);

#define COSSL_GCM_KEY 32
#define COSSL_GCM_NONCE 12
#define COSSL_GCM_TAG 16

/// What both directions of AES-256-GCM take. `context` is authenticated with the text, not enciphered.
typedef struct cossl_gcm_input {
    const uint8_t *key;
    const uint8_t *nonce;
    const uint8_t *in;
    size_t in_len;
    const uint8_t *context;
    size_t context_len;
} cossl_gcm_input;

/// Both write in_len bytes to `out`; opening fails, with `out` wiped, where tag, text, context, nonce or key are not of one sealing.
int cossl_gcm_seal(uint8_t *out, uint8_t tag[COSSL_GCM_TAG], const cossl_gcm_input *input);
int cossl_gcm_open(uint8_t *out, const uint8_t tag[COSSL_GCM_TAG], const cossl_gcm_input *input);

// What AJ-Captcha obfuscates with, for Secrets alone: obfuscation.c

/// AES-128-ECB with PKCS #7 padding: `out` holds in_len + 16 bytes.
int cossl_aes128_ecb_encrypt(uint8_t *out, size_t *out_len, const uint8_t key[16], const uint8_t *in, size_t in_len);

// RSA-OAEP, for Secrets alone: oaep.c

/// An RSA key, private or public, of 2,048 to 8,192 bits.
typedef struct evp_pkey_st cossl_oaep_key;

/// The digest within MGF1. The digest of the label is SHA-256 with either.
typedef enum cossl_mask {
    COSSL_MASK_SHA256 = 1,
    COSSL_MASK_SHA1 = 2,
} cossl_mask;

/// The longest ciphertext: 8,192 bits.
#define COSSL_OAEP_MAX 1024

int cossl_oaep_key_generate(cossl_oaep_key **out, unsigned bits);

/// cossl_oaep_key_import_private reads one PKCS#8 PrivateKeyInfo in DER, unencrypted.
int cossl_oaep_key_import_private(cossl_oaep_key **out, const uint8_t *der, size_t der_len);

/// cossl_oaep_key_import_public reads what cossl_import_public_key reads.
int cossl_oaep_key_import_public(cossl_oaep_key **out, const uint8_t *in, size_t in_len);
void cossl_oaep_key_free(cossl_oaep_key *key);

/// The private key in PKCS#8 DER; fails for a public one. Free the result with cossl_document_free, which wipes it.
int cossl_oaep_key_private_document(uint8_t **out, size_t *out_len, const cossl_oaep_key *key);
void cossl_document_free(uint8_t *document, size_t document_len);

/// The public key as a PUBLIC KEY block of PEM; 2,048 bytes suffice.
int cossl_oaep_key_public_pem(uint8_t *out, size_t *out_len, size_t max_out, const cossl_oaep_key *key);

/// Both write at most COSSL_OAEP_MAX bytes, which `out` must hold. Decryption fails alike for every reason.
int cossl_oaep_encrypt(uint8_t *out, size_t *out_len, const cossl_oaep_key *key, cossl_mask mask, const uint8_t *in, size_t in_len);
int cossl_oaep_decrypt(uint8_t *out, size_t *out_len, const cossl_oaep_key *key, cossl_mask mask, const uint8_t *in, size_t in_len);

// Library facts: library.c

/// libcrypto's version text, of the library that runs.
const char *cossl_version(void);

// Measuring: raw.c, ecdsa_der.c

/// What `openssl speed` measures: EVP_PKEY_verify (for EdDSA EVP_DigestVerify, for HMAC EVP_MAC) over a prepared context.
typedef struct cossl_raw cossl_raw;
int cossl_raw_new(cossl_raw **out, const cossl_key *key, cossl_scheme scheme, cossl_digest digest);
/// One operation: verifies `sig` (ECDSA in DER) over the digest `tbs`; for EdDSA and HMAC over the message itself.
int cossl_raw_verify(cossl_raw *raw, const uint8_t *sig, size_t sig_len, const uint8_t *tbs, size_t tbs_len);
void cossl_raw_free(cossl_raw *raw);
/// cossl_ecdsa_to_der writes the DER form of r||s (at most 141 bytes) and its length.
int cossl_ecdsa_to_der(uint8_t out[144], size_t *out_len, const uint8_t *sig, size_t sig_len);

#ifdef __cplusplus
}
#endif

#endif
