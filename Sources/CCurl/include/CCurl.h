// CCurl: the functions of libcurl, of OpenSSL's libssl below it and of zlib that HTTPGuard needs, in C: curl's own calls are variadic, which Swift
// cannot call, and the checks of a certificate need OpenSSL's types.
//
// Conventions of every function here:
// - A length may be zero, and then the pointer may be NULL.
// - Functions that can fail return one on success and zero otherwise.
// - A transfer and a loop belong to one thread at a time; `ccurl_loop_wake` alone may be called by any thread.
// - Texts that are passed in are copied, except the body.

#ifndef ASSAY_CCURL_H
#define ASSAY_CCURL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Trust

/// The roots of trust and the client's own certificate. Immutable once a transfer uses it, and then for any number of threads.
typedef struct ccurl_trust ccurl_trust;

/// Begins with the roots of the system where `has_system_roots`, else with none. NULL without memory.
ccurl_trust *ccurl_trust_new(bool has_system_roots);
/// A text in PEM: a regular file of at most a megabyte, or bytes where `path` is NULL.
typedef struct ccurl_pem {
    const char *path;
    const uint8_t *bytes;
    size_t count;
} ccurl_pem;

/// Adds the certificates of a text. Fails if the text has no certificate, or a certificate cannot be read.
int ccurl_trust_add_roots(ccurl_trust *trust, const ccurl_pem *pem);
/// Sets the client's certificate, with the chain behind it, and its unencrypted key.
int ccurl_trust_set_chain(ccurl_trust *trust, const ccurl_pem *pem);
int ccurl_trust_set_key(ccurl_trust *trust, const ccurl_pem *pem);
void ccurl_trust_free(ccurl_trust *trust);

// Transfers

/// What a transfer tells while it runs, on the thread that runs it. A function that returns false ends the transfer.
typedef struct ccurl_functions {
    void *context;
    /// The SubjectPublicKeyInfo of a certificate that is trusted and for the host (DER).
    bool (*key)(void *context, const uint8_t *bytes, size_t count);
    /// A connection is made, and nothing sent over it yet.
    bool (*connected)(void *context);
    /// A line of the head, or of a trailer, with its end.
    bool (*line)(void *context, const uint8_t *bytes, size_t count);
    /// A part of the body as it was received: with its chunk framing.
    bool (*received)(void *context, const uint8_t *bytes, size_t count);
    /// A part of the body, without its chunk framing, in its content coding.
    bool (*body)(void *context, const uint8_t *bytes, size_t count);
} ccurl_functions;

typedef struct ccurl_transfer ccurl_transfer;

typedef struct ccurl_request {
    /// In upper case.
    const char *method;
    const char *url;
    /// The host of the URL: a name, or an address without brackets. The certificate must be for it.
    const char *host;
    bool is_address;
    bool is_secure;
    /// The address to dial, of four bytes or sixteen, and the port there: those of the proxy if there is one.
    const uint8_t *address;
    size_t address_count;
    uint16_t port;
    /// The same address as a text, with brackets for sixteen bytes.
    const char *address_text;
    bool has_proxy;
    /// May be NULL.
    const char *proxy_user, *proxy_password;
    /// Must live as long as the transfer.
    const uint8_t *body;
    size_t body_count;
    bool has_body;
    int64_t total_milliseconds, connect_milliseconds;
    /// Must live as long as the transfer.
    const ccurl_trust *trust;
} ccurl_request;

/// Prepares a transfer over a connection of its own. NULL without memory, or where libcurl cannot do what is asked.
ccurl_transfer *ccurl_transfer_new(const ccurl_request *request, const ccurl_functions *functions);
/// Adds a header field.
int ccurl_transfer_add_field(ccurl_transfer *transfer, const char *name, const char *value);
/// Not while a loop has it.
void ccurl_transfer_free(ccurl_transfer *transfer);

/// What ended a transfer. A function of the caller that returned false is `CCURL_REFUSED`.
typedef enum ccurl_end {
    CCURL_DONE,
    CCURL_REFUSED,
    CCURL_NO_MEMORY,
    /// No connection; `number` is the system's error, or zero.
    CCURL_NO_CONNECTION,
    /// Another address than the one to dial.
    CCURL_OTHER_ADDRESS,
    CCURL_TIMED_OUT,
    /// The proxy opens no tunnel; `number` is the status of its answer, or zero.
    CCURL_NO_TUNNEL,
    /// The certificate is not trusted; `number` is the result of X509_verify_cert.
    CCURL_NO_TRUST,
    /// The certificate is for another host.
    CCURL_OTHER_HOST,
    /// An alert ended the handshake, or the connection after it; `number` is its description (RFC 8446 section 6).
    CCURL_ALERT,
    /// The handshake ended without an alert.
    CCURL_NO_HANDSHAKE,
    /// The connection ended before the answer did.
    CCURL_CUT_OFF,
    CCURL_NO_HTTP,
    CCURL_LARGE_HEAD,
} ccurl_end;

/// How the transfer ended, after a loop has returned it.
ccurl_end ccurl_transfer_end(const ccurl_transfer *transfer, long *number);
/// The name of a result of X509_verify_cert: "certificate has expired". Never NULL.
const char *ccurl_trust_error(long number);
/// The name of an alert: "protocol version". Never NULL.
const char *ccurl_alert_name(long number);

// URLs

/// Resolves `reference` against `base` (RFC 3986 section 5) and writes the URL with a NUL. Fails if either is no URL, or the result is longer.
int ccurl_resolve(char *out, size_t max_out, const char *base, const char *reference);

// Content codings

/// Decodes the whole of a body in gzip or deflate. Returns the number of bytes, at most `max_out`; -1 if it would be more; -2 for a body that
/// ends early, goes on behind its end, or cannot be decoded; -3 without memory.
int64_t ccurl_inflate(uint8_t *out, size_t max_out, const uint8_t *bytes, size_t count, bool is_gzip);

// Loops

/// Any number of transfers at once, on one thread.
typedef struct ccurl_loop ccurl_loop;

/// NULL without memory or descriptors.
ccurl_loop *ccurl_loop_new(void);
int ccurl_loop_add(ccurl_loop *loop, ccurl_transfer *transfer);
/// Takes out a transfer that has not ended, and closes its connection.
void ccurl_loop_remove(ccurl_loop *loop, ccurl_transfer *transfer);
/// Does what can be done without waiting. Returns the context of a transfer that has ended, which the loop then no longer has; else NULL.
void *ccurl_loop_next(ccurl_loop *loop);
/// Waits until there is something to do, ``ccurl_loop_wake`` is called, or the time is over.
void ccurl_loop_wait(ccurl_loop *loop, int milliseconds);
void ccurl_loop_wake(ccurl_loop *loop);

#endif
