// Gateways and decisions.
#include "core.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct shared {
    shared *next;
    assay_gateway *gateway;
    assay_text settings;
    size_t states;
    char name[];
};

// Held while a state begins or ends, and never by a decision.
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static shared *all_shared;

static void drop(shared *dropped) {
    pthread_mutex_lock(&mutex);
    if (--dropped->states > 0) {
        pthread_mutex_unlock(&mutex);
        return;
    }
    shared **place = &all_shared;
    while (*place != dropped) place = &(*place)->next;
    *place = dropped->next;
    pthread_mutex_unlock(&mutex);
    assay_gateway_free(dropped->gateway);
    free((char *)dropped->settings.bytes);
    free(dropped);
}

static int free_gateway(lua_State *state) {
    gateway *self = luaL_checkudata(state, 1, GATEWAY);
    assay_decision_free(self->decision);
    if (self->shared != NULL) drop(self->shared);
    else assay_gateway_free(self->pointer);
    *self = (gateway){0};
    return 0;
}

static gateway *push_gateway(lua_State *state) {
    gateway *made = lua_newuserdata(state, sizeof *made);
    *made = (gateway){0};
    luaL_setmetatable(state, GATEWAY);
    if (assay_decision_new(&made->decision) != ASSAY_OK) luaL_error(state, "no decision can be made");
    return made;
}

static assay_code make(assay_gateway **out, assay_text settings, assay_gateway_options *options, uint64_t uses) {
    assay_replay_memory *memory = NULL;
    if (uses > 0) {
        assay_code code = assay_replay_memory_new(&memory, uses);
        if (code != ASSAY_OK) return code;
    }
    options->replay_memory = memory;
    assay_code code = assay_gateway_new(out, settings.bytes, settings.len, options);
    assay_replay_memory_free(memory);
    return code;
}

static shared *new_shared(assay_text name, assay_text settings) {
    shared *made = calloc(1, sizeof *made + name.len + 1);
    char *copy = malloc(settings.len + 1);
    if (made == NULL || copy == NULL) {
        free(made);
        free(copy);
        return NULL;
    }
    if (settings.len > 0) memcpy(copy, settings.bytes, settings.len);
    memcpy(made->name, name.bytes, name.len);
    made->settings = (assay_text){copy, settings.len};
    return made;
}

// The gateway of a name: made by the first state that asks.
static assay_code find_or_make(shared **out, assay_text name, assay_text settings, assay_gateway_options *options, uint64_t uses) {
    for (shared *found = all_shared; found != NULL; found = found->next) {
        if (strlen(found->name) != name.len || memcmp(found->name, name.bytes, name.len) != 0) continue;
        if (found->settings.len != settings.len || memcmp(found->settings.bytes, settings.bytes, settings.len) != 0)
            return ASSAY_INVALID_ARGUMENT;
        found->states++;
        *out = found;
        return ASSAY_OK;
    }
    shared *made = new_shared(name, settings);
    if (made == NULL) return ASSAY_INVALID_ARGUMENT;
    assay_code code = make(&made->gateway, settings, options, uses);
    if (code != ASSAY_OK) {
        free((char *)made->settings.bytes);
        free(made);
        return code;
    }
    made->states = 1;
    made->next = all_shared;
    all_shared = made;
    *out = made;
    return ASSAY_OK;
}

// gateway(settings, options)
static int gateway_new(lua_State *state) {
    assay_text settings = check_text(state, 1), name = {NULL, 0};
    assay_gateway_options options = {.size = sizeof options};
    uint64_t uses = 0;
    if (!lua_isnoneornil(state, 2)) {
        luaL_checktype(state, 2, LUA_TTABLE);
        options.folder = text_member(state, 2, "folder");
        options.cache_bytes = (uint64_t)integer_member(state, 2, "cache_bytes", 0, INT64_MAX);
        options.cache_seconds = (uint64_t)integer_member(state, 2, "cache_seconds", 0, INT64_MAX);
        options.cache_digests = (uint32_t)boolean_member(state, 2, "cache_digests");
        uses = (uint64_t)integer_member(state, 2, "uses", 0, 1 << 30);
        name = text_member(state, 2, "shared");
        luaL_argcheck(state, name.len == 0 || memchr(name.bytes, 0, name.len) == NULL, 2, "the name has a NUL");
    }
    gateway *made = push_gateway(state);
    assay_code code;
    if (name.len == 0) {
        code = make(&made->pointer, settings, &options, uses);
    } else {
        pthread_mutex_lock(&mutex);
        code = find_or_make(&made->shared, name, settings, &options, uses);
        pthread_mutex_unlock(&mutex);
        if (code == ASSAY_OK) made->pointer = made->shared->gateway;
    }
    return code == ASSAY_OK ? 1 : refused(state, code);
}

static size_t check(char *out, size_t max_out, const void *settings) {
    const assay_text *text = settings;
    return assay_gateway_check(out, max_out, text->bytes, text->len);
}

static int gateway_check(lua_State *state) {
    assay_text settings = check_text(state, 1);
    push_written(state, check, &settings);
    return 1;
}

static int gateway_replace(lua_State *state) {
    gateway *self = check_gateway(state, 1);
    assay_text settings = check_text(state, 2);
    return push_code(state, assay_gateway_replace(self->pointer, settings.bytes, settings.len));
}

static int gateway_revoke(lua_State *state) {
    gateway *self = check_gateway(state, 1);
    assay_text revocations = check_text(state, 2);
    return push_code(state, assay_gateway_revoke(self->pointer, revocations.bytes, revocations.len));
}

// What one request needs beside its table.
typedef struct request_parts {
    assay_field fields[2 * most_fields];
    assay_use used[most_uses];
} request_parts;

// {use, …}: what earlier decisions about the same request have used.
static size_t read_uses(lua_State *state, assay_use *out) {
    if (push_member(state, 2, "used") == LUA_TNIL) return 0;
    if (!lua_istable(state, -1) || lua_rawlen(state, -1) > most_uses) luaL_error(state, "used must be a list of at most %d", most_uses);
    size_t count = lua_rawlen(state, -1);
    for (size_t index = 0; index < count; index++) {
        size_t length = 0;
        lua_rawgeti(state, -1, (lua_Integer)index + 1);
        const char *bytes = lua_type(state, -1) == LUA_TSTRING ? lua_tolstring(state, -1, &length) : NULL;
        if (length != sizeof out->digest) luaL_error(state, "a use must be a string of %d bytes", (int)sizeof out->digest);
        memcpy(out[index].digest, bytes, length);
        lua_pop(state, 1);
    }
    return count;
}

// Fills a request from the table at 2, which keeps its texts.
static double read_request(lua_State *state, assay_request *out, request_parts *parts) {
    assay_field *fields = parts->fields;
    luaL_checktype(state, 2, LUA_TTABLE);
    *out = (assay_request){.size = sizeof *out, .fields = fields};
    out->method = text_member(state, 2, "method");
    out->authority = text_member(state, 2, "authority");
    out->target = text_member(state, 2, "target");
    out->policy = text_member(state, 2, "policy");
    out->scheme = text_member(state, 2, "scheme");
    out->certificate = text_member(state, 2, "certificate");
    out->certificate_digest = text_member(state, 2, "certificate_digest");
    out->may_wait = (uint32_t)boolean_member(state, 2, "may_wait");
    push_member(state, 2, "fields");
    out->field_count = read_fields(state, fields, 0);
    lua_settop(state, 2);
    if (push_member(state, 2, "context") != LUA_TNIL) {
        out->context = fields + out->field_count;
        out->context_count = read_fields(state, fields + out->field_count, 0);
    }
    lua_settop(state, 2);
    out->used = parts->used;
    out->used_count = read_uses(state, parts->used);
    lua_settop(state, 2);
    double now = ASSAY_NOW;
    if (push_member(state, 2, "now") != LUA_TNIL) now = optional_now(state, 3);
    lua_settop(state, 2);
    return now;
}

typedef assay_code decision_text(const char **, size_t *, const assay_decision *);

static void set_decision_text(lua_State *state, const char *name, decision_text *function, const assay_decision *decision) {
    const char *bytes;
    size_t length;
    if (function(&bytes, &length, decision) == ASSAY_OK) set_text(state, name, bytes, length);
}

// {"set", name, value}, {"remove", name} or {"target", target}
static void push_operation(lua_State *state, const assay_operation *operation) {
    lua_createtable(state, 3, 0);
    // A host refuses a kind that it does not know.
    lua_pushstring(state, operation->kind == ASSAY_SET_FIELD      ? "set"
                          : operation->kind == ASSAY_REMOVE_FIELD ? "remove"
                          : operation->kind == ASSAY_SET_TARGET   ? "target"
                                                                  : "unknown");
    lua_rawseti(state, -2, 1);
    assay_text second = operation->kind == ASSAY_SET_TARGET ? operation->value : operation->name;
    push_text(state, second.bytes, second.len);
    lua_rawseti(state, -2, 2);
    if (operation->kind != ASSAY_SET_FIELD) return;
    push_text(state, operation->value.bytes, operation->value.len);
    lua_rawseti(state, -2, 3);
}

static void set_operations(lua_State *state, const assay_decision *decision) {
    assay_operation operation;
    lua_createtable(state, 8, 0);
    for (size_t index = 0; assay_decision_operation(&operation, decision, index) == ASSAY_OK; index++) {
        push_operation(state, &operation);
        lua_rawseti(state, -2, (lua_Integer)index + 1);
    }
    lua_setfield(state, -2, "operations");
}

static void set_providers(lua_State *state, const assay_decision *decision) {
    const char *bytes;
    size_t length;
    if (assay_decision_provider(&bytes, &length, decision, 0) != ASSAY_OK) return;
    lua_createtable(state, 1, 0);
    for (size_t index = 0; assay_decision_provider(&bytes, &length, decision, index) == ASSAY_OK; index++) {
        push_text(state, bytes, length);
        lua_rawseti(state, -2, (lua_Integer)index + 1);
    }
    lua_setfield(state, -2, "providers");
}

static void set_metadata(lua_State *state, const assay_decision *decision) {
    assay_metadata metadata;
    if (assay_decision_metadata(&metadata, decision, 0) != ASSAY_OK) return;
    lua_createtable(state, 1, 0);
    for (size_t index = 0; assay_decision_metadata(&metadata, decision, index) == ASSAY_OK; index++) {
        lua_createtable(state, 0, 3);
        set_text(state, "provider", metadata.provider.bytes, metadata.provider.len);
        set_text(state, "key", metadata.key.bytes, metadata.key.len);
        set_text(state, "json", metadata.json.bytes, metadata.json.len);
        lua_rawseti(state, -2, (lua_Integer)index + 1);
    }
    lua_setfield(state, -2, "metadata");
}

// For the same request, when it is decided again.
static void set_uses(lua_State *state, const assay_decision *decision) {
    assay_use use;
    lua_createtable(state, 1, 0);
    for (size_t index = 0; assay_decision_use(&use, decision, index) == ASSAY_OK; index++) {
        lua_pushlstring(state, (const char *)use.digest, sizeof use.digest);
        lua_rawseti(state, -2, (lua_Integer)index + 1);
    }
    lua_setfield(state, -2, "used");
}

static size_t reason(char *out, size_t max_out, const void *decision) { return assay_decision_reason(out, max_out, decision); }

static void push_decision(lua_State *state, assay_code code, const assay_decision *decision) {
    lua_createtable(state, 0, 8);
    lua_pushstring(state, assay_code_name(code));
    lua_setfield(state, -2, "code");
    set_integer(state, "number", code);
    set_integer(state, "status", assay_decision_status(decision));
    set_decision_text(state, "policy", assay_decision_policy, decision);
    set_decision_text(state, "proof_nonce", assay_decision_proof_nonce, decision);
    set_operations(state, decision);
    set_providers(state, decision);
    set_metadata(state, decision);
    assay_code waived = assay_decision_waived(decision);
    if (waived != ASSAY_OK) {
        lua_pushstring(state, assay_code_name(waived));
        lua_setfield(state, -2, "waived");
    }
    if (code == ASSAY_OK) return;
    if (code == ASSAY_AWAITING_KEYS) set_uses(state, decision);
    set_decision_text(state, "challenge", assay_decision_challenge, decision);
    set_decision_text(state, "location", assay_decision_location, decision);
    int64_t retry_after = assay_decision_retry_after(decision);
    if (retry_after >= 0) set_integer(state, "retry_after", retry_after);
    push_written(state, reason, decision);
    lua_setfield(state, -2, "reason");
}

static int free_decision(lua_State *state) {
    object *self = luaL_checkudata(state, 1, DECISION);
    assay_decision_free(self->pointer);
    self->pointer = NULL;
    return 0;
}

// Pushes a decision that Lua frees.
static assay_decision *push_own_decision(lua_State *state) {
    object *made = push_object(state, DECISION);
    assay_decision *out = NULL;
    if (assay_decision_new(&out) != ASSAY_OK) luaL_error(state, "no decision can be made");
    made->pointer = out;
    return out;
}

static int decide(lua_State *state) {
    gateway *self = check_gateway(state, 1);
    request_parts parts;
    assay_request request;
    double now = read_request(state, &request, &parts);
    luaL_checkstack(state, 16, NULL);
    // A finalizer of Lua may decide while a decision is read: it gets one of its own.
    int is_within = self->is_busy;
    assay_decision *decision = is_within ? push_own_decision(state) : self->decision;
    assay_code code = assay_gateway_decide(decision, self->pointer, &request, now);
    self->is_busy = 1;
    push_decision(state, code, decision);
    self->is_busy = is_within;
    return 1;
}

typedef struct explained {
    const assay_gateway *gateway;
    const assay_request *request;
    double now;
} explained;

static size_t explanation(char *out, size_t max_out, const void *subject) {
    const explained *of = subject;
    return assay_gateway_explain(out, max_out, of->gateway, of->request, of->now);
}

static int explain(lua_State *state) {
    gateway *self = check_gateway(state, 1);
    request_parts parts;
    assay_request request;
    explained of = {self->pointer, &request, read_request(state, &request, &parts)};
    push_written(state, explanation, &of);
    return 1;
}

static size_t status_text(char *out, size_t max_out, const void *self) { return assay_gateway_status(out, max_out, self); }
static size_t metrics_text(char *out, size_t max_out, const void *self) { return assay_gateway_metrics(out, max_out, self); }

static int status(lua_State *state) {
    push_written(state, status_text, check_gateway(state, 1)->pointer);
    return 1;
}

static int metrics(lua_State *state) {
    push_written(state, metrics_text, check_gateway(state, 1)->pointer);
    return 1;
}

static int is_ready(lua_State *state) {
    lua_pushboolean(state, assay_gateway_is_ready(check_gateway(state, 1)->pointer));
    return 1;
}

static int protects(lua_State *state) {
    gateway *self = check_gateway(state, 1);
    assay_text name = check_text(state, 2);
    lua_pushboolean(state, assay_gateway_protects(self->pointer, name.bytes, name.len));
    return 1;
}

typedef struct resource {
    const assay_gateway *gateway;
    assay_text authority, target;
} resource;

static size_t resource_text(char *out, size_t max_out, const void *subject) {
    const resource *of = subject;
    return assay_gateway_resource_metadata(out, max_out, of->gateway, of->authority.bytes, of->authority.len, of->target.bytes,
                                           of->target.len);
}

static int resource_metadata(lua_State *state) {
    resource of = {check_gateway(state, 1)->pointer, check_text(state, 2), check_text(state, 3)};
    push_written(state, resource_text, &of);
    if (lua_rawlen(state, -1) == 0) lua_pushnil(state);
    return 1;
}

void add_gateways(lua_State *state) {
    static const luaL_Reg functions[] = {
        {"gateway", gateway_new}, {"gateway_check", gateway_check}, {"gateway_replace", gateway_replace},
        {"gateway_revoke", gateway_revoke}, {"decide", decide}, {"explain", explain}, {"status", status}, {"metrics", metrics},
        {"is_ready", is_ready}, {"protects", protects}, {"resource_metadata", resource_metadata}, {NULL, NULL}};
    add_metatable(state, GATEWAY, free_gateway);
    add_metatable(state, DECISION, free_decision);
    luaL_setfuncs(state, functions, 0);
}
