// Requests and decisions.
#include "core.h"

#include <string.h>
#include <strings.h>

// What one request needs beside its table.
typedef struct request_parts {
    assay_field fields[2 * most_fields];
    assay_use used[most_uses];
} request_parts;

// {use, …} or nil, on the top of the stack: what earlier decisions about the same request have used.
static size_t read_uses(lua_State *state, assay_use *out) {
    if (lua_isnil(state, -1)) return 0;
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
    push_member(state, 2, "used");
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

// Pushes values of a decision, and returns how many.
typedef int pusher(lua_State *state, assay_code code, const assay_decision *decision, const assay_request *request);

static int decide_with(lua_State *state, gateway *self, const assay_request *request, double now, pusher *push) {
    luaL_checkstack(state, 16, NULL);
    // A finalizer of Lua may decide while a decision is read: it gets one of its own.
    int is_within = self->is_busy;
    assay_decision *decision = is_within ? push_own_decision(state) : self->decision;
    assay_code code = assay_gateway_decide(decision, self->pointer, request, now);
    self->is_busy = 1;
    int count = push(state, code, decision, request);
    self->is_busy = is_within;
    return count;
}

static int push_whole(lua_State *state, assay_code code, const assay_decision *decision, const assay_request *request) {
    (void)request;
    push_decision(state, code, decision);
    return 1;
}

static int decide(lua_State *state) {
    gateway *self = check_gateway(state, 1);
    request_parts parts;
    assay_request request;
    double now = read_request(state, &request, &parts);
    return decide_with(state, self, &request, now, push_whole);
}

static int has_field(const assay_request *request, assay_text name) {
    for (size_t index = 0; index < request->field_count; index++) {
        assay_text found = request->fields[index].name;
        if (found.len == name.len && strncasecmp(found.bytes, name.bytes, name.len) == 0) return 1;
    }
    return 0;
}

// Appends a name and a value, or `false`, to the list on the top, which has so many members.
static lua_Integer append_change(lua_State *state, lua_Integer count, assay_text name, const assay_text *value) {
    push_text(state, name.bytes, name.len);
    lua_rawseti(state, -2, count + 1);
    if (value != NULL) push_text(state, value->bytes, value->len);
    else lua_pushboolean(state, 0);
    lua_rawseti(state, -2, count + 2);
    return count + 2;
}

// {name, value, …}: `false` removes a field that the request has, and `:path` is the target. A field that the request has is removed before
// it is set. A kind of operation that is not known is an error: the host refuses then.
static void push_changes(lua_State *state, const assay_decision *decision, const assay_request *request) {
    static const assay_text path = {":path", 5};
    assay_operation operation;
    lua_Integer count = 0;
    lua_createtable(state, 8, 0);
    for (size_t index = 0; assay_decision_operation(&operation, decision, index) == ASSAY_OK; index++) {
        if (operation.kind == ASSAY_SET_TARGET) {
            count = append_change(state, count, path, &operation.value);
            continue;
        }
        if (operation.kind != ASSAY_SET_FIELD && operation.kind != ASSAY_REMOVE_FIELD) luaL_error(state, "an operation is not known");
        if (has_field(request, operation.name)) count = append_change(state, count, operation.name, NULL);
        if (operation.kind == ASSAY_SET_FIELD) count = append_change(state, count, operation.name, &operation.value);
    }
}

// Whether a decision has more than its changes and its policy.
static int has_more(assay_code code, const assay_decision *decision) {
    assay_metadata metadata;
    const char *bytes;
    size_t length;
    return code != ASSAY_OK || assay_decision_waived(decision) != ASSAY_OK || assay_decision_metadata(&metadata, decision, 0) == ASSAY_OK ||
           assay_decision_proof_nonce(&bytes, &length, decision) == ASSAY_OK;
}

static int push_admission(lua_State *state, assay_code code, const assay_decision *decision, const assay_request *request) {
    const char *bytes;
    size_t length;
    if (code == ASSAY_OK) push_changes(state, decision, request);
    else lua_pushnil(state);
    if (assay_decision_policy(&bytes, &length, decision) == ASSAY_OK) push_text(state, bytes, length);
    else lua_pushnil(state);
    if (has_more(code, decision)) push_decision(state, code, decision);
    else lua_pushnil(state);
    return 3;
}

// The value of the only field `host`. A request with two of them has no authority.
static assay_text only_host(const assay_request *request) {
    assay_text host = {NULL, 0};
    size_t count = 0;
    for (size_t index = 0; index < request->field_count; index++) {
        assay_text name = request->fields[index].name;
        if (name.len != 4 || strncasecmp(name.bytes, "host", 4) != 0) continue;
        host = request->fields[index].value;
        count++;
    }
    return count == 1 ? host : (assay_text){NULL, 0};
}

// admit(gateway, fields, method, target, scheme, may_wait, certificate, used, now): decides without a table for the question and one for
// each operation. In HAProxy these cost as much as the decision itself.
static int admit(lua_State *state) {
    gateway *self = check_gateway(state, 1);
    assay_field fields[most_fields];
    assay_use used[most_uses];
    assay_request request = {.size = sizeof request, .fields = fields, .used = used};
    request.method = check_text(state, 3);
    request.target = check_text(state, 4);
    request.scheme = check_text(state, 5);
    luaL_checktype(state, 6, LUA_TBOOLEAN);
    request.may_wait = (uint32_t)lua_toboolean(state, 6);
    request.certificate = optional_text(state, 7);
    double now = optional_now(state, 9);
    lua_settop(state, 8);
    request.used_count = read_uses(state, used);
    lua_pushvalue(state, 2);
    request.field_count = read_fields(state, fields, 0);
    lua_settop(state, 8);
    request.authority = only_host(&request);
    return decide_with(state, self, &request, now, push_admission);
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

void add_deciding(lua_State *state) {
    static const luaL_Reg functions[] = {{"decide", decide}, {"admit", admit}, {"explain", explain}, {NULL, NULL}};
    add_metatable(state, DECISION, free_decision);
    luaL_setfuncs(state, functions, 0);
}
