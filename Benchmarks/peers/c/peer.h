// The functions that a peer program in C or C++ supplies. peer.c has main, reads the folder, makes the checks and takes the times.

#ifndef PEER_H
#define PEER_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

// The values that all tokens of the run share.
typedef struct {
    const char *algorithm;
    const char *issuer;
    const char *audience;
    const char *key; // the public key in PEM; under HS256 the secret
    size_t key_length;
    const char *jwk; // the same key as JSON Web Key
    size_t jwk_length;
} peer_setting;

typedef struct {
    const char *text; // zero-terminated
    size_t length;
    void *prepared; // for the peer's use, initially NULL
} peer_token;

// NULL, or the reason why the library cannot verify this algorithm.
const char *peer_lacks(const char *algorithm);
// Reads the key, once. The setting stays valid until the program ends.
bool peer_prepare(const peer_setting *setting);
// A whole verification: the timed operation.
bool peer_accepts(peer_token *token);

// Checks exp, nbf, iss and aud of a payload with jansson, for libraries that leave these checks to their callers.
bool peer_claims_hold(const char *json, size_t length, const peer_setting *setting);

#ifdef __cplusplus
}
#endif

#endif
