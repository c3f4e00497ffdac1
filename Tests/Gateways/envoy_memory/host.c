/* A host for the module that Envoy cannot be: each text that it lends lies in a block of its own, of exactly its size, and every setter
 * moves all of them. Under AddressSanitizer a read past a text, or of a text after a setter, ends the program.
 *
 *     host CONFIGURATION ROUTES TOKENS SEED COUNT     files: the filter's settings; a policy's name a line; a token a line */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../../integrations/envoy/abi.h"

const void *envoy_dynamic_module_on_http_filter_config_new(void *envoy, envoy_bytes name, envoy_bytes text);
void envoy_dynamic_module_on_http_filter_config_destroy(const void *module);
const void *envoy_dynamic_module_on_http_filter_per_route_config_new(envoy_bytes name, envoy_bytes text);
void envoy_dynamic_module_on_http_filter_per_route_config_destroy(const void *module);
const void *envoy_dynamic_module_on_http_filter_new(const void *configuration, void *envoy);
void envoy_dynamic_module_on_http_filter_destroy(const void *module);
int envoy_dynamic_module_on_http_filter_request_headers(void *envoy, const void *module, bool is_end);
int envoy_dynamic_module_on_http_filter_request_trailers(void *envoy, const void *module);

#define MOST 32

static envoy_header headers[MOST];
static size_t header_count;
static const void *routes[MOST];
static size_t route_count;
static const void *route;
static char *tokens[MOST];
static size_t token_count, allowed, refused;
static uint64_t state;

static uint32_t any(uint32_t below) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(state >> 33) % below;
}

static char *block(const char *bytes, size_t length) {
    char *copy = malloc(length ? length : 1);
    if (!copy) {
        abort();
    }
    return length ? memcpy(copy, bytes, length) : copy;
}

/* The digest of the client's certificate. */
static char *digest;

static void move_digest(void) {
    static const char DIGITS[] = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";
    free(digest);
    digest = block(DIGITS, sizeof DIGITS - 1);
}

static void move_all(void) {
    move_digest();
    for (size_t i = 0; i < header_count; i++) {
        char *key = block(headers[i].key, headers[i].key_length), *value = block(headers[i].value, headers[i].value_length);
        free((char *)headers[i].key);
        free((char *)headers[i].value);
        headers[i].key = key;
        headers[i].value = value;
    }
}

static void add(const char *key, size_t key_length, const char *value, size_t value_length) {
    if (header_count < MOST) {
        headers[header_count++] = (envoy_header){block(key, key_length), key_length, block(value, value_length), value_length};
    }
}

static void remove_all(const char *key, size_t length) {
    size_t kept = 0;
    for (size_t i = 0; i < header_count; i++) {
        if (headers[i].key_length == length && memcmp(headers[i].key, key, length) == 0) {
            free((char *)headers[i].key);
            free((char *)headers[i].value);
        } else {
            headers[kept++] = headers[i];
        }
    }
    header_count = kept;
}

/* What the module reads */
size_t CALLBACK(http_get_headers_size)(void *filter, int type) { return (void)filter, (void)type, header_count; }

bool CALLBACK(http_get_headers)(void *filter, int type, envoy_header *out) {
    (void)filter, (void)type;
    memcpy(out, headers, header_count * sizeof *headers);
    return true;
}

bool CALLBACK(http_filter_get_attribute_string)(void *filter, int attribute, envoy_bytes *out) {
    (void)filter, (void)attribute;
    if (any(2)) {
        return false;
    }
    if (!digest) {
        move_digest();
    }
    *out = (envoy_bytes){digest, 64};
    return true;
}

const void *CALLBACK(get_most_specific_route_config)(void *filter) { return (void)filter, route; }

/* What it changes. The texts that it passes are read before all others move. */
bool CALLBACK(http_add_header)(void *filter, int type, envoy_bytes name, envoy_bytes value) {
    (void)filter, (void)type;
    add(name.ptr, name.length, value.ptr, value.length);
    move_all();
    return true;
}

bool CALLBACK(http_set_header)(void *filter, int type, envoy_bytes name, envoy_bytes value) {
    (void)filter, (void)type;
    remove_all(name.ptr, name.length);
    if (value.ptr) {
        add(name.ptr, name.length, value.ptr, value.length);
    }
    move_all();
    return true;
}

static size_t sum; /* so that no reading is left out */

static void read_all(envoy_bytes text) {
    for (size_t i = 0; i < text.length; i++) {
        sum += (unsigned char)text.ptr[i];
    }
}

void CALLBACK(http_send_response)(void *filter, uint32_t status, envoy_header *fields, size_t count, envoy_bytes body,
                                  envoy_bytes details) {
    (void)filter;
    for (size_t i = 0; i < count; i++) {
        read_all((envoy_bytes){fields[i].key, fields[i].key_length});
        read_all((envoy_bytes){fields[i].value, fields[i].value_length});
    }
    read_all(body);
    read_all(details);
    refused += status >= 400;
    move_all();
}

void CALLBACK(http_set_dynamic_metadata_string)(void *filter, envoy_bytes space, envoy_bytes key, envoy_bytes value) {
    (void)filter;
    read_all(space), read_all(key), read_all(value);
    move_all();
}

void CALLBACK(http_set_dynamic_metadata_struct)(void *filter, envoy_bytes space, envoy_bytes message) {
    (void)filter;
    read_all(space), read_all(message);
    move_all();
}

void CALLBACK(http_clear_route_cache)(void *filter) {
    (void)filter;
    route = any(3) ? route : routes[any((uint32_t)route_count)];
    move_all();
}

/* What does not matter here */
void CALLBACK(log)(int level, envoy_bytes text) { fprintf(stderr, "%d %.*s\n", level, (int)text.length, text.ptr); }
void CALLBACK(http_filter_continue_decoding)(void *filter) { (void)filter; }
void *CALLBACK(http_filter_scheduler_new)(void *filter) { return filter; }
void CALLBACK(http_filter_scheduler_commit)(void *scheduler, uint64_t event) { (void)scheduler, (void)event; }
void CALLBACK(http_filter_scheduler_delete)(void *scheduler) { (void)scheduler; }
#define STAT(name) \
    int CALLBACK(name)(void *config, envoy_bytes text, envoy_bytes *labels, size_t count, size_t *out) { \
        (void)config, (void)labels, (void)count; \
        read_all(text); \
        return *out = 1, 0; \
    }
STAT(http_filter_config_define_counter)
STAT(http_filter_config_define_gauge)
STAT(http_filter_config_define_histogram)
#define NUMBER(name) \
    int CALLBACK(name)(void *config, size_t id, envoy_bytes *labels, size_t count, uint64_t value) { \
        return (void)config, (void)id, (void)labels, (void)count, (void)value, 0; \
    }
NUMBER(http_filter_config_increment_counter)
NUMBER(http_filter_config_set_gauge)
NUMBER(http_filter_config_record_histogram_value)
NUMBER(http_filter_increment_counter)
NUMBER(http_filter_record_histogram_value)
void CALLBACK(bootstrap_extension_config_signal_init_complete)(void *config) { (void)config; }
void *CALLBACK(bootstrap_extension_config_scheduler_new)(void *config) { return config; }
void CALLBACK(bootstrap_extension_config_scheduler_delete)(void *scheduler) { (void)scheduler; }
void CALLBACK(bootstrap_extension_config_scheduler_commit)(void *scheduler, uint64_t event) { (void)scheduler, (void)event; }
void *CALLBACK(bootstrap_extension_timer_new)(void *config) { return config; }
void CALLBACK(bootstrap_extension_timer_enable)(void *timer, uint64_t milliseconds) { (void)timer, (void)milliseconds; }
void CALLBACK(bootstrap_extension_timer_delete)(void *timer) { (void)timer; }
int CALLBACK(bootstrap_extension_http_callout)(void *config, uint64_t *id, envoy_bytes cluster, envoy_header *fields, size_t count,
                                               envoy_bytes body, uint64_t timeout) {
    return (void)config, (void)id, (void)cluster, (void)fields, (void)count, (void)body, (void)timeout, ENVOY_CALLOUT_NO_CLUSTER;
}

static const char *const NAMES[] = {"authorization", "cookie", "x-token", "x-sub", "x.sub", "x_token", "x-http-method-override", "origin",
                                    "access-control-request-method", "x-payload", "x-other", ""};
/* Those of them that bring neither an identity nor a token. */
static const char *const HARMLESS[] = {"x-http-method-override", "origin", "access-control-request-method", "x-other", ""};
static const char *const PIECES[] = {"Bearer ", "bearer  ", "Token ", "session=", "; ", ";", "=", "\"", ",", "&", "?", "jwt=", "%6awt=",
                                     "%", "%2", "%2e", "%252e", "/..", "/", "//", "+", " ", "\t", "GET", "\xc3\xa4", "\xff", "%ed%a0%80", "a"};

/* Appends tokens, pieces and bytes. */
static size_t compose(char *out, size_t most) {
    size_t length = 0;
    for (uint32_t count = any(6); count; count--) {
        const char *piece = any(3) ? PIECES[any(sizeof PIECES / sizeof *PIECES)] : tokens[any((uint32_t)token_count)];
        size_t size = strlen(piece);
        if (length + size < most) {
            memcpy(out + length, piece, size);
            length += size;
        }
    }
    for (uint32_t changes = any(8) ? 0 : any(4); changes && length; changes--) {
        out[any((uint32_t)length)] = (char)any(256);
    }
    return length - (length && !any(8) ? any((uint32_t)length) : 0);
}

static void compose_request(void) {
    char text[65536];
    const char *method = any(4) ? "GET" : any(2) ? "OPTIONS" : "CONNECT";
    add(":method", 7, method, strlen(method));
    text[0] = '/';
    size_t length = any(3) ? 1 + compose(text + 1, sizeof text - 1) : 1;
    add(":path", 5, text, any(32) ? length : 0);
    for (uint32_t count = any(6); count; count--) {
        const char *name = NAMES[any(sizeof NAMES / sizeof *NAMES)];
        add(name, strlen(name), text, compose(text, sizeof text));
    }
    if (!any(3)) {
        length = (size_t)snprintf(text, sizeof text, "Bearer %s", tokens[any((uint32_t)token_count)]);
        add("authorization", 13, text, length);
    }
}

static void end_request(void) {
    while (header_count) {
        header_count--;
        free((char *)headers[header_count].key);
        free((char *)headers[header_count].value);
    }
}

static bool is_harmless(const char *name, size_t length) {
    for (size_t i = 0; i < sizeof HARMLESS / sizeof *HARMLESS; i++) {
        if (strlen(HARMLESS[i]) == length && memcmp(HARMLESS[i], name, length) == 0) {
            return true;
        }
    }
    return false;
}

/* The trailers of a request that passes, in the place of its headers. Only harmless ones may be left. */
static void send_trailers(const void *filter) {
    end_request();
    for (uint32_t count = any(12); count; count--) {
        const char *name = NAMES[any(sizeof NAMES / sizeof *NAMES)];
        add(name, strlen(name), "evil", 4);
    }
    if (envoy_dynamic_module_on_http_filter_request_trailers(&state, filter) != ENVOY_CONTINUE) {
        abort();
    }
    for (size_t i = 0; i < header_count; i++) {
        if (!is_harmless(headers[i].key, headers[i].key_length)) {
            fprintf(stderr, "the trailer %.*s is left\n", (int)headers[i].key_length, headers[i].key);
            abort();
        }
    }
}

static char *file(const char *name) {
    FILE *stream = fopen(name, "rb");
    char *text = calloc(1, 1 << 20);
    if (!stream || !text) {
        exit(2);
    }
    text[fread(text, 1, (1 << 20) - 1, stream)] = 0;
    fclose(stream);
    return text;
}

static const void *configured(const char *name) {
    char *text = file(name), *exact = block(text, strlen(text));
    envoy_bytes settings = {exact, strlen(text)};
    const void *configuration = envoy_dynamic_module_on_http_filter_config_new(&state, (envoy_bytes){NULL, 0}, settings);
    free(exact);
    free(text);
    return configuration;
}

static void read_routes(const char *name) {
    char *text = file(name), settings[256];
    for (char *line = strtok(text, "\n"); line && route_count < MOST; line = strtok(NULL, "\n")) {
        int length = snprintf(settings, sizeof settings, "{\"policy\": \"%s\"}", line);
        routes[route_count++] = envoy_dynamic_module_on_http_filter_per_route_config_new(
            (envoy_bytes){NULL, 0}, (envoy_bytes){settings, (size_t)length});
    }
    free(text);
}

static void ask(const void *configuration) {
    route = routes[any((uint32_t)route_count)];
    compose_request();
    const void *filter = envoy_dynamic_module_on_http_filter_new(configuration, &state);
    if (envoy_dynamic_module_on_http_filter_request_headers(&state, filter, true) == ENVOY_CONTINUE) {
        allowed++;
        send_trailers(filter);
    }
    envoy_dynamic_module_on_http_filter_destroy(filter);
    end_request();
}

int main(int count, char **words) {
    if (count != 6) {
        return 2;
    }
    const void *configuration = configured(words[1]);
    read_routes(words[2]);
    char *text = file(words[3]);
    for (char *line = strtok(text, "\n"); line && token_count < MOST; line = strtok(NULL, "\n")) {
        tokens[token_count++] = line;
    }
    state = strtoull(words[4], NULL, 10);
    for (long left = configuration ? atol(words[5]) : 0; left; left--) {
        ask(configuration);
    }
    for (size_t i = 0; i < route_count; i++) {
        envoy_dynamic_module_on_http_filter_per_route_config_destroy(routes[i]);
    }
    if (configuration) {
        envoy_dynamic_module_on_http_filter_config_destroy(configuration);
    }
    free(text);
    printf("%zu passed, %zu refused, sum %zu\n", allowed, refused, sum);
    return configuration ? 0 : 1;
}
