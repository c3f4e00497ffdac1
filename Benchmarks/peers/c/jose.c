// José for C: takes a JWS in its JSON form and turns the JWK into a key at each call; the caller checks the claims.

#include <jose/b64.h>
#include <jose/jws.h>
#include <string.h>

#include "peer.h"

static const peer_setting *common;
static json_t *key;

const char *peer_lacks(const char *algorithm) { return strcmp(algorithm, "EdDSA") == 0 ? "not offered" : NULL; }

bool peer_prepare(const peer_setting *setting) {
    common = setting;
    key = json_loadb(setting->jwk, setting->jwk_length, 0, NULL);
    // Makes the library refuse every other algorithm.
    return key != NULL && json_object_set_new(key, "alg", json_string(setting->algorithm)) == 0;
}

// Converts a compact token to the flattened JSON form (RFC 7515 section 7.2.2); NULL if it does not have three parts.
static json_t *flattened(const peer_token *token) {
    const char *first = strchr(token->text, '.'), *last = strrchr(token->text, '.');
    if (first == NULL || first == last) { return NULL; }
    const char *end = token->text + token->length;
    return json_pack("{s:s%, s:s%, s:s%}", "protected", token->text, (size_t)(first - token->text), "payload", first + 1,
                     (size_t)(last - first - 1), "signature", last + 1, (size_t)(end - last - 1));
}

bool peer_accepts(peer_token *token) {
    char payload[4096];
    json_t *jws = flattened(token);
    bool valid = jws != NULL && jose_jws_ver(NULL, jws, NULL, key, false);
    if (valid) {
        size_t length = jose_b64_dec(json_object_get(jws, "payload"), payload, sizeof payload);
        valid = length != SIZE_MAX && peer_claims_hold(payload, length, common);
    }
    json_decref(jws);
    return valid;
}
