// jansson in a form that Swift can import: its type tests and reference counts are macros and inline functions over a struct.

#ifndef ASSAY_CJANSSON_SHIM_H
#define ASSAY_CJANSSON_SHIM_H

#include <jansson.h>

static inline int cjansson_is_object(const json_t *json) { return json_is_object(json); }
static inline int cjansson_is_array(const json_t *json) { return json_is_array(json); }
static inline int cjansson_is_string(const json_t *json) { return json_is_string(json); }
static inline int cjansson_is_number(const json_t *json) { return json_is_number(json); }
static inline int cjansson_is_boolean(const json_t *json) { return json_is_boolean(json); }
static inline int cjansson_is_true(const json_t *json) { return json_is_true(json); }
static inline void cjansson_release(json_t *json) { json_decref(json); }

/// Parses a document; refuses duplicate members and trailing data. No relevant member is a number, so integers may have any size up to a
/// double's; a larger real is still refused. On failure *position is the byte offset of the error and *duplicate says whether the error is
/// a duplicate member.
static inline json_t *cjansson_parse(const char *text, size_t length, size_t *position, int *duplicate) {
    json_error_t error;
    json_t *json = json_loadb(text, length, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY | JSON_ALLOW_NUL | JSON_DECODE_INT_AS_REAL, &error);
    if (json == NULL) {
        *position = error.position < 0 ? 0 : (size_t)error.position;
        *duplicate = json_error_code(&error) == json_error_duplicate_key;
    }
    return json;
}

#endif
