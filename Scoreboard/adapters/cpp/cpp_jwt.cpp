// cpp-jwt as a function that Python calls: one key, one algorithm, issuer, audience, leeway; exp and nbf are checked if they are there.

#include <jwt/jwt.hpp>

extern "C" int accepts(const char *token, size_t length, const char *algorithm, const char *key, size_t key_length, const char *issuer,
                       const char *audience, unsigned leeway_seconds) {
    using namespace jwt::params;
    namespace rule = jwt::params;
    const auto skew = leeway(leeway_seconds);
    const std::vector<std::string> allowed{algorithm};
    const std::string material(key, key_length);
    const jwt::string_view text(token, length);
    std::error_code error;
    try {
        if (issuer && audience) {
            jwt::decode(text, algorithms(allowed), error, secret(material), skew, rule::issuer(issuer), aud(audience));
        } else if (issuer) {
            jwt::decode(text, algorithms(allowed), error, secret(material), skew, rule::issuer(issuer));
        } else if (audience) {
            jwt::decode(text, algorithms(allowed), error, secret(material), skew, aud(audience));
        } else {
            jwt::decode(text, algorithms(allowed), error, secret(material), skew);
        }
    } catch (const std::exception &) { return 0; }
    return !error;
}
