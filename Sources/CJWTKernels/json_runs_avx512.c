// read_runs_avx512: read_compact with AVX-512, for runs of strings.
//
// In an object without white space most strings stand in runs: "a":"b","c":"d" or ["a","b","c"]. A string is within a run where ," or :"
// follows it. That is a bit for each string, so a run ends at the first bit set from its beginning on. The offsets of the quotes make the
// records of a run, four at a time.
//
// As in json_compact.h, this reader gives up at the first byte that it does not expect, and never decides that a text is refused.
//
// Why it reads no byte behind the text: the last byte is no quote, so two bytes follow the opening quote of a string, and one its closing
// quote. Only the end of a container moves behind the last byte, and the end is compared there.

#include "internal.h"

#if defined(CJWT_HAVE_AVX512)

#include "json_run_names.h"
#include "text_avx512.h"

enum {
    kMaxWords = 64,    // kMaxFollowed bits are 32; eight bytes are read from any of them on; the rest makes a power of two
    kLongestRun = 28,  // for its bits eight bytes are enough, whichever bit is first; even, so that an object's run ends with a value
};

// Where runs end: a bit for each quote, set only for closing quotes, whose ordinals are odd. From the bit of a string's opening quote on,
// the lowest bit set is that of the last string in the run that begins with it.
typedef struct ends {
    // In an array: no ," follows the string.
    uint64_t texts[kMaxWords];
    // In an object whose names are the even strings, or the odd ones: no :" follows the name, or it has an escape; no ," follows the value.
    uint64_t members[2][kMaxWords];
} ends;

// find_ends finds the ends of all runs. Bits after those of the last quote mean nothing: the last string ends its run, because no quote
// follows it.
AVX512_INLINE void find_ends(ends *out, const followers *followers, size_t count, int has_escapes) {
    const uint64_t closing = UINT64_C(0xaaaaaaaaaaaaaaaa), even = UINT64_C(0x2222222222222222), odd = closing ^ even;
    for (size_t word = 0; word * 64 < count; word++) {
        __m512i bytes = _mm512_loadu_si512(followers->bytes + 64 * word);
        uint64_t no_comma = _mm512_cmpneq_epi8_mask(bytes, _mm512_set1_epi8(','));
        uint64_t no_colon = _mm512_cmpneq_epi8_mask(bytes, _mm512_set1_epi8(':'));
        if (has_escapes) {
            __m512i escapes = _mm512_loadu_si512(followers->escapes + 64 * word);
            no_colon |= _mm512_test_epi8_mask(escapes, escapes);
        }
        out->texts[word] = no_comma & closing;
        out->members[0][word] = (no_colon & even) | (no_comma & odd);
        out->members[1][word] = (no_colon & odd) | (no_comma & even);
    }
}

// bits_from is the bits from that of `quote` on, at least 57.
AVX512_INLINE uint64_t bits_from(const uint64_t *bits, size_t quote) {
    return eight_bytes((const uint8_t *)bits + quote / 8) >> quote % 8;
}

// run_quotes is the number of quotes of the run that begins with the string at `quote`, or of its first kLongestRun strings. A member has
// four, so an object's run ends with a value where their number is a multiple of four, and else with a name.
AVX512_INLINE size_t run_quotes(const uint64_t *ends, size_t quote) {
    return _tzcnt_u64(bits_from(ends, quote) | UINT64_C(1) << (2 * kLongestRun - 1)) + 1;
}

// put_texts writes the records of the strings with the quotes quote..<quote + count as tape[n...], and up to kMoreRecords behind them that
// the next ones overwrite. `quotes` and `escapes` have room behind the last quote. `escapes` is one for the closing quote of each string
// with an escape, or NULL where no string has one.
AVX512_INLINE void put_texts(cjwt_json_node *tape, size_t n, const uint16_t *quotes, const uint8_t *escapes, size_t quote, size_t count) {
    const __m512i quarters = _mm512_set_epi32(3, 3, 3, 3, 2, 2, 2, 2, 1, 1, 1, 1, 0, 0, 0, 0);
    // By the offsets of both quotes: start, and length.
    const __m512i factors = _mm512_broadcast_i32x4(_mm_set_epi16(0, 0, 0, 0, 1, -1, 0, 1));
    const __m512i nexts = _mm512_broadcast_i32x4(_mm_set_epi32(0, -1, 0, 0));
    const __m512i first = _mm512_set_epi32(kString, 4, -1, 1, kString, 3, -1, 1, kString, 2, -1, 1, kString, 1, -1, 1);
    // To the second byte of each description, that of kFlag.
    const __m512i flags = _mm512_set_epi32(0x700, 0, 0, 0, 0x500, 0, 0, 0, 0x300, 0, 0, 0, 0x100, 0, 0, 0);
    __m512i rest = _mm512_add_epi32(first, _mm512_and_si512(_mm512_set1_epi32((int)n), nexts));
    tape += n;
    quotes += quote;
    size_t i = 0;
    do {
        __m128i pairs = _mm_loadu_si128((const __m128i *)(quotes + i));
        __m512i records = _mm512_madd_epi16(_mm512_permutexvar_epi32(quarters, _mm512_castsi128_si512(pairs)), factors);
        records = _mm512_add_epi32(records, rest);
        if (escapes != NULL) {
            __m512i are_escaped = _mm512_castsi128_si512(_mm_loadl_epi64((const __m128i *)(escapes + quote + i)));
            records = _mm512_or_si512(records, _mm512_maskz_permutexvar_epi8(UINT64_C(0x2000200020002000), flags, are_escaped));
        }
        _mm512_storeu_si512(tape + i / 2, records);
        rest = _mm512_sub_epi32(rest, _mm512_slli_epi32(nexts, 2));
        i += 8;
    } while (__builtin_expect(i < count, 0));
}

// A container that is open.
typedef struct open_level {
    size_t start, record;
    uint64_t count;  // of the local `count`, while another container is open in this one
} open_level;

// put_container writes record n for a container, with twice the number of its elements.
AVX512_INLINE void put_container(cjwt_json_node *tape, size_t n, size_t start, size_t end, size_t next, uint32_t kind, uint64_t count) {
    put_at(tape, n, kind | (uint32_t)(count >> 1) << kCountShift, start, end);
    tape[n].next = (uint32_t)next;
}

// take_runs takes the text, an object. Returns the number of records, or zero.
AVX512_INLINE size_t take_runs(
    const reader *r, const cjwt_stops *stops, const ends *ends, const cjwt_json_limits *limits, const uint8_t *escapes) {
    const uint8_t *const in = r->in;
    const uint16_t *const quotes = stops->places;
    cjwt_json_node *const tape = r->tape;
    const size_t in_len = r->in_len;
    const int64_t max_members = limits->members, max_values = limits->values;
    open_level open[kMaxDepth + 1], *inner = open, *const innermost = open + (limits->depth < kMaxDepth ? limits->depth : kMaxDepth);
    // So many records other than strings leave room for those of all strings, and kMoreRecords.
    size_t room = r->tape_max - stops->count / 2 - kMoreRecords;
    size_t i = 0, quote = 0, n = 0;
    uint64_t count = 0;  // of the innermost container: two for each element, and one more for an array
    int has_other_numbers = 0;

begin:
    if (inner == innermost || room-- == 0) {
        return 0;
    }
    inner->count = count;
    (++inner)->start = i;
    inner->record = n++;
    if (in[i++] == '[') {
        count = 1;
        if (in[i] == ']') {
            goto end_array;
        }
        goto element;
    }
    count = 0;
    if (in[i] == '}') {
        goto end_object;
    }

member:
    if (in[i] != '"') {
        return 0;
    }
    {
        size_t end = quotes[quote + 1];
        if (in[end + 1] != ':' || in[end + 2] == '"') {
            size_t run = run_quotes(ends->members[quote / 2 % 2], quote);
            put_texts(tape, n, quotes, escapes, quote, run);
            quote += run;
            n += run / 2;
            count += (run + 2) / 4 * 2;
            i = quotes[quote - 1] + (size_t)1;
            if (run % 4 == 0) {
                goto behind_member;
            }
            if (in[i] != ':' || (escapes != NULL && escapes[quote - 1] != 0)) {
                return 0;
            }
        } else {
            if (escapes != NULL && escapes[quote + 1] != 0) {
                return 0;
            }
            put_at(tape, n++, kString, i + 1, end);
            quote += 2;
            count += 2;
            i = end + 1;
        }
    }
    // A name without escapes, behind which there is no text.
    i++;
    if (in[i] == '{') {
        // Most objects in others have one member, an array of texts. They need no level. Only where a quote follows, `end` means something.
        size_t end = quotes[quote + 1];
        int is_lone = in[i + 1] == '"' && in[end + 1] == ':' && in[end + 2] == '[' && in[end + 3] == '"';
        if (!is_lone || inner + 1 >= innermost || room < 2 || (escapes != NULL && escapes[quote + 1] != 0)) {
            goto begin;
        }
        size_t run = run_quotes(ends->texts, quote + 2), after = quotes[quote + run + 1] + (size_t)1;
        put_texts(tape, n + 3, quotes, escapes, quote + 2, run);
        if (in[after] != ']' || after + 2 >= in_len || in[after + 1] != '}') {
            goto begin;
        }
        put_container(tape, n, i, after + 2, n + 3 + run / 2, kObject, 2);
        put_at(tape, n + 1, kString, i + 2, end);
        put_container(tape, n + 2, end + 2, after + 1, n + 3 + run / 2, kArray, run);
        room -= 2;
        n += 3 + run / 2;
        quote += run + 2;
        i = after + 2;
        goto behind_member;
    }
    if (in[i] == '[') {
        // So do most arrays.
        if (in[i + 1] != '"' || inner == innermost || room == 0) {
            goto begin;
        }
        size_t run = run_quotes(ends->texts, quote), after = quotes[quote + run - 1] + (size_t)1;
        put_texts(tape, n + 1, quotes, escapes, quote, run);
        if (in[after] != ']' || after + 1 == in_len) {
            goto begin;
        }
        put_container(tape, n, i, after + 1, n + 1 + run / 2, kArray, run);
        room--;
        n += 1 + run / 2;
        quote += run;
        i = after + 1;
        goto behind_member;
    }
    goto scalar;

element:
    if (in[i] == '"') {
        size_t run = run_quotes(ends->texts, quote);
        put_texts(tape, n, quotes, escapes, quote, run);
        quote += run;
        n += run / 2;
        count += run;
        i = quotes[quote - 1] + (size_t)1;
        goto behind_element;
    }
    count += 2;
    if (in[i] == '{' || in[i] == '[') {
        goto begin;
    }

scalar:
    // Too many values are noticed early, because this text is read again. Names count too: then the careful reader counts.
    if (room-- == 0 || (int64_t)n > max_values) {
        return 0;
    }
    {
        cursor c = {.in = in, .i = i, .tape = tape, .len = n++};
        if (in[i] <= '9' ? !take_number(&c, r, limits) : !take_word(&c, r)) {
            return 0;
        }
        has_other_numbers |= c.has_other_numbers;
        i = c.i;
    }

behind:
    if (count & 1) {
        goto behind_element;
    }

behind_member:
    if (in[i] == ',') {
        i++;
        goto member;
    }
    if (in[i] != '}') {
        return 0;
    }

end_object:
    i++;
    put_container(tape, inner->record, inner->start, i, n, kObject, count);
    if ((int64_t)(count / 2) > max_members) {
        return 0;
    }
    if (inner == open + 1) {
        int is_whole = i == r->end && (int64_t)n <= max_values;
        return is_whole && note_outer_names(r, n, count / 2, has_other_numbers) ? n : 0;
    }
    if (count >= 4 && !note_inner_names(r, inner->record, n, count / 2)) {
        return 0;
    }
    goto close;

behind_element:
    if (in[i] == ',') {
        i++;
        goto element;
    }
    if (in[i] != ']') {
        return 0;
    }

end_array:
    i++;
    put_container(tape, inner->record, inner->start, i, n, kArray, count);

close:
    if (i == in_len) {
        return 0;
    }
    count = (--inner)->count;
    goto behind;
}

AVX512 static __attribute__((noinline)) size_t take_plain_runs(
    const reader *r, const cjwt_stops *stops, const followers *followers, const cjwt_json_limits *limits) {
    ends ends;
    find_ends(&ends, followers, stops->count, 0);
    return take_runs(r, stops, &ends, limits, NULL);
}

AVX512 static __attribute__((noinline)) size_t take_escaped_runs(
    const reader *r, const cjwt_stops *stops, const followers *followers, const cjwt_json_limits *limits) {
    ends ends;
    find_ends(&ends, followers, stops->count, 1);
    return take_runs(r, stops, &ends, limits, followers->escapes);
}

size_t read_runs_avx512(const reader *r, const cjwt_stops *stops, const followers *followers, const cjwt_json_limits *limits) {
    int has_strings = stops->count % 2 == 0 && !followers->have_controls;
    if (!has_strings || r->tape_max <= stops->count / 2 + kMoreRecords || !may_be_compact(r, stops, limits)) {
        return 0;
    }
    return stops->escapes > 0 ? take_escaped_runs(r, stops, followers, limits) : take_plain_runs(r, stops, followers, limits);
}

#endif
