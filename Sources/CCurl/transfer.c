// One request and its answer, over a connection of its own.

#include "internal.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static bool is_expected(const ccurl_transfer *transfer, const struct sockaddr *peer) {
    if (peer->sa_family == AF_INET && transfer->address_count == 4) {
        const struct sockaddr_in *v4 = (const struct sockaddr_in *)peer;
        return ntohs(v4->sin_port) == transfer->port && memcmp(&v4->sin_addr, transfer->address, 4) == 0;
    }
    if (peer->sa_family == AF_INET6 && transfer->address_count == 16) {
        const struct sockaddr_in6 *v6 = (const struct sockaddr_in6 *)peer;
        return ntohs(v6->sin6_port) == transfer->port && memcmp(&v6->sin6_addr, transfer->address, 16) == 0;
    }
    return false;
}

/// The only place where a socket is made: for the one address that was checked.
static curl_socket_t open_socket(void *context, curlsocktype purpose, struct curl_sockaddr *peer) {
    ccurl_transfer *transfer = context;
    if (purpose != CURLSOCKTYPE_IPCXN || !is_expected(transfer, &peer->addr)) {
        transfer->is_other_address = true;
        return CURL_SOCKET_BAD;
    }
#if defined(SOCK_CLOEXEC)
    return socket(peer->family, peer->socktype | SOCK_CLOEXEC, peer->protocol);
#else
    return socket(peer->family, peer->socktype, peer->protocol);
#endif
}

static int before_request(void *context, char *address, char *local, int port, int local_port) {
    (void)address;
    (void)local;
    (void)port;
    (void)local_port;
    ccurl_transfer *transfer = context;
    transfer->is_connected = true;
    if (transfer->functions.connected(transfer->functions.context)) { return CURL_PREREQFUNC_OK; }
    transfer->is_refused = true;
    return CURL_PREREQFUNC_ABORT;
}

static bool tell(ccurl_transfer *transfer, bool (*function)(void *, const uint8_t *, size_t), const char *bytes, size_t count) {
    if (!transfer->is_refused && !function(transfer->functions.context, (const uint8_t *)bytes, count)) { transfer->is_refused = true; }
    return !transfer->is_refused;
}

static size_t take_line(char *bytes, size_t size, size_t count, void *context) {
    ccurl_transfer *transfer = context;
    return tell(transfer, transfer->functions.line, bytes, size * count) ? size * count : 0;
}

static size_t take_body(char *bytes, size_t size, size_t count, void *context) {
    ccurl_transfer *transfer = context;
    return tell(transfer, transfer->functions.body, bytes, size * count) ? size * count : 0;
}

/// libcurl shows what it receives before it takes off the chunk framing here alone. A refusal ends the transfer at its next function.
static int take_received(CURL *easy, curl_infotype type, char *bytes, size_t count, void *context) {
    (void)easy;
    ccurl_transfer *transfer = context;
    if (type == CURLINFO_DATA_IN && transfer->is_connected) { tell(transfer, transfer->functions.received, bytes, count); }
    return 0;
}

static int continues(void *context, curl_off_t down_total, curl_off_t down, curl_off_t up_total, curl_off_t up) {
    (void)down_total;
    (void)down;
    (void)up_total;
    (void)up;
    const ccurl_transfer *transfer = context;
    return transfer->is_refused;
}

static CURLcode prepare_tls(CURL *easy, void *context, void *transfer) {
    (void)easy;
    return trust_prepare(context, transfer) == 1 ? CURLE_OK : CURLE_SSL_CONNECT_ERROR;
}

static bool append(struct curl_slist **list, const char *text) {
    struct curl_slist *longer = curl_slist_append(*list, text);
    if (longer != NULL) { *list = longer; }
    return longer != NULL;
}

#define SET(option, value) (curl_easy_setopt(easy, (option), (value)) == CURLE_OK)

static bool set_functions(CURL *easy, ccurl_transfer *transfer) {
    return SET(CURLOPT_OPENSOCKETFUNCTION, open_socket) && SET(CURLOPT_OPENSOCKETDATA, transfer)
        && SET(CURLOPT_PREREQFUNCTION, before_request) && SET(CURLOPT_PREREQDATA, transfer) && SET(CURLOPT_HEADERFUNCTION, take_line)
        && SET(CURLOPT_HEADERDATA, transfer) && SET(CURLOPT_WRITEFUNCTION, take_body) && SET(CURLOPT_WRITEDATA, transfer)
        && SET(CURLOPT_DEBUGFUNCTION, take_received) && SET(CURLOPT_DEBUGDATA, transfer) && SET(CURLOPT_VERBOSE, 1L)
        && SET(CURLOPT_XFERINFOFUNCTION, continues) && SET(CURLOPT_XFERINFODATA, transfer) && SET(CURLOPT_NOPROGRESS, 0L);
}

/// A connection for this transfer alone, to the address that was checked, without anything that other programs configure for libcurl.
static bool set_connection(CURL *easy, ccurl_transfer *transfer, const ccurl_request *request) {
    bool is_set = SET(CURLOPT_NOSIGNAL, 1L) && SET(CURLOPT_FRESH_CONNECT, 1L) && SET(CURLOPT_FORBID_REUSE, 1L)
        && SET(CURLOPT_NETRC, (long)CURL_NETRC_IGNORED) && SET(CURLOPT_NOPROXY, "") && SET(CURLOPT_FOLLOWLOCATION, 0L)
        && SET(CURLOPT_HTTP09_ALLOWED, 0L) && SET(CURLOPT_PROTOCOLS_STR, request->is_secure ? "https" : "http")
        && SET(CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1) && SET(CURLOPT_CONNECTTIMEOUT_MS, (long)request->connect_milliseconds)
        && SET(CURLOPT_TIMEOUT_MS, (long)request->total_milliseconds) && SET(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
    char text[96];
    if (!request->has_proxy) {
        snprintf(text, sizeof text, "::%s:%u", request->address_text, request->port);
        return is_set && SET(CURLOPT_PROXY, "") && append(&transfer->connect_to, text) && SET(CURLOPT_CONNECT_TO, transfer->connect_to);
    }
    snprintf(text, sizeof text, "http://%s:%u", request->address_text, request->port);
    is_set = is_set && SET(CURLOPT_PROXY, text) && SET(CURLOPT_PROXYTYPE, (long)CURLPROXY_HTTP) && SET(CURLOPT_HTTPPROXYTUNNEL, 1L)
        && SET(CURLOPT_HEADEROPT, (long)CURLHEADER_SEPARATE);
    if (request->proxy_user == NULL) { return is_set; }
    return is_set && SET(CURLOPT_PROXYAUTH, CURLAUTH_BASIC) && SET(CURLOPT_PROXYUSERNAME, request->proxy_user)
        && SET(CURLOPT_PROXYPASSWORD, request->proxy_password);
}

static bool set_tls(CURL *easy, ccurl_transfer *transfer) {
    // libcurl's own files of roots stay unread: trust_prepare sets the roots.
    return SET(CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2) && SET(CURLOPT_SSL_VERIFYPEER, 1L) && SET(CURLOPT_SSL_VERIFYHOST, 2L)
        && SET(CURLOPT_CAINFO, NULL) && SET(CURLOPT_CAPATH, NULL) && SET(CURLOPT_CA_CACHE_TIMEOUT, 0L) && SET(CURLOPT_SSL_SESSIONID_CACHE, 0L)
        && SET(CURLOPT_SSL_CTX_FUNCTION, prepare_tls) && SET(CURLOPT_SSL_CTX_DATA, transfer);
}

static bool set_message(CURL *easy, const ccurl_request *request) {
    if (!SET(CURLOPT_URL, request->url) || !SET(CURLOPT_PATH_AS_IS, 1L)) { return false; }
    if (strcmp(request->method, "HEAD") == 0) { return SET(CURLOPT_NOBODY, 1L); }
    if (!request->has_body) { return SET(CURLOPT_HTTPGET, 1L) && SET(CURLOPT_CUSTOMREQUEST, request->method); }
    return SET(CURLOPT_POST, 1L) && SET(CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)request->body_count)
        && SET(CURLOPT_POSTFIELDS, (const char *)request->body) && SET(CURLOPT_CUSTOMREQUEST, request->method);
}

static bool set_all(ccurl_transfer *transfer, const ccurl_request *request) {
    CURL *easy = transfer->easy;
    // Fields that libcurl would add by itself.
    bool is_set = append(&transfer->fields, "Accept:") && append(&transfer->fields, "Expect:");
    is_set = is_set && (!request->has_body || append(&transfer->fields, "Content-Type:"));
    return is_set && set_functions(easy, transfer) && set_connection(easy, transfer, request) && set_tls(easy, transfer)
        && set_message(easy, request) && SET(CURLOPT_PRIVATE, transfer);
}

ccurl_transfer *ccurl_transfer_new(const ccurl_request *request, const ccurl_functions *functions) {
    ccurl_transfer *transfer = calloc(1, sizeof *transfer);
    if (transfer == NULL) { return NULL; }
    transfer->functions = *functions;
    transfer->trust = request->trust;
    transfer->is_address = request->is_address;
    transfer->is_secure = request->is_secure;
    transfer->has_proxy = request->has_proxy;
    transfer->port = request->port;
    transfer->alert = -1;
    transfer->host = strdup(request->host);
    transfer->easy = curl_easy_init();
    if (request->address_count <= sizeof transfer->address) {
        transfer->address_count = request->address_count;
        memcpy(transfer->address, request->address, request->address_count);
    }
    if (transfer->host != NULL && transfer->easy != NULL && set_all(transfer, request)) { return transfer; }
    ccurl_transfer_free(transfer);
    return NULL;
}

int ccurl_transfer_add_field(ccurl_transfer *transfer, const char *name, const char *value) {
    size_t count = strlen(name) + strlen(value) + 3;
    char *text = malloc(count);
    if (text == NULL) { return 0; }
    // libcurl leaves a field out whose value is empty, unless a semicolon ends its name.
    if (*value == 0) { snprintf(text, count, "%s;", name); } else { snprintf(text, count, "%s: %s", name, value); }
    CURL *easy = transfer->easy;
    bool is_added = append(&transfer->fields, text) && SET(CURLOPT_HTTPHEADER, transfer->fields);
    free(text);
    return is_added;
}

void ccurl_transfer_free(ccurl_transfer *transfer) {
    if (transfer == NULL) { return; }
    curl_easy_cleanup(transfer->easy);
    curl_slist_free_all(transfer->fields);
    curl_slist_free_all(transfer->connect_to);
    free(transfer->host);
    free(transfer);
}

static long info(const ccurl_transfer *transfer, CURLINFO name) {
    long value = 0;
    curl_easy_getinfo(transfer->easy, name, &value);
    return value;
}

/// Why there is no connection that the request could be sent over.
static ccurl_end unconnected_end(const ccurl_transfer *transfer, long *number) {
    if (transfer->code == CURLE_COULDNT_CONNECT) {
        *number = info(transfer, CURLINFO_OS_ERRNO);
        return CCURL_NO_CONNECTION;
    }
    if (transfer->has_proxy && (*number = info(transfer, CURLINFO_HTTP_CONNECTCODE)) / 100 != 2) { return CCURL_NO_TUNNEL; }
    if (transfer->verification != X509_V_OK) {
        *number = transfer->verification;
        return CCURL_NO_TRUST;
    }
    if (transfer->is_other_host || transfer->code == CURLE_PEER_FAILED_VERIFICATION) { return CCURL_OTHER_HOST; }
    *number = transfer->alert;
    if (transfer->alert >= 0) { return CCURL_ALERT; }
    return transfer->is_secure ? CCURL_NO_HANDSHAKE : CCURL_CUT_OFF;
}

static ccurl_end connected_end(const ccurl_transfer *transfer, long *number) {
    *number = transfer->alert;
    switch (transfer->code) {
    case CURLE_WEIRD_SERVER_REPLY:
    // A transfer coding that libcurl 8.14 does not know.
    case CURLE_BAD_CONTENT_ENCODING:
    case CURLE_UNSUPPORTED_PROTOCOL: return CCURL_NO_HTTP;
    // libcurl keeps a line of at most 100 KB, and says that it has no memory for more.
    case CURLE_OUT_OF_MEMORY: return CCURL_LARGE_HEAD;
#if LIBCURL_VERSION_NUM >= 0x080600
    case CURLE_TOO_LARGE: return CCURL_LARGE_HEAD;
#endif
    default: return transfer->alert >= 0 ? CCURL_ALERT : CCURL_CUT_OFF;
    }
}

ccurl_end ccurl_transfer_end(const ccurl_transfer *transfer, long *number) {
    *number = 0;
    if (transfer->is_refused) { return CCURL_REFUSED; }
    if (transfer->is_other_address) { return CCURL_OTHER_ADDRESS; }
    if (transfer->code == CURLE_OK) { return CCURL_DONE; }
    if (transfer->code == CURLE_OPERATION_TIMEDOUT) { return CCURL_TIMED_OUT; }
    if (transfer->is_connected) { return connected_end(transfer, number); }
    return transfer->code == CURLE_OUT_OF_MEMORY ? CCURL_NO_MEMORY : unconnected_end(transfer, number);
}
