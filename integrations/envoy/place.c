/* Reads tokens from requests. Where two readers could take different tokens, the answer is "several", and the request is refused. */
#include "place.h"

#include <string.h>

static bool is_credentials(assay_text *out, assay_text text, assay_text scheme) {
    size_t end = 0;
    while (end < text.len && text.bytes[end] != ' ' && text.bytes[end] != '\t') {
        end++;
    }
    if (!ae_equal_lower((assay_text){text.bytes, end}, scheme)) {
        return false;
    }
    while (end < text.len && text.bytes[end] == ' ') {
        end++;
    }
    *out = (assay_text){text.bytes + end, text.len - end};
    return true;
}

/* RFC 9110 section 11.6.2. Envoy joins several fields with commas, and no token has one. */
static ae_presented in_authorization(const ae_place *place, const ae_request *request) {
    assay_text value = {0}, token = {0};
    size_t count = 0;
    for (size_t i = 0; i < request->count; i++) {
        if (ae_equal(ae_name(&request->headers[i]), LITERAL("authorization"))) {
            value = ae_trimmed(ae_header_value(&request->headers[i]));
            count++;
        }
    }
    assay_text scheme = ae_text(place->name);
    if (count > 1) {
        return (ae_presented){.kind = AE_SEVERAL};
    }
    if (!value.len || !memchr(value.bytes, ',', value.len)) {
        return value.len && is_credentials(&token, value, scheme) ? (ae_presented){AE_ONE, token} : (ae_presented){0};
    }
    while (value.len) {
        if (is_credentials(&token, ae_trimmed(ae_part(&value, ',')), scheme)) {
            return (ae_presented){.kind = AE_SEVERAL};
        }
    }
    return (ae_presented){0};
}

static ae_presented in_header(const ae_place *place, const ae_request *request) {
    assay_text name = ae_text(place->name), prefix = ae_text(place->prefix), found = {0};
    size_t count = 0;
    bool has_token = false;
    for (size_t i = 0; i < request->count; i++) {
        if (!ae_equal(ae_name(&request->headers[i]), name)) {
            continue;
        }
        assay_text value = ae_trimmed(ae_header_value(&request->headers[i]));
        count++;
        if (ae_begins(value, prefix) && (value.len || prefix.len)) {
            has_token = true;
            found = (assay_text){value.bytes + prefix.len, value.len - prefix.len};
        }
    }
    if (!has_token) {
        return (ae_presented){0};
    }
    bool is_list = found.len && memchr(found.bytes, ',', found.len);
    return count > 1 || is_list ? (ae_presented){.kind = AE_SEVERAL} : (ae_presented){AE_ONE, found};
}

bool ae_next_cookie(ae_cookie *out, assay_text *rest) {
    while (rest->len) {
        assay_text text = ae_trimmed(ae_part(rest, ';')), value = text;
        if (!text.len) {
            continue;
        }
        bool has_name = memchr(text.bytes, '=', text.len);
        assay_text name = has_name ? ae_trimmed(ae_part(&value, '=')) : (assay_text){text.bytes, 0};
        *out = (ae_cookie){text, name, ae_trimmed(value)};
        return true;
    }
    return false;
}

/* Decodes one character of a form, and moves on; -1 for a broken encoding. */
static int next_byte(assay_text *text) {
    int byte = (unsigned char)text->bytes[0];
    size_t used = byte == '%' ? 3 : 1;
    byte = byte == '%' ? ae_percent_byte(*text, 0) : byte == '+' ? ' ' : byte;
    if (byte >= 0) {
        text->bytes += used;
        text->len -= used;
    }
    return byte;
}

/* A name as the most lenient reader takes it, byte by byte. PHP makes an underscore of a dot, a blank and an opening bracket, cuts off the index
 * of an array, and ignores blanks in front of a name. */
typedef struct {
    assay_text rest;
    bool is_encoded, is_array, has_begun;
} lenient_name;

enum { END = -1, BROKEN = -2 };

static int next_raw(lenient_name *name) {
    if (!name->rest.len) {
        return END;
    }
    if (name->is_encoded) {
        int byte = next_byte(&name->rest);
        return byte < 0 ? BROKEN : byte;
    }
    name->rest.len--;
    return (unsigned char)*name->rest.bytes++;
}

static lenient_name lenient(assay_text text, bool is_encoded) {
    lenient_name name = {text, is_encoded, false, false}, whole = name;
    for (int byte = 0; byte >= 0 && !name.is_array; byte = next_raw(&whole)) {
        name.is_array = byte == ']';
    }
    return name;
}

static int next_lenient(lenient_name *name) {
    int byte = next_raw(name);
    while (!name->has_begun && byte == ' ') {
        byte = next_raw(name);
    }
    name->has_begun = true;
    if (byte == '[' && name->is_array) {
        name->rest.len = 0;
        return END;
    }
    return byte == '.' || byte == ' ' || byte == '[' ? '_' : byte;
}

static int lower(int byte) { return byte >= 'A' && byte <= 'Z' ? byte | 0x20 : byte; }

static bool is_alike(assay_text text, bool is_encoded, assay_text name, bool ignores_case) {
    lenient_name given = lenient(text, is_encoded), wanted = lenient(name, false);
    for (;;) {
        int one = next_lenient(&given), other = next_lenient(&wanted);
        if (ignores_case ? lower(one) != lower(other) : one != other) {
            return false;
        }
        if (one == END) {
            return true;
        }
    }
}

/* Whether a cookie that a reader may take for `name` stands behind a comma in the text of a cookie, also in front of its first equals sign.
 * Envoy joins several fields of HTTP/1.1 by one, and to another reader it is part of a name or a value. */
static bool hides_cookie(assay_text text, assay_text name) {
    ae_part(&text, ',');
    while (text.len) {
        assay_text part = ae_part(&text, ',');
        if (memchr(part.bytes, '=', part.len) && is_alike(ae_trimmed(ae_part(&part, '=')), false, name, false)) {
            return true;
        }
    }
    return false;
}

/* RFC 6265 section 4.2.1. An empty cookie is none: it is what remains of a session that has ended. */
static ae_presented in_cookie(const ae_place *place, const ae_request *request) {
    assay_text name = ae_text(place->name), token = {0};
    size_t count = 0;
    for (size_t i = 0; i < request->count; i++) {
        if (!ae_equal(ae_name(&request->headers[i]), LITERAL("cookie"))) {
            continue;
        }
        assay_text rest = ae_header_value(&request->headers[i]);
        ae_cookie cookie;
        while (ae_next_cookie(&cookie, &rest)) {
            if (hides_cookie(cookie.text, name)) {
                return (ae_presented){.kind = AE_SEVERAL};
            }
            if (is_alike(cookie.name, false, name, false)) {
                token = cookie.value;
                /* To another reader it is this one. */
                count += ae_equal(cookie.name, name) ? 1 : 2;
            }
        }
    }
    if (token.len >= 2 && token.bytes[0] == '"' && token.bytes[token.len - 1] == '"') {
        token = (assay_text){token.bytes + 1, token.len - 2};
    }
    if (count > 1) {
        return (ae_presented){.kind = AE_SEVERAL};
    }
    return token.len ? (ae_presented){AE_ONE, token} : (ae_presented){0};
}

bool ae_is_parameter(assay_text part, const char *name) {
    assay_text encoded = ae_part(&part, '=');
    while (encoded.len && *name && next_byte(&encoded) == (unsigned char)*name) {
        name++;
    }
    return !encoded.len && !*name;
}

/* A broken encoding stays as it is, and the verifier refuses it. */
static assay_text decoded(assay_text value, ae_bytes *memory) {
    if (!value.len || !(memchr(value.bytes, '%', value.len) || memchr(value.bytes, '+', value.len))) {
        return value;
    }
    size_t start = memory->len;
    for (assay_text rest = value; rest.len;) {
        int byte = next_byte(&rest);
        if (byte < 0) {
            memory->len = start;
            return value;
        }
        ae_append_byte(memory, byte);
    }
    return (assay_text){memory->bytes + start, memory->len - start};
}

/* Whether the parameter stands behind a semicolon in another one's text, where some readers separate too. */
static bool hides_parameter(assay_text text, assay_text name) {
    ae_part(&text, ';');
    while (text.len) {
        assay_text part = ae_part(&text, ';');
        if (is_alike(ae_part(&part, '='), true, name, true)) {
            return true;
        }
    }
    return false;
}

/* The WHATWG URL standard's application/x-www-form-urlencoded, as RFC 6750 section 2.3 has it. A second parameter that another reader would
 * take for this one makes them several, also where this one is absent. An empty parameter is none, as an empty cookie is. */
static ae_presented in_query(const ae_place *place, const ae_request *request) {
    assay_text rest = request->query, token = {0}, name = ae_text(place->name);
    size_t count = 0;
    while (rest.len) {
        assay_text part = ae_part(&rest, '&'), value = part, given = ae_part(&value, '=');
        if (hides_parameter(part, name)) {
            return (ae_presented){.kind = AE_SEVERAL};
        }
        if (part.len && is_alike(given, true, name, true)) {
            token = value;
            count += ae_is_parameter(part, place->name) ? 1 : 2;
        }
    }
    if (count == 1) {
        return token.len ? (ae_presented){AE_ONE, decoded(token, request->decoded)} : (ae_presented){0};
    }
    return (ae_presented){.kind = count ? AE_SEVERAL : AE_NONE};
}

ae_presented ae_present(const ae_place *place, const ae_request *request) {
    switch (place->kind) {
    case AE_AUTHORIZATION: return in_authorization(place, request);
    case AE_HEADER: return in_header(place, request);
    case AE_COOKIE: return in_cookie(place, request);
    default: return in_query(place, request);
    }
}
