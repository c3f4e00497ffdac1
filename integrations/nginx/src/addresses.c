/* addresses.c: where the helper may connect to. An issuer's metadata chooses the address of its keys, so by default only addresses of the
 * public internet are allowed: an issuer must not make this machine ask its neighbours. The check is made with the address that is
 * connected to, after the name was resolved. */

#include "assay_documents.h"

/* A range of addresses as bytes of the network. */
typedef struct {
    u_char prefix[16];
    u_char bits;
} ngx_http_assay_range_t;

static const ngx_http_assay_range_t ngx_http_assay_loopback[] = {
    {{[10] = 0xff, [11] = 0xff, [12] = 127}, 104}, {{[15] = 1}, 128}
};

static const ngx_http_assay_range_t ngx_http_assay_private[] = {
    {{[10] = 0xff, [11] = 0xff, [12] = 10}, 104}, {{[10] = 0xff, [11] = 0xff, [12] = 172, [13] = 16}, 108},
    {{[10] = 0xff, [11] = 0xff, [12] = 192, [13] = 168}, 112}, {{[10] = 0xff, [11] = 0xff, [12] = 100, [13] = 64}, 106}, {{0xfc}, 7}
};

/* Link-local addresses have the metadata services of clouds. The others have no single owner: this network, protocol assignments,
 * documentation, benchmarks, multicast, reserved, 6to4 and Teredo, which hold an IPv4 address of their own, and NAT64. */
static const ngx_http_assay_range_t ngx_http_assay_forbidden[] = {
    {{[10] = 0xff, [11] = 0xff, [12] = 169, [13] = 254}, 112}, {{0xfe, 0x80}, 10}, {{[10] = 0xff, [11] = 0xff}, 104},
    {{[10] = 0xff, [11] = 0xff, [12] = 192}, 120}, {{[10] = 0xff, [11] = 0xff, [12] = 192, [14] = 2}, 120},
    {{[10] = 0xff, [11] = 0xff, [12] = 198, [13] = 18}, 111}, {{[10] = 0xff, [11] = 0xff, [12] = 198, [13] = 51, [14] = 100}, 120},
    {{[10] = 0xff, [11] = 0xff, [12] = 203, [14] = 113}, 120}, {{[10] = 0xff, [11] = 0xff, [12] = 224}, 99},
    {{0xff}, 8}, {{0xfe, 0xc0}, 10}, {{0x20, 0x02}, 16}, {{0x20, 0x01}, 32}, {{0x20, 0x01, 0x0d, 0xb8}, 32}, {{0x00, 0x64, 0xff, 0x9b}, 32},
    {{0x01}, 64}, {{0}, 96}
};

static ngx_uint_t ngx_http_assay_is_within(const u_char *address, const ngx_http_assay_range_t *range)
{
    size_t whole = range->bits / 8;
    u_char mask = (u_char) (0xff00 >> (range->bits % 8));
    if (ngx_memcmp(address, range->prefix, whole) != 0) {
        return 0;
    }
    return range->bits % 8 == 0 || (address[whole] & mask) == (range->prefix[whole] & mask);
}

#define ASSAY_IS_IN(address, ranges) ngx_http_assay_is_in(address, ranges, sizeof(ranges) / sizeof(ranges[0]))

static ngx_uint_t ngx_http_assay_is_in(const u_char *address, const ngx_http_assay_range_t *ranges, ngx_uint_t count)
{
    for (ngx_uint_t i = 0; i < count; i++) {
        if (ngx_http_assay_is_within(address, &ranges[i])) {
            return 1;
        }
    }
    return 0;
}

/* An IPv4 address as one of IPv6 (RFC 4291 section 2.5.5.2). */
static ngx_uint_t ngx_http_assay_bytes_of(u_char *out, const struct sockaddr *address)
{
    ngx_memzero(out, 16);
    if (address->sa_family == AF_INET6) {
        ngx_memcpy(out, &((const struct sockaddr_in6 *) address)->sin6_addr, 16);
        return 1;
    }
    if (address->sa_family == AF_INET) {
        out[10] = out[11] = 0xff;
        ngx_memcpy(out + 12, &((const struct sockaddr_in *) address)->sin_addr, 4);
        return 1;
    }
    return 0;
}

ngx_uint_t ngx_http_assay_is_allowed_address(const struct sockaddr *address, const ngx_http_assay_transport_t *transport,
                                             ngx_uint_t is_plain)
{
    u_char bytes[16];
    if (!ngx_http_assay_bytes_of(bytes, address)) {
        return 0;
    }
    if (ASSAY_IS_IN(bytes, ngx_http_assay_loopback)) {
        return transport->allows_loopback;
    }
    if (is_plain) {
        return 0;
    }
    if (ASSAY_IS_IN(bytes, ngx_http_assay_private)) {
        return transport->allows_private;
    }
    return !ASSAY_IS_IN(bytes, ngx_http_assay_forbidden);
}
