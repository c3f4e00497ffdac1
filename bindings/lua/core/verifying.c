// Policies, keys and verifiers.
#include "core.h"

#include <stdlib.h>
#include <string.h>

static const size_t first_size = 4096, largest_size = 1 << 20;
enum { lanes = 64, most_issuers = 1024 };

typedef struct verifier {
    assay_verifier *pointer;
    assay_result *result;
    void *memory;
    size_t size;
    // A finalizer of Lua that verifies while a result is read must not change it.
    int is_busy;
    size_t realm_len, scope_len;
    char texts[]; // the realm, then the scope
} verifier;

static int free_keys(lua_State *state) {
    object *self = luaL_checkudata(state, 1, KEYS);
    assay_keys_free(self->pointer);
    self->pointer = NULL;
    return 0;
}

static int free_policy(lua_State *state) {
    object *self = luaL_checkudata(state, 1, POLICY);
    assay_policy_free(self->pointer);
    self->pointer = NULL;
    return 0;
}

static int free_verifier(lua_State *state) {
    verifier *self = luaL_checkudata(state, 1, VERIFIER);
    assay_verifier_free(self->pointer);
    free(self->memory);
    self->pointer = NULL;
    self->memory = NULL;
    self->result = NULL;
    return 0;
}

static int finish(lua_State *state, assay_code code, object *made, void *pointer) {
    if (code != ASSAY_OK) return refused(state, code);
    made->pointer = pointer;
    return 1;
}

// policy(preset, issuer, audience)
static int policy(lua_State *state) {
    lua_Integer preset = luaL_checkinteger(state, 1);
    assay_text issuer = optional_text(state, 2), audience = optional_text(state, 3);
    object *made = push_object(state, POLICY);
    assay_policy *out = NULL;
    assay_code code = ASSAY_INVALID_ARGUMENT;
    if (preset == 0) code = assay_policy_new(&out);
    if (preset == 1) code = assay_policy_new_id_token(&out, issuer.bytes, issuer.len, audience.bytes, audience.len);
    if (preset == 2) code = assay_policy_new_access_token(&out, issuer.bytes, issuer.len, audience.bytes, audience.len);
    return finish(state, code, made, out);
}

static int policy_add(lua_State *state) {
    assay_policy *self = check_object(state, 1, POLICY);
    uint32_t rule = (uint32_t)luaL_checkinteger(state, 2);
    assay_text text = check_text(state, 3);
    return push_code(state, assay_policy_add(self, rule, text.bytes, text.len));
}

static int policy_set(lua_State *state) {
    assay_policy *self = check_object(state, 1, POLICY);
    return push_code(state, assay_policy_set(self, (uint32_t)luaL_checkinteger(state, 2), luaL_checkinteger(state, 3)));
}

static int keys(lua_State *state) {
    assay_text document = check_text(state, 1);
    object *made = push_object(state, KEYS);
    assay_keys *out = NULL;
    assay_code code = assay_keys_new(&out, document.bytes, document.len);
    return finish(state, code, made, out);
}

static assay_code refresh_options(lua_State *state, int index, assay_refresh_options *out) {
    static const int64_t most = 1000000000000;
    int has_table = !lua_isnoneornil(state, index);
    if (has_table) luaL_checktype(state, index, LUA_TTABLE);
    uint32_t preset = has_table ? (uint32_t)integer_member(state, index, "preset", 0, 1) : 0;
    assay_code code = assay_refresh_options_init(out, sizeof *out, preset);
    if (code != ASSAY_OK || !has_table) return code;
    out->default_lifetime = integer_member(state, index, "default_lifetime", out->default_lifetime, most);
    out->shortest_lifetime = integer_member(state, index, "shortest_lifetime", out->shortest_lifetime, most);
    out->longest_lifetime = integer_member(state, index, "longest_lifetime", out->longest_lifetime, most);
    out->stale_if_error = integer_member(state, index, "stale_if_error", out->stale_if_error, most);
    out->attempt_limit = integer_member(state, index, "attempt_limit", out->attempt_limit, most);
    return ASSAY_OK;
}

typedef assay_code fetched_keys(assay_keys **, const char *, size_t, const assay_refresh_options *);

static int keys_of(lua_State *state, fetched_keys *make) {
    assay_text place = check_text(state, 1);
    assay_refresh_options options;
    assay_code code = refresh_options(state, 2, &options);
    object *made = push_object(state, KEYS);
    assay_keys *out = NULL;
    if (code == ASSAY_OK) code = make(&out, place.bytes, place.len, &options);
    return finish(state, code, made, out);
}

static int keys_url(lua_State *state) { return keys_of(state, assay_keys_new_url); }
static int keys_issuer(lua_State *state) { return keys_of(state, assay_keys_new_issuer); }

static int prepare(lua_State *state) {
    assay_keys_prepare(check_object(state, 1, KEYS));
    return 0;
}

static verifier *push_verifier(lua_State *state, assay_text realm, assay_text scope) {
    verifier *made = lua_newuserdata(state, sizeof *made + realm.len + scope.len);
    memset(made, 0, sizeof *made);
    luaL_setmetatable(state, VERIFIER);
    made->realm_len = realm.len;
    made->scope_len = scope.len;
    if (realm.len > 0) memcpy(made->texts, realm.bytes, realm.len);
    if (scope.len > 0) memcpy(made->texts + realm.len, scope.bytes, scope.len);
    made->memory = malloc(first_size);
    made->size = first_size;
    made->result = assay_result_init(made->memory, first_size);
    if (made->result == NULL) luaL_error(state, "not enough memory");
    return made;
}

// Whether the memory has grown to what the valid token needs.
static int grow(verifier *self) {
    size_t needed = assay_result_needed(self->result);
    if (needed <= self->size || needed > largest_size) return 0;
    void *memory = malloc(needed);
    assay_result *result = assay_result_init(memory, needed);
    if (result == NULL) {
        free(memory);
        return 0;
    }
    free(self->memory);
    self->memory = memory;
    self->size = needed;
    self->result = result;
    return 1;
}

static void read_issuers(lua_State *state, assay_issuer *out, size_t count) {
    for (size_t index = 0; index < count; index++) {
        lua_rawgeti(state, 1, (lua_Integer)(2 * index + 1));
        lua_rawgeti(state, 1, (lua_Integer)(2 * index + 2));
        out[index].policy = check_object(state, -2, POLICY);
        out[index].keys = check_object(state, -1, KEYS);
        lua_pop(state, 2);
    }
}

// verifier({policy, keys, …}, options)
static int verifier_new(lua_State *state) {
    luaL_checktype(state, 1, LUA_TTABLE);
    size_t length = lua_rawlen(state, 1);
    luaL_argcheck(state, length % 2 == 0 && length <= 2 * most_issuers, 1, "pairs of a policy and keys are needed");
    assay_verifier_options options = {.size = sizeof options};
    assay_text realm = {NULL, 0}, scope = {NULL, 0};
    if (!lua_isnoneornil(state, 2)) {
        luaL_checktype(state, 2, LUA_TTABLE);
        options.token_bytes = (uint64_t)integer_member(state, 2, "token_bytes", 0, INT64_MAX);
        options.cache_bytes = (uint64_t)integer_member(state, 2, "cache_bytes", 0, INT64_MAX);
        options.cache_seconds = (uint64_t)integer_member(state, 2, "cache_seconds", 0, INT64_MAX);
        options.cache_digests = (uint32_t)boolean_member(state, 2, "cache_digests");
        realm = text_member(state, 2, "realm");
        scope = text_member(state, 2, "scope");
    }
    assay_issuer *issuers = lua_newuserdata(state, (length / 2 + 1) * sizeof *issuers);
    read_issuers(state, issuers, length / 2);
    verifier *made = push_verifier(state, realm, scope);
    assay_code code = assay_verifier_new(&made->pointer, issuers, length / 2, &options);
    return code == ASSAY_OK ? 1 : refused(state, code);
}

typedef assay_code text_function(const char **, size_t *, const assay_result *);
typedef assay_code date_function(int64_t *, const assay_result *);

static int push_claims(lua_State *state, const assay_result *result) {
    static text_function *const texts[] = {assay_result_payload, assay_result_header, assay_result_issuer, assay_result_subject,
                                           assay_result_token_id, assay_result_key_id, assay_result_algorithm};
    static date_function *const dates[] = {assay_result_expiration, assay_result_not_before, assay_result_issued_at,
                                           assay_result_authentication_time};
    luaL_checkstack(state, 14, NULL);
    lua_pushinteger(state, ASSAY_OK);
    for (size_t index = 0; index < sizeof texts / sizeof *texts; index++) {
        const char *bytes;
        size_t length;
        if (texts[index](&bytes, &length, result) == ASSAY_OK) push_text(state, bytes, length);
        else lua_pushnil(state);
    }
    for (size_t index = 0; index < sizeof dates / sizeof *dates; index++) {
        int64_t date;
        if (dates[index](&date, result) == ASSAY_OK) lua_pushinteger(state, date);
        else lua_pushnil(state);
    }
    return 12;
}

static size_t description(char *out, size_t max_out, const void *result) { return assay_result_description(out, max_out, result); }

typedef struct answer {
    const assay_result *result;
    const verifier *verifier;
} answer;

static size_t challenge(char *out, size_t max_out, const void *subject) {
    const answer *of = subject;
    const char *realm = of->verifier->texts, *scope = realm + of->verifier->realm_len;
    return assay_result_challenge(out, max_out, of->result, realm, of->verifier->realm_len, scope, of->verifier->scope_len);
}

static int push_refusal(lua_State *state, assay_code code, const answer *of) {
    luaL_checkstack(state, 8, NULL);
    lua_pushinteger(state, code);
    int64_t offset = assay_result_offset(of->result);
    if (offset >= 0) lua_pushinteger(state, offset);
    else lua_pushnil(state);
    lua_pushstring(state, assay_result_claim_name(of->result));
    push_written(state, challenge, of);
    push_written(state, description, of->result);
    return 5;
}

static int push_verdict(lua_State *state, assay_code code, const assay_result *result, const verifier *self) {
    answer of = {result, self};
    return code == ASSAY_OK ? push_claims(state, result) : push_refusal(state, code, &of);
}

// What one call asks.
typedef struct question {
    assay_text token;
    double now;
    const assay_login *login;
    int is_payload;
} question;

static assay_code ask(assay_result *result, const assay_verifier *self, const question *asked) {
    if (asked->is_payload) return assay_verify_payload(result, self, asked->token.bytes, asked->token.len);
    if (asked->login != NULL) return assay_verify_login(result, self, asked->token.bytes, asked->token.len, asked->now, asked->login);
    return assay_verify(result, self, asked->token.bytes, asked->token.len, asked->now);
}

// A call within a call, by a finalizer: a result of its own, which Lua frees.
static int answer_within(lua_State *state, verifier *self, const question *asked) {
    size_t size = assay_result_size(asked->token.len);
    char *memory = lua_newuserdata(state, size + 16);
    assay_result *result = assay_result_init(memory + (16 - (uintptr_t)memory % 16) % 16, size);
    if (result == NULL) return luaL_error(state, "not enough memory");
    return push_verdict(state, ask(result, self->pointer, asked), result, self);
}

static int answer_to(lua_State *state, verifier *self, const question *asked) {
    if (self->is_busy) return answer_within(state, self, asked);
    assay_code code = ask(self->result, self->pointer, asked);
    if (code == ASSAY_RESULT_TOO_SMALL && grow(self)) code = ask(self->result, self->pointer, asked);
    self->is_busy = 1;
    int count = push_verdict(state, code, self->result, self);
    self->is_busy = 0;
    return count;
}

static verifier *check_verifier(lua_State *state) {
    verifier *self = luaL_checkudata(state, 1, VERIFIER);
    luaL_argcheck(state, self->pointer != NULL, 1, "the verifier was freed");
    return self;
}

static int verify(lua_State *state) {
    verifier *self = check_verifier(state);
    question asked = {.token = check_text(state, 2), .now = optional_now(state, 3)};
    return answer_to(state, self, &asked);
}

// verify_login(verifier, token, now, nonce, access_token, code)
static int verify_login(lua_State *state) {
    verifier *self = check_verifier(state);
    assay_login login = {sizeof login, check_text(state, 4), optional_text(state, 5), optional_text(state, 6)};
    question asked = {.token = check_text(state, 2), .now = optional_now(state, 3), .login = &login};
    return answer_to(state, self, &asked);
}

static int verify_payload(lua_State *state) {
    verifier *self = check_verifier(state);
    question asked = {.token = check_text(state, 2), .is_payload = 1};
    return answer_to(state, self, &asked);
}

static void pack(lua_State *state, int list, int count, size_t index) {
    lua_createtable(state, count, 0);
    lua_insert(state, -count - 1);
    for (int place = count; place > 0; place--) lua_rawseti(state, -place - 1, place);
    lua_rawseti(state, list, (lua_Integer)index);
}

// Verifies tokens `from` to `from + count`, and puts their verdicts into the table at `list`. The tokens stay on the stack meanwhile.
static void verify_some(lua_State *state, verifier *self, size_t from, size_t count, double now, assay_result **results, int list) {
    int base = lua_gettop(state);
    assay_text tokens[lanes];
    assay_code codes[lanes];
    for (size_t index = 0; index < count; index++) {
        lua_rawgeti(state, 2, (lua_Integer)(from + index));
        tokens[index] = check_text(state, -1);
    }
    assay_code outcome = assay_verify_batch(codes, results, self->pointer, tokens, count, now);
    if (outcome != ASSAY_OK) luaL_error(state, "no verdict: %s", assay_code_name(outcome));
    for (size_t index = 0; index < count; index++) {
        question asked = {.token = tokens[index], .now = now};
        int values = codes[index] == ASSAY_RESULT_TOO_SMALL ? answer_to(state, self, &asked)
                                                            : push_verdict(state, codes[index], results[index], self);
        pack(state, list, values, from + index);
    }
    lua_settop(state, base);
}

// verify_batch(verifier, tokens, now)
static int verify_batch(lua_State *state) {
    verifier *self = check_verifier(state);
    luaL_checktype(state, 2, LUA_TTABLE);
    double now = optional_now(state, 3);
    size_t count = lua_rawlen(state, 2), used = count < lanes ? count : lanes;
    char *memory = lua_newuserdata(state, used * first_size + 16);
    memory += (16 - (uintptr_t)memory % 16) % 16;
    assay_result *results[lanes];
    for (size_t index = 0; index < used; index++) results[index] = assay_result_init(memory + index * first_size, first_size);
    luaL_argcheck(state, count <= INT32_MAX, 2, "too many tokens");
    lua_createtable(state, (int)count, 0);
    int list = lua_gettop(state);
    luaL_checkstack(state, lanes + 20, NULL);
    for (size_t from = 1; from <= count; from += lanes)
        verify_some(state, self, from, count - from + 1 < lanes ? count - from + 1 : lanes, now, results, list);
    return 1;
}

void add_verifying(lua_State *state) {
    static const luaL_Reg functions[] = {
        {"policy", policy}, {"policy_add", policy_add}, {"policy_set", policy_set}, {"keys", keys}, {"keys_url", keys_url},
        {"keys_issuer", keys_issuer}, {"prepare", prepare}, {"verifier", verifier_new}, {"verify", verify},
        {"verify_login", verify_login}, {"verify_payload", verify_payload}, {"verify_batch", verify_batch}, {NULL, NULL}};
    add_metatable(state, POLICY, free_policy);
    add_metatable(state, KEYS, free_keys);
    add_metatable(state, VERIFIER, free_verifier);
    luaL_setfuncs(state, functions, 0);
}
