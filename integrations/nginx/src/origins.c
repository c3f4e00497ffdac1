/* origins.c: whether the directives permit the place of keys that a location names. A name's addresses are not known yet, and an issuer's
 * metadata may name another machine: the helper judges each address again. */

#include "assay_documents.h"

static ngx_uint_t ngx_http_assay_has_scheme(ngx_str_t url, const char *scheme)
{
    size_t len = ngx_strlen(scheme);
    return url.len > len && ngx_strncasecmp(url.data, (u_char *) scheme, len) == 0;
}

/* The host of an http or https URL (RFC 3986 section 3.2.2), without brackets. */
static ngx_str_t ngx_http_assay_host_of(ngx_str_t url, ngx_uint_t is_plain)
{
    size_t scheme = is_plain ? sizeof("http://") - 1 : sizeof("https://") - 1;
    ngx_str_t host = {0, url.data + scheme};
    u_char *end = url.data + url.len;
    ngx_uint_t is_bracketed = host.data < end && *host.data == '[';
    host.data += is_bracketed;
    for (u_char *at = host.data; at < end && ngx_strchr(is_bracketed ? "]" : ":/?#", *at) == NULL; at++) {
        host.len++;
    }
    return host;
}

/* The address that a host is without being resolved; 0: it is a name. */
static ngx_uint_t ngx_http_assay_address_of(struct sockaddr_storage *out, ngx_str_t host)
{
    struct sockaddr_in *four = (struct sockaddr_in *) out;
    ngx_memzero(out, sizeof(*out));
    four->sin_family = AF_INET;
    if (host.len == 9 && ngx_strncasecmp(host.data, (u_char *) "localhost", 9) == 0) {
        four->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        return 1;
    }
    four->sin_addr.s_addr = ngx_inet_addr(host.data, host.len);
    if (four->sin_addr.s_addr != INADDR_NONE) {
        return 1;
    }
#if (NGX_HAVE_INET6)
    struct sockaddr_in6 *six = (struct sockaddr_in6 *) out;
    ngx_memzero(out, sizeof(*out));
    six->sin6_family = AF_INET6;
    return ngx_inet6_addr(host.data, host.len, six->sin6_addr.s6_addr) == NGX_OK;
#else
    return 0;
#endif
}

static ngx_uint_t ngx_http_assay_is_allowed_with(const struct sockaddr_storage *address, ngx_uint_t private_addresses, ngx_uint_t loopback,
                                                 ngx_uint_t is_plain)
{
    ngx_http_assay_transport_t transport = {.allows_private = private_addresses, .allows_loopback = loopback};
    return ngx_http_assay_is_allowed_address((const struct sockaddr *) address, &transport, is_plain);
}

const char *ngx_http_assay_missing_permission(const ngx_http_assay_main_conf_t *conf, ngx_str_t url)
{
    struct sockaddr_storage address;
    ngx_uint_t is_plain = ngx_http_assay_has_scheme(url, "http://");
    ngx_uint_t private_addresses = (ngx_uint_t) conf->allow_private_addresses, loopback = (ngx_uint_t) conf->allow_loopback;
    if (!is_plain && !ngx_http_assay_has_scheme(url, "https://")) {
        return NULL;
    }
    if (!ngx_http_assay_address_of(&address, ngx_http_assay_host_of(url, is_plain))) {
        return is_plain ? "https, because plain http is for \"localhost\" and loopback addresses alone," : NULL;
    }
    if (ngx_http_assay_is_allowed_with(&address, private_addresses, loopback, is_plain)) {
        return NULL;
    }
    if (ngx_http_assay_is_allowed_with(&address, private_addresses, 1, is_plain)) {
        return "\"assay_allow_loopback on\" in \"http\"";
    }
    if (is_plain) {
        return "https, because plain http is for \"localhost\" and loopback addresses alone,";
    }
    return ngx_http_assay_is_allowed_with(&address, 1, loopback, is_plain)
        ? "\"assay_allow_private_addresses on\" in \"http\""
        : "an address that is not link-local or reserved";
}
