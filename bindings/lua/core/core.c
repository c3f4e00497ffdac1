#include "core.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

object *push_object(lua_State *state, const char *kind) {
    object *new = lua_newuserdata(state, sizeof *new);
    new->pointer = NULL;
    luaL_setmetatable(state, kind);
    return new;
}

void *check_object(lua_State *state, int index, const char *kind) {
    object *found = luaL_checkudata(state, index, kind);
    luaL_argcheck(state, found->pointer != NULL, index, "the object was freed");
    return found->pointer;
}

gateway *check_gateway(lua_State *state, int index) {
    gateway *found = luaL_checkudata(state, index, GATEWAY);
    luaL_argcheck(state, found->pointer != NULL, index, "the gateway was freed");
    return found;
}

assay_text check_text(lua_State *state, int index) {
    luaL_checktype(state, index, LUA_TSTRING);
    assay_text text;
    text.bytes = lua_tolstring(state, index, &text.len);
    return text;
}

assay_text optional_text(lua_State *state, int index) {
    return lua_isnoneornil(state, index) ? (assay_text){NULL, 0} : check_text(state, index);
}

double optional_now(lua_State *state, int index) {
    if (lua_isnoneornil(state, index)) return ASSAY_NOW;
    luaL_checktype(state, index, LUA_TNUMBER);
    double now = lua_tonumber(state, index);
    luaL_argcheck(state, isfinite(now) && now >= 0, index, "a time is seconds since 1970");
    return now;
}

int push_member(lua_State *state, int index, const char *name) {
    index = lua_absindex(state, index);
    lua_pushstring(state, name);
    return lua_rawget(state, index);
}

static int wrong(lua_State *state, const char *name, const char *needed) {
    return luaL_error(state, "%s must be %s, and not %s", name, needed, luaL_typename(state, -1));
}

assay_text text_member(lua_State *state, int index, const char *name) {
    assay_text text = {NULL, 0};
    int type = push_member(state, index, name);
    if (type == LUA_TSTRING) text.bytes = lua_tolstring(state, -1, &text.len);
    else if (type != LUA_TNIL) wrong(state, name, "a string");
    lua_pop(state, 1);
    return text;
}

int64_t integer_member(lua_State *state, int index, const char *name, int64_t absent, int64_t most) {
    int64_t value = absent;
    if (push_member(state, index, name) != LUA_TNIL) {
        int is_integer = 0;
        if (lua_type(state, -1) == LUA_TNUMBER) value = lua_tointegerx(state, -1, &is_integer);
        if (!is_integer) wrong(state, name, "a whole number");
        if (value < 0 || value > most) luaL_error(state, "%s must be from 0 to %I", name, (LUAI_UACINT)most);
    }
    lua_pop(state, 1);
    return value;
}

int boolean_member(lua_State *state, int index, const char *name) {
    int type = push_member(state, index, name);
    if (type != LUA_TNIL && type != LUA_TBOOLEAN) wrong(state, name, "a boolean");
    int value = lua_toboolean(state, -1);
    lua_pop(state, 1);
    return value;
}

static assay_text value_text(lua_State *state, int index) {
    if (lua_type(state, index) != LUA_TSTRING) luaL_error(state, "a field must be a string, and not %s", luaL_typename(state, index));
    assay_text text;
    text.bytes = lua_tolstring(state, index, &text.len);
    return text;
}

// {name, value, name, value, …}. A list with a hole, or with another member, would lose a field.
static size_t read_list(lua_State *state, assay_field *out, size_t count) {
    size_t length = lua_rawlen(state, -1), members = 0;
    for (lua_pushnil(state); lua_next(state, -2); lua_pop(state, 1)) members++;
    if (members != length) luaL_error(state, "the fields must be a list without holes");
    if (length % 2 != 0) luaL_error(state, "a name has no value among the fields");
    for (size_t index = 1; index < length && count < most_fields; index += 2, count++) {
        lua_rawgeti(state, -1, (lua_Integer)index);
        lua_rawgeti(state, -2, (lua_Integer)index + 1);
        out[count] = (assay_field){value_text(state, -2), value_text(state, -1)};
        lua_pop(state, 2);
    }
    return count;
}

// The values of one name: a list that begins at 0 or 1, as HAProxy and nginx have it.
static size_t read_values(lua_State *state, assay_text name, assay_field *out, size_t count) {
    size_t before = count, values = 0;
    lua_rawgeti(state, -1, 0);
    lua_Integer index = lua_isnil(state, -1) ? 1 : 0;
    lua_pop(state, 1);
    for (; count < most_fields; index++, count++) {
        int type = lua_rawgeti(state, -1, index);
        if (type == LUA_TNIL) {
            lua_pop(state, 1);
            break;
        }
        out[count] = (assay_field){name, value_text(state, -1)};
        lua_pop(state, 1);
    }
    // A list with a gap or a name in it would lose a value.
    for (lua_pushnil(state); lua_next(state, -2); lua_pop(state, 1)) values++;
    if (count < most_fields && values != count - before) luaL_error(state, "the values of a field must be a list");
    return count;
}

// Lines as `name: value`, each with its end, and an empty one at the end: the head of a request, as HAProxy has it.
static size_t read_lines(lua_State *state, assay_field *out, size_t count) {
    size_t length;
    const char *line = lua_tolstring(state, -1, &length), *stop = line + length;
    while (line < stop && count < most_fields) {
        const char *end = memchr(line, '\r', (size_t)(stop - line));
        if (end == NULL || end + 1 == stop || end[1] != '\n') luaL_error(state, "a line of the fields has no end");
        if (end == line && end + 2 == stop) break;
        const char *colon = memchr(line, ':', (size_t)(end - line));
        if (colon == NULL || colon == line || colon + 1 == end || colon[1] != ' ') luaL_error(state, "a line of the fields is no field");
        out[count++] = (assay_field){{line, (size_t)(colon - line)}, {colon + 2, (size_t)(end - colon - 2)}};
        line = end + 2;
    }
    return count;
}

size_t read_fields(lua_State *state, assay_field *out, size_t count) {
    if (lua_type(state, -1) == LUA_TSTRING) return read_lines(state, out, count);
    if (lua_type(state, -1) != LUA_TTABLE) luaL_error(state, "fields must be a table, and not %s", luaL_typename(state, -1));
    luaL_checkstack(state, 8, NULL);
    lua_rawgeti(state, -1, 1);
    int is_list = !lua_isnil(state, -1);
    lua_pop(state, 1);
    if (is_list) return read_list(state, out, count);
    lua_pushnil(state);
    while (lua_next(state, -2) && count < most_fields) {
        assay_text name = value_text(state, -2);
        if (lua_istable(state, -1)) count = read_values(state, name, out, count);
        else out[count++] = (assay_field){name, value_text(state, -1)};
        lua_pop(state, 1);
    }
    // Past the most, the key and perhaps the value are still there; the caller drops them with the table.
    return count;
}

int refused(lua_State *state, assay_code code) {
    lua_pushnil(state);
    lua_pushinteger(state, code);
    return 2;
}

int push_code(lua_State *state, assay_code code) {
    lua_pushinteger(state, code);
    return 1;
}

void push_text(lua_State *state, const char *bytes, size_t length) {
    lua_pushlstring(state, bytes == NULL ? "" : bytes, length);
}

void set_text(lua_State *state, const char *name, const char *bytes, size_t length) {
    push_text(state, bytes, length);
    lua_setfield(state, -2, name);
}

void set_integer(lua_State *state, const char *name, int64_t value) {
    lua_pushinteger(state, value);
    lua_setfield(state, -2, name);
}

void push_written(lua_State *state, writer *write, const void *subject) {
    char some[1024];
    size_t length = write(some, sizeof some, subject);
    if (length < sizeof some) {
        lua_pushlstring(state, some, length);
        return;
    }
    // Another thread may have made it longer meanwhile.
    for (size_t size = length + 1;; size = length + 1) {
        char *memory = lua_newuserdata(state, size);
        length = write(memory, size, subject);
        if (length < size) {
            lua_pushlstring(state, memory, length);
            lua_remove(state, -2);
            return;
        }
        lua_pop(state, 1);
    }
}

void add_metatable(lua_State *state, const char *kind, lua_CFunction release) {
    luaL_newmetatable(state, kind);
    lua_pushcfunction(state, release);
    lua_setfield(state, -2, "__gc");
    lua_pushstring(state, kind);
    lua_setfield(state, -2, "__metatable");
    lua_pop(state, 1);
}

static int version(lua_State *state) {
    lua_pushstring(state, assay_version());
    return 1;
}

static int header(lua_State *state) {
    lua_pushfstring(state, "%d.%d.%d", ASSAY_VERSION_MAJOR, ASSAY_VERSION_MINOR, ASSAY_VERSION_PATCH);
    return 1;
}

static assay_code check_code(lua_State *state) {
    lua_Integer code = luaL_checkinteger(state, 1);
    luaL_argcheck(state, code >= 0 && code <= UINT32_MAX, 1, "no code");
    return (assay_code)code;
}

static int code_name(lua_State *state) {
    lua_pushstring(state, assay_code_name(check_code(state)));
    return 1;
}

static int code_status(lua_State *state) {
    lua_pushinteger(state, assay_code_http_status(check_code(state)));
    return 1;
}

// A library that is older than the header may lack a member of a structure.
static void check_version(lua_State *state) {
    int major = -1, minor = -1, patch = -1;
    sscanf(assay_version(), "%d.%d.%d", &major, &minor, &patch);
    int is_older = minor < ASSAY_VERSION_MINOR || (minor == ASSAY_VERSION_MINOR && patch < ASSAY_VERSION_PATCH);
    if (major != ASSAY_VERSION_MAJOR || is_older)
        luaL_error(state, "assay.core is made for libassay %d.%d.%d, and not for %s", ASSAY_VERSION_MAJOR, ASSAY_VERSION_MINOR,
                   ASSAY_VERSION_PATCH, assay_version());
}

__attribute__((visibility("default"))) int luaopen_assay_core(lua_State *state);

int luaopen_assay_core(lua_State *state) {
    static const luaL_Reg functions[] = {
        {"version", version}, {"header", header}, {"code_name", code_name}, {"code_status", code_status}, {NULL, NULL}};
    luaL_checkversion(state);
    check_version(state);
    luaL_newlib(state, functions);
    lua_pushlightuserdata(state, NULL);
    lua_setfield(state, -2, "null");
    add_verifying(state);
    add_gateways(state);
    add_deciding(state);
    add_fetching(state);
    return 1;
}
