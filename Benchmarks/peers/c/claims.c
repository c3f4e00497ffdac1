// Claim checks of a careful caller, for libraries that have none: duplicates are refused, there is no leeway.

#include <jansson.h>
#include <string.h>
#include <time.h>

#include "peer.h"

static bool is_text(const json_t *value, const char *text) {
    return json_is_string(value) && strcmp(json_string_value(value), text) == 0;
}

// The string, or an array that contains it (RFC 7519 section 4.1.3).
static bool names_audience(const json_t *value, const char *audience) {
    if (!json_is_array(value)) { return is_text(value, audience); }
    size_t index;
    json_t *item;
    json_array_foreach(value, index, item) {
        if (is_text(item, audience)) { return true; }
    }
    return false;
}

bool peer_claims_hold(const char *json, size_t length, const peer_setting *setting) {
    json_t *claims = json_loadb(json, length, JSON_REJECT_DUPLICATES, NULL);
    if (claims == NULL) { return false; }
    const json_t *expiration = json_object_get(claims, "exp"), *not_before = json_object_get(claims, "nbf");
    double now = (double)time(NULL);
    bool hold = json_is_number(expiration) && now < json_number_value(expiration) &&
                (not_before == NULL || (json_is_number(not_before) && json_number_value(not_before) <= now)) &&
                is_text(json_object_get(claims, "iss"), setting->issuer) &&
                names_audience(json_object_get(claims, "aud"), setting->audience);
    json_decref(claims);
    return hold;
}
