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
    const char *dot = in->path[0] && name ? "." : "";
    snprintf(in->fault->text, sizeof in->fault->text, "`%s%s%.64s`: %s", in->path, dot, name ? name : "", reason);
}

static void check_names(const ae_settings *in, const char *const *names) {
    const char *name;
    json_t *value;
    json_object_foreach(in->object, name, value) {
        const char *const *known = names;
        while (known && *known && strcmp(*known, name) != 0) {
            known++;
        }
        if (known && !*known) {
            ae_refuse(in, name, "no such setting");
        }
    }
}

ae_settings ae_settings_root(envoy_bytes text, const char *const *names, ae_fault *fault) {
    ae_settings root = {.fault = fault};
    /* No configuration is an empty one: what it lacks is named then. */
    root.object = text.length ? json_loadb(text.ptr, text.length, JSON_REJECT_DUPLICATES, NULL) : json_object();
    if (!json_is_object(root.object)) {
        ae_refuse(&root, "filter_config", "a google.protobuf.Struct, or a StringValue with a JSON object, is expected");
        json_decref(root.object);
        root.object = NULL;
    }
    check_names(&root, names);
    return root;
}

bool ae_settings_end(const ae_settings *root, const char *where) {
    if (ae_is_faulty(root)) {
        ae_log(ENVOY_LOG_ERROR, "assay: %s%s", where, root->fault->text);
    }
    json_decref(root->object);
    return !ae_is_faulty(root);
}

static ae_settings section(const ae_settings *in, json_t *value, const char *name, const char *const *names) {
    ae_settings found = {.fault = in->fault};
    if (value && !json_is_object(value)) {
        ae_refuse(in, name, "settings are expected here, each as `name: value`");
    }
    snprintf(found.path, sizeof found.path, "%.90s%s%.64s", in->path, in->path[0] ? "." : "", name);
    found.object = json_is_object(value) ? value : NULL;
    check_names(&found, names);
    return found;
}

ae_settings ae_section(const ae_settings *in, const char *name, const char *const *names) {
    return section(in, ae_value(in, name), name, names);
}

ae_settings ae_element(const ae_settings *in, const char *name, size_t index, const char *const *names) {
    char element[80];
    snprintf(element, sizeof element, "%.60s[%zu]", name, index + 1);
    return section(in, json_array_get(ae_value(in, name), index), element, names);
}

size_t ae_count(const ae_settings *in, const char *name) {
    const json_t *value = ae_value(in, name);
    if (value && !json_is_array(value)) {
        ae_refuse(in, name, "a list is expected");
    }
    return json_array_size(value);
}

void ae_take_out(const ae_settings *in, const char *const *names) {
    for (; *names; names++) {
        json_object_del(in->object, *names);
    }
}

bool ae_has(const ae_settings *in, const char *name) { return json_object_get(in->object, name) != NULL; }

json_t *ae_value(const ae_settings *in, const char *name) {
    json_t *value = json_object_get(in->object, name);
    if (json_is_null(value)) {
        ae_refuse(in, name, "has no value; write one, or leave the setting out");
        return NULL;
    }
    return value;
}

const char *ae_plain_text(const json_t *object, const char *name) {
    const char *text = json_string_value(json_object_get(object, name));
    return text ? text : "";
}

const char *ae_text_setting(const ae_settings *in, const char *name, const char *absent) {
    const json_t *value = ae_value(in, name);
    const char *text = ae_plain_text(in->object, name);
    if (value && !text[0]) {
        ae_refuse(in, name, "a text is expected");
    } else if (!value && !absent) {
        ae_refuse(in, name, "is missing");
    }
    return value || !absent ? text : absent;
}

int64_t ae_integer_setting(const ae_settings *in, const char *name, int64_t least, int64_t most, int64_t absent) {
    const json_t *value = ae_value(in, name);
    if (!value) {
        return absent;
    }
    /* Envoy's numbers are doubles, and JSON may show one with a fraction of zero. */
    double number = json_number_value(value);
    bool is_within = number >= (double)least && number <= (double)most;
    if (!json_is_number(value) || (is_within && number != (double)(int64_t)number)) {
        ae_refuse(in, name, "a whole number is expected");
    } else if (!is_within) {
        ae_refuse(in, name, "between %lld and %lld, not %.0f", (long long)least, (long long)most, number);
    }
    return is_within ? (int64_t)number : absent;
}

bool ae_flag_setting(const ae_settings *in, const char *name) {
    const json_t *value = ae_value(in, name);
    if (value && !json_is_boolean(value)) {
        ae_refuse(in, name, "`true` or `false` is expected");
    }
    return json_is_true(value);
}
