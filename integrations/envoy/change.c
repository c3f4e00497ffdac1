#include "change.h"

typedef struct change {
    assay_text name, value;
    bool is_sent;  /* the client has sent a field of the name */
    bool is_token; /* withholds a token; the others are about claims */
} change;

static bool is_sent(const assay_request *request, assay_text name) {
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

static bool plan(ae_memory *memory, const assay_request *request, const assay_operation *operation) {
    if (operation->kind == ASSAY_SET_TARGET) {
        memory->target = operation->value;
        /* An empty target would leave the client's. */
        return memory->target.len > 0;
    }
    bool is_set = operation->kind == ASSAY_SET_FIELD, is_token = !is_set || has_tokens(operation->name);
    change change = {operation->name, operation->value, is_sent(request, operation->name), is_token};
    ae_append(&memory->changes, &change, sizeof change);
    return is_set || operation->kind == ASSAY_REMOVE_FIELD;
}

bool ae_changes_plan(ae_memory *memory, const assay_request *request) {
    assay_operation operation;
    assay_code code;
    memory->changes.len = 0;
    memory->target = (assay_text){0};
    for (size_t i = 0; (code = assay_decision_operation(&operation, memory->decision, i)) == ASSAY_OK; i++) {
        if (!plan(memory, request, &operation)) {
            return false;
        }
    }
    /* A list that ends otherwise is not whole. */
    return code == ASSAY_NO_VALUE;
}

/* Without a value all fields of the name are removed. */
static bool set(void *filter, int kind, assay_text name, assay_text value) {
    return CALLBACK(http_set_header)(filter, kind, ae_envoy(name), value.len ? ae_envoy(value) : (envoy_bytes){NULL, 0});
}

/* A field that the client has not sent is added. To replace one, Envoy looks for it first, and builds an index of all fields for that. */
static bool apply(void *filter, const change *change) {
    if (change->is_sent) {
        return set(filter, ENVOY_REQUEST_HEADER, change->name, change->value);
    }
    envoy_bytes name = ae_envoy(change->name), value = ae_envoy(change->value);
    return !value.length || CALLBACK(http_add_header)(filter, ENVOY_REQUEST_HEADER, name, value);
}

static bool apply_all(void *filter, const ae_memory *memory, bool is_token) {
    const change *changes = (const change *)(const void *)memory->changes.bytes;
    for (size_t i = 0; i < memory->changes.len / sizeof *changes; i++) {
        if (changes[i].is_token == is_token && !apply(filter, &changes[i])) {
            return false;
        }
    }
    return true;
}

bool ae_changes_identify(void *filter, const ae_memory *memory) { return apply_all(filter, memory, false); }

bool ae_changes_withhold(void *filter, const ae_memory *memory) {
    bool has_target = memory->target.len > 0;
    return apply_all(filter, memory, true) && (!has_target || set(filter, ENVOY_REQUEST_HEADER, LITERAL(":path"), memory->target));
}

void ae_trailers_clean(void *filter, const assay_gateway *gateway, ae_memory *memory) {
    const envoy_header *trailers;
    size_t count = ae_fields_read(&trailers, filter, ENVOY_REQUEST_TRAILER, &memory->headers);
    ae_bytes *names = &memory->changes;
    names->len = 0;
    for (size_t i = 0; i < count; i++) {
        if (assay_gateway_protects(gateway, trailers[i].key, trailers[i].key_length)) {
            ae_append_text(names, ae_name(&trailers[i]));
            ae_append_byte(names, ':');
        }
    }
    /* From here on the trailers' texts are gone. No name has a colon, so each is whole. */
    for (assay_text rest = {names->bytes, names->len}; rest.len;) {
        set(filter, ENVOY_REQUEST_TRAILER, ae_part(&rest, ':'), (assay_text){0});
    }
}
