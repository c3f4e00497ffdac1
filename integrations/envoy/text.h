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
bool ae_begins(assay_text text, assay_text prefix);
/* `lower` is in lower case. */
bool ae_equal_lower(assay_text text, assay_text lower);
/* Without spaces and tabs at both ends. */
assay_text ae_trimmed(assay_text text);
/* The part before `separator`, which leaves `rest`; the whole if there is none. */
assay_text ae_part(assay_text *rest, char separator);
/* The byte that "%XX" at `position` encodes; -1 for anything else. */
int ae_percent_byte(assay_text text, size_t position);
bool ae_is_plain(char byte); /* a letter or a digit */
bool ae_is_token(assay_text text); /* RFC 9110 section 5.6.2, at most 128 bytes */
bool ae_is_printable(assay_text text); /* ASCII with spaces */
char ae_lower(char byte);

/* Bytes that grow. A zeroed one is empty. */
typedef struct ae_bytes {
    char *bytes;
    size_t len, capacity;
} ae_bytes;

void ae_append(ae_bytes *to, const void *bytes, size_t count);
void ae_append_text(ae_bytes *to, assay_text text);
void ae_append_byte(ae_bytes *to, int byte);

static inline envoy_bytes ae_envoy(assay_text text) { return (envoy_bytes){text.bytes, text.len}; }

/* Logs a line of at most 1,000 bytes. It must not hold bytes of a token. */
__attribute__((format(printf, 2, 3))) void ae_log(int level, const char *format, ...);

#endif
