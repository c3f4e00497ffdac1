/* Reads `claims`. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "claim.h"
#include "field_name.h"

static const char *const KINDS[] = {"claim", "path", NULL};
static const char *const ARRAYS[] = {"joined", "json", NULL};

/* RFC 6901 section 3. */
static void append_step(ae_bytes *pointer, const char *step) {
    ae_append_byte(pointer, '/');
    for (; *step; step++) {
        if (*step == '~' || *step == '/') {
            ae_append_text(pointer, ae_text(*step == '~' ? "~0" : "~1"));
        } else {
            ae_append_byte(pointer, *step);
        }
    }
}

/* A list of member names and of positions in arrays. */
static void append_path(ae_bytes *pointer, const ae_settings *in) {
    size_t count = ae_count(in, "path");
    if (!count) {
        ae_refuse(in, "path", "a list of member names and positions is expected");
    }
    for (size_t i = 0; i < count; i++) {
        const json_t *step = json_array_get(ae_value(in, "path"), i);
        if (json_is_number(step) && json_number_value(step) >= 0 && json_number_value(step) < 1e6) {
            char position[16];
            snprintf(position, sizeof position, "%.0f", json_number_value(step));
            append_step(pointer, position);
        } else {
            const char *name = ae_text_element(in, "path", i);
            append_step(pointer, name ? name : "");
        }
    }
}

/* A separator that is part of a percent-encoding would make two readings of one value. */
static void check_separator(const ae_settings *in, const char *separator) {
    assay_text text = ae_text(separator);
    bool is_plain = text.len <= 8 && ae_is_printable(text) && !strchr(separator, '%');
    for (size_t i = 0; i < text.len; i++) {
        is_plain = is_plain && !ae_is_plain(text.bytes[i]);
    }
    if (!is_plain) {
        ae_refuse(in, "separator", "at most 8 punctuation characters other than `%%` are expected");
    }
}

static char *separator_of(const ae_settings *in) {
    const char *separator = ae_text_setting(in, "separator");
    if (ae_choice_setting(in, "arrays", ARRAYS) == 0) {
        check_separator(in, separator ? separator : ",");
        return ae_copy(separator ? separator : ",");
    }
    if (separator) {
        ae_refuse(in, "separator", "is of no use with `arrays: json`");
    }
    return NULL;
}

static size_t slot_of(const ae_settings *in, const char *header, ae_names *fields) {
    char *name = ae_copy(header);
    for (char *byte = name; *byte; byte++) {
        *byte = ae_lower(*byte);
    }
    ae_check_field_name(in, "header", name);
    int slot = -1;
    if (!ae_is_faulty(in)) {
        ae_names_add(fields, name);
        slot = ae_names_find(fields, ae_text(name));
    }
    free(name);
    return slot < 0 ? 0 : (size_t)slot;
}

static bool is_pointer(const char *text) {
    for (const char *tilde = strchr(text, '~'); tilde; tilde = strchr(tilde + 1, '~')) {
        if (tilde[1] != '0' && tilde[1] != '1') {
            return false;
        }
    }
    return *text == '/';
}

/* A name, or a JSON Pointer, which begins with a slash. */
static void read_name(ae_claim *claim, const ae_settings *in) {
    const char *name = ae_text_setting(in, "claim");
    if (!name || *name != '/') {
        claim->name = ae_copy(name ? name : "");
        return;
    }
    if (!is_pointer(name)) {
        ae_refuse(in, "claim", "is no JSON Pointer (RFC 6901): `~` stands there as `~0`, `/` as `~1`");
    }
    claim->pointer = ae_copy(name);
}

ae_claim ae_claim_read(const ae_settings *element, ae_names *fields) {
    ae_claim claim = {0};
    const char *header = ae_needed_text(element, "header"), *kind = ae_one_of(element, KINDS);
    if (header) {
        claim.slot = slot_of(element, header, fields);
    }
    if (kind && strcmp(kind, "claim") == 0) {
        read_name(&claim, element);
    } else if (kind) {
        ae_bytes pointer = {0};
        append_path(&pointer, element);
        ae_append_byte(&pointer, 0);
        claim.pointer = pointer.bytes;
    }
    claim.separator = separator_of(element);
    return claim;
}

void ae_claim_free(ae_claim *claim) {
    free(claim->name);
    free(claim->pointer);
    free(claim->separator);
}
