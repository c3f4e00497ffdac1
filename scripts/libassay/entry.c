/* In libassay-http: its functions, whose work libassay does. */

#include <assay_http.h>

#include "table.h"

#define NAME(result, name, parameters, arguments) name,
static const ccurl_table table = {CCURL_FUNCTIONS(NAME)};

__attribute__((constructor)) static void attach(void) { assay_private_http_attach(&table); }

#define FUNCTION(result, name, parameters, arguments)   \
    result assay_private_##name parameters;             \
    result assay_##name parameters { return assay_private_##name arguments; }

FUNCTION(const char *, http_version, (void), ())
FUNCTION(assay_code, http_options_init, (assay_http_options * a, size_t b), (a, b))
FUNCTION(assay_code, http_new_url,
         (assay_http * *a, const char *b, size_t c, const assay_http_options *d, const assay_refresh_options *e), (a, b, c, d, e))
FUNCTION(assay_code, http_new_issuer,
         (assay_http * *a, const char *b, size_t c, const assay_http_options *d, const assay_refresh_options *e), (a, b, c, d, e))
FUNCTION(assay_code, http_new_gateway, (assay_http * *a, assay_gateway *b, const assay_http_options *c), (a, b, c))
FUNCTION(const assay_keys *, http_keys, (const assay_http *a), (a))
FUNCTION(assay_code, http_wait, (const assay_http *a, int64_t b), (a, b))
FUNCTION(assay_code, http_refresh, (assay_http * a), (a))
FUNCTION(void, http_free, (assay_http * a), (a))
FUNCTION(assay_code, http_client_new, (assay_http_client * *a, const assay_http_options *b, void (*c)(void *), void *d), (a, b, c, d))
FUNCTION(assay_code, http_client_send, (assay_http_client * a, const char *b, size_t c, const assay_field *d, size_t e), (a, b, c, d, e))
FUNCTION(assay_code, http_client_take, (assay_http_answer * a, assay_http_client *b), (a, b))
FUNCTION(void, http_client_free, (assay_http_client * a), (a))
FUNCTION(int, http_permits, (const char *a, size_t b, uint32_t c), (a, b, c))
