/* assay_http.h: fetches keys for programs without an HTTP client of their own.
 *
 * libassay-http is a second, optional library beside libassay. It makes the requests that assay.h leaves to the host: HTTP/1.1 over TLS 1.2
 * or later, verified certificates, checked addresses, redirects only within one origin, limits on time and size. What assay.h says of
 * returns, arguments, ownership and stability holds here too.
 *
 * Threads. An assay_http has one thread, and one more for each request under way, as an assay_http_client has; all of them together share one
 * for their transfers. These threads block every signal but faults. The `_free` function must be the last call with its object.
 * assay_http_client_take takes one thread at a time. The other functions take any thread.
 *
 * Process. The library changes no signal's disposition. Requests go through libcurl and the system's OpenSSL. No proxy is used but the one
 * in the options, whatever the environment says.
 *
 * Fork. Threads do not survive a fork. In a child, an assay_http of the parent begins to fetch again with the child's first call of
 * assay_http_wait or assay_http_refresh, and repeats the requests that were under way; until then its keys verify until they are too old. A
 * child may also make its own. A client repeats its requests with the child's first call of assay_http_client_send or assay_http_client_take.
 *
 * A program that uses this library links libassay as a shared library, not its archive. */

#ifndef ASSAY_HTTP_H
#define ASSAY_HTTP_H

#include "assay.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct assay_http assay_http;

/* Addresses that may be requested beside those of the public internet. An issuer's metadata chooses the address of its keys: what is
 * allowed here, the issuer can make this machine request. */
enum {
    ASSAY_HTTP_LOOPBACK = 1,      /* 127.0.0.0/8 and ::1 */
    ASSAY_HTTP_PRIVATE = 2,       /* RFC 1918, unique local and carrier-shared addresses */
    ASSAY_HTTP_LINK_LOCAL = 4,    /* 169.254.0.0/16, fe80::/10 and the metadata services of clouds, which give out credentials */
    ASSAY_HTTP_PLAIN_LOOPBACK = 8 /* http without TLS, to this machine only */
};

typedef struct assay_http_options {
    size_t size;                  /* of this structure; assay_http_options_init sets it */
    int64_t request_limit;        /* milliseconds for a request with its redirects; 3,000 by default; 1 to 10^6 */
    int64_t connect_limit;        /* milliseconds for each address that is tried; 1,000 by default; 1 to 10^6 */
    uint32_t addresses;           /* ASSAY_HTTP_…, added up */
    uint32_t roots_only;          /* 1: `roots` instead of the system's certificates; 0: beside them */
    assay_text roots;             /* trusted certificates in PEM; length 0: the system's */
    assay_text certificate;       /* a client certificate in PEM with its chain; length 0: none */
    assay_text private_key;       /* its private key in PEM, unencrypted */
    assay_text proxy_host;        /* a proxy that opens tunnels (CONNECT); length 0: none */
    uint32_t proxy_port;
    uint32_t reserved;            /* 0 */
    assay_text proxy_user;        /* for Proxy-Authorization: Basic; length 0: none */
    assay_text proxy_password;
    assay_text user_agent;        /* length 0: "assay" */
    const assay_text *pins;       /* SHA-256 of public keys in base64 (RFC 7469 section 2.4); the server's must be one of them, so a server
                                   * without TLS is refused */
    size_t pin_count;             /* at most 64; 0: no pins */
} assay_http_options;

/* assay_http_options_init fills `out` with the defaults. `size` is sizeof(assay_http_options). */
assay_code assay_http_options_init(assay_http_options *out, size_t size);

/* assay_http_new_url begins to fetch the JWK Set at an https URL, and goes on until assay_http_free. Returns at once. `options` and
 * `refresh` may be NULL; the functions and the context of `refresh` must be NULL. ASSAY_INVALID_ARGUMENT also for certificates, keys and
 * pins that cannot be read. */
assay_code assay_http_new_url(assay_http **out, const char *url, size_t url_len, const assay_http_options *options,
                              const assay_refresh_options *refresh);

/* assay_http_new_issuer does the same with the keys of an issuer, as assay_keys_new_issuer says. */
assay_code assay_http_new_issuer(assay_http **out, const char *issuer, size_t issuer_len, const assay_http_options *options,
                                 const assay_refresh_options *refresh);

/* assay_http_new_gateway begins to fetch the keys and the status lists of all issuers of a gateway, also of those that assay_gateway_replace
 * brings, and goes on until assay_http_free. Files with keys and revocations are read again within a second of a change. At most 16 requests
 * are under way at once, four of them for lists of one issuer. `options` may be NULL.
 *
 * `gateway` stays the caller's. It and the assay_http may be freed in either order: the gateway lives until both are gone. So the `release`
 * of its options may be called on a thread of this library, after assay_http_free. Its `wake` is called as before, and need do nothing. The
 * caller may still call assay_gateway_request, which does not hand out what is under way here. */
assay_code assay_http_new_gateway(assay_http **out, assay_gateway *gateway, const assay_http_options *options);

/* assay_http_keys returns the keys, for assay_verifier_new, assay_keys_prepare and assay_keys_status; NULL for NULL and for a gateway's
 * assay_http. They belong to `http`: do not free them. A verifier that was made with them keeps them, and after assay_http_free they serve
 * it until they are too old. */
const assay_keys *assay_http_keys(const assay_http *http);

/* assay_http_wait waits until there are keys, of a gateway until every required issuer has keys, at most `milliseconds` from 0 to 10^12.
 * ASSAY_OK, or ASSAY_KEYS_UNAVAILABLE: assay_keys_status or assay_gateway_keys_status says why. */
assay_code assay_http_wait(const assay_http *http, int64_t milliseconds);

/* assay_http_refresh orders a fetch that bypasses caches, for each issuer of a gateway, unless one is under way. Returns at once. */
assay_code assay_http_refresh(assay_http *http);

/* assay_http_free ends the fetches and frees `http`. It does not wait: requests under way are cancelled, and the threads end soon after. */
void assay_http_free(assay_http *http);

/* Single requests, for a host whose processes share the answers, as nginx's workers do: one takes a request from assay_gateway_request, another
 * makes it here, and the first hands the answer over by assay_gateway_install. */

typedef struct assay_http_client assay_http_client;

typedef struct assay_http_answer {
    size_t size;                  /* sizeof(assay_http_answer) */
    assay_text url;               /* that was asked for */
    uint32_t failure;             /* ASSAY_FAILURE_…: there is no response; 0: there is one */
    uint32_t status;              /* of the response; 0: the request failed */
    const assay_field *fields;    /* of the response, in their order */
    size_t field_count;
    assay_text body;              /* decoded; at most 262,144 bytes, of a status list 1,887,916 */
    assay_text reason;            /* of a failure, for logs: printable ASCII, without a query of the URL; length 0: none */
} assay_http_answer;

/* assay_http_client_new makes a client. `wake` is called with `context` when there is an answer, on a thread of this library and never after
 * assay_http_client_free; it must return soon and call nothing of libassay or this library. It may be NULL, as may `options`. */
assay_code assay_http_client_new(assay_http_client **out, const assay_http_options *options, void (*wake)(void *context), void *context);

/* assay_http_client_send begins a GET with these header fields, at most 64. Returns at once. ASSAY_NOT_DUE: an answer from this URL is
 * awaited or was not taken, or 1,024 others are. 16 requests are under way at once, the others wait. A request whose first Accept field is
 * `application/statuslist+jwt`, to the byte, is for a status list, whose answer may be longer than one with keys. */
assay_code assay_http_client_send(assay_http_client *client, const char *url, size_t url_len, const assay_field *fields,
                                  size_t field_count);

/* assay_http_client_take takes the oldest answer. ASSAY_NO_VALUE: no answer waits. The texts of an answer are valid until the next call. The
 * caller sets `size`. */
assay_code assay_http_client_take(assay_http_answer *out, assay_http_client *client);

/* assay_http_client_free gives up all requests, and frees the client. It does not wait for them. */
void assay_http_client_free(assay_http_client *client);

/* assay_http_permits returns 1 if a client with these `addresses` (ASSAY_HTTP_…) asks the host of a URL, as far as the URL says: what a name
 * leads to is checked with each request. Else 0, also for a text that is no URL. */
int assay_http_permits(const char *url, size_t url_len, uint32_t addresses);

/* assay_http_version returns the version of the library, such as "0.1.0". Static storage. */
const char *assay_http_version(void);

#ifdef __cplusplus
}
#endif

#endif
