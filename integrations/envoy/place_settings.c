/* Reads `tokenFrom`. */
#include <stdlib.h>
#include <string.h>

#include "field_name.h"
#include "place.h"

static const char *const KINDS[] = {"authorization", "header", "cookie", "query", NULL};

static int kind_of(const char *setting) {
    int kind = 0;
    while (strcmp(KINDS[kind], setting) != 0) {
        kind++;
    }
    return kind;
}

static void check(const ae_settings *in, const ae_place *place, const char *setting) {
    assay_text prefix = ae_text(place->prefix), name = ae_text(place->name);
    if (place->kind == AE_HEADER) {
        ae_check_field_name(in, setting, place->name);
    } else if (place->kind == AE_QUERY ? !ae_is_printable(name) : !ae_is_token(name)) {
        ae_refuse(in, setting, "letters, digits and `-` are expected");
    }
    if (prefix.len && place->kind != AE_HEADER) {
        ae_refuse(in, "prefix", "only a `header` has one");
    } else if (prefix.len && (!ae_is_printable(prefix) || prefix.bytes[0] == ' ' || strchr(place->prefix, ','))) {
        ae_refuse(in, "prefix", "printable ASCII without a comma is expected");
    }
}

ae_place ae_place_read(const ae_settings *element) {
    ae_place place = {0};
    const char *setting = ae_one_of(element, KINDS);
    const char *name = setting ? ae_text_setting(element, setting) : NULL;
    const char *prefix = ae_text_setting(element, "prefix");
    if (!name) {
        return place;
    }
    place = (ae_place){kind_of(setting), ae_copy(name), ae_copy(prefix ? prefix : "")};
    for (char *byte = place.name; *byte && (place.kind == AE_AUTHORIZATION || place.kind == AE_HEADER); byte++) {
        *byte = ae_lower(*byte);
    }
    if (place.kind == AE_HEADER && strcmp(place.name, "authorization") == 0) {
        ae_refuse(element, setting, "use `authorization: Bearer` for this field");
    }
    check(element, &place, setting);
    return place;
}

void ae_place_free(ae_place *place) {
    free(place->name);
    free(place->prefix);
}

static bool same(const char *a, const char *b) { return strcmp(a, b) == 0; }

bool ae_place_equal(const ae_place *a, const ae_place *b) {
    return a->kind == b->kind && same(a->name, b->name) && same(a->prefix, b->prefix);
}

bool ae_place_repeats(const ae_place *a, const ae_place *b) {
    if (a->kind != AE_HEADER || b->kind != AE_HEADER) {
        return ae_place_equal(a, b);
    }
    assay_text mine = ae_text(a->prefix), theirs = ae_text(b->prefix);
    return same(a->name, b->name) && (ae_begins(mine, theirs) || ae_begins(theirs, mine));
}

bool ae_place_excludes(const ae_place *a, const ae_place *b) {
    return a->kind == b->kind && (a->kind == AE_AUTHORIZATION || same(a->name, b->name));
}
