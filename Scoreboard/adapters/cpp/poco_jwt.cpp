// Poco as a function that Python calls: one key, the token's algorithm, and the allowed algorithms, separated by spaces.

#include <iterator>
#include <set>
#include <sstream>
#include <string>

#include <Poco/JWT/Signer.h>
#include <Poco/JWT/Token.h>

using Poco::Crypto::ECKey;
using Poco::Crypto::RSAKey;

static void set_key(Poco::JWT::Signer &signer, const std::string &algorithm, const std::string &material) {
    std::istringstream text(material);
    if (algorithm.rfind("HS", 0) == 0) {
        signer.setHMACKey(material);
    } else if (algorithm.rfind("RS", 0) == 0) {
        signer.setRSAKey(new RSAKey(&text));
    } else {
        signer.setECKey(new ECKey(&text));
    }
}

extern "C" int accepts(const char *token, size_t length, const char *algorithms, const char *algorithm, const char *key,
                       size_t key_length) {
    try {
        Poco::JWT::Signer signer;
        std::istringstream names(algorithms);
        signer.setAlgorithms({std::istream_iterator<std::string>(names), {}});
        set_key(signer, algorithm, std::string(key, key_length));
        signer.verify(std::string(token, length));
        return 1;
    } catch (const std::exception &) { return 0; }
}
