#ifndef ASSAY_CCURL_INTERNAL_H
#define ASSAY_CCURL_INTERNAL_H

#include "CCurl.h"

#include <curl/curl.h>
#include <openssl/ssl.h>

struct ccurl_transfer {
    CURL *easy;
    struct curl_slist *fields, *connect_to;
    ccurl_functions functions;
    const ccurl_trust *trust;
    char *host;
    bool is_address, is_secure, has_proxy;
    uint8_t address[16];
    size_t address_count;
    uint16_t port;
    CURLcode code;
    // What was seen before libcurl reported its own code.
    bool is_refused, is_other_address, is_other_host, is_connected;
    long verification;
    int alert;
};

/// trust_prepare gives a context of libssl the roots, the certificate and the checks of a transfer.
int trust_prepare(SSL_CTX *context, ccurl_transfer *transfer);

#endif
