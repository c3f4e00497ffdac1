/* Texts with a length, and memory that grows. Memory that cannot be had ends the process, as it does everywhere in Envoy. */
#ifndef ASSAY_ENVOY_TEXT_H
#define ASSAY_ENVOY_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "abi.h"
#include "assay.h"

#define LITERAL(text) ((assay_text){text, sizeof(text) - 1})

void *ae_allocate(size_t count, size_t size);
char *ae_copy(const char *text);

assay_text ae_text(const char *text);
bool ae_equal(assay_text a, assay_text b);
/* The part before `separator`, which leaves `rest`; the whole if there is none. */
assay_text ae_part(assay_text *rest, char separator);

/* Bytes that grow. A zeroed one is empty. */
typedef struct ae_bytes {
    char *bytes;
    size_t len, capacity;
} ae_bytes;

void ae_append(ae_bytes *to, const void *bytes, size_t count);
void ae_append_text(ae_bytes *to, assay_text text);
void ae_append_byte(ae_bytes *to, int byte);
/* Empties it, and makes room for `size` bytes that the caller writes itself. */
void *ae_room(ae_bytes *in, size_t size);

static inline envoy_bytes ae_envoy(assay_text text) { return (envoy_bytes){text.bytes, text.len}; }
static inline envoy_header ae_header(assay_text name, assay_text value) {
    return (envoy_header){name.bytes, name.len, value.bytes, value.len};
}

/* Makes control characters question marks; also all bytes that are not ASCII, which may be controls too. */
void ae_make_printable(char *text, bool is_ascii);
/* Logs a line of at most 1,000 bytes, without control characters. It must not hold bytes of a token. */
__attribute__((format(printf, 2, 3))) void ae_log(int level, const char *format, ...);

#endif
