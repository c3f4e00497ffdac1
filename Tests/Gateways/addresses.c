/* addresses.c: prints for each address of standard input whether the module's helper may connect to it: by default, with private networks,
 * with this machine, and to this machine by plain http. */

#include "assay_documents.h"

#include <stdio.h>

static int is_allowed(const char *text, ngx_uint_t allows_private, ngx_uint_t allows_loopback, ngx_uint_t is_plain)
{
    struct sockaddr_in6 six = {.sin6_family = AF_INET6};
    struct sockaddr_in four = {.sin_family = AF_INET};
    ngx_http_assay_transport_t transport = {.allows_private = allows_private, .allows_loopback = allows_loopback};
    if (inet_pton(AF_INET, text, &four.sin_addr) == 1) {
        return (int) ngx_http_assay_is_allowed_address((struct sockaddr *) &four, &transport, is_plain);
    }
    if (inet_pton(AF_INET6, text, &six.sin6_addr) == 1) {
        return (int) ngx_http_assay_is_allowed_address((struct sockaddr *) &six, &transport, is_plain);
    }
    return -1;
}

int main(void)
{
    char text[64];
    while (scanf("%63s", text) == 1) {
        printf("%s %d%d%d%d\n", text, is_allowed(text, 0, 0, 0), is_allowed(text, 1, 0, 0), is_allowed(text, 0, 1, 0),
               is_allowed(text, 1, 1, 1));
    }
    return 0;
}
