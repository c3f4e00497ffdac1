// CJWTKernels: the byte kernels under JWTCore, and by the headers that it includes the kernels that verify. C only, no dependencies.
//
// State: the choice of the byte kernels, the memory that each thread keeps, and what a process makes once: the tables of the generators,
// the results of self tests, and a secret for the hashes of names. Only cjwt_scratch_acquire, cjwt_kept_acquire and the self test of
// Ed25519 allocate.
//
// Conventions of every function here:
// - A length may be zero, and then the pointer may be NULL. Input and output never overlap.
// - A function reads only [in, in + in_len) and writes only [out, out + the decoded length).
// - Functions that can fail return one on success and zero on refusal. Time depends on the input, which is public during verification; the
//   secret in a JWK is processed once, when its set is loaded.
// - A `_generic` function is the specification. A SIMD form gives the same results for every input.

#ifndef CJWT_KERNELS_H
#define CJWT_KERNELS_H

#include <stddef.h>
#include <stdint.h>

#include "CJWTKernelsECDSA.h"
#include "CJWTKernelsEd25519.h"
#include "CJWTKernelsInline.h"
#include "CJWTKernelsNISTIFMA.h"
#include "CJWTKernelsP256IFMA.h"
#include "CJWTKernelsRSA.h"
#include "CJWTKernelsRSALanes.h"
#include "CJWTKernelsSHA.h"
#include "CJWTKernelsVerdict.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The longest text that string_stops takes, in bytes.
#define CJWT_STOPS_MAX 16384

/// The result of string_stops in two forms: bits to look up by offset, and offsets in order. `places` has room for one vector more than the
/// maximum.
typedef struct cjwt_stops {
    /// Set by the caller: the most escapes that are looked for.
    size_t max_escapes;
    /// The number of places.
    size_t count;
    /// The number of escapes, each of which begins with a backslash that is not the second byte of another.
    size_t escapes;
    /// One where every escape is valid (RFC 8259 section 7), surrogates occur only as pairs, and there are at most max_escapes. If there
    /// are more, escapes, escape_bits and places are unspecified, and count is at least that of the bytes outside escapes.
    int are_escapes_valid;
    uint64_t bits[CJWT_STOPS_MAX / 64 + 1];
    uint16_t places[CJWT_STOPS_MAX + 64];
    /// Where there are escapes: a bit for the first byte of each.
    uint64_t escape_bits[CJWT_STOPS_MAX / 64 + 1];
} cjwt_stops;

/// One set of kernels, for one instruction set.
typedef struct cjwt_kernels {
    /// "generic", "avx2", "avx512" or "neon".
    const char *name;

    /// Decodes strict base64url (RFC 7515 section 2: alphabet of RFC 4648 section 5, no padding, no white space, unused bits zero). On
    /// success writes in_len * 3 / 4 bytes to `out`, sets *out_len to that number and returns one. On refusal returns zero and sets
    /// *out_len to the offset in `in` of the first byte outside the alphabet; if there is none, to in_len - 1 (length one modulo four, or
    /// unused bits not zero). The in_len * 3 / 4 bytes of `out` are then unspecified.
    int (*base64url_decode)(uint8_t *out, size_t *out_len, const uint8_t *in, size_t in_len);

    /// The number of leading bytes that a JSON string may contain unescaped: not '"', not '\\', not below 0x20 (RFC 8259 section 7).
    size_t (*json_string_span)(const uint8_t *in, size_t in_len);

    /// The number of leading bytes below 0x80.
    size_t (*ascii_span)(const uint8_t *in, size_t in_len);

    /// The offset of the first '.', or in_len if there is none.
    size_t (*find_dot)(const uint8_t *in, size_t in_len);

    /// Writes the offsets of the first max_dots '.' to `dots`, or of all if there are fewer, in order. Returns how many it wrote.
    size_t (*find_dots)(size_t *dots, size_t max_dots, const uint8_t *in, size_t in_len);

    /// Finds the bytes at which json_string_span would stop, in at most CJWT_STOPS_MAX bytes. Sets bit i % 64 of stops->bits[i / 64] where
    /// in[i] is such a byte, and clears it elsewhere, to the end of the last of the (in_len + 63) / 64 words, and likewise
    /// stops->escape_bits if there are escapes. Writes the offsets of those that are not one of the first two bytes of an escape,
    /// ascending, to stops->places, and the other members. Memory after those is unspecified. Returns one where every byte is below 0x80.
    int (*string_stops)(cjwt_stops *stops, const uint8_t *in, size_t in_len);

    /// Returns one where the input is well-formed UTF-8 for certain. Zero says nothing: cjwt_utf8_span then decides.
    int (*is_utf8)(const uint8_t *in, size_t in_len);
} cjwt_kernels;

/// The specification, in portable C.
extern const cjwt_kernels cjwt_kernels_generic;

/// The kernels for this CPU: chosen at the first call, then the same for the life of the process unless forced.
const cjwt_kernels *cjwt_kernels_best(void);

/// The kernels called `name`, or NULL where this build or this CPU has none of that name. For tests, fuzzers and measurements.
const cjwt_kernels *cjwt_kernels_named(const char *name);

/// Makes cjwt_kernels_best() return the kernels called `name` from now on; NULL restores the automatic choice. Returns one on success, zero
/// where no kernels have that name (the choice is then unchanged).
int cjwt_kernels_force(const char *name);

/// The offset of the first byte that is not part of well-formed UTF-8 (RFC 3629: no overlong form, no surrogate, nothing above U+10FFFF),
/// or in_len where the whole input is well-formed. For a truncated or ill-formed sequence: the offset of its first byte.
size_t cjwt_utf8_span(const uint8_t *in, size_t in_len);

/// A record of the tape. JSONNode.swift describes it.
typedef struct cjwt_json_node {
    uint32_t start, length, next;
    /// Bits 0…7 the kind (null, true, false, number, string, array, object), bit 8 the flag, bits 9…31 the count.
    uint32_t description;
} cjwt_json_node;

/// The limits of one JSON text. A negative limit refuses every text.
typedef struct cjwt_json_limits {
    int64_t depth, members, values, string_bytes, number_bytes, escapes;
} cjwt_json_limits;

/// The positions of a payload's registered claims.
typedef struct cjwt_claims {
    /// For each claim, in the order of RegisteredClaim, the record of its value on the tape; zero if absent.
    int32_t places[16];
    /// The claims that are present, one bit each.
    uint32_t present;
    /// One where each claim has a usual value of the type that its specification requires: a text, a list of texts, an integer of up to
    /// eleven digits. Zero where one has another value, or where only Claims.swift can decide.
    int32_t are_usual;
} cjwt_claims;

/// Why a JSON text was refused, and the offset in the text: that of the byte where the grammar ends, of a string's or a name's opening
/// quote, of a number, of a container or of an escape.
typedef struct cjwt_json_fault {
    uint32_t kind;
    uint32_t at;
} cjwt_json_fault;

enum {
    CJWT_JSON_UNREAD,        // not refused: only the tokenizer in Swift can decide
    CJWT_JSON_INVALID,       // not JSON
    CJWT_JSON_NOT_UTF8,
    CJWT_JSON_DUPLICATE,     // a name that its object has already
    CJWT_JSON_TOO_DEEP,
    CJWT_JSON_TOO_MANY,      // members or values
    CJWT_JSON_TOO_LONG,      // a string or a number, or too many escapes
    CJWT_JSON_ESCAPED_NAME,  // not refused: the tokenizer in Swift reads names with escapes
};

/// The number of records of the text's tape, at most tape_max, where the text is JSON within the limits. Zero where it is refused, or where
/// only the tokenizer in Swift can decide; `fault` then says which, and tape and claims are unspecified. `claims` may be NULL: then no
/// claims are looked for. A text that is not an object has no claims. Takes 44 KiB of stack, of which a text uses about three bytes for
/// each byte of its own.
size_t cjwt_json_tape(
    cjwt_json_node *tape, size_t tape_max, cjwt_claims *claims, const uint8_t *in, size_t in_len, const cjwt_json_limits *limits,
    cjwt_json_fault *fault);

/// The place of an issuer in a text.
typedef struct cjwt_issuer {
    size_t start, length;
    /// One where the value has a backslash.
    int is_escaped;
} cjwt_issuer;

enum {
    CJWT_ISSUER_NONE,    // no member of the object is called "iss" without escapes
    CJWT_ISSUER_FOUND,
    CJWT_ISSUER_OTHER,   // the value is no string, or a string without an end
    CJWT_ISSUER_HIDDEN,  // 64 other objects have the member, before the outermost
};

/// Finds the value of the first member "iss" of an object, before its text is known to be JSON: the bytes between the value's quotes. In
/// JSON without duplicate names, it finds what the tape has; the value's characters and escapes are not checked. Returns one of the above.
int cjwt_json_issuer(cjwt_issuer *issuer, const uint8_t *in, size_t in_len);

/// Scratch memory of the calling thread, at least `size` bytes, 64-byte aligned, contents unspecified. Reused between calls: a thread that
/// has already requested at least this size pays no allocation, up to six blocks at a time and one mebibyte each (a larger block returns to
/// the allocator at once). Nested calls get distinct memory. NULL only where memory is exhausted. Return it, on the same thread, with
/// cjwt_scratch_release, last taken first.
void *cjwt_scratch_acquire(size_t size);

/// Returns memory from cjwt_scratch_acquire. NULL is accepted.
void cjwt_scratch_release(void *scratch);

/// The size of a block of cjwt_kept_acquire, in bytes.
#define CJWT_KEPT_SIZE 2048

/// One of the calling thread's eight blocks of CJWT_KEPT_SIZE bytes, 64-byte aligned: the same for the same text, with its previous
/// contents, initially zeros. NULL where the block is in use, where memory is exhausted, and while the thread exits. Return it, on the same
/// thread, with cjwt_kept_release. `text` only selects the block.
void *cjwt_kept_acquire(const uint8_t *text, size_t text_len);

/// Returns a block from cjwt_kept_acquire. NULL is accepted.
void cjwt_kept_release(void *block);

/// Random numbers that are secret to the process.
typedef struct cjwt_hash_secret {
    uint64_t words[4];
} cjwt_hash_secret;

/// A keyed hash for tables in memory: the hash of `in` under `secret`, different for every `tweak`. It is not a message authentication
/// code: a collision, which requires knowledge of the secret, only costs a table time, because the table compares its entries in full.
/// Valid only within one process: bytes are read in the machine's order.
uint64_t cjwt_keyed_hash(cjwt_hash_secret secret, uint64_t tweak, const uint8_t *in, size_t in_len);

#ifdef __cplusplus
}
#endif

#endif
