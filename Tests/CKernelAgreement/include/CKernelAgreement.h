// CKernelAgreement: exhaustive checks of CJWTKernels, in C because there are tens of millions of them.
//
// Every function here returns the number of disagreements, zero being success, and describes the first of them in `message`
// (always terminated; message_max may be zero). Buffers stand against inaccessible pages, so a kernel that reads or writes outside
// its range does not disagree: it traps.

#ifndef CKERNEL_AGREEMENT_H
#define CKERNEL_AGREEMENT_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Compares base64url_decode of the kernels called `name` with the generic form; "generic" itself with a decoder that works bit by bit.
size_t ckernel_base64url_disagreements(const char *name, char *message, size_t message_max);

/// Compares json_string_span, ascii_span, find_dot, find_dots and string_stops of the kernels called `name` with what RFC 8259 and
/// ASCII say of each byte.
size_t ckernel_span_disagreements(const char *name, char *message, size_t message_max);

/// Compares cjwt_utf8_span, with the kernels called `name` forced for the length of the call, with a decoder that computes code points.
size_t ckernel_utf8_disagreements(const char *name, char *message, size_t message_max);

/// Checks the choice of kernels: by name, forced, and given back to the CPU.
size_t ckernel_dispatch_disagreements(char *message, size_t message_max);

/// Checks that scratch memory is aligned, distinct where nested and between threads, reused in sequence, and usable while a thread exits.
size_t ckernel_scratch_disagreements(char *message, size_t message_max);

/// Checks that cjwt_json_tape stays inside text and tape, and that its answer depends on the text alone.
size_t ckernel_json_tape_disagreements(char *message, size_t message_max);

/// Checks that kept memory keeps what is left in it, is lent once at a time, and belongs to its thread.
size_t ckernel_kept_disagreements(char *message, size_t message_max);

/// Compares cjwt_is_equal with what each differing bit must give.
size_t ckernel_equality_disagreements(char *message, size_t message_max);

#ifdef __cplusplus
}
#endif

#endif
