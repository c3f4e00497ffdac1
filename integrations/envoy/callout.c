#include "callout.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

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

/* Sends a request; 0, or the failure for libassay. */
static uint32_t send(void *extension, ae_source *source, const assay_fetch *fetch) {
    assay_text url = ae_text(assay_fetch_url(fetch));
    bool is_https = ae_begins(url, LITERAL("https://"));
    size_t scheme = is_https ? 8 : 7;
    if (url.len < scheme) {
        return ASSAY_FAILURE_URL;
    }
    assay_text rest = {url.bytes + scheme, url.len - scheme}, authority = {rest.bytes, strcspn(rest.bytes, "/?")};
    assay_text target = {rest.bytes + authority.len, rest.len - authority.len};
    const char *cluster = cluster_of(source, authority, is_https);
    if (!cluster) {
        ae_log(ENVOY_LOG_WARN, "assay: keys of %.200s: no cluster is configured for %.200s", source->name, url.bytes);
        return ASSAY_FAILURE_FORBIDDEN;
    }
    char *path = ae_allocate(target.len + 2, 1);
    memcpy(path + (target.len && target.bytes[0] == '/' ? 0 : 1), target.bytes, target.len);
    path[0] = '/';
    envoy_header fields[MOST_FIELDS];
    size_t count = 0;
    add(fields, &count, LITERAL(":method"), LITERAL("GET"));
    add(fields, &count, LITERAL(":scheme"), is_https ? LITERAL("https") : LITERAL("http"));
    add(fields, &count, LITERAL(":path"), ae_text(path));
    add(fields, &count, LITERAL("host"), authority);
    const char *name, *value;
    for (size_t i = 0; count < MOST_FIELDS && assay_fetch_field(&name, &value, fetch, i) == ASSAY_OK; i++) {
        add(fields, &count, ae_text(name), ae_text(value));
    }
    int started = CALLBACK(bootstrap_extension_http_callout)(extension, &source->callout, ae_envoy(ae_text(cluster)), fields, count,
                                                            (envoy_bytes){NULL, 0}, source->timeout);
    free(path);
    if (started == ENVOY_CALLOUT_NO_CLUSTER) {
        ae_log(ENVOY_LOG_WARN, "assay: keys of %.200s: there is no cluster `%.200s`", source->name, cluster);
    }
    return started == ENVOY_CALLOUT_STARTED ? 0 : ASSAY_FAILURE_CONNECTION;
}

static void note_end(ae_source *source, assay_code code) {
    source->last_duration = (uint64_t)(ae_now() - source->began);
    if (code == ASSAY_FETCH_CONTINUES) {
        return;
    }
    source->fetches++;
    if (code != ASSAY_OK) {
        assay_keys_state state = {.size = sizeof state};
        assay_keys_status(&state, source->keys);
        const char *reason = state.last_failure ? state.last_failure : assay_code_name(code);
        source->failures++;
        ae_log(ENVOY_LOG_WARN, "assay: keys of %.200s were not fetched: %s", source->name, reason);
    }
}

void ae_callout_start(void *extension, ae_source *source) {
    assay_fetch *fetch = NULL;
    while (!source->fetch && assay_keys_request(&fetch, source->keys) == ASSAY_OK) {
        source->began = ae_now();
        uint32_t failure = send(extension, source, fetch);
        if (!failure) {
            source->fetch = fetch;
            return;
        }
        note_end(source, assay_keys_fail(source->keys, fetch, failure));
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

static assay_code install(ae_source *source, const envoy_header *headers, size_t header_count, const ae_bytes *body) {
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
    assay_code code = assay_keys_install(source->keys, source->fetch, status, fields, count, body->bytes, body->len);
    free(fields);
    return code;
}

void ae_callout_end(ae_source *source, int result, const envoy_header *headers, size_t header_count, const envoy_bytes *chunks,
                    size_t chunk_count) {
    ae_bytes body = {0};
    bool is_short = joined(&body, chunks, chunk_count);
    assay_code code;
    if (result == ENVOY_CALLOUT_SUCCESS && is_short) {
        code = install(source, headers, header_count, &body);
    } else {
        uint32_t failure = result == ENVOY_CALLOUT_RESET ? ASSAY_FAILURE_CONNECTION : ASSAY_FAILURE_TOO_LARGE;
        code = assay_keys_fail(source->keys, source->fetch, failure);
    }
    free(body.bytes);
    assay_fetch_free(source->fetch);
    source->fetch = NULL;
    source->callout = 0;
    note_end(source, code);
}
