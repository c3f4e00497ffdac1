// json_run_names.h: the names of an object whose records read_runs_avx512 has written: each one only once, and where the claims are.

#ifndef CJWT_JSON_RUN_NAMES_H
#define CJWT_JSON_RUN_NAMES_H

#include "json_runs.h"
#include "text_avx512.h"

// run_key is name_key. BZHI takes its count from one byte, so the key of a name of 32 bytes and more has fewer bytes: it is still equal for
// equal names.
AVX512_INLINE uint64_t run_key(const uint8_t *in, size_t in_len, size_t start, size_t name_len) {
    if (__builtin_expect(start > in_len - 8, 0)) {
        return name_key(in, in_len, start, name_len);
    }
    return _bzhi_u64(eight_bytes(in + start), (unsigned)name_len * 8);
}

// note_run_names processes the names of an object that has fewer than kMinSetNames, as note_all_names does.
AVX512_INLINE int note_run_names(const reader *r, int finds_claims, size_t object, size_t len) {
    cjwt_claims *const claims = r->claims;
    uint8_t seen[512] = {0};  // by fingerprints: zero proves that a name is new
    uint32_t present = 0, are_usual = 1;
    const uint8_t *const in = r->in;
    const size_t in_len = r->in_len;
    const cjwt_json_node *const tape = r->tape;
    for (size_t n = object + 1; n < len;) {
        const cjwt_json_node *name = tape + n;
        size_t start = name->start, name_len = name->length;
        uint64_t key = run_key(in, in_len, start, name_len), product = name_product(key, in, start, name_len);
        if (__builtin_expect(seen[product >> 55] != 0, 0) && is_repeated_name(r, object, n, 0)) {
            return 0;
        }
        seen[product >> 55] = 1;
        if (finds_claims) {
            const known_name *claim = known(key, (unsigned)(product >> 58), in, start, name_len);
            if (claim != NULL) {
                claims->places[claim->claim] = (int32_t)n + 1;
                present |= UINT32_C(1) << claim->claim;
                are_usual &= (uint32_t)claim->types >> (uint8_t)name[1].description;
            }
        }
        n = name[1].next;
    }
    if (finds_claims) {
        claims->present = present;
        claims->are_usual = (int32_t)are_usual & 1;
    }
    return 1;
}

// note_many_names does so for any number of names. An empty one is left to another reader.
static __attribute__((noinline)) int note_many_names(const reader *r, cjwt_claims *claims, size_t object, size_t len) {
    for (size_t n = object + 1; n < len; n = r->tape[n + 1].next) {
        if (r->tape[n].length == 0) {
            return 0;
        }
    }
    return note_all_names(r, claims, &(container){.record = (uint32_t)object}, len);
}

AVX512 static __attribute__((noinline)) int note_inner_names(const reader *r, size_t object, size_t len, size_t count) {
    return count < kMinSetNames ? note_run_names(r, 0, object, len) : note_many_names(r, NULL, object, len);
}

AVX512 static __attribute__((noinline)) int note_run_claims(const reader *r, size_t len) {
    return note_run_names(r, 1, 0, len);
}

static int note_outer_names(const reader *r, size_t len, size_t count, int has_other_numbers) {
    int are_noted = count < kMinSetNames ? note_run_claims(r, len) : note_many_names(r, r->claims, 0, len);
    if (are_noted && has_other_numbers) {
        r->claims->are_usual &= are_dates(r, r->claims);
    }
    return are_noted;
}

#endif
