// json_members.h: two fast loops for the members that most tokens consist of:
//
//   "name":"no escape in it"        "name":1700003600        "name":true        "name":["no","escapes"]
//
// with only a comma between them. The first loop puts them on the tape. It goes through the stops' offsets one by one, so that finding the
// next quote does not depend on how the previous one was parsed. The second loop recognises their names. Each loop is small, to fit the
// registers. json_tape.c reads all other forms, and can read these as well: this file only saves time.

#ifndef CJWT_JSON_MEMBERS_H
#define CJWT_JSON_MEMBERS_H

#include "json_reader.h"

enum { kMinLength = 16 };

// The text, the tape, and the positions in both.
typedef struct members {
    const uint8_t *in;
    size_t in_len, i;
    const uint16_t *stops;  // at the first stop not before `i`, once take_members has moved it there
    cjwt_json_node *tape;
    size_t len;
    int64_t left;  // members that the object may still have
    int may_nest, is_behind;
} members;

// take_text takes a string whose opening quote is at m->i and at stops[0]. Returns zero where the string does not end with a quote; the
// other functions likewise return zero for a form they do not support.
INLINE int take_text(members *m) {
    size_t end = m->stops[1];
    put_at(m->tape, m->len++, kString, m->i + 1, end);
    m->stops += 2;
    m->i = end + 1;
    return m->in[end] == '"';
}

INLINE int take_integer(members *m) {
    size_t start = m->i, from = start <= m->in_len - kMinLength ? start : m->in_len - kMinLength;
    size_t len = digit_span_16(m->in + from, start - from);
    uint8_t next = m->in[start + len];
    put_at(m->tape, m->len++, kNumber, start, start + len);
    m->i = start + len;
    int is_integer = m->in[start] != '0' || len == 1;
    return len > 0 && len <= kMaxDateDigits && is_integer && next != '.' && (next | 0x20) != 'e';
}

INLINE int take_word(members *m) {
    const uint8_t *in = m->in + m->i;
    if (m->in_len - m->i <= 5) {
        return 0;
    }
    int is_true = memcmp(in, "true", 4) == 0, is_null = memcmp(in, "null", 4) == 0, is_false = memcmp(in, "false", 5) == 0;
    size_t len = is_false ? 5 : 4;
    put_at(m->tape, m->len++, is_true ? kTrue : is_null ? kNull : kFalse, m->i, m->i + len);
    m->i += len;
    return is_true || is_null || is_false;
}

// An array that contains only strings, at least one.
INLINE int take_texts(members *m) {
    size_t array = m->len++, start = m->i;
    do {
        m->i++;
        if (m->in[m->i] != '"' || !take_text(m)) {
            return 0;
        }
    } while (m->in[m->i] == ',');
    size_t len = m->len;
    put_at(m->tape, array, kArray | (uint32_t)(len - array - 1) << kCountShift, start, m->i + 1);
    m->tape[array].next = (uint32_t)len;
    // At the last byte of the text, the enclosing object is not closed.
    int is_end = m->in[m->i] == ']' && m->i < m->in_len - 1;
    m->i++;
    return is_end && m->may_nest;
}

INLINE int take_value(members *m) {
    uint8_t first = m->in[m->i];
    if (first == '"') {
        return take_text(m);
    }
    if (first <= '9') {
        return take_integer(m);
    }
    return first == '[' ? take_texts(m) : take_word(m);
}

// take_member takes the member whose name's opening quote is at m->i.
INLINE int take_member(members *m) {
    // At least eight bytes follow the start of the name; the second loop loads them.
    if (m->i > m->in_len - kMinLength || m->in[m->i] != '"') {
        return 0;
    }
    size_t start = m->i;
    if (!take_text(m) || m->in[m->i] != ':' || m->i == start + 2) {
        return 0;
    }
    m->i++;
    return take_value(m);
}

// take_members takes as many members as it can, starting at a name. It stops after a value, at a name, or at an unexpected byte.
static __attribute__((noinline)) void take_members(members *all) {
    members m = *all;
    while (*m.stops < m.i) {
        m.stops++;
    }
    while (m.left > 0 && !m.is_behind) {
        members next = m;
        if (!take_member(&next)) {
            break;
        }
        next.left--;
        next.is_behind = next.in[next.i] != ',';
        next.i += !next.is_behind;
        m = next;
    }
    *all = m;
}

// note_names processes the names of the members from record n to record `len`. Returns the record of the first name that the object has
// twice, or zero.
static __attribute__((noinline)) size_t note_names(
    level *object, name_set *set, const uint8_t *in, const cjwt_json_node *tape, size_t n, size_t len) {
    uint64_t names = object->names;
    for (size_t count = object->count; n < len; n = tape[n + 1].next, count++) {
        size_t start = tape[n].start, name_len = tape[n].length;
        uint64_t key = name_key_within(in, start, name_len);
        unsigned hash = name_hash(key, in, start, name_len);
        if (__builtin_expect((names >> hash & 1) != 0 || count >= kMinSetNames, 0) &&
            is_repeated(set, in, tape, object->record, n, count)) {
            object->count = (uint32_t)count;
            return n;
        }
        names |= UINT64_C(1) << hash;
        const known_name *claim = known(key, hash, in, start, name_len);
        if (claim != NULL && object->claims != NULL) {
            note_claim(object->claims, claim, n + 1, claim->types >> (tape[n + 1].description & 7) & 1);
        }
    }
    object->names = names;
    return 0;
}

// can_take says whether take_members can exceed only the limits that it checks itself, of the object's members and of depth: a member has
// at least two stops and therefore one element, and neither has more than two records.
INLINE int can_take(const reader *r, const cjwt_json_limits *limits) {
    return r->in_len >= kMinLength && (int64_t)r->in_len <= limits->string_bytes && limits->number_bytes >= kMaxDateDigits &&
           (int64_t)(r->num_stops / 2) <= limits->values - r->values && r->num_stops <= r->tape_max - r->len;
}

// read_members runs both loops. *is_behind says whether the reader is then after a value. Returns zero for a duplicate name.
INLINE int read_members(reader *r, const cjwt_json_limits *limits, int *is_behind) {
    int64_t left = limits->members - (int64_t)r->level.count;
    *is_behind = 0;
    if (!can_take(r, limits)) {
        return 1;
    }
    members m = {.in = r->in, .in_len = r->in_len, .i = r->i, .stops = r->coming, .tape = r->tape, .len = r->len, .left = left};
    m.may_nest = r->depth < limits->depth && r->depth < kMaxDepth;
    take_members(&m);
    level object = r->level;
    size_t repeated = note_names(&object, r->set, r->in, r->tape, r->len, m.len);
    if (repeated != 0) {
        return refuse_repeated(r, r->tape[repeated].start, object.count);
    }
    // A record of a member's name is not a value.
    r->values += (int64_t)(m.len - r->len) - (left - m.left);
    r->level.count += (uint32_t)(left - m.left);
    r->level.names = object.names;
    r->i = m.i;
    r->coming = m.stops;
    r->len = m.len;
    *is_behind = m.is_behind;
    return 1;
}

#endif
