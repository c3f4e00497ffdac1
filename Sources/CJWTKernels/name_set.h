// name_set.h: the names of large objects, so that one look-up, not a comparison with each name, finds a duplicate.
//
// One table for the text, made when an object first has kMinSetNames names: open addressing, twice as many slots as there can be names. A
// slot holds an object's record and a name's record; zero marks an empty slot, and no name is record 0. Names are hashed under a secret of
// the process, so that an attacker cannot construct collisions.

#ifndef CJWT_NAME_SET_H
#define CJWT_NAME_SET_H

#include "CJWTKernels.h"

#include <stddef.h>
#include <stdint.h>

enum { kMinSetNames = 32 };

typedef struct name_set {
    size_t num_stops;  // of the text
    uint32_t *slots;   // NULL until made
    size_t mask;
} name_set;

// name_set_refuses adds the name in record `last` of the object whose record is `object`, which has `count` earlier names, at least
// kMinSetNames. It is called for every such name. Returns one where the name is a duplicate, or memory is exhausted.
int name_set_refuses(name_set *set, const uint8_t *in, const cjwt_json_node *tape, size_t object, size_t last, size_t count);

void name_set_release(name_set *set);

#endif
