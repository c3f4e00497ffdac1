/* Envoy's own settings in JSON; libassay judges all others. The first fault is kept with the path of its setting. What is read after a
 * fault does not matter. */
#ifndef ASSAY_ENVOY_SETTINGS_H
#define ASSAY_ENVOY_SETTINGS_H

#include <jansson.h>

#include "text.h"

typedef struct ae_fault {
    char text[512]; /* "" without a fault */
} ae_fault;

/* An object of the configuration. Its path is for messages: `providers[2].keys`; elements count from 1. */
typedef struct ae_settings {
    json_t *object; /* NULL: the section is absent, and so is every setting of it */
    char path[160];
    ae_fault *fault;
} ae_settings;

/* Parses a whole configuration. Names that are not in `names`, which ends with NULL, are faults, here and in every section; where `names`
 * is NULL, libassay looks for them. */
ae_settings ae_settings_root(envoy_bytes text, const char *const *names, ae_fault *fault);
/* Gives a whole configuration back. False if it has a fault, which the log then has; `where` begins the line. */
bool ae_settings_end(const ae_settings *root, const char *where);
ae_settings ae_section(const ae_settings *in, const char *name, const char *const *names);
/* An element of a list: an object, or a fault. */
ae_settings ae_element(const ae_settings *in, const char *name, size_t index, const char *const *names);
/* The number of elements of a list; 0 if it is absent. */
size_t ae_count(const ae_settings *in, const char *name);
/* Takes settings out of their object, so that libassay does not see them. Their texts are gone then. */
void ae_take_out(const ae_settings *in, const char *const *names);

/* Notes a fault of a setting; NULL for the section itself. */
__attribute__((format(printf, 3, 4))) void ae_refuse(const ae_settings *in, const char *name, const char *format, ...);
bool ae_is_faulty(const ae_settings *in);

bool ae_has(const ae_settings *in, const char *name);
/* NULL if the setting is absent. Null is a fault: Envoy reads an empty YAML value so, and a rule without its value must not vanish. */
json_t *ae_value(const ae_settings *in, const char *name);
/* A text that libassay checks; "" where it is absent. */
const char *ae_plain_text(const json_t *object, const char *name);
/* "" after a fault. Where `absent` is NULL, the setting is needed. */
const char *ae_text_setting(const ae_settings *in, const char *name, const char *absent);
int64_t ae_integer_setting(const ae_settings *in, const char *name, int64_t least, int64_t most, int64_t absent);
bool ae_flag_setting(const ae_settings *in, const char *name);

#endif
