#include "source.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static ae_source *sources;
/* A lock of its own: libassay calls `wake` on a worker's thread, perhaps while another thread is in this file. */
static pthread_mutex_t wake_lock = PTHREAD_MUTEX_INITIALIZER;
static void (*wake_driver)(void);

void ae_sources_wake(void (*wake)(void)) {
    pthread_mutex_lock(&wake_lock);
    wake_driver = wake;
    pthread_mutex_unlock(&wake_lock);
}

void ae_sources_look(void) {
    pthread_mutex_lock(&wake_lock);
    if (wake_driver) {
        wake_driver();
    }
    pthread_mutex_unlock(&wake_lock);
}

static void wake(void *context) {
    (void)context;
    ae_sources_look();
}

static void destroy(ae_source *source) {
    for (size_t i = 0; i < source->route_count; i++) {
        free(source->routes[i].authority);
        free(source->routes[i].cluster);
    }
    free(source->routes);
    assay_fetch_free(source->fetch);
    assay_keys_free(source->keys);
    free(source->identity);
    free(source->name);
    free(source);
}

void ae_source_retain(ae_source *source) {
    pthread_mutex_lock(&lock);
    source->users++;
    pthread_mutex_unlock(&lock);
}

void ae_source_release(ae_source *source) {
    if (!source) {
        return;
    }
    pthread_mutex_lock(&lock);
    bool is_last = --source->users == 0;
    if (is_last) {
        ae_source **place = &sources;
        while (*place != source) {
            place = &(*place)->next;
        }
        *place = source->next;
    }
    pthread_mutex_unlock(&lock);
    if (is_last) {
        destroy(source);
    }
}

ae_source **ae_sources(size_t *out_count) {
    pthread_mutex_lock(&lock);
    size_t count = 0;
    for (ae_source *source = sources; source; source = source->next) {
        count++;
    }
    ae_source **found = ae_allocate(count, sizeof *found);
    count = 0;
    for (ae_source *source = sources; source; source = source->next) {
        source->users++;
        found[count++] = source;
    }
    pthread_mutex_unlock(&lock);
    *out_count = count;
    return found;
}

static bool has_keys(const ae_source *source) {
    assay_keys_state state = {.size = sizeof state};
    return assay_keys_status(&state, source->keys) == ASSAY_OK && state.health != ASSAY_HEALTH_UNAVAILABLE;
}

size_t ae_sources_awaited(void) {
    pthread_mutex_lock(&lock);
    size_t count = 0;
    for (ae_source *source = sources; source; source = source->next) {
        count += source->is_required && !has_keys(source);
    }
    pthread_mutex_unlock(&lock);
    return count;
}

/* Settings */

static const char *const REFRESH[] = {"availability-first", "revocation-first", NULL};

static void add_route(ae_source *source, const char *authority, size_t length, const char *cluster) {
    source->routes = realloc(source->routes, (source->route_count + 1) * sizeof *source->routes);
    if (!source->routes) {
        abort();
    }
    char *copy = ae_allocate(length + 1, 1);
    memcpy(copy, authority, length);
    source->routes[source->route_count++] = (ae_route){copy, ae_copy(cluster)};
}

/* `clusters` names the cluster of each further authority: an issuer's metadata may name keys elsewhere, and nothing else is asked. */
static void read_routes(ae_source *source, const ae_settings *keys, const char *url) {
    const char *cluster = ae_needed_text(keys, "cluster");
    const char *authority = strstr(url, "://");
    if (!cluster || !authority) {
        ae_refuse(keys, ae_has(keys, "url") ? "url" : NULL, "the URL of the keys, or the issuer, is no http or https URL");
        return;
    }
    authority += 3;
    add_route(source, authority, strcspn(authority, "/?#"), cluster);
    const json_t *clusters = ae_value(keys, "clusters");
    const char *name;
    json_t *value;
    if (clusters && !json_is_object(clusters)) {
        ae_refuse(keys, "clusters", "settings are expected here, each as `authority: cluster`");
    }
    json_object_foreach((json_t *)clusters, name, value) {
        if (json_is_string(value)) {
            add_route(source, name, strlen(name), json_string_value(value));
        } else {
            ae_refuse(keys, "clusters", "the name of a cluster is expected for each authority");
        }
    }
}

static void make_keys(ae_source *source, const ae_settings *provider, const ae_settings *keys, const char *url, const char *issuer) {
    assay_refresh_options options;
    assay_refresh_options_init(&options, sizeof options, (uint32_t)ae_choice_setting(provider, "refresh", REFRESH));
    options.stale_if_error = 1000 * ae_integer_setting(provider, "staleSeconds", 0, 86400, options.stale_if_error / 1000);
    options.wake = wake;
    assay_code code = url ? assay_keys_new_url(&source->keys, url, strlen(url), &options)
                          : assay_keys_new_issuer(&source->keys, issuer, strlen(issuer), &options);
    if (code != ASSAY_OK) {
        ae_refuse(url ? keys : provider, url ? "url" : "issuer", "an https or http URL of printable ASCII is expected");
    }
}

static char *identity_of(const ae_settings *provider, const ae_settings *keys, const char *issuer) {
    json_t *all = json_array();
    json_array_append(all, (json_t *)keys->object);
    json_array_append_new(all, json_string(ae_has(keys, "url") ? "" : issuer));
    for (const char *const *name = (const char *const[]){"refresh", "staleSeconds", NULL}; *name; name++) {
        json_array_append_new(all, ae_has(provider, *name) ? json_deep_copy(ae_value(provider, *name)) : json_null());
    }
    char *text = json_dumps(all, JSON_SORT_KEYS | JSON_COMPACT);
    json_decref(all);
    if (!text) {
        abort();
    }
    return text;
}

/* Only under the lock. */
static ae_source *existing(const char *identity) {
    for (ae_source *source = sources; source; source = source->next) {
        if (strcmp(source->identity, identity) == 0) {
            return source;
        }
    }
    return NULL;
}

static ae_source *made(const ae_settings *provider, const ae_settings *keys, const char *issuer) {
    const char *url = ae_text_setting(keys, "url"), *name = url ? url : issuer;
    ae_source *source = ae_allocate(1, sizeof *source);
    *source = (ae_source){.identity = identity_of(provider, keys, issuer), .name = ae_copy(name), .users = 1};
    source->is_https = ae_begins(ae_text(name), LITERAL("https://"));
    source->timeout = (uint64_t)ae_integer_setting(keys, "timeoutSeconds", 1, 60, 3) * 1000;
    read_routes(source, keys, name);
    make_keys(source, provider, keys, url, issuer);
    return source;
}

ae_source *ae_source_acquire(const ae_settings *provider, const ae_settings *keys, const char *issuer) {
    ae_source *source = made(provider, keys, issuer);
    bool is_required = ae_flag_setting(provider, "required", true);
    if (ae_is_faulty(provider)) {
        destroy(source);
        return NULL;
    }
    pthread_mutex_lock(&lock);
    ae_source *known = existing(source->identity);
    if (known) {
        known->users++;
    } else {
        source->next = sources;
        sources = source;
    }
    (known ? known : source)->is_required |= is_required;
    pthread_mutex_unlock(&lock);
    if (known) {
        destroy(source);
        return known;
    }
    ae_sources_look();
    return source;
}
