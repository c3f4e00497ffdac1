/* What libassay-http gives libassay: the functions of CCurl, and so libcurl. The Swift code that decides about requests is in libassay, which
 * is not linked with libcurl; so a process has one Swift runtime. Both libraries are of one build. */

#ifndef ASSAY_TABLE_H
#define ASSAY_TABLE_H

#include <CCurl.h>

/* X(result, name, parameters, arguments) */
#define CCURL_FUNCTIONS(X)                                                                                                      \
    X(ccurl_trust *, ccurl_trust_new, (bool a), (a))                                                                            \
    X(int, ccurl_trust_add_roots, (ccurl_trust *a, const ccurl_pem *b), (a, b))                                                 \
    X(int, ccurl_trust_set_chain, (ccurl_trust *a, const ccurl_pem *b), (a, b))                                                 \
    X(int, ccurl_trust_set_key, (ccurl_trust *a, const ccurl_pem *b), (a, b))                                                   \
    X(void, ccurl_trust_free, (ccurl_trust *a), (a))                                                                            \
    X(ccurl_transfer *, ccurl_transfer_new, (const ccurl_request *a, const ccurl_functions *b), (a, b))                         \
    X(int, ccurl_transfer_add_field, (ccurl_transfer *a, const char *b, const char *c), (a, b, c))                              \
    X(void, ccurl_transfer_free, (ccurl_transfer *a), (a))                                                                      \
    X(ccurl_end, ccurl_transfer_end, (const ccurl_transfer *a, long *b), (a, b))                                                \
    X(const char *, ccurl_trust_error, (long a), (a))                                                                           \
    X(const char *, ccurl_alert_name, (long a), (a))                                                                            \
    X(int, ccurl_resolve, (char *a, size_t b, const char *c, const char *d), (a, b, c, d))                                      \
    X(int64_t, ccurl_inflate, (uint8_t *a, size_t b, const uint8_t *c, size_t d, bool e), (a, b, c, d, e))                      \
    X(ccurl_loop *, ccurl_loop_new, (void), ())                                                                                 \
    X(int, ccurl_loop_add, (ccurl_loop *a, ccurl_transfer *b), (a, b))                                                          \
    X(void, ccurl_loop_remove, (ccurl_loop *a, ccurl_transfer *b), (a, b))                                                      \
    X(void *, ccurl_loop_next, (ccurl_loop *a), (a))                                                                            \
    X(void, ccurl_loop_wait, (ccurl_loop *a, int b), (a, b))                                                                    \
    X(void, ccurl_loop_wake, (ccurl_loop *a), (a))

#define MEMBER(result, name, parameters, arguments) result(*name) parameters;
typedef struct ccurl_table {
    CCURL_FUNCTIONS(MEMBER)
} ccurl_table;
#undef MEMBER

/* Before any other function of libassay's part. */
void assay_private_http_attach(const ccurl_table *table);

#endif
