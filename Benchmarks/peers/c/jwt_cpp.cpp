// jwt-cpp: the verifier is made once; the library checks exp, nbf, iss and aud.

#include <jwt-cpp/jwt.h>

#include "peer.h"

using verifier = decltype(jwt::verify());

static verifier *checks;

const char *peer_lacks(const char *) { return nullptr; }

static void allow(const std::string &algorithm, const std::string &key) {
    if (algorithm == "RS256") { checks->allow_algorithm(jwt::algorithm::rs256(key)); }
    if (algorithm == "ES256") { checks->allow_algorithm(jwt::algorithm::es256(key)); }
    if (algorithm == "EdDSA") { checks->allow_algorithm(jwt::algorithm::ed25519(key)); }
    if (algorithm == "HS256") { checks->allow_algorithm(jwt::algorithm::hs256(key)); }
}

bool peer_prepare(const peer_setting *setting) {
    checks = new verifier(jwt::verify());
    checks->with_issuer(setting->issuer).with_audience(setting->audience);
    allow(setting->algorithm, std::string(setting->key, setting->key_length));
    return true;
}

bool peer_accepts(peer_token *token) {
    std::error_code error;
    try {
        checks->verify(jwt::decode(std::string(token->text, token->length)), error);
    } catch (const std::exception &) { return false; }
    return !error;
}
