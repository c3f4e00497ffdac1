#include "text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *ae_allocate(size_t count, size_t size) {
    void *memory = calloc(count ? count : 1, size ? size : 1);
    if (!memory) {
        abort();
    }
    return memory;
}

char *ae_copy(const char *text) {
    size_t size = strlen(text) + 1;
    return memcpy(ae_allocate(size, 1), text, size);
}

assay_text ae_text(const char *text) { return (assay_text){text, strlen(text)}; }

bool ae_equal(assay_text a, assay_text b) { return a.len == b.len && (a.len == 0 || memcmp(a.bytes, b.bytes, a.len) == 0); }

bool ae_begins(assay_text text, assay_text prefix) {
    return text.len >= prefix.len && (prefix.len == 0 || memcmp(text.bytes, prefix.bytes, prefix.len) == 0);
}

char ae_lower(char byte) { return byte >= 'A' && byte <= 'Z' ? (char)(byte + 32) : byte; }

bool ae_is_plain(char byte) { return (byte >= '0' && byte <= '9') || (ae_lower(byte) >= 'a' && ae_lower(byte) <= 'z'); }

bool ae_equal_lower(assay_text text, assay_text lower) {
    if (text.len != lower.len) {
        return false;
    }
    for (size_t i = 0; i < text.len; i++) {
        if (ae_lower(text.bytes[i]) != lower.bytes[i]) {
            return false;
        }
    }
    return true;
}

static bool is_blank(char byte) { return byte == ' ' || byte == '\t'; }

assay_text ae_trimmed(assay_text text) {
    while (text.len && is_blank(text.bytes[0])) {
        text.bytes++;
        text.len--;
    }
    while (text.len && is_blank(text.bytes[text.len - 1])) {
        text.len--;
    }
    return text;
}

assay_text ae_part(assay_text *rest, char separator) {
    const char *end = rest->len ? memchr(rest->bytes, separator, rest->len) : NULL;
    assay_text part = {rest->bytes, end ? (size_t)(end - rest->bytes) : rest->len};
    size_t used = end ? part.len + 1 : part.len;
    rest->bytes += used;
    rest->len -= used;
    return part;
}

static int digit(char byte) {
    char lower = ae_lower(byte);
    return byte >= '0' && byte <= '9' ? byte - '0' : lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

int ae_percent_byte(assay_text text, size_t position) {
    if (position + 2 >= text.len || text.bytes[position] != '%') {
        return -1;
    }
    int high = digit(text.bytes[position + 1]), low = digit(text.bytes[position + 2]);
    return high < 0 || low < 0 ? -1 : high << 4 | low;
}

bool ae_is_token(assay_text text) {
    for (size_t i = 0; i < text.len; i++) {
        if (!ae_is_plain(text.bytes[i]) && (text.bytes[i] == 0 || !strchr("!#$%&'*+-.^_`|~", text.bytes[i]))) {
            return false;
        }
    }
    return text.len > 0 && text.len <= 128;
}

bool ae_is_printable(assay_text text) {
    for (size_t i = 0; i < text.len; i++) {
        if (text.bytes[i] < 0x20 || text.bytes[i] > 0x7e) {
            return false;
        }
    }
    return true;
}

void ae_append(ae_bytes *to, const void *bytes, size_t count) {
    if (to->capacity - to->len < count) {
        to->capacity = (to->len + count) * 2 + 64;
        to->bytes = realloc(to->bytes, to->capacity);
        if (!to->bytes) {
            abort();
        }
    }
    if (count) {
        memcpy(to->bytes + to->len, bytes, count);
        to->len += count;
    }
}

void ae_append_text(ae_bytes *to, assay_text text) { ae_append(to, text.bytes, text.len); }

void ae_append_byte(ae_bytes *to, int byte) { ae_append(to, &(char){(char)byte}, 1); }

void ae_log(int level, const char *format, ...) {
    char text[1000];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (length > 0) {
        size_t shown = (size_t)length < sizeof text ? (size_t)length : sizeof text - 1;
        CALLBACK(log)(level, (envoy_bytes){text, shown});
    }
}
