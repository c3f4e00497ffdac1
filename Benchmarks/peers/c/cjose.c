// cjose: the JWK is read once; the library verifies the JWS, the caller checks the claims.

#include <cjose/cjose.h>
#include <string.h>

#include "peer.h"

static const peer_setting *common;
static cjose_jwk_t *key;

const char *peer_lacks(const char *algorithm) { return strcmp(algorithm, "EdDSA") == 0 ? "not offered" : NULL; }

bool peer_prepare(const peer_setting *setting) {
    common = setting;
    key = cjose_jwk_import(setting->jwk, setting->jwk_length, NULL);
    return key != NULL;
}

static bool verifies(cjose_jws_t *jws) {
    const char *algorithm = cjose_header_get(cjose_jws_get_protected(jws), CJOSE_HDR_ALG, NULL);
    if (algorithm == NULL || strcmp(algorithm, common->algorithm) != 0 || !cjose_jws_verify(jws, key, NULL)) { return false; }
    uint8_t *payload;
    size_t length;
    return cjose_jws_get_plaintext(jws, &payload, &length, NULL) && peer_claims_hold((const char *)payload, length, common);
}

bool peer_accepts(peer_token *token) {
    cjose_jws_t *jws = cjose_jws_import(token->text, token->length, NULL);
    bool valid = jws != NULL && verifies(jws);
    cjose_jws_release(jws);
    return valid;
}
