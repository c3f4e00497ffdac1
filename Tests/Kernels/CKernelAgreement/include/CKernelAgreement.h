// CKernelAgreement: exhaustive checks of CJWTKernels, in C because there are tens of millions of them.
//
// Buffers lie next to inaccessible pages, so a kernel that reads or writes outside its range traps.

#ifndef CKERNEL_AGREEMENT_H
#define CKERNEL_AGREEMENT_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Runs the check with the kernels called `kernels`. Returns the number of disagreements, zero on success, and describes the first in
/// `message` (always terminated; message_max may be zero). The checks, of which the first four depend on the kernels:
///
///   base64url   base64url_decode, with the generic form; "generic" itself with a decoder that works bit by bit
///   span        json_string_span, ascii_span, find_dot, find_dots and string_stops, with the rules of RFC 8259 and ASCII for each byte
///   utf8        cjwt_utf8_span, with the kernels forced during the call, with a decoder that computes code points
///   json_issuer cjwt_json_issuer finds what a scan byte by byte finds, within the text
///   dispatch    the choice of kernels: by name, forced, and automatic again
///   scratch     scratch memory is aligned, distinct when nested and between threads, reused in sequence, usable while a thread exits
///   json_tape   cjwt_json_tape stays within text and tape, and its result depends only on the text
///   kept        kept memory keeps its contents, is lent to one user at a time, and belongs to its thread
///   equality    cjwt_is_equal, with the expected result for each differing bit
size_t ckernel_disagreements(const char *check, const char *kernels, char *message, size_t message_max);

#ifdef __cplusplus
}
#endif

#endif
