// Fetches for keys and for gateways: the program makes the requests.
#include "core.h"

#include <string.h>

// What fetches: keys or a gateway.
typedef struct source {
    assay_keys *keys;
    assay_gateway *gateway;
} source;

static source check_source(lua_State *state, int index) {
    if (luaL_testudata(state, index, GATEWAY) != NULL) return (source){NULL, check_gateway(state, index)->pointer};
    return (source){check_object(state, index, KEYS), NULL};
}

static int free_fetch(lua_State *state) {
    object *self = luaL_checkudata(state, 1, FETCH);
    assay_fetch_free(self->pointer);
    self->pointer = NULL;
    return 0;
}

static int next_due(lua_State *state) {
    source of = check_source(state, 1);
    lua_pushinteger(state, of.keys != NULL ? assay_keys_next_due(of.keys) : assay_gateway_next_due(of.gateway));
    return 1;
}

// refresh(o, issuer)
static int refresh(lua_State *state) {
    source of = check_source(state, 1);
    assay_text issuer = optional_text(state, 2);
    if (of.keys != NULL) return push_code(state, assay_keys_refresh(of.keys));
    if (issuer.bytes == NULL) return push_code(state, assay_gateway_refresh(of.gateway));
    return push_code(state, assay_gateway_refresh_issuer(of.gateway, issuer.bytes, issuer.len));
}

static void push_fetch_fields(lua_State *state, const assay_fetch *fetch) {
    const char *name, *value;
    lua_newtable(state);
    for (size_t index = 0; assay_fetch_field(&name, &value, fetch, index) == ASSAY_OK; index++) {
        lua_pushstring(state, name);
        lua_rawseti(state, -2, (lua_Integer)(2 * index + 1));
        lua_pushstring(state, value);
        lua_rawseti(state, -2, (lua_Integer)(2 * index + 2));
    }
}

// request(o): fetch, url, issuer, fields; or nothing.
static int request(lua_State *state) {
    source of = check_source(state, 1);
    object *made = push_object(state, FETCH);
    assay_fetch *out = NULL;
    assay_code code = of.keys != NULL ? assay_keys_request(&out, of.keys) : assay_gateway_request(&out, of.gateway);
    if (code != ASSAY_OK) return 0;
    made->pointer = out;
    // What fetches lives as long as its fetch.
    lua_pushvalue(state, 1);
    lua_setuservalue(state, -2);
    lua_pushstring(state, assay_fetch_url(out));
    lua_pushstring(state, assay_fetch_issuer(out));
    push_fetch_fields(state, out);
    return 4;
}

// install(o, fetch, status, fields, body)
static int install(lua_State *state) {
    source of = check_source(state, 1);
    assay_fetch *fetch = check_object(state, 2, FETCH);
    lua_Integer status = luaL_checkinteger(state, 3);
    luaL_argcheck(state, status >= 0 && status <= 999, 3, "no status");
    assay_text body = optional_text(state, 5);
    assay_field fields[most_fields];
    lua_pushvalue(state, 4);
    size_t count = lua_isnil(state, -1) ? 0 : read_fields(state, fields, 0);
    assay_code code = of.keys != NULL
        ? assay_keys_install(of.keys, fetch, (uint32_t)status, fields, count, body.bytes, body.len)
        : assay_gateway_install(of.gateway, fetch, (uint32_t)status, fields, count, body.bytes, body.len);
    return push_code(state, code);
}

static int fail(lua_State *state) {
    source of = check_source(state, 1);
    assay_fetch *fetch = check_object(state, 2, FETCH);
    lua_Integer failure = luaL_checkinteger(state, 3);
    luaL_argcheck(state, failure > 0 && failure <= UINT32_MAX, 3, "no failure");
    return push_code(state, of.keys != NULL ? assay_keys_fail(of.keys, fetch, (uint32_t)failure)
                                            : assay_gateway_fail(of.gateway, fetch, (uint32_t)failure));
}

// keys_status(o, issuer)
static int keys_status(lua_State *state) {
    source of = check_source(state, 1);
    assay_text issuer = optional_text(state, 2);
    assay_keys_state keys = {.size = sizeof keys};
    assay_code code = of.keys != NULL ? assay_keys_status(&keys, of.keys)
                                      : assay_gateway_keys_status(&keys, of.gateway, issuer.bytes, issuer.len);
    if (code != ASSAY_OK) return refused(state, code);
    lua_createtable(state, 0, 11);
    set_integer(state, "health", keys.health);
    set_integer(state, "is_fetching", keys.is_fetching);
    set_integer(state, "key_count", (int64_t)keys.key_count);
    set_integer(state, "generation", (int64_t)keys.generation);
    set_integer(state, "age", keys.age);
    set_integer(state, "fresh_for", keys.fresh_for);
    set_integer(state, "used_for", keys.used_for);
    set_integer(state, "failures", (int64_t)keys.failures);
    set_integer(state, "shed_fetches", (int64_t)keys.shed_fetches);
    set_integer(state, "clock_skew", keys.clock_skew);
    if (keys.last_failure != NULL) set_text(state, "last_failure", keys.last_failure, strlen(keys.last_failure));
    return 1;
}

void add_fetching(lua_State *state) {
    static const luaL_Reg functions[] = {{"next_due", next_due}, {"refresh", refresh}, {"request", request}, {"install", install},
                                         {"fail", fail}, {"keys_status", keys_status}, {NULL, NULL}};
    add_metatable(state, FETCH, free_fetch);
    luaL_setfuncs(state, functions, 0);
}
