/* certificates.c: the certificate of the client, as nginx has it from the TLS connection itself. No field and no variable is asked. */

#include "assay_module.h"

/* Lends the certificate in DER. A client without one, or without TLS, has none. NGX_ERROR if memory is exhausted. */
ngx_int_t ngx_http_assay_describe_certificate(assay_request *request, ngx_http_request_t *r)
{
#if (NGX_HTTP_SSL)
    X509 *certificate = r->connection->ssl != NULL ? SSL_get_peer_certificate(r->connection->ssl->connection) : NULL;
    if (certificate == NULL) {
        return NGX_OK;
    }
    int length = i2d_X509(certificate, NULL);
    u_char *der = length > 0 ? ngx_pnalloc(r->pool, (size_t) length) : NULL;
    u_char *end = der;
    length = der != NULL ? i2d_X509(certificate, &end) : 0;
    X509_free(certificate);
    if (length <= 0) {
        return NGX_ERROR;
    }
    request->certificate = (assay_text) {(const char *) der, (size_t) length};
#else
    (void) request;
    (void) r;
#endif
    return NGX_OK;
}
