#include "requirement.h"

#include <stdlib.h>
#include <string.h>

#define MOST_LEVELS 8

typedef struct reader {
    const ae_settings *in;
    const ae_provider *providers;
    size_t provider_count;
    const ae_places *places;
    size_t members; /* in the whole requirement */
} reader;

static bool read_part(ae_requirement *out, reader *reader, const json_t *value, size_t level);

static void refuse(reader *reader, const char *format, const char *name) { ae_refuse(reader->in, "requires", format, name); }

static bool read_provider(ae_requirement *out, reader *reader, const char *name) {
    for (size_t i = 0; i < reader->provider_count; i++) {
        if (reader->providers[i].name && strcmp(reader->providers[i].name, name) == 0) {
            *out = (ae_requirement){.kind = AE_PROVIDER, .provider = i, .providers = 1ull << i};
            return true;
        }
    }
    refuse(reader, "there is no provider `%.64s`", name);
    return false;
}

static int allowance_of(const json_t *value) {
    const char *text = json_is_string(value) ? json_string_value(value) : "";
    return strcmp(text, "allow-missing") == 0 ? AE_ALLOW_MISSING : strcmp(text, "allow-failed") == 0 ? AE_ALLOW_FAILED : AE_ALLOW_NOTHING;
}

static void read_allowance(ae_requirement *out, reader *reader, const json_t *value) {
    if (out->kind != AE_ANY || out->allowance) {
        refuse(reader, "`%.64s` stands once, and in an `any`", json_string_value(value));
    }
    out->allowance = allowance_of(value);
}

static uint64_t places_of(const reader *reader, uint64_t providers) {
    uint64_t places = 0;
    for (size_t i = 0; i < reader->provider_count; i++) {
        places |= providers >> i & 1 ? reader->providers[i].places : 0;
    }
    return places;
}

static bool has_excluded(const reader *reader, uint64_t mine, uint64_t others) {
    for (size_t i = 0; i < reader->places->count; i++) {
        for (size_t k = 0; k < reader->places->count; k++) {
            if (mine >> i & 1 && others >> k & 1 && ae_place_excludes(&reader->places->places[i], &reader->places->places[k])) {
                return true;
            }
        }
    }
    return false;
}

/* Each member of an `all` has a token of its own, so it needs a place of its own, and fields of its own. */
static void check_all(reader *reader, const ae_requirement *all) {
    uint64_t earlier = 0, slots = 0;
    for (size_t i = 0; i < all->count; i++) {
        uint64_t mine = all->members[i].providers, own_slots = 0;
        for (size_t k = 0; k < reader->provider_count; k++) {
            own_slots |= mine >> k & 1 ? reader->providers[k].slots : 0;
        }
        if (has_excluded(reader, places_of(reader, mine), places_of(reader, earlier))) {
            refuse(reader, "two members of an `%s` take their tokens from one place", "all");
        } else if (slots & own_slots) {
            refuse(reader, "two members of an `%s` set one field", "all");
        }
        earlier |= mine;
        slots |= own_slots;
    }
}

static bool read_list(ae_requirement *out, reader *reader, int kind, const json_t *list, size_t level) {
    size_t size = json_array_size(list);
    *out = (ae_requirement){.kind = kind, .members = ae_allocate(size, sizeof *out->members)};
    for (size_t i = 0; i < size && !ae_is_faulty(reader->in); i++) {
        const json_t *value = json_array_get(list, i);
        if (allowance_of(value)) {
            read_allowance(out, reader, value);
        } else if (read_part(&out->members[out->count], reader, value, level)) {
            out->providers |= out->members[out->count++].providers;
        }
    }
    if (!out->count) {
        refuse(reader, "an `%s` needs a provider", kind == AE_ANY ? "any" : "all");
    } else if (kind == AE_ALL) {
        check_all(reader, out);
    }
    return true;
}

static bool read_part(ae_requirement *out, reader *reader, const json_t *value, size_t level) {
    if (level > MOST_LEVELS || ++reader->members > AE_MOST) {
        refuse(reader, "has more than %s", "8 levels or 64 members");
        return false;
    }
    if (json_is_string(value)) {
        return read_provider(out, reader, json_string_value(value));
    }
    const json_t *any = json_object_get(value, "any"), *all = json_object_get(value, "all");
    if (json_object_size(value) == 1 && json_is_array(any ? any : all)) {
        return read_list(out, reader, any ? AE_ANY : AE_ALL, any ? any : all, level + 1);
    }
    refuse(reader, "the name of a provider, `nothing`, or `any` or `all` with a %s", "list");
    return false;
}

ae_requirement *ae_requirement_read(const ae_settings *policy, const ae_provider *providers, size_t count, const ae_places *places) {
    reader reader = {policy, providers, count, places, 0};
    const json_t *value = ae_value(policy, "requires");
    if (!value) {
        refuse(&reader, "is missing; an open policy has `requires: %s`", "nothing");
    }
    if (!value || (json_is_string(value) && strcmp(json_string_value(value), "nothing") == 0)) {
        return NULL;
    }
    ae_requirement *requirement = ae_allocate(1, sizeof *requirement);
    read_part(requirement, &reader, value, 1);
    return requirement;
}

static void free_members(ae_requirement *requirement) {
    for (size_t i = 0; i < requirement->count; i++) {
        free_members(&requirement->members[i]);
    }
    free(requirement->members);
}

void ae_requirement_free(ae_requirement *requirement) {
    if (requirement) {
        free_members(requirement);
        free(requirement);
    }
}

bool ae_requirement_admits_anonymous(const ae_requirement *requirement) {
    bool any = requirement->allowance != AE_ALLOW_NOTHING, all = true;
    for (size_t i = 0; i < requirement->count; i++) {
        bool admits = ae_requirement_admits_anonymous(&requirement->members[i]);
        any |= admits;
        all &= admits;
    }
    return requirement->kind == AE_PROVIDER ? false : requirement->kind == AE_ANY ? any : all;
}
