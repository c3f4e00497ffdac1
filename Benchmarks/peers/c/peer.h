// What a peer program in C or C++ supplies, and what peer.c does with it: main, reading the folder, the checks, the clock.

#ifndef PEER_H
#define PEER_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

// What every token of the run has in common.
typedef struct {
    const char *algorithm;
    const char *issuer;
    const char *audience;
    const char *key; // the public key in PEM, under HS256 the secret itself
    size_t key_length;
    const char *jwk; // the same key as JSON Web Key
    size_t jwk_length;
} peer_setting;

typedef struct {
    const char *text; // zero at the end
    size_t length;
    void *prepared; // the peer's own, NULL at first
} peer_token;

// NULL, or why the library cannot verify this algorithm.
const char *peer_lacks(const char *algorithm);
// Reads the key, once. The setting lives as long as the program.
bool peer_prepare(const peer_setting *setting);
// A whole verification: what is timed.
bool peer_accepts(peer_token *token);

// exp, nbf, iss and aud of a payload, by jansson: for libraries that leave them to their callers.
bool peer_claims_hold(const char *json, size_t length, const peer_setting *setting);

#ifdef __cplusplus
}
#endif

#endif
