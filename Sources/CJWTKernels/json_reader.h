// json_reader.h: the reader of json_tape.c: a position in a text, with the ends of the strings known in advance.
//
// cjwt_kernels.string_stops has set a bit for each byte of the text that a string may not contain unescaped. So a string ends at the next
// set bit, whatever its length, and no byte within it is read again. json_members.h uses the same stops as a list of offsets.
//
// The last byte of the text is '}' or ']'. Only the end of a container moves past it, so after anything else there is a byte left to read,
// and only `leave` and `take_texts` check for the end. No string passes it either: its bit is also set, and its offset is last in the list,
// so there is always a next stop, and that stop is not a quote.

#ifndef CJWT_JSON_READER_H
#define CJWT_JSON_READER_H

#include "known_names.h"
#include "name_set.h"

#include <string.h>

enum { kMaxDepth = 24, kMaxLength = CJWT_STOPS_MAX - 1 };

typedef struct level {
    uint64_t names;  // fingerprints of the first kMinSetNames names: a clear bit proves that one is new
    uint32_t record;
    uint32_t count;
    uint8_t closer;  // zero outside any container
    cjwt_claims *claims;  // where this level's members may be claims; else NULL
} level;

// The text, the tape, and the positions in both. A local of one function, into which all callees are inlined, so it stays in registers.
typedef struct reader {
    const uint8_t *in;
    size_t in_len, i;
    const uint64_t *stops;
    const uint16_t *coming;  // at a stop before `i` or the first one not before it
    size_t num_stops;
    cjwt_json_node *tape;
    size_t tape_max, len;
    int64_t values, depth;
    level level;
    name_set *set;            // for objects with more names
    cjwt_claims *claims;      // NULL where no claims are looked for
    const known_name *claim;  // the claim whose value comes next; NULL for other members
} reader;

INLINE uint8_t peek(const reader *r) {
    return r->in[r->i];
}

INLINE void skip_space(reader *r) {
    while (__builtin_expect(peek(r) <= ' ', 0) && (peek(r) == ' ' || peek(r) == '\n' || peek(r) == '\r' || peek(r) == '\t')) {
        r->i++;
    }
}

// skip_string moves to the first byte that a string may not contain unescaped.
INLINE void skip_string(reader *r) {
    size_t word = r->i / 64, bit = r->i % 64;
    uint64_t stops = r->stops[word] >> bit | r->stops[word + 1] << 1 << (bit ^ 63);
    if (__builtin_expect(stops != 0, 1)) {
        r->i += (size_t)__builtin_ctzll(stops);
        return;
    }
    do {
        word++;
    } while (r->stops[word] == 0);
    r->i = word * 64 + (size_t)__builtin_ctzll(r->stops[word]);
}

// skip_escapes does the same after a backslash, for one-letter escapes. Returns zero at any other.
static inline int skip_escapes(reader *r) {
    while (peek(r) == '\\') {
        r->i++;
        if (peek(r) == 0 || strchr("\"\\/bfnrt", peek(r)) == NULL) {
            return 0;
        }
        r->i++;
        skip_string(r);
    }
    return 1;
}

INLINE int skip_digits(reader *r) {
    size_t start = r->i;
    while (peek(r) >= '0' && peek(r) <= '9') {
        size_t run = r->in_len - r->i >= 16 ? digit_span_16(r->in + r->i, 0) : 1;
        r->i += run;
        if (run < 16 && run > 1) {
            break;
        }
    }
    return r->i > start;
}

// skip_fraction moves past a fraction and an exponent, at least one of which is here.
static inline int skip_fraction(reader *r) {
    if (peek(r) == '.') {
        r->i++;
        if (!skip_digits(r)) {
            return 0;
        }
    }
    if ((peek(r) | 0x20) != 'e') {
        return 1;
    }
    r->i++;
    if (peek(r) == '+' || peek(r) == '-') {
        r->i++;
    }
    return skip_digits(r);
}

// put_at writes record n for the bytes start..<end.
INLINE void put_at(cjwt_json_node *tape, size_t n, uint32_t description, size_t start, size_t end) {
    tape[n] = (cjwt_json_node){(uint32_t)start, (uint32_t)(end - start), (uint32_t)n + 1, description};
}

// is_repeated looks for the name in record `last` among the `count` names before it in the object whose record is `object`: one by one if
// they are few.
static __attribute__((noinline)) int is_repeated(
    name_set *set, const uint8_t *in, const cjwt_json_node *tape, size_t object, size_t last, size_t count) {
    if (count >= kMinSetNames) {
        return name_set_refuses(set, in, tape, object, last, count);
    }
    for (size_t n = object + 1; n < last; n = tape[n + 1].next) {
        if (tape[n].length == tape[last].length && memcmp(in + tape[n].start, in + tape[last].start, tape[n].length) == 0) {
            return 1;
        }
    }
    return 0;
}

// append adds the record of the element that began at `start` and ends here.
INLINE int append(reader *r, uint32_t description, size_t start) {
    if (r->len >= r->tape_max) {
        return 0;
    }
    put_at(r->tape, r->len++, description, start, r->i);
    return 1;
}

#endif
