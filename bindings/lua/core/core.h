// core.h: the backend of module assay for Lua 5.3 and 5.4. BACKEND.md has its functions.
#ifndef ASSAY_LUA_CORE_H
#define ASSAY_LUA_CORE_H

#include <assay.h>
#include <lauxlib.h>
#include <lua.h>

#define KEYS "assay.keys"
#define POLICY "assay.policy"
#define VERIFIER "assay.verifier"
#define GATEWAY "assay.gateway"
#define FETCH "assay.fetch"
#define DECISION "assay.decision"

// An object of the library. NULL after it was freed.
typedef struct object {
    void *pointer;
} object;

// Gateways of one name are one for all states of the process. Its states are counted.
typedef struct shared shared;

typedef struct gateway {
    assay_gateway *pointer;
    shared *shared;
    assay_decision *decision;
    // While the decision is read.
    int is_busy;
} gateway;

// The most fields of a request and of a response, and one more, with which the library refuses.
enum { most_fields = 1025, most_uses = 64 };

// Pushes an object with a metatable. `pointer` is filled afterwards, so that an error of Lua's memory loses nothing.
object *push_object(lua_State *state, const char *kind);

// An object that was not freed. Another type is an error.
void *check_object(lua_State *state, int index, const char *kind);
gateway *check_gateway(lua_State *state, int index);

// A text. A number is an error.
assay_text check_text(lua_State *state, int index);
// A text, or nothing for nil.
assay_text optional_text(lua_State *state, int index);
// A time for which to judge, or nil.
double optional_now(lua_State *state, int index);

// Pushes a member of the table on `index`, read without metamethods. Returns its type.
int push_member(lua_State *state, int index, const char *name);
// A member of the table on `index`, read without metamethods; an error for another type than the function's, nothing if it is absent.
assay_text text_member(lua_State *state, int index, const char *name);
int64_t integer_member(lua_State *state, int index, const char *name, int64_t absent, int64_t most);
int boolean_member(lua_State *state, int index, const char *name);

// Appends the fields of the value on the top of the stack, which keeps them.
size_t read_fields(lua_State *state, assay_field *out, size_t count);

// Pushes `nil, code`.
int refused(lua_State *state, assay_code code);
int push_code(lua_State *state, assay_code code);
void push_text(lua_State *state, const char *bytes, size_t length);
void set_text(lua_State *state, const char *name, const char *bytes, size_t length);
void set_integer(lua_State *state, const char *name, int64_t value);

typedef size_t writer(char *out, size_t max_out, const void *subject);
// Pushes what a function of the library writes.
void push_written(lua_State *state, writer *write, const void *subject);

// Makes the metatable of a kind, which `release` frees.
void add_metatable(lua_State *state, const char *kind, lua_CFunction release);
void add_verifying(lua_State *state);
void add_gateways(lua_State *state);
void add_deciding(lua_State *state);
void add_fetching(lua_State *state);

#endif
