// COpenSSL: the libcrypto functions that Assay needs, in C, so that Swift never sees an OpenSSL type.
//
// Conventions of every function here:
// - A length may be zero, and then the pointer may be NULL. Input and output never overlap.
// - Functions that can fail return one on success and zero otherwise; the result carries no other information.
// - OpenSSL's error queue is unchanged, on success and on failure. One exception: a damaged key for which libcrypto reports more errors
//   than the queue holds (sixteen) costs the errors that were there before.
// - A `cossl_key` is immutable and may be used from any number of threads at once. `_free` accepts NULL.
// - Memory exhaustion is a failure, never a success. One exception: glibc ends the process where a thread's first call finds no memory for
//   the function that runs at the thread's end.

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

/// A key that verifies signatures; for COSSL_KIND_OCT the shared secret.
typedef struct cossl_key cossl_key;

/// cossl_key_new_rsa takes modulus and exponent, big-endian. The caller has checked size and range; n must be odd.
int cossl_key_new_rsa(cossl_key **out, const uint8_t *n, size_t n_len, const uint8_t *e, size_t e_len);

/// cossl_key_new_ec takes the affine coordinates, each exactly cossl_coordinate_length bytes. Fails for a point that is not on the curve.
int cossl_key_new_ec(cossl_key **out, cossl_group group, const uint8_t *x, size_t x_len, const uint8_t *y, size_t y_len);

/// cossl_key_new_raw takes the public key bytes of an OKP or AKP group. Fails where libcrypto lacks the group.
int cossl_key_new_raw(cossl_key **out, cossl_group group, const uint8_t *bytes, size_t bytes_len);

/// cossl_key_new_oct copies a shared secret, which cossl_key_free wipes.
int cossl_key_new_oct(cossl_key **out, const uint8_t *secret, size_t secret_len);

void cossl_key_free(cossl_key *key);

/// The length of one coordinate of an EC group, in bytes; zero for any other group.
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

/// Blocks of PEM (RFC 7468 section 2), by their first lines. Counts also what libcrypto passes over: within a line, or without an end.
typedef struct cossl_pem_blocks {
    size_t all;
    size_t of_private_keys;
} cossl_pem_blocks;

cossl_pem_blocks cossl_count_pem_blocks(const uint8_t *in, size_t in_len);

/// A certificate and its issuers.
enum { COSSL_CHAIN_MAX = 10 };

/// cossl_import_public_key reads one PEM block (PUBLIC KEY, RSA PUBLIC KEY, CERTIFICATE; text around it is ignored) or one DER document
/// (SubjectPublicKeyInfo, Certificate, PKCS#1 RSAPublicKey). In PEM, certificates may follow a certificate, each the issuer of the one
/// before, at most COSSL_CHAIN_MAX together. Any other second block is refused, and so is a private key. Free the result.
int cossl_import_public_key(cossl_components *out, const uint8_t *in, size_t in_len);

/// One where the bytes are one X.509 certificate in DER, and nothing else.
int cossl_is_certificate(const uint8_t *der, size_t der_len);
void cossl_components_free(cossl_components *components);

// Verification: verify.c

/// cossl_verify returns one for a valid signature of `msg`, otherwise zero. ECDSA signatures are r||s (RFC 7518 section 3.4); RSA-PSS uses
/// MGF1 with the same digest and a salt of the digest's length. Contexts are prepared once for each thread and key and kept: at most 128 a
/// thread.
int cossl_verify(const cossl_key *key, cossl_scheme scheme, cossl_digest digest, const uint8_t *msg, size_t msg_len,
                 const uint8_t *sig, size_t sig_len);

/// cossl_verify_reference returns the same verdict, always through EVP and without kept contexts: the test oracle. Minus one where libcrypto
/// got no memory and so gave no verdict.
int cossl_verify_reference(const cossl_key *key, cossl_scheme scheme, cossl_digest digest, const uint8_t *msg, size_t msg_len,
                           const uint8_t *sig, size_t sig_len);

/// The number of contexts that the calling thread keeps. For tests.
size_t cossl_thread_context_count(void);

/// One where this thread's libcrypto error queue is empty. For tests.
int cossl_error_queue_is_empty(void);

/// One where `em`, the result of the RSA operation for a modulus of 8 * em_len bits, is the encoding of `hash` (RFC 8017 section 9):
/// RSA_PKCS1 or RSA_PSS with a salt of the digest's length. From 2048 bits on.
int cossl_rsa_padding_matches(cossl_scheme scheme, cossl_digest digest, const uint8_t *hash, const uint8_t *em, size_t em_len);

// Digests: digest.c

/// The length of a digest in bytes; zero for COSSL_DIGEST_NONE.
size_t cossl_digest_length(cossl_digest digest);

/// cossl_digest_bytes writes cossl_digest_length bytes to `out`.
int cossl_digest_bytes(uint8_t *out, cossl_digest digest, const uint8_t *in, size_t in_len);

/// cossl_digest_pieces writes the digest of `first` followed by `second`; only SHA-2.
int cossl_digest_pieces(uint8_t *out, cossl_digest digest, const uint8_t *first, size_t first_len, const uint8_t *second,
                        size_t second_len);

/// The SHA-256 digest of `secret` followed by `rest`, which is a secret too: nothing of it remains on the stack.
int cossl_digest_secret(uint8_t out[32], const uint8_t *secret, size_t secret_len, const uint8_t *rest, size_t rest_len);

/// cossl_hmac_bytes writes cossl_digest_length bytes, the HMAC of `in` under `secret`, to `out`. For stored data, not for tokens.
int cossl_hmac_bytes(uint8_t *out, cossl_digest digest, const uint8_t *secret, size_t secret_len, const uint8_t *in, size_t in_len);

/// One where the two are equal; time depends only on `len`.
int cossl_equal_constant_time(const uint8_t *a, const uint8_t *b, size_t len);

// Signing, only for JWTSigning: sign.c

/// A private or shared key. Immutable; usable from several threads.
typedef struct cossl_signing_key cossl_signing_key;

/// cossl_signing_key_generate makes an RSA key of `bits` bits with e = 65537, or a key of an EC or OKP group.
int cossl_signing_key_generate(cossl_signing_key **out, cossl_kind kind, cossl_group group, unsigned bits);

/// cossl_signing_key_import reads the one private key of a document, unencrypted, in PEM or DER (PKCS#8, or a traditional form).
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

// Secrets, only for the module Secrets: secrets.c

/// cossl_random_bytes writes bytes from libcrypto's generator for public values.
int cossl_random_bytes(uint8_t *out, size_t out_len);

/// cossl_wipe overwrites with zeros; the compiler cannot remove it.
void cossl_wipe(void *memory, size_t len);

/// scrypt (RFC 7914) with N = 2^log_n: writes `out_len` bytes. Fails where it would need more than `max_memory` bytes, about
/// 128 * r * (N + p).
int cossl_scrypt(uint8_t *out, size_t out_len, const uint8_t *password, size_t password_len, const uint8_t *salt, size_t salt_len,
                 unsigned log_n, uint64_t r, uint64_t p, uint64_t max_memory);

#define COSSL_GCM_KEY 32
#define COSSL_GCM_NONCE 12
#define COSSL_GCM_TAG 16

/// The input of AES-256-GCM in either direction. `context` is authenticated with the text, not encrypted.
typedef struct cossl_gcm_input {
    const uint8_t *key;
    const uint8_t *nonce;
    const uint8_t *in;
    size_t in_len;
    const uint8_t *context;
    size_t context_len;
} cossl_gcm_input;

/// Both write in_len bytes to `out`. Opening fails and wipes `out` where tag, text, context, nonce and key do not match.
int cossl_gcm_seal(uint8_t *out, uint8_t tag[COSSL_GCM_TAG], const cossl_gcm_input *input);
int cossl_gcm_open(uint8_t *out, const uint8_t tag[COSSL_GCM_TAG], const cossl_gcm_input *input);

// AJ-Captcha's obfuscation, only for Secrets: obfuscation.c

/// AES-128-ECB with PKCS #7 padding: `out` holds in_len + 16 bytes.
int cossl_aes128_ecb_encrypt(uint8_t *out, size_t *out_len, const uint8_t key[16], const uint8_t *in, size_t in_len);

// RSA-OAEP with keys of 2,048 to 8,192 bits, only for Secrets: oaep.c

/// A key of oaep.c or of p256.c, private or public.
typedef struct evp_pkey_st cossl_pkey;
void cossl_pkey_free(cossl_pkey *key);

/// The private key in PKCS#8 DER; fails for a public one. Free the result with cossl_document_free, which wipes it.
int cossl_pkey_private_document(uint8_t **out, size_t *out_len, const cossl_pkey *key);
void cossl_document_free(uint8_t *document, size_t document_len);

/// The digest within MGF1. The digest of the label is SHA-256 with both.
typedef enum cossl_mask {
    COSSL_MASK_SHA256 = 1,
    COSSL_MASK_SHA1 = 2,
} cossl_mask;

/// The longest ciphertext: 8,192 bits.
#define COSSL_OAEP_MAX 1024

int cossl_oaep_key_generate(cossl_pkey **out, unsigned bits);

/// cossl_oaep_key_import_private reads one PKCS#8 PrivateKeyInfo in DER, unencrypted.
int cossl_oaep_key_import_private(cossl_pkey **out, const uint8_t *der, size_t der_len);

/// cossl_oaep_key_import_public reads the formats of cossl_import_public_key.
int cossl_oaep_key_import_public(cossl_pkey **out, const uint8_t *in, size_t in_len);

/// The public key as a PEM block PUBLIC KEY; 2,048 bytes suffice.
int cossl_oaep_key_public_pem(uint8_t *out, size_t *out_len, size_t max_out, const cossl_pkey *key);

/// Both write at most COSSL_OAEP_MAX bytes, which `out` must hold. Decryption fails in the same way for every reason.
int cossl_oaep_encrypt(uint8_t *out, size_t *out_len, const cossl_pkey *key, cossl_mask mask, const uint8_t *in, size_t in_len);
int cossl_oaep_decrypt(uint8_t *out, size_t *out_len, const cossl_pkey *key, cossl_mask mask, const uint8_t *in, size_t in_len);

// Device keys on P-256, only for Secrets: p256.c

/// The longest public key in DER (SubjectPublicKeyInfo) and the longest signature in DER.
#define COSSL_P256_PUBLIC_MAX 128
#define COSSL_P256_SIGNATURE_MAX 80

int cossl_p256_key_generate(cossl_pkey **out);

/// cossl_p256_key_import_private reads one PKCS#8 PrivateKeyInfo in DER, unencrypted.
int cossl_p256_key_import_private(cossl_pkey **out, const uint8_t *der, size_t der_len);

/// cossl_p256_key_import_public reads one SubjectPublicKeyInfo in DER with a named curve and an uncompressed point on it.
int cossl_p256_key_import_public(cossl_pkey **out, const uint8_t *der, size_t der_len);
int cossl_p256_key_public_document(uint8_t out[COSSL_P256_PUBLIC_MAX], size_t *out_len, const cossl_pkey *key);

/// ECDSA over the SHA-256 digest of `msg`, in DER.
int cossl_p256_sign(uint8_t out[COSSL_P256_SIGNATURE_MAX], size_t *out_len, const cossl_pkey *key, const uint8_t *msg, size_t msg_len);
int cossl_p256_verify(const cossl_pkey *key, const uint8_t *msg, size_t msg_len, const uint8_t *sig, size_t sig_len);

// Decryption of tokens, only for JWTDecryption and its tests: decryption.c, decryption_keys.c, agreement.c, content.c
//
// Secrets never decide about a return value before a tag is checked: where a CEK cannot be recovered, a substitute that nobody knows takes
// its place, and the content then does not open (RFC 7516 section 11.5).

/// What a private key does: RSA decrypts a CEK, the others agree on a secret.
typedef enum cossl_recipient {
    COSSL_RECIPIENT_RSA = 1,
    COSSL_RECIPIENT_P256 = 2,
    COSSL_RECIPIENT_P384 = 3,
    COSSL_RECIPIENT_P521 = 4,
    COSSL_RECIPIENT_X25519 = 5,
} cossl_recipient;

/// A private key of a recipient.
typedef struct cossl_decryption_key cossl_decryption_key;

/// The members of a private JWK (RFC 7518 section 6). Of an RSA key all but x and y, of an EC key d, x and y, of X25519 d and x.
typedef enum cossl_member {
    COSSL_MEMBER_N, COSSL_MEMBER_E, COSSL_MEMBER_D, COSSL_MEMBER_P, COSSL_MEMBER_Q, COSSL_MEMBER_DP, COSSL_MEMBER_DQ, COSSL_MEMBER_QI,
    COSSL_MEMBER_X, COSSL_MEMBER_Y,
} cossl_member;
#define COSSL_MEMBERS 10

/// cossl_decryption_key_new makes a key of `members`, which lie one behind another in the order of cossl_member; one that the key does not
/// have has the length zero. Fails unless the private and the public part are one key, the point is on its curve, and an RSA modulus has
/// 2,048 to 8,192 bits.
int cossl_decryption_key_new(cossl_decryption_key **out, cossl_recipient recipient, const uint8_t *members,
                             const size_t lengths[COSSL_MEMBERS]);

/// cossl_decryption_key_import reads one private key in PEM or DER, unencrypted (PKCS#8, or a traditional form), under the same conditions.
/// Fails for a document with a second one.
int cossl_decryption_key_import(cossl_decryption_key **out, const uint8_t *in, size_t in_len);

/// cossl_decryption_key_generate makes an RSA key of `bits` bits with e = 65537, or a key of a curve. For tests.
int cossl_decryption_key_generate(cossl_decryption_key **out, cossl_recipient recipient, unsigned bits);
void cossl_decryption_key_free(cossl_decryption_key *key);

cossl_recipient cossl_decryption_key_recipient(const cossl_decryption_key *key);

/// Bits of the modulus or of the field.
unsigned cossl_decryption_key_bits(const cossl_decryption_key *key);

/// Writes a member, at most `max_out` bytes (1,024 suffice), with the length that RFC 7518 section 6 gives it. Fails for one that the key
/// does not have. The caller wipes a private member.
int cossl_decryption_key_member(uint8_t *out, size_t *out_len, size_t max_out, const cossl_decryption_key *key, cossl_member member);

/// The longest CEK and the longest shared secret.
#define COSSL_CEK_MAX 64
#define COSSL_AGREED_MAX 66

/// RSAES-OAEP (RFC 8017 section 7.1.2) with SHA-1 (1) or SHA-256 (0) in label and MGF1. Writes `out_len` bytes, at most COSSL_CEK_MAX: the
/// CEK, or the key's substitute if there is none of this length. Time does not tell which. Returns zero only for a ciphertext that is not
/// as long as the modulus, for a key that is not RSA, and where memory is exhausted.
int cossl_decrypt_cek(uint8_t *out, size_t out_len, const cossl_decryption_key *key, int uses_sha1, const uint8_t *in, size_t in_len);

/// The other direction, with the public part of the key; `out` holds COSSL_OAEP_MAX bytes. For tests.
int cossl_encrypt_cek(uint8_t *out, size_t *out_len, const cossl_decryption_key *key, int uses_sha1, const uint8_t *in, size_t in_len);

/// Z of ECDH (RFC 7518 section 4.6) with the public key of the other party: coordinates of the key's curve, each of its length; for X25519
/// x alone. Writes COSSL_AGREED_MAX bytes at most. Fails for a point that is not on the curve, and for one of small order.
int cossl_agree(uint8_t *out, size_t *out_len, const cossl_decryption_key *key, const uint8_t *x, size_t x_len, const uint8_t *y,
                size_t y_len);

/// AES key wrap (RFC 3394) with a key of 16 or 32 bytes, on which `recipient` has agreed. Unwrapping writes in_len - 8 bytes, at most
/// COSSL_CEK_MAX: the CEK, or if there is none the recipient's substitute. Time does not tell which. Both return zero for lengths that do
/// not fit.
int cossl_unwrap_cek(uint8_t *out, const cossl_decryption_key *recipient, const uint8_t *key, size_t key_len, const uint8_t *in,
                     size_t in_len);
int cossl_wrap_cek(uint8_t *out, const uint8_t *key, size_t key_len, const uint8_t *in, size_t in_len);

/// The content encryptions (RFC 7518 section 5.1).
typedef enum cossl_content {
    COSSL_CONTENT_A128GCM = 1,
    COSSL_CONTENT_A256GCM = 2,
    COSSL_CONTENT_A128CBC_HS256 = 3,
    COSSL_CONTENT_A256CBC_HS512 = 4,
} cossl_content;

size_t cossl_content_key_length(cossl_content content);
size_t cossl_content_nonce_length(cossl_content content);
size_t cossl_content_tag_length(cossl_content content);

/// The input of a content encryption in either direction. Key and nonce have their lengths above; `context` is authenticated with the text.
typedef struct cossl_content_input {
    cossl_content content;
    const uint8_t *key;
    const uint8_t *nonce;
    const uint8_t *in;
    size_t in_len;
    const uint8_t *context;
    size_t context_len;
} cossl_content_input;

/// Opening writes at most in_len bytes, and fails in the same way for a tag that does not match and for padding that is not PKCS #7. The
/// tag is compared in constant time, before CBC decrypts. On failure `out` is wiped.
int cossl_content_open(uint8_t *out, size_t *out_len, const cossl_content_input *input, const uint8_t *tag);

/// Sealing writes at most in_len + 16 bytes. For tests.
int cossl_content_seal(uint8_t *out, size_t *out_len, uint8_t *tag, const cossl_content_input *input);

// Forks, and the end of the process: forks.c

/// Around each call of libcrypto that may take a lock of the whole process: a fork waits until no thread is between the two. The functions
/// of this header call them where they must, and calls may nest. cossl_end restores the error queue; that of a thread whose thread-local
/// destructors have run it drops.
void cossl_begin(void);
void cossl_end(void);

typedef void cossl_fork_handler(void);

/// Has each fork from now on run these too, as a part of the handler that was registered when the library was loaded: `before` from the
/// newest to the oldest, the others from the oldest to the newest. Each may be NULL. At most eight; more end the process.
void cossl_add_fork_handlers(cossl_fork_handler *before, cossl_fork_handler *in_parent, cossl_fork_handler *in_child);

/// Says that the calling thread is the library's own: when the process exits, it stops in its next call of cossl_begin and never returns.
void cossl_own_thread(void);

/// How many calls of cossl_begin the thread has not ended. For tests.
unsigned cossl_open_calls(void);

// Library facts: library.c

/// The version text of the libcrypto that is loaded.
const char *cossl_version(void);

/// Whether libcrypto has SHA-256, HMAC, RSA and EC. It lacks them if its configuration (openssl.cnf, OPENSSL_CONF) loads no provider that has
/// them, or asks for properties that none has, such as fips=yes without the FIPS provider. Then no key can be made.
int cossl_is_usable(void);

/// Has libcrypto keep its objects when the process exits, for a program whose other threads may still verify then: libcrypto's own handler
/// of the exit frees the locks under them (OPENSSL_init_crypto(3), OPENSSL_INIT_NO_ATEXIT). Only before any other use of
/// libcrypto, otherwise without effect. Returns 1, or 0 if libcrypto cannot start.
int cossl_outlive_exit(void);

// Measuring: raw.c, ecdsa_der.c

/// The operation that `openssl speed` measures: EVP_PKEY_verify (for EdDSA EVP_DigestVerify, for HMAC EVP_MAC) over a prepared context.
typedef struct cossl_raw cossl_raw;
int cossl_raw_new(cossl_raw **out, const cossl_key *key, cossl_scheme scheme, cossl_digest digest);
/// One operation: verifies `sig` (ECDSA in DER) over the digest `tbs`; for EdDSA and HMAC over the message itself.
/// A fork does not wait for it.
int cossl_raw_verify(cossl_raw *raw, const uint8_t *sig, size_t sig_len, const uint8_t *tbs, size_t tbs_len);
void cossl_raw_free(cossl_raw *raw);
/// cossl_ecdsa_to_der writes the DER form of r||s (at most 141 bytes) and its length.
int cossl_ecdsa_to_der(uint8_t out[144], size_t *out_len, const uint8_t *sig, size_t sig_len);

#ifdef __cplusplus
}
#endif

#endif
