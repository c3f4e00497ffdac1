// json_reader.h: the reader of json_tape.c: a position in a text, with the ends of the strings known in advance.
//
// cjwt_kernels.string_stops has set a bit for each byte of the text that a string may not contain unescaped. So a string ends at the next
// set bit, whatever its length, and no byte within it is read again. json_compact.h uses the same stops as a list of offsets.
//
// The last byte is '}' or ']', or a NUL after the text. Only the end of a container moves past it, so after anything else there is a byte
// left to read, and only `leave`, `is_end` and `take_all` check for the end. No string passes it either: its bit is also set, and its
// offset is last in the list, so there is always a next stop, and that stop is not a quote.

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
    size_t end;  // of the text: in_len, or one less where a NUL follows it
    const uint64_t *stops;
    cjwt_json_node *tape;
    size_t tape_max, len;
    int64_t values, depth, escapes;
    level level;
    name_set *set;            // for objects with more names
    cjwt_claims *claims;      // NULL where no claims are looked for
    const known_name *claim;  // the claim whose value comes next; NULL for other members
    cjwt_json_fault fault;    // why the last function returned zero; CJWT_JSON_UNREAD unless it says more
} reader;

INLINE uint8_t peek(const reader *r) {
    return r->in[r->i];
}

// refuse notes why the text is refused, and returns zero.
INLINE int refuse(reader *r, uint32_t kind, size_t at) {
    r->fault = (cjwt_json_fault){kind, (uint32_t)at};
    return 0;
}

INLINE int is_space(uint8_t byte) {
    return byte == ' ' || byte == '\n' || byte == '\r' || byte == '\t';
}

static __attribute__((noinline)) size_t space_end(const uint8_t *in, size_t in_len, size_t i) {
    for (size_t run = 64; run == 64 && in_len - i >= 64; i += run) {
        run = space_span_64(in + i);
    }
    while (is_space(in[i])) {
        i++;
    }
    return i;
}

INLINE void skip_space(reader *r) {
    if (__builtin_expect(peek(r) <= ' ', 0)) {
        r->i = space_end(r->in, r->in_len, r->i);
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

// By the byte after a backslash: 1 for an escape of one letter, 2 for 'u' (RFC 8259 section 7).
static const uint8_t kEscapes[256] = {
    ['"'] = 1, ['\\'] = 1, ['/'] = 1, ['b'] = 1, ['f'] = 1, ['n'] = 1, ['r'] = 1, ['t'] = 1, ['u'] = 2,
};

// hex_digit is the value of a hexadecimal digit, or 16 of another byte.
INLINE uint32_t hex_digit(uint8_t byte) {
    uint32_t letter = (byte | 0x20u) - 'a', digit = byte - (uint32_t)'0';
    return digit < 10 ? digit : letter < 6 ? letter + 10 : 16;
}

// take_unit reads the four digits after the 'u' at the position.
static inline int take_unit(reader *r, uint32_t *unit) {
    if (r->i + 4 >= r->end) {
        return refuse(r, CJWT_JSON_INVALID, r->i);
    }
    *unit = 0;
    for (int digits = 0; digits < 4; digits++) {
        uint32_t digit = hex_digit(r->in[++r->i]);
        if (digit > 15) {
            return refuse(r, CJWT_JSON_INVALID, r->i);
        }
        *unit = *unit << 4 | digit;
    }
    r->i++;
    return 1;
}

// skip_character moves past an escaped character from its first 'u': a low surrogate must follow a high one, and stands nowhere else.
static inline int skip_character(reader *r) {
    uint32_t unit;
    if (!take_unit(r, &unit)) {
        return 0;
    }
    if ((unit & 0xf800) != 0xd800) {
        return 1;
    }
    if ((unit & 0xfc00) == 0xdc00 || peek(r) != '\\') {
        return refuse(r, CJWT_JSON_INVALID, r->i);
    }
    r->i++;
    if (peek(r) != 'u') {
        return refuse(r, CJWT_JSON_INVALID, r->i);
    }
    return take_unit(r, &unit) && ((unit & 0xfc00) == 0xdc00 || refuse(r, CJWT_JSON_INVALID, r->i));
}

// skip_escapes moves to the end of a string from its first backslash.
static inline int skip_escapes(reader *r, const cjwt_json_limits *limits) {
    while (peek(r) == '\\') {
        if (r->escapes++ >= limits->escapes) {
            return refuse(r, CJWT_JSON_TOO_LONG, r->i);
        }
        r->i++;
        uint8_t kind = kEscapes[peek(r)];
        if (kind == 0) {
            return refuse(r, CJWT_JSON_INVALID, r->i);
        }
        if (kind == 1) {
            r->i++;
        } else if (!skip_character(r)) {
            return 0;
        }
        if (peek(r) != '\\') {
            skip_string(r);
        }
    }
    return 1;
}

// skip_text moves to the closing quote of the string that begins after the position. `flag` becomes kFlag where it has escapes.
INLINE int skip_text(reader *r, const cjwt_json_limits *limits, uint32_t *flag) {
    size_t start = ++r->i;
    skip_string(r);
    if (__builtin_expect(peek(r) == '\\', 0)) {
        *flag = kFlag;
        reader escaped = *r;
        if (!skip_escapes(&escaped, limits)) {
            return refuse(r, escaped.fault.kind, escaped.fault.at);
        }
        r->i = escaped.i;
        r->escapes = escaped.escapes;
    }
    if (peek(r) != '"') {
        // A string without an end stops at the text's last byte.
        return refuse(r, CJWT_JSON_INVALID, peek(r) < ' ' ? r->i : r->end);
    }
    return (int64_t)(r->i - start) <= limits->string_bytes || refuse(r, CJWT_JSON_TOO_LONG, start - 1);
}

INLINE int skip_digits(reader *r) {
    size_t start = r->i;
    while (peek(r) >= '0' && peek(r) <= '9') {
        size_t left = r->in_len - r->i, run = left >= 64 ? digit_span_64(r->in + r->i) : left >= 16 ? digit_span_16(r->in + r->i, 0) : 1;
        r->i += run;
        if (run < 16 && run > 1) {
            break;
        }
    }
    return r->i > start || refuse(r, CJWT_JSON_INVALID, r->i);
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

// skip_number moves past a number. `flag` becomes kFlag where it has a fraction or an exponent.
INLINE int skip_number(reader *r, uint32_t *flag) {
    r->i += peek(r) == '-';
    if (peek(r) == '0') {
        r->i++;
    } else if (!skip_digits(r)) {
        return 0;
    }
    if (__builtin_expect(peek(r) == '.' || (peek(r) | 0x20) == 'e', 0)) {
        *flag = kFlag;
        reader fraction = *r;
        if (!skip_fraction(&fraction)) {
            return refuse(r, fraction.fault.kind, fraction.fault.at);
        }
        r->i = fraction.i;
    }
    return 1;
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
    const uint8_t *name = in + tape[last].start;
    size_t len = tape[last].length;
    for (size_t n = object + 1; n < last; n = tape[n + 1].next) {
        const uint8_t *other = in + tape[n].start;
        // Names that differ mostly differ in their first or last byte.
        int may_be_equal = tape[n].length == len && (len == 0 || (other[0] == name[0] && other[len - 1] == name[len - 1]));
        if (may_be_equal && memcmp(other, name, len) == 0) {
            return 1;
        }
    }
    return 0;
}

// refuse_repeated refuses the name that begins at `start` as a duplicate, unless memory for the names is exhausted.
INLINE int refuse_repeated(reader *r, size_t start, size_t count) {
    int is_exhausted = count >= kMinSetNames && r->set->slots == NULL;
    return is_exhausted ? 0 : refuse(r, CJWT_JSON_DUPLICATE, start - 1);
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
