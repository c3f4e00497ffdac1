#include "claim.h"

#include <string.h>

static void append_encoded(ae_bytes *to, int byte) {
    static const char DIGITS[] = "0123456789ABCDEF";
    char encoded[] = {'%', DIGITS[byte >> 4], DIGITS[byte & 15]};
    ae_append(to, encoded, sizeof encoded);
}

static void append_string(ae_bytes *to, assay_text text, const char *separator) {
    for (size_t i = 0; i < text.len; i++) {
        unsigned char byte = (unsigned char)text.bytes[i];
        bool is_end = i == 0 || i == text.len - 1;
        if (byte < 0x20 || byte > 0x7e || byte == '%' || (byte == ' ' && is_end) || strchr(separator, byte)) {
            append_encoded(to, byte);
        } else {
            ae_append_byte(to, byte);
        }
    }
}

static assay_text json_of(const assay_value *value) {
    assay_text text = {0};
    return assay_value_json(&text.bytes, &text.len, value) == ASSAY_OK ? text : (assay_text){0};
}

/* False for what is not a string, a number or a boolean. */
static bool append_scalar(ae_bytes *to, const assay_value *value, const char *separator) {
    assay_text text = {0};
    switch (value->type) {
    case ASSAY_TYPE_STRING:
        if (assay_value_string(&text.bytes, &text.len, value) == ASSAY_OK) {
            append_string(to, text, separator);
        }
        return true;
    case ASSAY_TYPE_NUMBER: append_string(to, json_of(value), separator); return true;
    case ASSAY_TYPE_BOOLEAN: append_string(to, json_of(value), ""); return true;
    default: return false;
    }
}

static void append_unit(ae_bytes *to, unsigned unit) {
    static const char DIGITS[] = "0123456789abcdef";
    char escape[] = {'\\', 'u', DIGITS[unit >> 12 & 15], DIGITS[unit >> 8 & 15], DIGITS[unit >> 4 & 15], DIGITS[unit & 15]};
    ae_append(to, escape, sizeof escape);
}

/* Appends a character beyond ASCII as UTF-16 escapes; returns the number of its bytes. The library has checked the UTF-8. */
static size_t append_escaped(ae_bytes *to, assay_text text, size_t position) {
    unsigned first = (unsigned char)text.bytes[position];
    size_t count = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    unsigned scalar = count == 1 ? first : first & (0x7fu >> count);
    for (size_t i = 1; i < count && position + i < text.len; i++) {
        scalar = scalar << 6 | ((unsigned char)text.bytes[position + i] & 0x3f);
    }
    if (scalar < 0x10000) {
        append_unit(to, scalar);
    } else {
        append_unit(to, 0xd800 + ((scalar - 0x10000) >> 10));
        append_unit(to, 0xdc00 + ((scalar - 0x10000) & 0x3ff));
    }
    return count;
}

/* JSON without white space, in ASCII. */
static void append_json(ae_bytes *to, assay_text text) {
    bool is_string = false;
    for (size_t i = 0; i < text.len;) {
        unsigned char byte = (unsigned char)text.bytes[i];
        is_string ^= byte == '"';
        if (is_string && byte == '\\' && i + 1 < text.len) {
            ae_append(to, text.bytes + i, 2);
            i += 2;
        } else if (byte >= 0x7f) {
            i += append_escaped(to, text, i);
        } else {
            if (is_string || byte > 0x20) {
                ae_append_byte(to, byte);
            }
            i++;
        }
    }
}

static void append_joined(ae_bytes *to, const assay_value *array, const char *separator) {
    size_t count = 0, start = to->len;
    assay_value_count(&count, array);
    for (size_t i = 0; i < count; i++) {
        assay_value element;
        if (i) {
            ae_append_text(to, ae_text(separator));
        }
        if (assay_value_element(&element, array, i) != ASSAY_OK || !append_scalar(to, &element, separator)) {
            to->len = start;
            return;
        }
    }
}

void ae_claim_append(ae_bytes *to, const ae_claim *claim, const assay_result *result) {
    assay_value value;
    assay_code code = claim->name ? assay_result_claim(&value, result, claim->name, strlen(claim->name))
                                  : assay_result_claim_at(&value, result, claim->pointer, strlen(claim->pointer));
    if (code != ASSAY_OK) {
        return;
    }
    if (value.type == ASSAY_TYPE_ARRAY && claim->separator) {
        append_joined(to, &value, claim->separator);
    } else if (value.type == ASSAY_TYPE_ARRAY || value.type == ASSAY_TYPE_OBJECT) {
        append_json(to, json_of(&value));
    } else {
        append_scalar(to, &value, "");
    }
}

static bool has_word(assay_text words, assay_text word) {
    while (words.len) {
        if (ae_equal(ae_part(&words, ' '), word)) {
            return true;
        }
    }
    return false;
}

/* Whether a claim has a scope: a string with spaces between them, or an array of strings without spaces. */
static bool grants(const assay_value *claim, assay_text scope) {
    assay_text text;
    if (assay_value_string(&text.bytes, &text.len, claim) == ASSAY_OK) {
        return has_word(text, scope);
    }
    size_t count = 0;
    assay_value element;
    assay_value_count(&count, claim);
    for (size_t i = 0; i < count && claim->type == ASSAY_TYPE_ARRAY; i++) {
        bool is_text = assay_value_element(&element, claim, i) == ASSAY_OK
            && assay_value_string(&text.bytes, &text.len, &element) == ASSAY_OK;
        if (is_text && ae_equal(text, scope)) {
            return true;
        }
    }
    return false;
}

bool ae_has_scopes(const assay_result *result, char *const *scopes, size_t count) {
    assay_value scope, scp;
    bool has_scope = count && assay_result_claim(&scope, result, "scope", 5) == ASSAY_OK;
    bool has_scp = count && assay_result_claim(&scp, result, "scp", 3) == ASSAY_OK;
    for (size_t i = 0; i < count; i++) {
        assay_text needed = ae_text(scopes[i]);
        if (!(has_scope && grants(&scope, needed)) && !(has_scp && grants(&scp, needed))) {
            return false;
        }
    }
    return true;
}
