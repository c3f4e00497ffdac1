/* transfers.c: the helper's requests, made with libcurl: https, TLS 1.2 or later, verified certificates, no redirect, no proxy, limits on
 * time and size. Several run at once, so that an issuer that hangs holds up no other. */

#include "assay_documents.h"
#include "curl_functions.h"

#define ASSAY_LARGEST_FIELDS_OF_DOCUMENT 8192
#define ASSAY_CONNECT_LIMIT 1000L

struct ngx_http_assay_transfer_s {
    ngx_queue_t queue;
    CURL *easy;
    struct curl_slist *fields;
    ngx_str_t url;                      /* with a final NUL */
    ngx_http_assay_response_t response;
    char words[CURL_ERROR_SIZE];        /* libcurl's, of a failure */
    unsigned is_forbidden : 1;
    unsigned is_too_large : 1;
};

static const ngx_http_assay_curl_t *curl;
static CURLM *multi;
static ngx_queue_t transfers;
static const ngx_http_assay_transport_t *transport;

ngx_int_t ngx_http_assay_start_transfers(const ngx_http_assay_transport_t *rules, ngx_log_t *log)
{
    ngx_queue_init(&transfers);
    transport = rules;
    curl = ngx_http_assay_open_curl(log);
    multi = curl == NULL ? NULL : curl->curl_multi_init();
    return multi == NULL ? NGX_ERROR : NGX_OK;
}

static ngx_uint_t ngx_http_assay_is_plain(ngx_str_t url)
{
    return url.len > 5 && ngx_strncasecmp(url.data, (u_char *) "http:", 5) == 0;
}

/* libcurl calls this with each address that it is about to connect to. */
static curl_socket_t ngx_http_assay_on_socket(void *data, curlsocktype purpose, struct curl_sockaddr *address)
{
    ngx_http_assay_transfer_t *transfer = data;
    if (!ngx_http_assay_is_allowed_address(&address->addr, transport, ngx_http_assay_is_plain(transfer->url))) {
        transfer->is_forbidden = 1;
        return CURL_SOCKET_BAD;
    }
    return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

static size_t ngx_http_assay_on_body(char *bytes, size_t size, size_t count, void *data)
{
    ngx_http_assay_transfer_t *transfer = data;
    ngx_str_t *body = &transfer->response.body;
    if (body->data == NULL) {
        body->data = ngx_alloc(ASSAY_LARGEST_DOCUMENT, ngx_cycle->log);
    }
    if (body->data == NULL || count > ASSAY_LARGEST_DOCUMENT - body->len) {
        transfer->is_too_large = 1;
        return 0;
    }
    ngx_memcpy(body->data + body->len, bytes, count);
    body->len += count;
    return count;
}

static void ngx_http_assay_keep_field(ngx_http_assay_transfer_t *transfer, ngx_str_t name, ngx_str_t value)
{
    ngx_http_assay_response_t *response = &transfer->response;
    if (name.len == 11 && ngx_strncasecmp(name.data, (u_char *) "retry-after", 11) == 0) {
        ngx_int_t seconds = ngx_atoi(value.data, value.len);
        response->retry_after = seconds > 0 && seconds <= 86400 ? (uint32_t) seconds : 0;
    }
    if (!ngx_http_assay_is_kept_field(name) || response->fields.len + 4 + name.len + value.len > ASSAY_LARGEST_FIELDS_OF_DOCUMENT) {
        return;
    }
    if (response->fields.data == NULL) {
        response->fields.data = ngx_alloc(ASSAY_LARGEST_FIELDS_OF_DOCUMENT, ngx_cycle->log);
    }
    if (response->fields.data != NULL) {
        response->fields.len += ngx_http_assay_write_field_of_document(response->fields.data + response->fields.len, name, value);
        response->field_count++;
    }
}

static ngx_uint_t ngx_http_assay_is_blank(u_char byte)
{
    return byte == ' ' || byte == '\t';
}

static ngx_str_t ngx_http_assay_trimmed(ngx_str_t text)
{
    while (text.len > 0 && ngx_http_assay_is_blank(text.data[0])) {
        text.data++;
        text.len--;
    }
    while (text.len > 0 && ngx_http_assay_is_blank(text.data[text.len - 1])) {
        text.len--;
    }
    return text;
}

/* One line of the head. A status line, also the one after a 1xx response, begins a new head. */
static size_t ngx_http_assay_on_field(char *bytes, size_t size, size_t count, void *data)
{
    ngx_http_assay_transfer_t *transfer = data;
    ngx_str_t line = {count, (u_char *) bytes}, name, value;
    while (line.len > 0 && (line.data[line.len - 1] == '\r' || line.data[line.len - 1] == '\n')) {
        line.len--;
    }
    if (line.len >= 5 && ngx_strncmp(line.data, "HTTP/", 5) == 0) {
        transfer->response.fields.len = 0;
        transfer->response.field_count = 0;
        return count;
    }
    u_char *colon = line.len == 0 ? NULL : ngx_strlchr(line.data, line.data + line.len, ':');
    if (colon != NULL) {
        name = (ngx_str_t) {(size_t) (colon - line.data), line.data};
        value = (ngx_str_t) {line.len - name.len - 1, colon + 1};
        ngx_http_assay_keep_field(transfer, name, ngx_http_assay_trimmed(value));
    }
    return count;
}

static void ngx_http_assay_set_rules(CURL *easy)
{
    curl->curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, transport->allows_loopback ? "https,http" : "https");
    curl->curl_easy_setopt(easy, CURLOPT_SSLVERSION, (long) CURL_SSLVERSION_TLSv1_2);
    curl->curl_easy_setopt(easy, CURLOPT_HTTP_VERSION, (long) CURL_HTTP_VERSION_1_1);
    curl->curl_easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 0L);
    curl->curl_easy_setopt(easy, CURLOPT_PROXY, "");
    curl->curl_easy_setopt(easy, CURLOPT_DISALLOW_USERNAME_IN_URL, 1L);
    curl->curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    curl->curl_easy_setopt(easy, CURLOPT_FORBID_REUSE, 1L);
    curl->curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, ASSAY_CONNECT_LIMIT);
    curl->curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS, (long) transport->timeout);
    curl->curl_easy_setopt(easy, CURLOPT_USERAGENT, "assay");
    if (transport->authorities.len > 0) {
        curl->curl_easy_setopt(easy, CURLOPT_CAINFO, (char *) transport->authorities.data);
    }
}

static void ngx_http_assay_end_transfer(ngx_http_assay_transfer_t *transfer)
{
    if (transfer->easy != NULL) {
        curl->curl_multi_remove_handle(multi, transfer->easy);
        curl->curl_easy_cleanup(transfer->easy);
    }
    curl->curl_slist_free_all(transfer->fields);
    ngx_free(transfer->response.fields.data);
    ngx_free(transfer->response.body.data);
    ngx_free(transfer->url.data);
    ngx_free(transfer);
}

static ngx_uint_t ngx_http_assay_add_field(ngx_http_assay_transfer_t *transfer, const char *field)
{
    struct curl_slist *fields = curl->curl_slist_append(transfer->fields, field);
    transfer->fields = fields == NULL ? transfer->fields : fields;
    return fields != NULL;
}

/* Begins a request. `validators` is a field such as If-None-Match with a final NUL, or empty. NULL without memory. */
ngx_http_assay_transfer_t *ngx_http_assay_begin_transfer(ngx_str_t url, ngx_str_t validators, ngx_uint_t is_forced)
{
    ngx_http_assay_transfer_t *transfer = ngx_calloc(sizeof(*transfer), ngx_cycle->log);
    if (transfer == NULL) {
        return NULL;
    }
    transfer->url.data = ngx_calloc(url.len + 1, ngx_cycle->log);
    transfer->easy = curl->curl_easy_init();
    if (transfer->url.data == NULL || transfer->easy == NULL
        || !ngx_http_assay_add_field(transfer, "Accept: application/jwk-set+json, application/json")
        || (validators.len > 0 && !ngx_http_assay_add_field(transfer, (char *) validators.data))
        || (is_forced && !ngx_http_assay_add_field(transfer, "Cache-Control: no-cache")))
    {
        ngx_http_assay_end_transfer(transfer);
        return NULL;
    }
    ngx_memcpy(transfer->url.data, url.data, url.len);
    transfer->url.len = url.len;
    ngx_http_assay_set_rules(transfer->easy);
    curl->curl_easy_setopt(transfer->easy, CURLOPT_URL, (char *) transfer->url.data);
    curl->curl_easy_setopt(transfer->easy, CURLOPT_HTTPHEADER, transfer->fields);
    curl->curl_easy_setopt(transfer->easy, CURLOPT_PRIVATE, transfer);
    curl->curl_easy_setopt(transfer->easy, CURLOPT_ERRORBUFFER, transfer->words);
    curl->curl_easy_setopt(transfer->easy, CURLOPT_OPENSOCKETFUNCTION, ngx_http_assay_on_socket);
    curl->curl_easy_setopt(transfer->easy, CURLOPT_OPENSOCKETDATA, transfer);
    curl->curl_easy_setopt(transfer->easy, CURLOPT_WRITEFUNCTION, ngx_http_assay_on_body);
    curl->curl_easy_setopt(transfer->easy, CURLOPT_WRITEDATA, transfer);
    curl->curl_easy_setopt(transfer->easy, CURLOPT_HEADERFUNCTION, ngx_http_assay_on_field);
    curl->curl_easy_setopt(transfer->easy, CURLOPT_HEADERDATA, transfer);
    curl->curl_multi_add_handle(multi, transfer->easy);
    ngx_queue_insert_tail(&transfers, &transfer->queue);
    return transfer;
}

ngx_uint_t ngx_http_assay_is_transferring(ngx_str_t url)
{
    for (ngx_queue_t *at = ngx_queue_head(&transfers); at != ngx_queue_sentinel(&transfers); at = ngx_queue_next(at)) {
        ngx_http_assay_transfer_t *transfer = ngx_queue_data(at, ngx_http_assay_transfer_t, queue);
        if (transfer->url.len == url.len && ngx_memcmp(transfer->url.data, url.data, url.len) == 0) {
            return 1;
        }
    }
    return 0;
}

static uint32_t ngx_http_assay_failure_of(const ngx_http_assay_transfer_t *transfer, CURLcode code)
{
    if (transfer->is_too_large) {
        return ASSAY_FAILURE_TOO_LARGE;
    }
    switch (code) {
    case CURLE_OK:
        return 0;
    case CURLE_COULDNT_CONNECT:
        return transfer->is_forbidden ? ASSAY_FAILURE_FORBIDDEN : ASSAY_FAILURE_CONNECTION;
    case CURLE_COULDNT_RESOLVE_HOST:
        return ASSAY_FAILURE_UNRESOLVED;
    case CURLE_OPERATION_TIMEDOUT:
        return ASSAY_FAILURE_TIMED_OUT;
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CACERT_BADFILE:
    case CURLE_SSL_CIPHER:
    case CURLE_SSL_CERTPROBLEM:
        return ASSAY_FAILURE_TLS;
    case CURLE_URL_MALFORMAT:
    case CURLE_UNSUPPORTED_PROTOCOL:
        return ASSAY_FAILURE_URL;
    case CURLE_WEIRD_SERVER_REPLY:
    case CURLE_HTTP2:
        return ASSAY_FAILURE_MALFORMED;
    default:
        return ASSAY_FAILURE_CONNECTION;
    }
}

/* What libcurl says of a failed TLS connection. The other side chooses some of it, such as names in its certificate. */
static void ngx_http_assay_note_reason(ngx_http_assay_transfer_t *transfer)
{
    for (ngx_uint_t i = 0; i < ASSAY_LONGEST_REASON && transfer->words[i] != '\0'; i++) {
        u_char byte = (u_char) transfer->words[i];
        transfer->response.reason[i] = byte >= 0x20 && byte < 0x7f ? byte : '?';
    }
}

/* Waits at most `wait` milliseconds for something to happen, and tells of each transfer that has ended. Returns how many are under way. */
ngx_uint_t ngx_http_assay_run_transfers(ngx_msec_t wait, void (*done)(ngx_str_t url, ngx_http_assay_response_t *response))
{
    int running = 0, left = 0;
    long status = 0;
    CURLMsg *message;
    curl->curl_multi_perform(multi, &running);
    if (running > 0 && wait > 0) {
        curl->curl_multi_poll(multi, NULL, 0, (int) wait, NULL);
        curl->curl_multi_perform(multi, &running);
    }
    while ((message = curl->curl_multi_info_read(multi, &left)) != NULL) {
        ngx_http_assay_transfer_t *transfer = NULL;
        if (message->msg != CURLMSG_DONE) {
            continue;
        }
        curl->curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &transfer);
        curl->curl_easy_getinfo(message->easy_handle, CURLINFO_RESPONSE_CODE, &status);
        transfer->response.failure = ngx_http_assay_failure_of(transfer, message->data.result);
        transfer->response.status = (uint32_t) status;
        if (transfer->response.failure == ASSAY_FAILURE_TLS) {
            ngx_http_assay_note_reason(transfer);
        }
        ngx_queue_remove(&transfer->queue);
        done(transfer->url, &transfer->response);
        ngx_http_assay_end_transfer(transfer);
    }
    return (ngx_uint_t) running;
}
