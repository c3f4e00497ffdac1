#include "upstream.h"

#include <string.h>

static const ae_field_value *field_values(const ae_scratch *scratch, size_t *out_count) {
    *out_count = scratch->fields.len / sizeof(ae_field_value);
    return (const ae_field_value *)(const void *)scratch->fields.bytes;
}

static void set(void *filter, assay_text name, assay_text value) {
    CALLBACK(http_set_header)(filter, ENVOY_REQUEST_HEADER, ae_envoy(name), ae_envoy(value));
}

static void remove_field_of(void *filter, int kind, assay_text name) {
    CALLBACK(http_set_header)(filter, kind, ae_envoy(name), (envoy_bytes){NULL, 0});
}

static void remove_field(void *filter, assay_text name) { remove_field_of(filter, ENVOY_REQUEST_HEADER, name); }

/* Bits of the fields that the client sent. */
static uint64_t sent_fields(const ae_configuration *configuration, const ae_request *request) {
    uint64_t sent = 0;
    for (size_t i = 0; i < request->count; i++) {
        int slot = ae_names_find(&configuration->fields, ae_name(&request->headers[i]));
        sent |= slot >= 0 ? 1ull << slot : 0;
    }
    return sent;
}

static bool is_withheld(const ae_judgement *judgement, uint64_t places, int kind, assay_text name) {
    for (uint64_t rest = places; rest; rest &= rest - 1) {
        const ae_place *place = &judgement->configuration->places.places[__builtin_ctzll(rest)];
        if (place->kind == kind && (kind == AE_QUERY ? ae_is_parameter(name, place->name) : ae_equal(ae_text(place->name), name))) {
            return true;
        }
    }
    return false;
}

/* The Cookie fields without the cookies in `places`. */
static void append_cookies(ae_bytes *to, const ae_judgement *judgement, const ae_request *request, uint64_t places) {
    size_t start = to->len;
    for (size_t i = 0; i < request->count; i++) {
        if (!ae_equal(ae_name(&request->headers[i]), LITERAL("cookie"))) {
            continue;
        }
        assay_text rest = ae_header_value(&request->headers[i]);
        ae_cookie cookie;
        while (ae_next_cookie(&cookie, &rest)) {
            if (!is_withheld(judgement, places, AE_COOKIE, cookie.name)) {
                ae_append(to, "; ", to->len > start ? 2 : 0);
                ae_append_text(to, cookie.text);
            }
        }
    }
}

/* The target without the parameters in `places`. */
static void append_target(ae_bytes *to, const ae_judgement *judgement, const ae_request *request, uint64_t places) {
    assay_text rest = request->query;
    ae_append_text(to, request->path);
    char separator = '?';
    while (rest.len) {
        assay_text part = ae_part(&rest, '&');
        if (!is_withheld(judgement, places, AE_QUERY, part)) {
            ae_append_byte(to, separator);
            ae_append_text(to, part);
            separator = '&';
        }
    }
}

static uint64_t of_kind(const ae_judgement *judgement, uint64_t places, int kind) {
    uint64_t found = 0;
    for (uint64_t rest = places; rest; rest &= rest - 1) {
        uint64_t bit = rest & -rest;
        found |= judgement->configuration->places.places[__builtin_ctzll(rest)].kind == kind ? bit : 0;
    }
    return found;
}

static void withhold(void *filter, const ae_judgement *judgement, uint64_t places, assay_text cookies, assay_text target) {
    if (of_kind(judgement, places, AE_AUTHORIZATION)) {
        remove_field(filter, LITERAL("authorization"));
    }
    for (uint64_t rest = of_kind(judgement, places, AE_HEADER); rest; rest &= rest - 1) {
        remove_field(filter, ae_text(judgement->configuration->places.places[__builtin_ctzll(rest)].name));
    }
    if (of_kind(judgement, places, AE_COOKIE)) {
        if (cookies.len) {
            set(filter, LITERAL("cookie"), cookies);
        } else {
            remove_field(filter, LITERAL("cookie"));
        }
    }
    if (of_kind(judgement, places, AE_QUERY)) {
        set(filter, LITERAL(":path"), target);
    }
}

/* A field that the client has not sent is added. To replace one, Envoy looks for it first, and builds an index of all fields for that. */
static void set_field(void *filter, assay_text name, assay_text value, bool is_sent) {
    if (is_sent) {
        set(filter, name, value);
    } else {
        CALLBACK(http_add_header)(filter, ENVOY_REQUEST_HEADER, ae_envoy(name), ae_envoy(value));
    }
}

static void set_fields(void *filter, const ae_judgement *judgement, uint64_t sent) {
    size_t count;
    const ae_field_value *values = field_values(judgement->scratch, &count);
    const ae_names *names = &judgement->configuration->fields;
    for (size_t i = 0; i < count; i++) {
        if (judgement->accepted >> values[i].provider & 1 && values[i].len) {
            assay_text value = {judgement->scratch->values.bytes + values[i].offset, values[i].len};
            set_field(filter, names->names[values[i].slot], value, sent >> values[i].slot & 1);
            sent &= ~(1ull << values[i].slot);
        }
    }
    for (; sent; sent &= sent - 1) {
        remove_field(filter, names->names[__builtin_ctzll(sent)]);
    }
}

void ae_change_request(void *filter, const ae_judgement *judgement, const ae_request *request, uint64_t withheld) {
    uint64_t places = 0, sent = sent_fields(judgement->configuration, request);
    for (uint64_t rest = withheld; rest; rest &= rest - 1) {
        places |= judgement->configuration->providers[__builtin_ctzll(rest)].places;
    }
    places &= judgement->held;
    ae_bytes *copies = &judgement->scratch->values;
    size_t cookies = copies->len;
    if (of_kind(judgement, places, AE_COOKIE)) {
        append_cookies(copies, judgement, request, places);
    }
    size_t target = copies->len;
    if (of_kind(judgement, places, AE_QUERY)) {
        append_target(copies, judgement, request, places);
    }
    /* From here on the request's texts are gone. */
    set_fields(filter, judgement, sent);
    if (places) {
        withhold(filter, judgement, places, (assay_text){copies->bytes + cookies, target - cookies},
                 (assay_text){copies->bytes + target, copies->len - target});
    }
}

void ae_clear_identity(void *filter, const ae_configuration *configuration, const ae_request *request) {
    for (uint64_t sent = sent_fields(configuration, request); sent; sent &= sent - 1) {
        remove_field(filter, configuration->fields.names[__builtin_ctzll(sent)]);
    }
}

static bool is_alias(assay_text name) {
    for (size_t i = 0; i < name.len; i++) {
        if (!ae_is_plain(name.bytes[i]) && name.bytes[i] != '-') {
            return true;
        }
    }
    return false;
}

/* Whether a field asks the upstream for another method than the one that chose the route. */
static bool overrides_method(const ae_request *request, assay_text name, assay_text value) {
    static const assay_text NAMES[] = {{"x-http-method", 13}, {"x-method-override", 17}, {"x-http-method-override", 22}};
    for (size_t i = 0; i < sizeof NAMES / sizeof NAMES[0]; i++) {
        if (name.len == NAMES[i].len && ae_reads_as(name, NAMES[i])) {
            return !ae_equal(value, request->method);
        }
    }
    return false;
}

static bool is_known(const ae_configuration *configuration, assay_text name) {
    return ae_names_find(&configuration->fields, name) >= 0 || ae_names_find(&configuration->sources, name) >= 0;
}

/* Whether a trailer could bring an identity or a token. */
static bool is_kept_away(const ae_configuration *configuration, assay_text name) {
    return is_known(configuration, name) || ae_equal(name, LITERAL("authorization")) || ae_equal(name, LITERAL("cookie"));
}

void ae_change_trailers(void *filter, const ae_configuration *configuration, ae_scratch *scratch) {
    const envoy_header *trailers;
    size_t count = ae_fields_read(&trailers, filter, ENVOY_REQUEST_TRAILER, &scratch->headers);
    ae_bytes *names = &scratch->values;
    names->len = 0;
    for (size_t i = 0; i < count; i++) {
        if (is_kept_away(configuration, ae_name(&trailers[i]))) {
            ae_append_text(names, ae_name(&trailers[i]));
            ae_append_byte(names, ':');
        }
    }
    /* From here on the trailers' texts are gone. No name has a colon, so each is whole. */
    for (assay_text rest = {names->bytes, names->len}; rest.len;) {
        remove_field_of(filter, ENVOY_REQUEST_TRAILER, ae_part(&rest, ':'));
    }
}

/* Envoy's names are in lower case, and it removes Connection with the fields that it names before filters run. */
bool ae_has_ambiguous_field(const ae_configuration *configuration, const ae_request *request) {
    for (size_t i = 0; i < request->count; i++) {
        assay_text name = ae_name(&request->headers[i]);
        bool overrides = !configuration->allows_override && overrides_method(request, name, ae_header_value(&request->headers[i]));
        if (overrides || (is_known(configuration, name) && is_alias(name))) {
            return true;
        }
    }
    return false;
}
