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

static uint32_t health_of(const json_t *issuer) {
    static const char *const NAMES[] = {"unavailable", "fixed", "fresh", "stale"};
    for (uint32_t i = 0; i < sizeof NAMES / sizeof NAMES[0]; i++) {
        if (strcmp(NAMES[i], ae_plain_text(issuer, "health")) == 0) {
            return i;
        }
    }
    return ASSAY_HEALTH_UNAVAILABLE;
}

static ae_keys keys_of(const json_t *issuer) {
    ae_keys keys = {.health = health_of(issuer), .failures = (uint64_t)json_integer_value(json_object_get(issuer, "failures"))};
    size_t index;
    json_t *key;
    json_array_foreach(json_object_get(issuer, "keys"), index, key) {
        keys.count += !json_is_string(json_object_get(key, "unusable"));
    }
    double age = json_number_value(json_object_get(issuer, "age"));
    keys.age = age > 0 ? (uint64_t)age : 0;
    snprintf(keys.last_failure, sizeof keys.last_failure, "%s", ae_plain_text(issuer, "lastFailure"));
    return keys;
}

ae_keys ae_status_keys(const json_t *status, const char *name) {
    size_t index;
    json_t *issuer;
    json_array_foreach(json_object_get(status, "issuers"), index, issuer) {
        if (strcmp(ae_plain_text(issuer, "issuer"), name) == 0) {
            return keys_of(issuer);
        }
    }
    return (ae_keys){0};
}

ae_keys ae_keys_of_issuer(const ae_gateway *gateway, const char *name) {
    json_t *status = ae_status_read(gateway);
    ae_keys keys = ae_status_keys(status, name);
    json_decref(status);
    return keys;
}

size_t ae_status_awaited(ae_gateways gateways) {
    /* Several filters may await the same source: it counts once. */
    json_t *awaited = json_object(), *issuer;
    size_t index;
    for (size_t i = 0; i < gateways.count; i++) {
        json_t *status = ae_status_read(gateways.all[i]);
        json_array_foreach(json_object_get(status, "issuers"), index, issuer) {
            if (json_is_true(json_object_get(issuer, "isRequired")) && health_of(issuer) == ASSAY_HEALTH_UNAVAILABLE) {
                json_object_set_new(awaited, ae_plain_text(issuer, "source"), json_true());
            }
        }
        json_decref(status);
    }
    size_t count = json_object_size(awaited);
    json_decref(awaited);
    return count;
}
