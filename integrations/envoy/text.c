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

assay_text ae_part(assay_text *rest, char separator) {
    const char *end = rest->len ? memchr(rest->bytes, separator, rest->len) : NULL;
    assay_text part = {rest->bytes, end ? (size_t)(end - rest->bytes) : rest->len};
    size_t used = end ? part.len + 1 : part.len;
    rest->bytes += used;
    rest->len -= used;
    return part;
}

static void grow(ae_bytes *bytes, size_t size) {
    if (bytes->capacity < size) {
        bytes->capacity = size * 2 + 64;
        bytes->bytes = realloc(bytes->bytes, bytes->capacity);
        if (!bytes->bytes) {
            abort();
        }
    }
}

void ae_append(ae_bytes *to, const void *bytes, size_t count) {
    grow(to, to->len + count);
    if (count) {
        memcpy(to->bytes + to->len, bytes, count);
        to->len += count;
    }
}

void ae_append_text(ae_bytes *to, assay_text text) { ae_append(to, text.bytes, text.len); }

void ae_append_byte(ae_bytes *to, int byte) { ae_append(to, &(char){(char)byte}, 1); }

void *ae_room(ae_bytes *in, size_t size) {
    in->len = 0;
    grow(in, size);
    return in->bytes;
}

void ae_make_printable(char *text, bool is_ascii) {
    for (; *text; text++) {
        unsigned char byte = (unsigned char)*text;
        *text = byte < 0x20 || byte == 0x7f || (is_ascii && byte > 0x7f) ? '?' : *text;
    }
}

void ae_log(int level, const char *format, ...) {
    char text[1000];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    ae_make_printable(text, false);
    CALLBACK(log)(level, ae_envoy(ae_text(text)));
}
