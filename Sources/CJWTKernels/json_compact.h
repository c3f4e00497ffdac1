// json_compact.h: a fast reader for objects without white space, the form in which most issuers write payloads.
//
// It goes through the offsets of quotes one by one, so that finding the next one does not depend on how the previous string was parsed:
// escaped quotes are not among them, and all escapes are known to be valid. It stops at the first byte that it does not expect, and
// json_tape.c then reads the text again. So it never decides that a text is refused, and this file only saves time.
//
// What most members need is in registers, hence the labels: in an object, in an array, or behind a value the reader is at another one.

#ifndef CJWT_JSON_COMPACT_H
#define CJWT_JSON_COMPACT_H

#include "json_reader.h"

enum { kMinLength = 16 };

// A container that is open.
typedef struct container {
    uint32_t start, record, count;
    uint8_t closer;
} container;

// The text, the tape, and the positions in both.
typedef struct cursor {
    const uint8_t *in;
    size_t i;
    const uint16_t *quotes;  // at the first quote not before `i`
    cjwt_json_node *tape;
    size_t len;
    const uint16_t *last;  // behind the last quote
    int has_other_numbers;
} cursor;

// has_room says whether the tape has a record for a value that is no string, and for the strings after it. A string takes two quotes, so
// the others need no check.
INLINE int has_room(const cursor *c, const reader *r) {
    return c->len + 1 + (size_t)(c->last - c->quotes + 1) / 2 <= r->tape_max;
}

// has_escape says whether an escape begins in the bytes start..<end.
INLINE int has_escape(const uint64_t *escape_bits, size_t start, size_t end) {
    size_t word = start / 64, bit = start % 64, len = end - start;
    uint64_t found = escape_bits[word] >> bit | escape_bits[word + 1] << 1 << (bit ^ 63);
    if (__builtin_expect(len < 64, 1)) {
        return (found & ((UINT64_C(1) << len) - 1)) != 0;
    }
    while (found == 0 && ++word < end / 64) {
        found = escape_bits[word];
    }
    return found != 0 || (escape_bits[end / 64] & ((UINT64_C(1) << end % 64) - 1)) != 0;
}

// take_text takes a string whose opening quote is at c->i. `escape_bits` is NULL where the text has no escapes. Returns zero where the
// string does not end with a quote; the other functions likewise return zero for a form they do not support.
INLINE int take_text(cursor *c, const uint64_t *escape_bits) {
    size_t end = c->quotes[1];
    uint32_t flag = escape_bits != NULL && has_escape(escape_bits, c->i + 1, end) ? kFlag : 0;
    put_at(c->tape, c->len++, kString | flag, c->i + 1, end);
    c->quotes += 2;
    c->i = end + 1;
    return c->in[end] == '"';
}

// take_name takes a name without escapes, of at least one byte, and the colon.
INLINE int take_name(cursor *c, const uint64_t *escape_bits) {
    size_t start = c->i + 1;
    if (c->in[c->i] != '"' || !take_text(c, NULL) || c->in[c->i] != ':' || c->i == start + 1) {
        return 0;
    }
    c->i++;
    return escape_bits == NULL || !has_escape(escape_bits, start, c->i - 2);
}

// other_number_end is the end of a number with a sign, a fraction, an exponent or many digits, or zero.
static __attribute__((noinline)) size_t other_number_end(
    const reader *text, size_t start, const cjwt_json_limits *limits, uint32_t *flag) {
    reader r = {.in = text->in, .in_len = text->in_len, .i = start};
    return skip_number(&r, flag) && (int64_t)(r.i - start) <= limits->number_bytes ? r.i : 0;
}

INLINE int take_number(cursor *c, const reader *r, const cjwt_json_limits *limits) {
    size_t start = c->i, from = start <= r->in_len - kMinLength ? start : r->in_len - kMinLength;
    size_t end = start + digit_span_16(c->in + from, start - from);
    uint8_t next = c->in[end];
    uint32_t flag = 0;
    int is_date = end > start && end - start <= kMaxDateDigits && (c->in[start] != '0' || end == start + 1);
    if (__builtin_expect(!is_date || next == '.' || (next | 0x20) == 'e', 0)) {
        end = other_number_end(r, start, limits, &flag);
        c->has_other_numbers = 1;
    }
    put_at(c->tape, c->len++, kNumber | flag, start, end);
    c->i = end;
    return end != 0;
}

INLINE int take_word(cursor *c, const reader *r) {
    const uint8_t *in = c->in + c->i;
    if (r->in_len - c->i < 5) {
        return 0;
    }
    int is_true = memcmp(in, "true", 4) == 0, is_null = memcmp(in, "null", 4) == 0, is_false = memcmp(in, "false", 5) == 0;
    size_t len = is_false ? 5 : 4;
    put_at(c->tape, c->len++, is_true ? kTrue : is_null ? kNull : kFalse, c->i, c->i + len);
    c->i += len;
    return is_true || is_null || is_false;
}

// is_repeated_name says whether the name in record n, before which the object has `count` others, is one of them.
static __attribute__((noinline)) int is_repeated_name(const reader *r, size_t object, size_t n, size_t count) {
    return is_repeated(r->set, r->in, r->tape, object, n, count);
}

// compact_key is name_key for a name of at least one byte.
INLINE uint64_t compact_key(const uint8_t *in, size_t in_len, size_t start, size_t name_len) {
    if (__builtin_expect(start > in_len - 8, 0)) {
        return name_key(in, in_len, start, name_len);
    }
    // No branch: lengths vary.
    return eight_bytes(in + start) & UINT64_MAX >> (name_len < 8 ? 64 - 8 * name_len : 0);
}

// are_dates says whether all claims that are numbers are usual ones.
static __attribute__((noinline)) int are_dates(const reader *r, const cjwt_claims *claims) {
    int are_usual = 1;
    for (size_t claim = 0; claim < sizeof(claims->places) / sizeof(claims->places[0]); claim++) {
        const cjwt_json_node *value = &r->tape[claims->places[claim]];
        are_usual &= (value->description & 7) != kNumber || is_date(value, r->in);
    }
    return are_usual;
}

// note_all_names processes the names of an object. `claims` is NULL or empty. Returns zero for a name that the object has twice.
INLINE int note_all_names(const reader *r, cjwt_claims *claims, const container *object, size_t len) {
    uint64_t names = 0;  // fingerprints: a clear bit proves that a name is new
    uint32_t present = 0, are_usual = 1;
    const uint8_t *in = r->in;
    const cjwt_json_node *tape = r->tape;
    size_t count = 0;
    for (size_t n = object->record + (size_t)1; n < len; n = tape[n + 1].next, count++) {
        size_t start = tape[n].start, name_len = tape[n].length;
        uint64_t key = compact_key(in, r->in_len, start, name_len);
        unsigned hash = name_hash(key, in, start, name_len);
        if (__builtin_expect((names >> hash & 1) != 0 || count >= kMinSetNames, 0) && is_repeated_name(r, object->record, n, count)) {
            return 0;
        }
        names |= UINT64_C(1) << hash;
        const known_name *claim = claims == NULL ? NULL : known(key, hash, in, start, name_len);
        if (claim != NULL) {
            claims->places[claim->claim] = (int32_t)n + 1;
            present |= UINT32_C(1) << claim->claim;
            are_usual &= (uint32_t)claim->types >> (tape[n + 1].description & 7);
        }
    }
    if (claims != NULL) {
        claims->present = present;
        claims->are_usual = (int32_t)are_usual & 1;
    }
    return 1;
}

static __attribute__((noinline)) int note_names(const reader *r, const container *object, size_t len) {
    return note_all_names(r, NULL, object, len);
}

// note_claims also notes the claims among the names. Where all numbers are taken by take_number alone, those of claims are usual.
static __attribute__((noinline)) int note_claims(const reader *r, const container *object, size_t len, int has_other_numbers) {
    cjwt_claims *claims = r->claims;
    if (!note_all_names(r, claims, object, len)) {
        return 0;
    }
    claims->are_usual &= !has_other_numbers || are_dates(r, claims);
    return 1;
}

// end_container completes the record of the innermost container, whose last byte is at c->i.
INLINE int end_container(cursor *c, const container *inner, int is_outermost, const reader *r, const cjwt_json_limits *limits) {
    int is_object = inner->closer == '}';
    c->i++;
    put_at(c->tape, inner->record, (is_object ? kObject : kArray) | inner->count << kCountShift, inner->start, c->i);
    c->tape[inner->record].next = (uint32_t)c->len;
    if (!is_object) {
        return 1;
    }
    if ((int64_t)inner->count > limits->members) {
        return 0;
    }
    if (is_outermost && r->claims != NULL) {
        return note_claims(r, inner, c->len, c->has_other_numbers);
    }
    return inner->count < 2 || note_names(r, inner, c->len);
}

// take_all takes the text, an object. Returns the number of records, or zero.
INLINE size_t take_all(cursor c, const reader *r, const cjwt_json_limits *limits, const uint64_t *escape_bits) {
    container open[kMaxDepth + 1], *inner = open, *innermost = open + (limits->depth < kMaxDepth ? limits->depth : kMaxDepth);
    int64_t names = 0;

begin:
    if (inner == innermost || !has_room(&c, r)) {
        return 0;
    }
    *++inner = (container){(uint32_t)c.i, (uint32_t)c.len++, 0, c.in[c.i] == '{' ? '}' : ']'};
    c.i++;
    if (c.in[c.i] == inner->closer) {
        goto end;
    }
    if (inner->closer == ']') {
        goto element;
    }

member:
    if (!take_name(&c, escape_bits)) {
        return 0;
    }
    inner->count++;
    if (c.in[c.i] == '"') {
        if (!take_text(&c, escape_bits)) {
            return 0;
        }
        if (c.in[c.i] == ',') {
            c.i++;
            goto member;
        }
        goto behind;
    }
    goto other;

element:
    inner->count++;
    if (c.in[c.i] == '"') {
        if (!take_text(&c, escape_bits)) {
            return 0;
        }
        if (c.in[c.i] == ',') {
            c.i++;
            goto element;
        }
        goto behind;
    }

other:
    if (c.in[c.i] == '{' || c.in[c.i] == '[') {
        goto begin;
    }
    // Too many values are noticed early, because this text is read again.
    if (!has_room(&c, r) || (int64_t)inner->count > limits->values) {
        return 0;
    }
    if (c.in[c.i] <= '9' ? !take_number(&c, r, limits) : !take_word(&c, r)) {
        return 0;
    }

behind:
    if (c.in[c.i] == ',') {
        c.i++;
        if (inner->closer == '}') {
            goto member;
        }
        goto element;
    }
    if (c.in[c.i] != inner->closer) {
        return 0;
    }

end:
    if (!end_container(&c, inner, inner == open + 1, r, limits)) {
        return 0;
    }
    names += inner->closer == '}' ? inner->count : 0;
    if (--inner != open) {
        if (c.i == r->in_len) {
            return 0;
        }
        goto behind;
    }
    return c.i == r->end && (int64_t)c.len - names <= limits->values ? c.len : 0;
}

static __attribute__((noinline)) size_t take_plain(const cursor *c, const reader *r, const cjwt_json_limits *limits) {
    return take_all(*c, r, limits, NULL);
}

static __attribute__((noinline)) size_t take_escaped(
    const cursor *c, const reader *r, const cjwt_json_limits *limits, const uint64_t *escape_bits) {
    return take_all(*c, r, limits, escape_bits);
}

INLINE int may_be_compact(const reader *r, const cjwt_stops *stops, const cjwt_json_limits *limits) {
    int is_within = (int64_t)r->in_len <= limits->string_bytes && limits->number_bytes >= kMaxDateDigits && limits->depth > 0;
    return r->in_len >= kMinLength && r->in[0] == '{' && is_within && stops->are_escapes_valid;
}

// read_compact reads the text, from the beginning. Returns the number of records, or zero.
INLINE size_t read_compact(const reader *r, const cjwt_stops *stops, const cjwt_json_limits *limits) {
    if (!may_be_compact(r, stops, limits)) {
        return 0;
    }
    cursor c = {.in = r->in, .quotes = stops->places, .last = stops->places + stops->count, .tape = r->tape};
    return stops->escapes > 0 ? take_escaped(&c, r, limits, stops->escape_bits) : take_plain(&c, r, limits);
}

#endif
