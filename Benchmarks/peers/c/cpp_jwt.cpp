// cpp-jwt: the PEM is read at each call; the library checks exp, nbf, iss and aud.

#include <jwt/jwt.hpp>

#include "peer.h"

static const peer_setting *common;
static std::string key;

const char *peer_lacks(const char *algorithm) { return std::string(algorithm) == "EdDSA" ? "not offered" : nullptr; }

bool peer_prepare(const peer_setting *setting) {
    common = setting;
    key.assign(setting->key, setting->key_length);
    return true;
}

bool peer_accepts(peer_token *token) {
    using namespace jwt::params;
    static const std::vector<std::string> allowed{common->algorithm};
    std::error_code error;
    try {
        jwt::decode(jwt::string_view(token->text, token->length), algorithms(allowed), error, secret(key), issuer(common->issuer),
                    aud(common->audience));
    } catch (const std::exception &) { return false; }
    return !error;
}
