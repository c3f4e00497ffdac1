#include "name_set.h"

#include <pthread.h>
#include <string.h>
#if defined(__APPLE__)
#include <sys/random.h>
#endif
#include <unistd.h>

static pthread_once_t secret_once = PTHREAD_ONCE_INIT;
static cjwt_hash_secret secret;
static int has_secret;

static void draw_secret(void) {
    has_secret = getentropy(&secret, sizeof secret) == 0;
}

// make allocates twice as many slots as there can be names (each has two stops), or returns zero.
static int make(name_set *set) {
    size_t size = 64;
    while (size < set->num_stops + 2) {
        size *= 2;
    }
    (void)pthread_once(&secret_once, draw_secret);
    if (!has_secret) {
        return 0;
    }
    set->slots = cjwt_scratch_acquire(size * sizeof *set->slots);
    if (set->slots == NULL) {
        return 0;
    }
    memset(set->slots, 0, size * sizeof *set->slots);
    set->mask = size - 1;
    return 1;
}

static int is_same(const uint8_t *in, const cjwt_json_node *a, const cjwt_json_node *b) {
    return a->length == b->length && memcmp(in + a->start, in + b->start, a->length) == 0;
}

static int has_or_adds(name_set *set, const uint8_t *in, const cjwt_json_node *tape, size_t object, size_t name) {
    uint32_t entry = (uint32_t)(object << 16 | name);
    size_t slot = (size_t)cjwt_keyed_hash(secret, object, in + tape[name].start, tape[name].length) & set->mask;
    for (; set->slots[slot] != 0; slot = (slot + 1) & set->mask) {
        if (set->slots[slot] >> 16 == object && is_same(in, &tape[set->slots[slot] & 0xffff], &tape[name])) {
            return 1;
        }
    }
    set->slots[slot] = entry;
    return 0;
}

int name_set_refuses(name_set *set, const uint8_t *in, const cjwt_json_node *tape, size_t object, size_t last, size_t count) {
    if (set->slots == NULL && !make(set)) {
        return 1;
    }
    // Adds the earlier names, which were compared one by one.
    for (size_t n = object + 1; count == kMinSetNames && n < last; n = tape[n + 1].next) {
        (void)has_or_adds(set, in, tape, object, n);
    }
    return has_or_adds(set, in, tape, object, last);
}

void name_set_release(name_set *set) {
    cjwt_scratch_release(set->slots);
}
