// cjwt_json_tape: the tape of a JSON text of the usual form.
//
// The tokenizer in Swift is the specification. This file reads the same texts in tokens, several times faster, with the same records, the
// same refusals and the same offsets. It leaves these to the tokenizer:
//
//   an escape in a name              more than kMaxDepth containers       more than kMaxLength bytes
//   more records than the tape has
//
// Claims are found at the same time: known_names.h.
//
// Tests and a fuzzer compare the two readers. The input is public; time depends on it.

#include "json_runs.h"

// is_new_name registers the name just read, and the claim whose value comes next.
INLINE int is_new_name(reader *r, size_t start, size_t name_len) {
    uint64_t key = name_key(r->in, r->in_len, start, name_len);
    unsigned hash = name_hash(key, r->in, start, name_len);
    int may_repeat = (r->level.names >> hash & 1) != 0 || r->level.count >= kMinSetNames;
    int is_new = !may_repeat || !is_repeated(r->set, r->in, r->tape, r->level.record, r->len - 1, r->level.count);
    r->level.names |= UINT64_C(1) << hash;
    r->claim = r->level.claims == NULL ? NULL : known(key, hash, r->in, start, name_len);
    return is_new || refuse_repeated(r, start, r->level.count);
}

INLINE int read_name(reader *r, const cjwt_json_limits *limits) {
    skip_space(r);
    if (peek(r) != '"') {
        return refuse(r, CJWT_JSON_INVALID, r->i);
    }
    size_t start = r->i + 1;
    uint32_t flag = 0;
    if (!skip_text(r, limits, &flag)) {
        return 0;
    }
    if (r->level.count >= limits->members) {
        return refuse(r, CJWT_JSON_TOO_MANY, start - 1);
    }
    if (flag != 0) {
        return refuse(r, CJWT_JSON_ESCAPED_NAME, start - 1);
    }
    if (!append(r, kString, start) || !is_new_name(r, start, r->i - start)) {
        return 0;
    }
    r->i++;
    skip_space(r);
    if (peek(r) != ':') {
        return refuse(r, CJWT_JSON_INVALID, r->i);
    }
    r->i++;
    skip_space(r);
    return 1;
}

INLINE int read_string(reader *r, const cjwt_json_limits *limits) {
    size_t start = r->i + 1;
    uint32_t flag = 0;
    if (!skip_text(r, limits, &flag) || !append(r, kString | flag, start)) {
        return 0;
    }
    r->i++;
    return 1;
}

INLINE int read_number(reader *r, const cjwt_json_limits *limits) {
    size_t start = r->i;
    uint32_t flag = 0;
    if (!skip_number(r, &flag)) {
        return 0;
    }
    if ((int64_t)(r->i - start) > limits->number_bytes) {
        return refuse(r, CJWT_JSON_TOO_LONG, start);
    }
    return append(r, kNumber | flag, start);
}

INLINE int read_word(reader *r, uint32_t kind, const char *word, size_t word_len) {
    if (r->in_len - r->i < word_len || memcmp(r->in + r->i, word, word_len) != 0) {
        return refuse(r, CJWT_JSON_INVALID, r->i);
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
    if (r->depth >= limits->depth) {
        return refuse(r, CJWT_JSON_TOO_DEEP, start);
    }
    if (r->depth >= kMaxDepth || !append(r, is_object ? kObject : kArray, start)) {
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

// is_end says whether only white space is left.
INLINE int is_end(reader *r) {
    while (r->i < r->end && is_space(peek(r))) {
        r->i++;
    }
    return r->i == r->end || refuse(r, CJWT_JSON_INVALID, r->i);
}

// leave moves past the ends of containers and the comma that must follow. Returns zero at the end of the text, or where it is refused.
INLINE int leave(reader *r, const level *outer) {
    while (r->depth > 0) {
        if (r->i == r->in_len) {
            return refuse(r, CJWT_JSON_INVALID, r->i);
        }
        skip_space(r);
        if (peek(r) != r->level.closer) {
            break;
        }
        close(r, outer);
    }
    if (r->depth == 0) {
        (void)is_end(r);
        return 0;
    }
    if (peek(r) != ',') {
        return refuse(r, CJWT_JSON_INVALID, r->i);
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
        return refuse(r, CJWT_JSON_TOO_MANY, r->i);
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

// read_text reads the text from its first byte. Returns zero where it refuses the text or leaves it to the tokenizer.
INLINE int read_text(reader *r, const cjwt_json_limits *limits) {
    level outer[kMaxDepth];
    skip_space(r);
    for (;;) {
        int is_behind = 0, is_named = r->level.closer != '}' || read_name(r, limits);
        if (!is_named || !read_value(r, outer, limits, &is_behind)) {
            return 0;
        }
        if (is_behind && !leave(r, outer)) {
            return r->depth == 0 && r->i == r->end;
        }
    }
}

// read_stops marks where strings stop, and checks the encoding.
static int read_stops(
    reader *r, const cjwt_kernels *kernels, cjwt_stops *stops, followers *followers, const cjwt_json_limits *limits) {
    stops->max_escapes = limits->escapes < 0 ? 0 : (size_t)limits->escapes;
    int is_ascii = find_stops(kernels, r, stops, followers);
    stops->bits[(r->in_len - 1) / 64] |= UINT64_C(1) << (r->in_len - 1) % 64;
    stops->bits[(r->in_len - 1) / 64 + 1] = stops->escape_bits[(r->in_len - 1) / 64 + 1] = 0;
    stops->places[stops->count] = (uint16_t)(r->in_len - 1);
    r->set->num_stops = stops->count;
    size_t span = is_ascii ? r->end : cjwt_utf8_span(r->in, r->end);
    return span == r->end || refuse(r, CJWT_JSON_NOT_UTF8, span);
}

// read_slowly reads the text after read_quickly, whose traces it removes. Returns the number of records, or zero.
static __attribute__((noinline)) size_t read_slowly(reader *r, const cjwt_json_limits *limits) {
    name_set_release(r->set);
    r->set->slots = NULL;
    if (r->claims != NULL) {
        *r->claims = (cjwt_claims){.are_usual = 1};
    }
    reader reading = *r;
    int is_read = read_text(&reading, limits);
    r->fault = reading.fault;
    return is_read ? reading.len : 0;
}

static size_t read_tape(reader *r, const cjwt_json_limits *limits) {
    cjwt_stops stops;
    followers followers;
    const cjwt_kernels *kernels = cjwt_kernels_best();
    name_set set = {0};
    r->stops = stops.bits;
    r->set = &set;
    if (!read_stops(r, kernels, &stops, &followers, limits)) {
        return 0;
    }
    size_t len = read_quickly(kernels, r, &stops, &followers, limits);
    if (len == 0) {
        len = read_slowly(r, limits);
    }
    name_set_release(&set);
    if (len > 0 && r->claims != NULL) {
        r->claims->are_usual &= is_text_or_texts(r->tape, r->claims->places[kAud]) & is_text_or_texts(r->tape, r->claims->places[kAmr]);
    }
    return len;
}

// read_terminated reads a copy of the text that ends with a NUL.
static __attribute__((noinline)) size_t read_terminated(reader *r, const cjwt_json_limits *limits) {
    uint8_t *copy = cjwt_scratch_acquire(r->end + 1);
    if (copy == NULL) {
        return 0;
    }
    if (r->end > 0) {
        memcpy(copy, r->in, r->end);
    }
    copy[r->end] = 0;
    r->in = copy;
    r->in_len = r->end + 1;
    size_t len = read_tape(r, limits);
    cjwt_scratch_release(copy);
    return len;
}

size_t cjwt_json_tape(
    cjwt_json_node *tape, size_t tape_max, cjwt_claims *claims, const uint8_t *in, size_t in_len, const cjwt_json_limits *limits,
    cjwt_json_fault *fault) {
    reader r = {.in = in, .in_len = in_len, .end = in_len, .tape = tape, .tape_max = tape_max, .claims = claims};
    if (claims != NULL) {
        *claims = (cjwt_claims){.are_usual = 1};
    }
    size_t len = 0;
    if (in_len <= kMaxLength) {
        int is_closed = in_len > 0 && (in[in_len - 1] == '}' || in[in_len - 1] == ']');
        len = is_closed ? read_tape(&r, limits) : read_terminated(&r, limits);
    }
    *fault = r.fault;
    return len;
}
