// cpp-jwt as a function that Python calls: one key, one algorithm, issuer, audience, leeway; exp and nbf are checked if they are there.

#include <jwt/jwt.hpp>

extern "C" int accepts(const char *token, size_t length, const char *algorithm, const char *key, size_t key_length, const char *issuer,
                       const char *audience, unsigned leeway_seconds) {
    using namespace jwt::params;
    const std::vector<std::string> allowed{algorithm};
    const std::string material(key, key_length);
    const jwt::string_view text(token, length);
    std::error_code error;
    try {
        if (issuer && audience) {
            jwt::decode(text, algorithms(allowed), error, secret(material), leeway(leeway_seconds), ::jwt::params::issuer(issuer), aud(audience));
        } else if (issuer) {
            jwt::decode(text, algorithms(allowed), error, secret(material), leeway(leeway_seconds), ::jwt::params::issuer(issuer));
        } else if (audience) {
            jwt::decode(text, algorithms(allowed), error, secret(material), leeway(leeway_seconds), aud(audience));
        } else {
            jwt::decode(text, algorithms(allowed), error, secret(material), leeway(leeway_seconds));
        }
    } catch (const std::exception &) { return 0; }
    return !error;
}
