#include "callout.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "reason.h"
#include "waiting.h"

#define MOST_FIELDS 16
#define MOST_BODY 262144

int64_t ae_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000ll + now.tv_nsec / 1000000;
}

static void add(envoy_header *fields, size_t *count, assay_text name, assay_text value) {
    fields[(*count)++] = (envoy_header){name.bytes, name.len, value.bytes, value.len};
}

/* The cluster of a URL's authority; NULL where no setting names one. An issuer's metadata cannot make Envoy ask anybody else, nor leave
 * https. */
static const char *cluster_of(const ae_source *source, assay_text authority, bool is_https) {
    for (size_t i = 0; i < source->route_count && is_https >= source->is_https; i++) {
        if (ae_equal(authority, ae_text(source->routes[i].authority))) {
            return source->routes[i].cluster;
        }
    }
    return NULL;
}

/* What a URL says: RFC 3986 section 3, without user information and fragment. */
typedef struct url {
    bool is_https;
    assay_text authority, target;
} url;

static bool read_url(url *out, assay_text text) {
    out->is_https = ae_begins(text, LITERAL("https://"));
    size_t scheme = out->is_https ? 8 : 7;
    if (text.len <= scheme) {
        return false;
    }
    assay_text rest = {text.bytes + scheme, text.len - scheme};
    out->authority = (assay_text){rest.bytes, strcspn(rest.bytes, "/?")};
    out->target = (assay_text){rest.bytes + out->authority.len, rest.len - out->authority.len};
    return true;
}

/* The target as a path: "/" for an empty one. */
static ae_bytes path_of(const url *url) {
    ae_bytes path = {0};
    if (!url->target.len || url->target.bytes[0] != '/') {
        ae_append_byte(&path, '/');
    }
    ae_append_text(&path, url->target);
    return path;
}

static int send_to(void *extension, ae_source *source, const assay_fetch *fetch, const url *url, const char *cluster) {
    ae_bytes path = path_of(url);
    envoy_header fields[MOST_FIELDS];
    size_t count = 0;
    add(fields, &count, LITERAL(":method"), LITERAL("GET"));
    add(fields, &count, LITERAL(":scheme"), url->is_https ? LITERAL("https") : LITERAL("http"));
    add(fields, &count, LITERAL(":path"), (assay_text){path.bytes, path.len});
    add(fields, &count, LITERAL("host"), url->authority);
    const char *name, *value;
    for (size_t i = 0; count < MOST_FIELDS && assay_fetch_field(&name, &value, fetch, i) == ASSAY_OK; i++) {
        add(fields, &count, ae_text(name), ae_text(value));
    }
    int started = CALLBACK(bootstrap_extension_http_callout)(extension, &source->callout, ae_envoy(ae_text(cluster)), fields, count,
                                                            (envoy_bytes){NULL, 0}, source->timeout);
    free(path.bytes);
    return started;
}

/* Sends a request; 0, or the failure for libassay. */
static uint32_t send_request(void *extension, ae_source *source, const assay_fetch *fetch, ae_reason *reason) {
    url url;
    if (!read_url(&url, ae_text(assay_fetch_url(fetch)))) {
        return ASSAY_FAILURE_URL;
    }
    source->cluster = cluster_of(source, url.authority, url.is_https);
    if (!source->cluster) {
        ae_reason_set(reason, "no cluster is configured for %.200s", assay_fetch_url(fetch));
        return ASSAY_FAILURE_FORBIDDEN;
    }
    int started = send_to(extension, source, fetch, &url, source->cluster);
    if (started == ENVOY_CALLOUT_NO_CLUSTER) {
        ae_reason_no_cluster(reason, source);
    } else if (started != ENVOY_CALLOUT_STARTED) {
        ae_reason_set(reason, "cluster `%.200s` did not connect; perhaps its name does not resolve", source->cluster);
    }
    source->lacks_cluster &= started == ENVOY_CALLOUT_NO_CLUSTER;
    return started == ENVOY_CALLOUT_STARTED ? 0 : ASSAY_FAILURE_CONNECTION;
}

/* One line for the first keys, and one for the first after a failure. */
static void note_success(ae_source *source) {
    if (source->is_current) {
        return;
    }
    assay_keys_state state = {.size = sizeof state};
    assay_keys_status(&state, source->keys);
    source->is_current = true;
    ae_log(ENVOY_LOG_INFO, "assay: keys of %.200s are installed: %llu", source->name, (unsigned long long)state.key_count);
}

static void note_failure(ae_source *source, assay_code code, ae_reason *reason) {
    assay_keys_state state = {.size = sizeof state};
    assay_keys_status(&state, source->keys);
    ae_reason_complete(reason, state.last_failure ? state.last_failure : assay_code_name(code));
    source->failures++;
    source->is_current = false;
    int level = reason->is_lasting ? ENVOY_LOG_ERROR : ENVOY_LOG_WARN;
    ae_log(level, "assay: keys of %.200s were not fetched: %s", source->name, reason->text);
}

static void note_end(ae_source *source, assay_code code, ae_reason *reason) {
    source->last_duration = (uint64_t)(ae_now() - source->began);
    if (code == ASSAY_FETCH_CONTINUES) {
        return;
    }
    source->fetches++;
    if (code == ASSAY_OK) {
        note_success(source);
    } else {
        note_failure(source, code, reason);
    }
    ae_waits_wake(source);
}

void ae_callout_start(void *extension, ae_source *source) {
    assay_fetch *fetch = NULL;
    while (!source->fetch && assay_keys_request(&fetch, source->keys) == ASSAY_OK) {
        source->began = ae_now();
        ae_reason reason = {0};
        uint32_t failure = send_request(extension, source, fetch, &reason);
        if (!failure) {
            source->fetch = fetch;
            return;
        }
        note_end(source, assay_keys_fail(source->keys, fetch, failure), &reason);
        assay_fetch_free(fetch);
    }
}

/* The body as one text; false if it is too long. */
static bool joined(ae_bytes *out, const envoy_bytes *chunks, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (chunks[i].length > MOST_BODY || out->len + chunks[i].length > MOST_BODY) {
            return false;
        }
        ae_append(out, chunks[i].ptr, chunks[i].length);
    }
    return true;
}

static uint32_t status_of(assay_text text) {
    uint32_t status = 0;
    for (size_t i = 0; i < text.len && i < 3; i++) {
        status = status * 10 + (uint32_t)(text.bytes[i] - '0');
    }
    return status;
}

static assay_code install(ae_source *source, const envoy_header *headers, size_t header_count, const ae_bytes *body, ae_reason *reason) {
    assay_field *fields = ae_allocate(header_count, sizeof *fields);
    size_t count = 0;
    uint32_t status = 0;
    for (size_t i = 0; i < header_count; i++) {
        assay_text name = {headers[i].key, headers[i].key_length}, value = {headers[i].value, headers[i].value_length};
        if (ae_equal(name, LITERAL(":status"))) {
            status = status_of(value);
        } else if (name.len && name.bytes[0] != ':') {
            fields[count++] = (assay_field){name, value};
        }
    }
    ae_reason_of_status(reason, source, status, (assay_text){body->bytes, body->len});
    assay_code code = assay_keys_install(source->keys, source->fetch, status, fields, count, body->bytes, body->len);
    free(fields);
    return code;
}

void ae_callout_end(ae_source *source, int result, const envoy_header *headers, size_t header_count, const envoy_bytes *chunks,
                    size_t chunk_count) {
    ae_bytes body = {0};
    bool is_short = joined(&body, chunks, chunk_count);
    ae_reason reason = {0};
    assay_code code;
    if (result == ENVOY_CALLOUT_SUCCESS && is_short) {
        code = install(source, headers, header_count, &body, &reason);
    } else {
        uint32_t failure = result == ENVOY_CALLOUT_RESET ? ASSAY_FAILURE_CONNECTION : ASSAY_FAILURE_TOO_LARGE;
        if (result == ENVOY_CALLOUT_RESET) {
            ae_reason_set(&reason, "cluster `%.200s` ended the request without an answer", source->cluster);
        }
        code = assay_keys_fail(source->keys, source->fetch, failure);
    }
    free(body.bytes);
    assay_fetch_free(source->fetch);
    source->fetch = NULL;
    source->callout = 0;
    note_end(source, code, &reason);
}
