// libjwt 1: jwt_decode reads the PEM at each call. It has no claim checks for a decoded token: the caller checks iss, aud and exp.

#include <jwt.h>
#include <string.h>
#include <time.h>

#include "peer.h"

static const peer_setting *common;
static jwt_alg_t expected;

const char *peer_lacks(const char *algorithm) { return jwt_str_alg(algorithm) == JWT_ALG_INVAL ? "not offered" : NULL; }

bool peer_prepare(const peer_setting *setting) {
    common = setting;
    expected = jwt_str_alg(setting->algorithm);
    return true;
}

static bool is_text(const char *text, const char *wanted) { return text != NULL && strcmp(text, wanted) == 0; }

bool peer_accepts(peer_token *token) {
    jwt_t *jwt = NULL;
    if (jwt_decode(&jwt, token->text, (const unsigned char *)common->key, (int)common->key_length) != 0) { return false; }
    bool valid = jwt_get_alg(jwt) == expected && time(NULL) < jwt_get_grant_int(jwt, "exp") &&
                 is_text(jwt_get_grant(jwt, "iss"), common->issuer) && is_text(jwt_get_grant(jwt, "aud"), common->audience);
    jwt_free(jwt);
    return valid;
}
