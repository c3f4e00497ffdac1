/* Settings in JSON, read one by one. The first fault is kept with the path of its setting; what is read after a fault does not matter. */
#ifndef ASSAY_ENVOY_SETTINGS_H
#define ASSAY_ENVOY_SETTINGS_H

#include <jansson.h>

#include "text.h"

typedef struct ae_fault {
    char text[512]; /* "" while there is none */
} ae_fault;

/* An object of the configuration. Its path is for messages: `providers[2].keys`; elements count from 1. */
typedef struct ae_settings {
    const json_t *object;
    char path[160];
    ae_fault *fault;
} ae_settings;

/* Parses a whole configuration. The caller gives `*out_document` back with json_decref. Names that are not in `names`, which ends with
 * NULL, and values that are null are faults, here and in every section. */
ae_settings ae_settings_root(json_t **out_document, assay_text text, const char *const *names, ae_fault *fault);
ae_settings ae_section(const ae_settings *in, const char *name, const char *const *names);
/* An element of a list: an object, or a fault. */
ae_settings ae_element(const ae_settings *in, const char *name, size_t index, const char *const *names);

bool ae_has(const ae_settings *in, const char *name);
/* Notes a fault of a setting; NULL for the section itself. */
__attribute__((format(printf, 3, 4))) void ae_refuse(const ae_settings *in, const char *name, const char *format, ...);
bool ae_is_faulty(const ae_settings *in);

/* NULL if the setting is absent or no text. Texts have no control characters. */
const char *ae_text_setting(const ae_settings *in, const char *name);
const char *ae_needed_text(const ae_settings *in, const char *name);
int64_t ae_integer_setting(const ae_settings *in, const char *name, int64_t least, int64_t most, int64_t absent);
bool ae_flag_setting(const ae_settings *in, const char *name, bool absent);
/* The position of a text in `choices`, which ends with NULL; 0 if it is absent. */
size_t ae_choice_setting(const ae_settings *in, const char *name, const char *const *choices);
/* The one of `names` that is set; a fault and NULL if none or several are. */
const char *ae_one_of(const ae_settings *in, const char *const *names);
/* A list, or one text in place of a list of one. The number of elements; 0 if it is absent. */
size_t ae_count(const ae_settings *in, const char *name);
const char *ae_text_element(const ae_settings *in, const char *name, size_t index);
/* A JSON value that has its own reader; NULL if it is absent. */
const json_t *ae_value(const ae_settings *in, const char *name);

#endif
