#include "settings.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool ae_is_faulty(const ae_settings *in) { return in->fault->text[0] != 0; }

void ae_refuse(const ae_settings *in, const char *name, const char *format, ...) {
    if (ae_is_faulty(in)) {
        return;
    }
    char reason[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    const char *dot = in->path[0] && name && name[0] != '[' ? "." : "";
    snprintf(in->fault->text, sizeof in->fault->text, "`%s%s%.64s`: %s", in->path, dot, name ? name : "", reason);
    for (char *byte = in->fault->text; *byte; byte++) {
        if ((unsigned char)*byte < 0x20 || *byte == 0x7f) {
            *byte = '?';
        }
    }
}

static bool is_known(const char *name, const char *const *names) {
    while (*names && strcmp(*names, name) != 0) {
        names++;
    }
    return *names != NULL;
}

#define LONGEST_NAME 32

/* How many bytes to insert, delete or replace to make one name of the other (Levenshtein). Both have at most LONGEST_NAME. */
static size_t distance(const char *one, const char *other) {
    size_t row[LONGEST_NAME + 1], width = strlen(other);
    for (size_t i = 0; i <= width; i++) {
        row[i] = i;
    }
    for (size_t i = 0; one[i]; i++) {
        size_t diagonal = row[0];
        row[0] = i + 1;
        for (size_t j = 0; j < width; j++) {
            size_t replaced = diagonal + (ae_lower(one[i]) != ae_lower(other[j]));
            diagonal = row[j + 1];
            size_t shorter = row[j] < row[j + 1] ? row[j] : row[j + 1];
            row[j + 1] = replaced <= shorter ? replaced : shorter + 1;
        }
    }
    return row[width];
}

/* The known name that a misspelt one is likely meant to be; NULL if none is near. */
static const char *nearest(const char *name, const char *const *names) {
    size_t length = strlen(name), least = length < 4 ? 2 : 3;
    const char *found = NULL;
    for (; *names; names++) {
        size_t far = length <= LONGEST_NAME && strlen(*names) <= LONGEST_NAME ? distance(name, *names) : least;
        if (far < least) {
            least = far;
            found = *names;
        }
    }
    return found;
}

static void refuse_unknown(const ae_settings *in, const char *name, const char *meant) {
    if (meant) {
        ae_refuse(in, name, "no such setting; did you mean `%s`?", meant);
    } else {
        ae_refuse(in, name, "no such setting");
    }
}

/* Envoy reads an empty YAML value as null. A rule without its value must not vanish. */
static void check_members(const ae_settings *in, const char *const *names) {
    const char *name;
    json_t *value;
    json_object_foreach((json_t *)in->object, name, value) {
        if (!is_known(name, names)) {
            refuse_unknown(in, name, nearest(name, names));
        } else if (json_is_null(value)) {
            ae_refuse(in, name, "null is no value");
        }
    }
}

ae_settings ae_settings_root(json_t **out_document, assay_text text, const char *const *names, ae_fault *fault) {
    ae_settings root = {.fault = fault};
    json_error_t error;
    /* No configuration is an empty one: what it lacks is named then. */
    *out_document = text.len ? json_loadb(text.bytes, text.len, JSON_REJECT_DUPLICATES, &error) : json_object();
    if (!json_is_object(*out_document)) {
        ae_refuse(&root, "filter_config", "a google.protobuf.Struct, or a StringValue with a JSON object, is expected");
        return root;
    }
    root.object = *out_document;
    check_members(&root, names);
    return root;
}

const json_t *ae_value(const ae_settings *in, const char *name) {
    return in->object ? json_object_get(in->object, name) : NULL;
}

bool ae_has(const ae_settings *in, const char *name) { return ae_value(in, name) != NULL; }

static ae_settings section(const ae_settings *in, const json_t *value, const char *name, const char *const *names) {
    ae_settings found = {.fault = in->fault};
    if (value && !json_is_object(value)) {
        ae_refuse(in, name, "settings are expected here, each as `name: value`");
    }
    if (snprintf(found.path, sizeof found.path, "%s%s%s", in->path, in->path[0] ? "." : "", name) >= (int)sizeof found.path) {
        ae_refuse(in, name, "is nested too deep");
    }
    if (json_is_object(value)) {
        found.object = value;
        check_members(&found, names);
    }
    return found;
}

ae_settings ae_section(const ae_settings *in, const char *name, const char *const *names) {
    return section(in, ae_value(in, name), name, names);
}

ae_settings ae_element(const ae_settings *in, const char *name, size_t index, const char *const *names) {
    char element[80];
    snprintf(element, sizeof element, "%.60s[%zu]", name, index + 1);
    const json_t *list = ae_value(in, name), *value = json_array_get(list, index);
    if (!json_is_object(value)) {
        ae_refuse(in, element, "settings are expected here, each as `name: value`");
    }
    return section(in, value, element, names);
}

static const char *checked(const ae_settings *in, const char *name, const json_t *value) {
    const char *text = json_string_value(value);
    if (!text || !text[0]) {
        ae_refuse(in, name, "a text is expected");
        return NULL;
    }
    for (const char *byte = text; *byte; byte++) {
        if (((unsigned char)*byte < 0x20 && *byte != '\n' && *byte != '\t') || *byte == 0x7f) {
            ae_refuse(in, name, "has control characters");
            return NULL;
        }
    }
    return text;
}

const char *ae_text_setting(const ae_settings *in, const char *name) {
    const json_t *value = ae_value(in, name);
    return value ? checked(in, name, value) : NULL;
}

const char *ae_needed_text(const ae_settings *in, const char *name) {
    if (!ae_has(in, name)) {
        ae_refuse(in, name, "is missing");
        return NULL;
    }
    return ae_text_setting(in, name);
}

int64_t ae_integer_setting(const ae_settings *in, const char *name, int64_t least, int64_t most, int64_t absent) {
    const json_t *value = ae_value(in, name);
    if (!value) {
        return absent;
    }
    /* Envoy's numbers are doubles, and JSON may show one with a fraction of zero. */
    double number = json_number_value(value);
    if (!json_is_number(value) || number != (double)(int64_t)number) {
        ae_refuse(in, name, "a whole number is expected");
        return absent;
    }
    if (number < (double)least || number > (double)most) {
        ae_refuse(in, name, "between %lld and %lld, not %.0f", (long long)least, (long long)most, number);
        return absent;
    }
    return (int64_t)number;
}

bool ae_flag_setting(const ae_settings *in, const char *name, bool absent) {
    const json_t *value = ae_value(in, name);
    if (value && !json_is_boolean(value)) {
        ae_refuse(in, name, "`true` or `false` is expected");
    }
    return value ? json_is_true(value) : absent;
}

size_t ae_choice_setting(const ae_settings *in, const char *name, const char *const *choices) {
    const char *text = ae_text_setting(in, name);
    if (!text) {
        return 0;
    }
    char list[160] = "";
    for (size_t i = 0; choices[i]; i++) {
        if (strcmp(choices[i], text) == 0) {
            return i;
        }
        size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "", choices[i]);
    }
    ae_refuse(in, name, "is one of %s", list);
    return 0;
}

const char *ae_one_of(const ae_settings *in, const char *const *names) {
    const char *found = NULL;
    char list[160] = "";
    for (size_t i = 0; names[i]; i++) {
        size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s`%s`", i ? ", " : "", names[i]);
        if (!ae_has(in, names[i])) {
            continue;
        }
        if (found) {
            ae_refuse(in, names[i], "cannot be set beside `%s`", found);
            return NULL;
        }
        found = names[i];
    }
    if (!found) {
        ae_refuse(in, NULL, "one of %s is needed", list);
    }
    return found;
}

size_t ae_count(const ae_settings *in, const char *name) {
    const json_t *value = ae_value(in, name);
    if (value && !json_is_array(value) && !json_is_string(value)) {
        ae_refuse(in, name, "a list is expected");
    }
    return json_is_string(value) ? 1 : json_array_size(value);
}

const char *ae_text_element(const ae_settings *in, const char *name, size_t index) {
    const json_t *value = ae_value(in, name);
    return checked(in, name, json_is_string(value) ? value : json_array_get(value, index));
}
