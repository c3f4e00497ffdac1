// json_members.h: the members that tokens are mostly made of, in a loop of their own:
//
//   "name":"no escape in it"        "name":1700003600        with nothing between them but a comma
//
// The bits of the stops are taken one after the other, so that where the next quote is does not wait for what the last one was found to
// be. Whatever is of another form is left, untouched, to json_tape.c, which reads these as well: nothing depends on this file but time.

#ifndef CJWT_JSON_MEMBERS_H
#define CJWT_JSON_MEMBERS_H

#include "json_reader.h"

enum { kMinDateDigits = 8 };

// The stops that are still to come: the rest of one word, and where that word begins in the text.
typedef struct coming {
    const uint64_t *stops;
    uint64_t rest;
    size_t base;
} coming;

typedef struct member {
    size_t name, name_end, value, value_end;
    uint32_t kind;
    size_t end;  // behind the value and its quote
} member;

// peek_stop is where the next stop is. There is one until the last byte's, which is no quote's, has been taken.
INLINE size_t peek_stop(coming *c) {
    while (__builtin_expect(c->rest == 0, 0)) {
        c->base += 64;
        c->rest = c->stops[c->base / 64];
    }
    return c->base + (size_t)__builtin_ctzll(c->rest);
}

INLINE size_t take_stop(coming *c) {
    size_t stop = peek_stop(c);
    c->rest &= c->rest - 1;
    return stop;
}

// is_decimal says whether eight bytes are digits: a high nibble of 3, which adding 6 leaves a 3 for 0 to 9 alone.
INLINE int is_decimal(const uint8_t *in) {
    const uint64_t high = UINT64_C(0xf0f0f0f0f0f0f0f0), three = UINT64_C(0x3030303030303030);
    uint64_t word = eight_bytes(in);
    return (((word & high) ^ three) | (((word + UINT64_C(0x0606060606060606)) & high) ^ three)) == 0;
}

// find_date finds an integer of eight to eleven digits, as nearly all dates are, between m->value and the next stop: that of a quote
// behind a comma, or of the last byte.
INLINE int find_date(member *m, const reader *r, coming *c) {
    size_t stop = peek_stop(c), end = stop == r->in_len - 1 ? stop : stop - 1, len = end - m->value;
    m->kind = kNumber;
    m->value_end = m->end = end;
    return len >= kMinDateDigits && len <= kMaxDateDigits && r->in[m->value] != '0' && is_decimal(r->in + m->value) &&
           is_decimal(r->in + end - 8);
}

// find_text finds a string whose opening quote is at m->value.
INLINE int find_text(member *m, const reader *r, coming *c) {
    (void)take_stop(c);
    m->kind = kString;
    m->value++;
    m->value_end = take_stop(c);
    m->end = m->value_end + 1;
    return r->in[m->value_end] == '"';
}

// find_member finds the member whose name's opening quote is at r->i. Returns zero where there is none of the two forms.
INLINE int find_member(member *m, const reader *r, coming *c) {
    if (peek(r) != '"') {
        return 0;
    }
    (void)take_stop(c);
    m->name = r->i + 1;
    m->name_end = take_stop(c);
    if (r->in[m->name_end] != '"' || r->in[m->name_end + 1] != ':') {
        return 0;
    }
    m->value = m->name_end + 2;
    return r->in[m->value] == '"' ? find_text(m, r, c) : find_date(m, r, c);
}

// how_many is the number of members that may come before a limit or the end of the tape is reached.
INLINE int64_t how_many(const reader *r, const cjwt_json_limits *limits) {
    if ((int64_t)r->in_len > limits->string_bytes || limits->number_bytes < kMaxDateDigits) {
        return 0;
    }
    int64_t members = limits->members - (int64_t)r->level.count, values = limits->values - r->values;
    int64_t records = (int64_t)((r->tape_max - r->len) / 2), most = members < values ? members : values;
    return most < records ? most : records;
}

// read_members reads what it can, from a name on. Returns one where it is then behind a value; zero where it is before a name, or what
// stands in the place of one.
INLINE int read_members(reader *outside, const cjwt_json_limits *limits) {
    reader r = *outside;
    coming c = {.stops = r.stops, .rest = r.stops[r.i / 64] >> r.i % 64 << r.i % 64, .base = r.i / 64 * 64};
    size_t start = r.len;
    int is_behind = 0;
    member m;
    for (int64_t left = how_many(&r, limits); left > 0 && !is_behind && find_member(&m, &r, &c); left--) {
        size_t name_len = m.name_end - m.name;
        uint64_t key = name_key(r.in, r.in_len, m.name, name_len);
        unsigned hash = name_hash(key, r.in, m.name, name_len);
        if ((r.level.names >> hash & 1) != 0) {
            break;
        }
        r.level.names |= UINT64_C(1) << hash;
        const known_name *claim = known(key, hash, r.in, m.name, name_len);
        if (claim != NULL && r.level.claims != NULL) {
            note_claim(r.level.claims, claim, r.len + 1, claim->types >> m.kind & 1);
        }
        put(&r, kString, m.name, m.name_end);
        put(&r, m.kind, m.value, m.value_end);
        is_behind = r.in[m.end] != ',';
        r.i = m.end + !is_behind;
    }
    outside->i = r.i;
    outside->len = r.len;
    outside->level.names = r.level.names;
    outside->level.count += (uint32_t)(r.len - start) / 2;
    outside->values += (int64_t)(r.len - start) / 2;
    return is_behind;
}

#endif
