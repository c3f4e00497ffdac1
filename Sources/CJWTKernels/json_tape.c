// cjwt_json_tape: the tape of a JSON text of the usual form.
//
// The tokenizer in Swift is the specification: it reads every text, and explains where and why it refuses one. This file reads the usual
// forms in tokens, several times faster, or gives up; it never refuses. It leaves these to the tokenizer:
//
//   anything that is not JSON        a duplicate name                     an escape in a name, \u in a value
//   anything beyond a limit          more than kMaxDepth containers       no container, or anything after it
//   more than kMaxLength bytes
//
// Claims are found at the same time: known_names.h.
//
// So the only possible error is to accept a text that the tokenizer would refuse or read differently; tests compare the two. The input is
// public; time depends on it.

#include "json_members.h"

// is_new_name registers the name just read, and the claim whose value comes next.
INLINE int is_new_name(reader *r, size_t start, size_t name_len) {
    uint64_t key = name_key(r->in, r->in_len, start, name_len);
    unsigned hash = name_hash(key, r->in, start, name_len);
    int may_repeat = (r->level.names >> hash & 1) != 0 || r->level.count >= kMinSetNames;
    int is_new = !may_repeat || !is_repeated(r->set, r->in, r->tape, r->level.record, r->len - 1, r->level.count);
    r->level.names |= UINT64_C(1) << hash;
    r->claim = r->level.claims == NULL ? NULL : known(key, hash, r->in, start, name_len);
    return is_new;
}

INLINE int read_name(reader *r, const cjwt_json_limits *limits) {
    skip_space(r);
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
    r->level.claims = is_object && r->depth == 1 ? r->claims : NULL;
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

// leave moves past the ends of containers and the comma that must follow. Returns zero where there is none: at the end, or where it gives
// up.
INLINE int leave(reader *r, const level *outer) {
    skip_space(r);
    while (peek(r) == r->level.closer) {
        close(r, outer);
        if (r->depth == 0 || r->i == r->in_len) {
            return 0;
        }
        skip_space(r);
    }
    if (peek(r) != ',') {
        return 0;
    }
    r->i++;
    skip_space(r);
    return 1;
}

// read_value reads a scalar or opens a container; it moves past an empty container.
INLINE int read_value(reader *r, level *outer, const cjwt_json_limits *limits, int *is_behind) {
    const known_name *claim = r->claim;
    cjwt_claims *claims = r->level.claims;
    size_t n = r->len;
    if (r->values++ >= limits->values) {
        return 0;
    }
    r->level.count++;
    int opens = peek(r) == '{' || peek(r) == '[';
    if (opens ? !open(r, outer, limits) : !read_scalar(r, limits)) {
        return 0;
    }
    if (claim != NULL) {
        note_claim(claims, claim, n, is_usual(&r->tape[n], claim, r->in));
    }
    r->claim = NULL;
    *is_behind = !opens || peek(r) == r->level.closer;
    return 1;
}

// is_text_usable marks where strings stop, and says whether this file can read the text at all.
static int is_text_usable(cjwt_stops *stops, const uint8_t *in, size_t in_len) {
    if (in_len == 0 || in_len > kMaxLength || (in[in_len - 1] != '}' && in[in_len - 1] != ']')) {
        return 0;
    }
    int is_ascii = cjwt_kernels_best()->string_stops(stops, in, in_len);
    stops->bits[(in_len - 1) / 64] |= UINT64_C(1) << (in_len - 1) % 64;
    stops->bits[(in_len - 1) / 64 + 1] = 0;
    stops->places[stops->count] = (uint16_t)(in_len - 1);
    return is_ascii || cjwt_utf8_span(in, in_len) == in_len;
}

// read_text reads the text from its first byte. Returns zero where it gives up.
INLINE int read_text(reader *r, const cjwt_json_limits *limits) {
    level outer[kMaxDepth];
    skip_space(r);
    if (peek(r) != '{' && peek(r) != '[') {
        return 0;
    }
    for (;;) {
        int is_behind = 0;
        if (r->level.closer == '}' && !read_members(r, limits, &is_behind)) {
            return 0;
        }
        if (!is_behind) {
            int is_named = r->level.closer != '}' || read_name(r, limits);
            if (!is_named || !read_value(r, outer, limits, &is_behind)) {
                return 0;
            }
        }
        if (is_behind && !leave(r, outer)) {
            return r->depth == 0 && r->i == r->in_len;
        }
    }
}

size_t cjwt_json_tape(
    cjwt_json_node *tape, size_t tape_max, cjwt_claims *claims, const uint8_t *in, size_t in_len, const cjwt_json_limits *limits) {
    cjwt_stops stops;
    name_set set = {0};
    reader r = {.in = in, .in_len = in_len, .stops = stops.bits, .coming = stops.places, .set = &set, .claims = claims};
    r.tape = tape;
    r.tape_max = tape_max;
    if (claims != NULL) {
        *claims = (cjwt_claims){.are_usual = 1};
    }
    if (!is_text_usable(&stops, in, in_len)) {
        return 0;
    }
    r.num_stops = set.num_stops = stops.count;
    int is_read = read_text(&r, limits);
    name_set_release(&set);
    if (!is_read) {
        return 0;
    }
    if (claims != NULL) {
        claims->are_usual &= is_text_or_texts(tape, claims->places[kAud]) & is_text_or_texts(tape, claims->places[kAmr]);
    }
    return r.len;
}
