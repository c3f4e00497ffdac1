// CJWTKernels: the byte kernels under JWTCore. C only, no dependencies. The only state is the choice of kernels and, for each thread,
// the memory it keeps; nothing but cjwt_scratch_acquire and cjwt_kept_acquire allocates.
//
// What every function here assumes, once:
// - A length may be zero, and then the pointer may be NULL. Input and output never overlap.
// - Nothing is read outside [in, in + in_len) and nothing written outside [out, out + the decoded length).
// - Functions that can fail return one on success and zero on refusal. Time depends on the input, which is public on the way of a
//   token; the secret in a JWK passes through once, when its set is loaded.
// - A `_generic` function is the specification. A SIMD form gives the same results for every input.

#ifndef CJWT_KERNELS_H
#define CJWT_KERNELS_H

#include <stddef.h>
#include <stdint.h>

#include "CJWTKernelsECDSA.h"
#include "CJWTKernelsEd25519.h"
#include "CJWTKernelsHash.h"
#include "CJWTKernelsInline.h"
#include "CJWTKernelsLanes.h"
#include "CJWTKernelsP256IFMA.h"
#include "CJWTKernelsRSA.h"
#include "CJWTKernelsSHA.h"
#include "CJWTKernelsVerdict.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The longest text that string_stops takes, in bytes.
#define CJWT_STOPS_MAX 16384

/// What string_stops finds, twice: to look up by offset, and to go through in order. `places` has room for a vector more than there can be.
typedef struct cjwt_stops {
    size_t count;
    uint64_t bits[CJWT_STOPS_MAX / 64 + 1];
    uint16_t places[CJWT_STOPS_MAX + 64];
} cjwt_stops;

/// One set of kernels, for one instruction set.
typedef struct cjwt_kernels {
    /// "generic", "avx2", "avx512" or "neon".
    const char *name;

    /// Decodes strict base64url (RFC 7515 section 2: alphabet of RFC 4648 section 5, no padding, no white space, unused bits zero).
    /// On success writes in_len * 3 / 4 bytes to `out`, sets *out_len to that number and returns one.
    /// On refusal returns zero and sets *out_len to the offset in `in` of the first byte outside the alphabet; without one, to
    /// in_len - 1 (length one modulo four, or unused bits not zero). `out` is then unspecified, within its in_len * 3 / 4 bytes.
    int (*base64url_decode)(uint8_t *out, size_t *out_len, const uint8_t *in, size_t in_len);

    /// The number of leading bytes that may stand in a JSON string as they are: not '"', not '\\', not below 0x20 (RFC 8259 section 7).
    size_t (*json_string_span)(const uint8_t *in, size_t in_len);

    /// The number of leading bytes below 0x80.
    size_t (*ascii_span)(const uint8_t *in, size_t in_len);

    /// The offset of the first '.', or in_len where there is none.
    size_t (*find_dot)(const uint8_t *in, size_t in_len);

    /// Writes the offsets of the first max_dots '.' to `dots`, or of all where there are fewer, in order. Returns how many it wrote.
    size_t (*find_dots)(size_t *dots, size_t max_dots, const uint8_t *in, size_t in_len);

    /// Finds the bytes that json_string_span would stop at, of at most CJWT_STOPS_MAX. Sets bit i % 64 of stops->bits[i / 64] where
    /// in[i] is one, and clears it elsewhere, to the end of the last of the (in_len + 63) / 64 words; writes their offsets, rising, to
    /// stops->places, and their number to stops->count. What is behind those is unspecified. Returns one where every byte is below 0x80.
    int (*string_stops)(cjwt_stops *stops, const uint8_t *in, size_t in_len);
} cjwt_kernels;

/// The specification, in portable C.
extern const cjwt_kernels cjwt_kernels_generic;

/// The kernels that fit this CPU: chosen at the first call, the same for the life of the process unless forced.
const cjwt_kernels *cjwt_kernels_best(void);

/// The kernels called `name`, or NULL where this build or this CPU has none of that name. For tests, fuzzers and measurements.
const cjwt_kernels *cjwt_kernels_named(const char *name);

/// Makes cjwt_kernels_best() answer the kernels called `name` from now on; NULL gives the choice back to the CPU.
/// Returns one on success, zero where there are none of that name (the choice is then unchanged).
int cjwt_kernels_force(const char *name);

/// The offset of the first byte that is not part of well-formed UTF-8 (RFC 3629: no overlong form, no surrogate, nothing above
/// U+10FFFF), or in_len where all of it is. For a sequence that is cut off or ill-formed: the offset of its first byte.
size_t cjwt_utf8_span(const uint8_t *in, size_t in_len);

/// A record of the tape that JSONNode.swift explains.
typedef struct cjwt_json_node {
    uint32_t start, length, next;
    /// Bits 0…7 the kind (null, true, false, number, string, array, object), bit 8 the flag, bits 9…31 the count.
    uint32_t description;
} cjwt_json_node;

/// What one JSON text is held to. Nothing satisfies a negative limit.
typedef struct cjwt_json_limits {
    int64_t depth, members, values, string_bytes, number_bytes;
} cjwt_json_limits;

/// Where the registered claims of a payload are.
typedef struct cjwt_claims {
    /// For each of them, in the order of RegisteredClaim, the record of its value on the tape; zero where there is none.
    int32_t places[16];
    /// Which of them there are, a bit for each.
    uint32_t present;
    /// One where each is of the type that its specification gives it, as is usual: a text, a list of texts, an integer of up to eleven
    /// digits. Zero where one is not, or may be but takes Claims.swift to judge.
    int32_t are_usual;
} cjwt_claims;

/// The number of records of the text's tape, at most tape_max, where the text is usual JSON within the limits. Zero where it is not,
/// or may be but takes the tokenizer in Swift to judge; tape and claims are then unspecified.
/// `claims` may be NULL: nothing is then looked for. A text that is no object has none. Takes 36 KiB of stack, of which a text touches
/// about three bytes for each of its own.
size_t cjwt_json_tape(
    cjwt_json_node *tape, size_t tape_max, cjwt_claims *claims, const uint8_t *in, size_t in_len, const cjwt_json_limits *limits);

/// Scratch memory of the calling thread, at least `size` bytes, 64-byte aligned, contents unspecified. Reused between calls:
/// a thread that has done this before for no smaller size pays no allocation, up to four blocks at a time and one mebibyte each
/// (what is larger goes back to the allocator at once). Nested use gets distinct memory.
/// NULL only where memory is exhausted. Give it back, on the same thread, with cjwt_scratch_release, last taken first.
void *cjwt_scratch_acquire(size_t size);

/// Gives back what cjwt_scratch_acquire returned. NULL is accepted.
void cjwt_scratch_release(void *scratch);

/// The bytes of a block of cjwt_kept_acquire.
#define CJWT_KEPT_SIZE 2048

/// One of the calling thread's eight blocks of CJWT_KEPT_SIZE bytes, 64-byte aligned: the same for the same text, with what was left
/// in it, at first zeros. NULL where the block is in use, where memory is exhausted, and while the thread exits. Give it back, on the
/// same thread, with cjwt_kept_release. `text` only chooses.
void *cjwt_kept_acquire(const uint8_t *text, size_t text_len);

/// Gives back what cjwt_kept_acquire returned. NULL is accepted.
void cjwt_kept_release(void *block);

#ifdef __cplusplus
}
#endif

#endif
