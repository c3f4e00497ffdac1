// json_members.h: the members that tokens are mostly made of, in two loops of their own:
//
//   "name":"no escape in it"        "name":1700003600        "name":true        "name":["no","escapes"]
//
// with nothing between them but a comma. The first loop puts them on the tape. It goes through the places of the stops one by one, so where
// the next quote is does not wait for what the last one was found to be. The second looks at their names. Each is small, for the sake of
// its registers. Whatever is of another form is left, untouched, to json_tape.c, which reads these as well: nothing depends on this file
// but time.

#ifndef CJWT_JSON_MEMBERS_H
#define CJWT_JSON_MEMBERS_H

#include "json_reader.h"

enum { kMinDateDigits = 8, kMinLength = 16 };

// What is read, and how far.
typedef struct members {
    const uint8_t *in;
    size_t in_len, i;
    const uint16_t *stops;  // at the first that is not before `i`, once it has been looked for
    cjwt_json_node *tape;
    size_t len;
    int64_t left;  // members that the object may still have
    int may_nest, is_behind;
} members;

// take_text takes a string whose opening quote is at m->i and at stops[0]. Returns zero where it does not end as it is read here; so do the
// others with what they are named after.
INLINE int take_text(members *m) {
    size_t end = m->stops[1];
    put_at(m->tape, m->len++, kString, m->i + 1, end);
    m->stops += 2;
    m->i = end + 1;
    return m->in[end] == '"';
}

INLINE int take_date(members *m) {
    size_t start = m->i, from = start <= m->in_len - kMinLength ? start : m->in_len - kMinLength;
    size_t len = digit_span_16(m->in + from, start - from);
    uint8_t next = m->in[start + len];
    put_at(m->tape, m->len++, kNumber, start, start + len);
    m->i = start + len;
    return len >= kMinDateDigits && len <= kMaxDateDigits && m->in[start] != '0' && next != '.' && (next | 0x20) != 'e';
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

// An array of at least one string and nothing else.
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
    // The last byte of the text ends a list of an object that does not end.
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
        return take_date(m);
    }
    return first == '[' ? take_texts(m) : take_word(m);
}

// take_member takes the member whose name's opening quote is at m->i.
INLINE int take_member(members *m) {
    // The name has eight bytes behind its start, which the second loop loads.
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

// take_members takes what it can, from a name on, and is then behind a value, or before a name or what stands in the place of one.
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

// note_names looks at the names of the members from record n to record `len`. Returns zero where one stands twice in the object.
static __attribute__((noinline)) int note_names(level *object, const uint8_t *in, const cjwt_json_node *tape, size_t n, size_t len) {
    uint64_t names = object->names;
    for (; n < len; n = tape[n + 1].next) {
        size_t start = tape[n].start, name_len = tape[n].length;
        uint64_t key = name_key_within(in, start, name_len);
        unsigned hash = name_hash(key, in, start, name_len);
        if (__builtin_expect((names >> hash & 1) != 0, 0) && is_repeated(in, tape, object->record + 1, n)) {
            return 0;
        }
        names |= UINT64_C(1) << hash;
        const known_name *claim = known(key, hash, in, start, name_len);
        if (claim != NULL && object->claims != NULL) {
            note_claim(object->claims, claim, n + 1, claim->types >> (tape[n + 1].description & 7) & 1);
        }
    }
    object->names = names;
    return 1;
}

// can_take says whether no limit can be reached but those that taking looks at, of the object's members and of depth: a member has two
// stops at least and so has an element, and neither has more than two records.
INLINE int can_take(const reader *r, const cjwt_json_limits *limits) {
    return r->in_len >= kMinLength && (int64_t)r->in_len <= limits->string_bytes && limits->number_bytes >= kMaxDateDigits &&
           (int64_t)(r->num_stops / 2) <= limits->values - r->values && r->num_stops <= r->tape_max - r->len;
}

// read_members does both. *is_behind says whether it then is behind a value. Returns zero where a name stands twice.
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
    if (!note_names(&object, r->in, r->tape, r->len, m.len)) {
        return 0;
    }
    // Of the records, a member's name is no value.
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
