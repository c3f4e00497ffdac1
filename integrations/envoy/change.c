#include "change.h"

#include "parameter.h"

typedef struct change {
    assay_text name, value;
    bool is_sent;      /* the client has sent a field of the name */
    bool is_parameter; /* to be removed from the query */
    bool is_token;     /* withholds a token; the others are about claims */
} change;

static const change *planned(const ae_memory *memory, size_t *out_count) {
    *out_count = memory->changes.len / sizeof(change);
    return (const change *)(const void *)memory->changes.bytes;
}

/* A field whose name comes twice counts as sent the second time, so that it replaces the first. */
static bool is_sent(const ae_memory *memory, const assay_request *request, assay_text name) {
    size_t count;
    const change *changes = planned(memory, &count);
    for (size_t i = 0; i < count; i++) {
        if (ae_equal(changes[i].name, name) && !changes[i].is_parameter) {
            return true;
        }
    }
    for (size_t i = 0; i < request->field_count; i++) {
        if (ae_equal(request->fields[i].name, name)) {
            return true;
        }
    }
    return false;
}

/* A token leaves one of these fields together with what stands beside it, so the rest is set. No claim is sent in them. */
static bool has_tokens(assay_text name) {
    bool is_list = ae_equal(name, LITERAL("cookie")) || ae_equal(name, LITERAL("sec-websocket-protocol"));
    return is_list || ae_equal(name, LITERAL("authorization"));
}

static bool is_withheld(const ae_memory *memory, assay_text part) {
    size_t count;
    const change *changes = planned(memory, &count);
    for (size_t i = 0; i < count; i++) {
        if (changes[i].is_parameter && ae_is_parameter(part, changes[i].name)) {
            return true;
        }
    }
    return false;
}

/* Writes the target without the withheld parameters. */
static void write_target(ae_memory *memory, assay_text query) {
    ae_append_text(&memory->target, ae_part(&query, '?'));
    for (char separator = '?'; query.len;) {
        assay_text part = ae_part(&query, '&');
        if (!is_withheld(memory, part)) {
            ae_append_byte(&memory->target, separator);
            ae_append_text(&memory->target, part);
            separator = '&';
        }
    }
}

static bool plan(ae_memory *memory, const assay_request *request, const assay_operation *operation) {
    change change = {.name = operation->name, .is_sent = is_sent(memory, request, operation->name)};
    switch (operation->kind) {
    case ASSAY_SET_FIELD: change.value = operation->value; break;
    case ASSAY_REMOVE_FIELD: break;
    case ASSAY_REMOVE_PARAMETER: change.is_parameter = true; break;
    default: return false;
    }
    change.is_token = operation->kind != ASSAY_SET_FIELD || has_tokens(operation->name);
    ae_append(&memory->changes, &change, sizeof change);
    return true;
}

bool ae_changes_plan(ae_memory *memory, const assay_request *request) {
    bool has_parameter = false;
    assay_operation operation;
    assay_code code;
    memory->changes.len = memory->target.len = 0;
    for (size_t i = 0; (code = assay_decision_operation(&operation, memory->decision, i)) == ASSAY_OK; i++) {
        has_parameter |= operation.kind == ASSAY_REMOVE_PARAMETER;
        if (!plan(memory, request, &operation)) {
            return false;
        }
    }
    if (has_parameter) {
        write_target(memory, request->target);
    }
    /* A list that ends otherwise is not whole, and an empty target would leave the client's. */
    return code == ASSAY_NO_VALUE && (!has_parameter || memory->target.len > 0);
}

static bool set(void *filter, int kind, assay_text name, assay_text value) {
    return CALLBACK(http_set_header)(filter, kind, ae_envoy(name), ae_envoy(value));
}

static bool remove_field(void *filter, int kind, assay_text name) { return set(filter, kind, name, (assay_text){NULL, 0}); }

/* A field that the client has not sent is added. To replace one, Envoy looks for it first, and builds an index of all fields for that. */
static bool apply(void *filter, const change *change) {
    if (!change->value.len) {
        return !change->is_sent || remove_field(filter, ENVOY_REQUEST_HEADER, change->name);
    }
    if (change->is_sent) {
        return set(filter, ENVOY_REQUEST_HEADER, change->name, change->value);
    }
    return CALLBACK(http_add_header)(filter, ENVOY_REQUEST_HEADER, ae_envoy(change->name), ae_envoy(change->value));
}

static bool apply_all(void *filter, const ae_memory *memory, bool is_token) {
    size_t count;
    const change *changes = planned(memory, &count);
    for (size_t i = 0; i < count; i++) {
        if (changes[i].is_token == is_token && !changes[i].is_parameter && !apply(filter, &changes[i])) {
            return false;
        }
    }
    return true;
}

bool ae_changes_identify(void *filter, const ae_memory *memory) { return apply_all(filter, memory, false); }

bool ae_changes_withhold(void *filter, const ae_memory *memory) {
    assay_text target = {memory->target.bytes, memory->target.len};
    return apply_all(filter, memory, true) && (!target.len || set(filter, ENVOY_REQUEST_HEADER, LITERAL(":path"), target));
}

void ae_trailers_clean(void *filter, const assay_gateway *gateway, ae_memory *memory) {
    const envoy_header *trailers;
    size_t count = ae_fields_read(&trailers, filter, ENVOY_REQUEST_TRAILER, &memory->headers);
    memory->names.len = 0;
    for (size_t i = 0; i < count; i++) {
        if (assay_gateway_protects(gateway, trailers[i].key, trailers[i].key_length)) {
            ae_append_text(&memory->names, ae_name(&trailers[i]));
            ae_append_byte(&memory->names, ':');
        }
    }
    /* From here on the trailers' texts are gone. No name has a colon, so each is whole. */
    for (assay_text rest = {memory->names.bytes, memory->names.len}; rest.len;) {
        remove_field(filter, ENVOY_REQUEST_TRAILER, ae_part(&rest, ':'));
    }
}
