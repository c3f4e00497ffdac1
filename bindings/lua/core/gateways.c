// Gateways: settings, states that share one, and what a gateway says about itself.
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
        {"gateway_revoke", gateway_revoke}, {"status", status}, {"metrics", metrics}, {"is_ready", is_ready},
        {"protects", protects}, {"resource_metadata", resource_metadata}, {NULL, NULL}};
    add_metatable(state, GATEWAY, free_gateway);
    luaL_setfuncs(state, functions, 0);
}
