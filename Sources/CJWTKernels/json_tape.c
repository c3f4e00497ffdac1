// cjwt_json_tape: the tape of a JSON text that has nothing unusual in it.
//
// The tokenizer in Swift is the specification: it reads every text, and where it refuses one it says why and where. This file reads
// what tokens are made of, several times faster, or gives up; it never refuses. What it gives up on, for the tokenizer to judge:
//
//   anything that is not JSON        a name that stands twice             an escape in a name, \u in a value
//   anything beyond a limit          more than kMaxDepth containers within one another
//
// So it can be wrong in one way only, by reading what the tokenizer would refuse or read otherwise, and tests hold the two together.
// The input is public; time depends on it.

#include "internal.h"

#include <string.h>

#define INLINE static inline __attribute__((always_inline))

enum { kMaxDepth = 24, kMaxLength = 1 << 22 };

enum { kNull, kTrue, kFalse, kNumber, kString, kArray, kObject };  // JSONNode.Kind

enum { kFlag = 1 << 8, kCountShift = 9 };

typedef struct level {
    uint64_t names;  // fingerprints of the names so far: a clear bit proves a name new
    uint32_t record;
    uint32_t count;
    uint8_t closer;  // zero outside any container
} level;

// The text, the tape, and where both have got to. A local of one function that everything is compiled into, so it lives in registers.
typedef struct reader {
    const uint8_t *in;
    size_t in_len, i;
    cjwt_json_node *tape;
    size_t tape_max, len;
    int64_t values, depth;
    level level;
} reader;

INLINE uint8_t peek(const reader *r) {
    return r->i < r->in_len ? r->in[r->i] : 0;
}

INLINE void skip_space(reader *r) {
    while (__builtin_expect(peek(r) <= ' ', 0) && (peek(r) == ' ' || peek(r) == '\n' || peek(r) == '\r' || peek(r) == '\t')) {
        r->i++;
    }
}

// skip_string moves to the first byte that may not stand in a string as it is, or to the end.
INLINE void skip_string(reader *r) {
    while (r->in_len - r->i >= 16) {
        size_t run = json_string_span_16(r->in + r->i);
        r->i += run;
        if (run < 16) {
            return;
        }
    }
    r->i += json_string_span_generic(r->in + r->i, r->in_len - r->i);
}

// skip_escapes does the same behind a backslash, for the escapes of one letter. Returns zero at any other.
static int skip_escapes(reader *r) {
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

// append adds the record of what began at `start` and ends here.
INLINE int append(reader *r, uint32_t description, size_t start) {
    if (r->len >= r->tape_max) {
        return 0;
    }
    uint32_t next = (uint32_t)r->len + 1;
    r->tape[r->len++] = (cjwt_json_node){(uint32_t)start, (uint32_t)(r->i - start), next, description};
    return 1;
}

// is_repeated compares the name just read with those before it in its object.
static int is_repeated(const uint8_t *in, const cjwt_json_node *tape, size_t first, size_t last) {
    for (size_t n = first; n < last; n = tape[n + 1].next) {
        if (tape[n].length == tape[last].length && memcmp(in + tape[n].start, in + tape[last].start, tape[n].length) == 0) {
            return 1;
        }
    }
    return 0;
}

// is_new_name notes the name just read. Its fingerprint is of its length and its first, middle and last byte.
INLINE int is_new_name(reader *r, size_t start, size_t name_len) {
    uint64_t bit = 1;
    if (name_len > 0) {
        const uint8_t *name = r->in + start;
        uint32_t word = (uint32_t)name_len << 24 | (uint32_t)name[0] << 16 | (uint32_t)name[name_len / 2] << 8 | name[name_len - 1];
        bit <<= word * UINT32_C(0x9e3779b1) >> 26;
    }
    int is_new = (r->level.names & bit) == 0 || !is_repeated(r->in, r->tape, r->level.record + 1, r->len - 1);
    r->level.names |= bit;
    return is_new;
}

INLINE int read_name(reader *r, const cjwt_json_limits *limits) {
    if (peek(r) != '"' || r->level.count >= limits->members) {
        return 0;
    }
    size_t start = ++r->i;
    skip_string(r);
    size_t name_len = r->i - start;
    if (peek(r) != '"' || (int64_t)name_len > limits->string_bytes || !append(r, kString, start) || !is_new_name(r, start, name_len)) {
        return 0;
    }
    r->i++;
    skip_space(r);
    if (peek(r) != ':') {
        return 0;
    }
    r->i++;
    skip_space(r);
    return 1;
}

INLINE int read_string(reader *r, const cjwt_json_limits *limits) {
    size_t start = ++r->i;
    uint32_t flag = 0;
    skip_string(r);
    if (__builtin_expect(peek(r) == '\\', 0)) {
        flag = kFlag;
        reader escaped = *r;
        if (!skip_escapes(&escaped)) {
            return 0;
        }
        r->i = escaped.i;
    }
    if (peek(r) != '"' || (int64_t)(r->i - start) > limits->string_bytes || !append(r, kString | flag, start)) {
        return 0;
    }
    r->i++;
    return 1;
}

INLINE int skip_digits(reader *r) {
    size_t start = r->i;
    if (r->in_len - r->i >= 16) {
        r->i += digit_span_16(r->in + r->i);
    }
    while (peek(r) >= '0' && peek(r) <= '9') {
        r->i++;
    }
    return r->i > start;
}

// skip_fraction moves behind a fraction and an exponent, at least one of which is here.
static int skip_fraction(reader *r) {
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

INLINE int read_number(reader *r, const cjwt_json_limits *limits) {
    size_t start = r->i;
    uint32_t flag = 0;
    r->i += peek(r) == '-';
    if (peek(r) == '0') {
        r->i++;
    } else if (!skip_digits(r)) {
        return 0;
    }
    if (__builtin_expect(peek(r) == '.' || (peek(r) | 0x20) == 'e', 0)) {
        flag = kFlag;
        reader fraction = *r;
        if (!skip_fraction(&fraction)) {
            return 0;
        }
        r->i = fraction.i;
    }
    return (int64_t)(r->i - start) <= limits->number_bytes && append(r, kNumber | flag, start);
}

INLINE int read_word(reader *r, uint32_t kind, const char *word, size_t word_len) {
    if (r->in_len - r->i < word_len || memcmp(r->in + r->i, word, word_len) != 0) {
        return 0;
    }
    size_t start = r->i;
    r->i += word_len;
    return append(r, kind, start);
}

INLINE int read_scalar(reader *r, const cjwt_json_limits *limits) {
    switch (peek(r)) {
        case '"': return read_string(r, limits);
        case 't': return read_word(r, kTrue, "true", 4);
        case 'f': return read_word(r, kFalse, "false", 5);
        case 'n': return read_word(r, kNull, "null", 4);
        default: return read_number(r, limits);
    }
}

INLINE int open(reader *r, level *outer, const cjwt_json_limits *limits) {
    size_t start = r->i;
    int is_object = peek(r) == '{';
    if (r->depth >= limits->depth || r->depth >= kMaxDepth || !append(r, is_object ? kObject : kArray, start)) {
        return 0;
    }
    outer[r->depth++] = r->level;
    r->level = (level){.record = (uint32_t)r->len - 1, .closer = is_object ? '}' : ']'};
    r->i++;
    skip_space(r);
    return 1;
}

INLINE void close(reader *r, const level *outer) {
    r->i++;
    cjwt_json_node *node = &r->tape[r->level.record];
    node->length = (uint32_t)r->i - node->start;
    node->next = (uint32_t)r->len;
    node->description |= r->level.count << kCountShift;
    r->level = outer[--r->depth];
}

// leave moves behind what ends here and the comma that must follow. Returns zero where none does: at the end, or where it gives up.
INLINE int leave(reader *r, const level *outer) {
    skip_space(r);
    while (r->depth > 0 && peek(r) == r->level.closer) {
        close(r, outer);
        skip_space(r);
    }
    if (r->depth == 0 || peek(r) != ',') {
        return 0;
    }
    r->i++;
    skip_space(r);
    return 1;
}

size_t cjwt_json_tape(cjwt_json_node *tape, size_t tape_max, const uint8_t *in, size_t in_len, const cjwt_json_limits *limits) {
    reader r = {.in = in, .in_len = in_len, .tape = tape, .tape_max = tape_max};
    level outer[kMaxDepth];
    if (in_len > kMaxLength || cjwt_utf8_span(in, in_len) != in_len) {
        return 0;
    }
    skip_space(&r);
    do {
        if (r.level.closer == '}' && !read_name(&r, limits)) {
            return 0;
        }
        if (r.values++ >= limits->values) {
            return 0;
        }
        r.level.count++;
        int opens = peek(&r) == '{' || peek(&r) == '[';
        if (opens ? !open(&r, outer, limits) : !read_scalar(&r, limits)) {
            return 0;
        }
        if (opens && peek(&r) != r.level.closer) {
            continue;
        }
        if (!leave(&r, outer)) {
            break;
        }
    } while (1);
    return r.depth == 0 && r.i == in_len ? r.len : 0;
}
