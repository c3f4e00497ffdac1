#include "path.h"

#include <string.h>

static const char *const NAMES[] = {"strict", "allowEncodedSlashes", "allowEmptySegments", "allowParameters", NULL};

ae_path_rules ae_path_rules_read(const ae_settings *root) {
    ae_settings in = ae_section(root, "paths", NAMES);
    return (ae_path_rules){
        .allows_all = !ae_flag_setting(&in, "strict", true),
        .allows_encoded_slashes = ae_flag_setting(&in, "allowEncodedSlashes", false),
        .allows_empty_segments = ae_flag_setting(&in, "allowEmptySegments", false),
        .allows_parameters = ae_flag_setting(&in, "allowParameters", false),
    };
}

/* Whether a byte that was percent-encoded means the same to everybody. */
static bool append_decoded(ae_bytes *to, int byte, const ae_path_rules *rules) {
    if (byte < 0x20 || byte == 0x7f || byte == '\\' || (byte == ';' && !rules->allows_parameters)) {
        return false;
    }
    if (byte == '/') {
        ae_append_text(to, LITERAL("%2F"));
        return rules->allows_encoded_slashes;
    }
    ae_append_byte(to, byte);
    return true;
}

static bool decode(ae_bytes *to, assay_text raw, const ae_path_rules *rules) {
    for (size_t i = 0; i < raw.len; i++) {
        unsigned char byte = (unsigned char)raw.bytes[i];
        if (byte == '%') {
            int decoded = ae_percent_byte(raw, i);
            if (decoded < 0 || !append_decoded(to, decoded, rules)) {
                return false;
            }
            i += 2;
        } else if (byte <= 0x20 || byte >= 0x7f || byte == '\\' || byte == '#' || (byte == ';' && !rules->allows_parameters)) {
            return false;
        } else {
            ae_append_byte(to, byte);
        }
    }
    return true;
}

/* Whether a second decoding would make another byte of it. An encoded slash that the rules permit is no such place. */
static bool is_encoded_twice(assay_text raw) {
    for (size_t i = 0; i + 4 < raw.len; i++) {
        if (ae_percent_byte(raw, i) != '%') {
            continue;
        }
        /* What follows may itself be encoded: `%25%32%65`. */
        char next[3] = {'%', 0, 0};
        size_t position = i + 3, count = 1;
        while (count < 3 && position < raw.len) {
            int byte = raw.bytes[position] == '%' ? ae_percent_byte(raw, position) : raw.bytes[position];
            position += raw.bytes[position] == '%' ? 3 : 1;
            next[count++] = (char)byte;
        }
        if (count == 3 && ae_percent_byte((assay_text){next, 3}, 0) >= 0) {
            return true;
        }
    }
    return false;
}

/* Whether a segment is no dot segment, and does not end with a space. */
static bool is_name(assay_text segment) {
    segment = ae_part(&(assay_text){segment.bytes, segment.len}, ';');
    bool only_dots = segment.len == 1 || segment.len == 2;
    for (size_t i = 0; i < segment.len; i++) {
        only_dots = only_dots && segment.bytes[i] == '.';
    }
    return !only_dots && (!segment.len || segment.bytes[segment.len - 1] != ' ');
}

/* Also for those who decode encoded slashes. */
static bool is_plain_segment(assay_text segment) {
    for (size_t i = 0, start = 0; i <= segment.len; i++) {
        bool is_slash = i + 2 < segment.len && memcmp(segment.bytes + i, "%2F", 3) == 0;
        if (is_slash || i == segment.len) {
            if (!is_name((assay_text){segment.bytes + start, i - start})) {
                return false;
            }
            start = i + 3;
        }
    }
    return true;
}

static bool has_plain_segments(assay_text path, const ae_path_rules *rules) {
    path = (assay_text){path.bytes + 1, path.len - 1};
    while (path.len) {
        assay_text segment = ae_part(&path, '/');
        if (!is_plain_segment(segment) || (!segment.len && !rules->allows_empty_segments)) {
            return false;
        }
    }
    return true;
}

static size_t sequence_length(unsigned char first) {
    return first < 0x80 ? 1 : first >= 0xc2 && first < 0xe0 ? 2 : first >= 0xe0 && first < 0xf0 ? 3 : first >= 0xf0 && first < 0xf5 ? 4 : 0;
}

static bool is_utf8(assay_text text) {
    for (size_t i = 0; i < text.len;) {
        const unsigned char *at = (const unsigned char *)text.bytes + i;
        size_t length = sequence_length(at[0]);
        if (length == 0 || i + length > text.len) {
            return false;
        }
        for (size_t k = 1; k < length; k++) {
            if ((at[k] & 0xc0) != 0x80) {
                return false;
            }
        }
        /* Overlong forms, surrogates, and what is beyond U+10FFFF. */
        if ((at[0] == 0xe0 && at[1] < 0xa0) || (at[0] == 0xed && at[1] > 0x9f) || (at[0] == 0xf0 && at[1] < 0x90)
            || (at[0] == 0xf4 && at[1] > 0x8f)) {
            return false;
        }
        i += length;
    }
    return true;
}

/* Letters, digits, hyphens and single slashes: most paths. */
static bool is_ordinary(assay_text path) {
    for (size_t i = 0; i < path.len; i++) {
        bool is_slash = path.bytes[i] == '/' && (i == 0 || path.bytes[i - 1] != '/');
        if (!is_slash && !ae_is_plain(path.bytes[i]) && path.bytes[i] != '-' && path.bytes[i] != '_') {
            return false;
        }
    }
    return path.len && path.bytes[0] == '/';
}

bool ae_path_has_one_reading(assay_text path, assay_text method, const ae_path_rules *rules, ae_bytes *memory) {
    if (rules->allows_all || is_ordinary(path)) {
        return true;
    }
    /* `OPTIONS *` and CONNECT have no path, and no route with a path matches them. */
    if (!path.len || path.bytes[0] != '/') {
        return ae_equal(path, LITERAL("*")) ? ae_equal(method, LITERAL("OPTIONS")) : !path.len && ae_equal(method, LITERAL("CONNECT"));
    }
    memory->len = 0;
    if (!decode(memory, path, rules) || is_encoded_twice(path)) {
        return false;
    }
    assay_text decoded = {memory->bytes, memory->len};
    return is_utf8(decoded) && has_plain_segments(decoded, rules);
}
