#include "status.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

json_t *ae_status_read(const ae_gateway *gateway) {
    json_t *status = NULL;
    for (size_t capacity = 16384, length = capacity; length >= capacity; capacity = length + 4096) {
        char *text = ae_allocate(capacity, 1);
        length = assay_gateway_status(text, capacity, gateway->core);
        if (length < capacity) {
            status = json_loadb(text, length, JSON_ALLOW_NUL, NULL);
        }
        free(text);
    }
    return status;
}

/* The document alone has a sentence about the last failure. */
static ae_keys keys_of(const ae_gateway *gateway, const json_t *issuer) {
    assay_text name = ae_text(ae_plain_text(issuer, "issuer"));
    assay_keys_state state = {.size = sizeof state};
    assay_gateway_keys_status(&state, gateway->core, name.bytes, name.len);
    ae_keys keys = {.count = state.key_count, .health = state.health, .failures = state.failures};
    keys.age = state.age > 0 ? (uint64_t)state.age / 1000 : 0;
    snprintf(keys.last_failure, sizeof keys.last_failure, "%s", ae_plain_text(issuer, "lastFailure"));
    return keys;
}

/* Without keys, then stale, fresh and fixed. */
static uint32_t worse(uint32_t one, uint32_t other) {
    if (one == ASSAY_HEALTH_UNAVAILABLE || other == ASSAY_HEALTH_UNAVAILABLE) {
        return ASSAY_HEALTH_UNAVAILABLE;
    }
    return one > other ? one : other;
}

/* Adds the keys of a further tenant. */
static void add(ae_keys *sum, ae_keys keys) {
    sum->count += keys.count;
    sum->age = keys.age > sum->age ? keys.age : sum->age;
    sum->health = worse(sum->health, keys.health);
    sum->failures += keys.failures;
    if (!sum->last_failure[0]) {
        memcpy(sum->last_failure, keys.last_failure, sizeof keys.last_failure);
    }
}

ae_keys ae_status_provider(const ae_gateway *gateway, const json_t *status, const ae_provider *provider) {
    ae_keys sum = {.health = ASSAY_HEALTH_FIXED};
    size_t index, found = 0;
    json_t *issuer;
    json_array_foreach(json_object_get(status, "issuers"), index, issuer) {
        if (ae_provider_trusts(provider, ae_plain_text(issuer, "issuer"))) {
            ae_keys keys = keys_of(gateway, issuer);
            /* No token has named this tenant yet. */
            bool is_idle = ae_provider_has_tenants(provider) && keys.health == ASSAY_HEALTH_UNAVAILABLE && !keys.failures;
            if (!is_idle) {
                add(&sum, keys);
                found++;
            }
        }
    }
    return found ? sum : (ae_keys){0};
}

ae_keys ae_keys_of_issuer(const ae_gateway *gateway, const char *name) {
    json_t *status = ae_status_read(gateway);
    ae_keys keys = ae_status_provider(gateway, status, &(ae_provider){.issuer = (char *)name});
    json_decref(status);
    return keys;
}

static void add_list(ae_lists *sum, const json_t *list) {
    uint64_t age = (uint64_t)json_number_value(json_object_get(list, "age"));
    sum->count += json_is_number(json_object_get(list, "acceptedFor"));
    sum->failing += json_integer_value(json_object_get(list, "failures")) > 0;
    sum->bytes += (uint64_t)json_integer_value(json_object_get(list, "bytes"));
    sum->age = age > sum->age ? age : sum->age;
}

ae_lists ae_status_lists(const json_t *status, const ae_provider *provider) {
    ae_lists sum = {0};
    json_t *of_provider, *list;
    size_t i, j;
    json_array_foreach(json_object_get(status, "statusLists"), i, of_provider) {
        if (strcmp(ae_plain_text(of_provider, "provider"), provider->name) == 0) {
            json_array_foreach(json_object_get(of_provider, "lists"), j, list) {
                add_list(&sum, list);
            }
        }
    }
    return sum;
}

ae_list_failure ae_status_list(const ae_gateway *gateway, const char *url) {
    ae_list_failure failure = {""};
    json_t *status = ae_status_read(gateway), *provider, *list;
    size_t i, j;
    json_array_foreach(json_object_get(status, "statusLists"), i, provider) {
        json_array_foreach(json_object_get(provider, "lists"), j, list) {
            const char *code = ae_plain_text(list, "lastFailure");
            if (code[0] && strcmp(ae_plain_text(list, "uri"), url) == 0) {
                snprintf(failure.code, sizeof failure.code, "%s", code);
            }
        }
    }
    json_decref(status);
    return failure;
}

size_t ae_status_awaited(ae_gateways gateways) {
    /* Several filters may await the same source: it counts once. */
    json_t *awaited = json_object(), *issuer;
    size_t index;
    for (size_t i = 0; i < gateways.count; i++) {
        json_t *status = ae_status_read(gateways.all[i]);
        json_array_foreach(json_object_get(status, "issuers"), index, issuer) {
            bool is_unavailable = strcmp(ae_plain_text(issuer, "health"), "unavailable") == 0;
            if (is_unavailable && json_is_true(json_object_get(issuer, "isRequired"))) {
                json_object_set_new(awaited, ae_plain_text(issuer, "source"), json_true());
            }
        }
        json_decref(status);
    }
    size_t count = json_object_size(awaited);
    json_decref(awaited);
    return count;
}
