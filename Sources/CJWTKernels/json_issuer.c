// cjwt_json_issuer: the issuer that a payload names, found before the signature is verified and therefore without reading the whole text.
//
// Sixty-four bytes at a time, as one bit a byte: quotes that are not escaped, the bytes within strings, the brackets outside them. So the
// depth of any byte is a difference of two counts of bits. A name is looked for only where a string begins with "is", and only "iss" at
// depth one counts.
//
// The text may be anything. What is found chooses a key; the reader of the verified payload decides what the payload says. The input is
// public; time depends on it.

#include "internal.h"

#include <string.h>
#if defined(CJWT_HAVE_AVX2)
#include <immintrin.h>
#endif

enum { kBlock = 64, kMaxPassed = 64 };

// The bytes of a block, a bit for each.
typedef struct block {
    uint64_t quotes, backslashes, opens, closes, i, s;
} block;

// What one block passes to the next.
typedef struct state {
    uint64_t is_escaped;  // one where the next byte is escaped
    uint64_t in_string;   // all ones within a string
    int64_t depth;
    int passed;           // names "iss" at another depth
} state;

// load reads a block. A bracket and the brace of the same side differ only in the bit of a letter's case.
static block load(const uint8_t *in) {
    block found = {0};
    for (int i = 0; i < kBlock; i++) {
        found.quotes |= (uint64_t)(in[i] == '"') << i;
        found.backslashes |= (uint64_t)(in[i] == '\\') << i;
        found.opens |= (uint64_t)((in[i] | 0x20) == '{') << i;
        found.closes |= (uint64_t)((in[i] | 0x20) == '}') << i;
        found.i |= (uint64_t)(in[i] == 'i') << i;
        found.s |= (uint64_t)(in[i] == 's') << i;
    }
    return found;
}

#if defined(CJWT_HAVE_AVX2)
#define AVX2 __attribute__((target("avx2,bmi,popcnt")))

AVX2 INLINE uint64_t equal(__m256i low, __m256i high, char byte) {
    __m256i all = _mm256_set1_epi8(byte);
    uint32_t low_bits = (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(low, all));
    return low_bits | (uint64_t)(uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(high, all)) << 32;
}

AVX2 INLINE block load_avx2(const uint8_t *in) {
    __m256i low = _mm256_loadu_si256((const __m256i *)in), high = _mm256_loadu_si256((const __m256i *)(in + 32));
    __m256i letter = _mm256_set1_epi8(0x20), a = _mm256_or_si256(low, letter), b = _mm256_or_si256(high, letter);
    return (block){equal(low, high, '"'), equal(low, high, '\\'), equal(a, b, '{'),
                   equal(a, b, '}'),      equal(low, high, 'i'),  equal(low, high, 's')};
}
#endif

// escaped is the bytes after a backslash that is not escaped itself. Adding a run of backslashes to its first bit carries to the byte behind
// the run, at a distance that is even or odd like the run's length.
INLINE uint64_t escaped(uint64_t backslashes, state *state) {
    if (__builtin_expect(backslashes == 0, 1)) {
        uint64_t first = state->is_escaped;
        state->is_escaped = 0;
        return first;
    }
    const uint64_t even = UINT64_C(0x5555555555555555);
    backslashes &= ~state->is_escaped;
    uint64_t follows = backslashes << 1 | state->is_escaped;
    uint64_t odd_starts = backslashes & ~even & ~follows, ends;
    state->is_escaped = __builtin_add_overflow(odd_starts, backslashes, &ends);
    return (even ^ ends << 1) & follows;
}

// prefix_xor sets each bit to the parity of the bits up to it: from an opening quote to the byte before the closing one.
INLINE uint64_t prefix_xor(uint64_t bits) {
    for (int shift = 1; shift < 64; shift *= 2) {
        bits ^= bits << shift;
    }
    return bits;
}

// beginnings is the opening quotes after which "is" follows, or the end of the block.
INLINE uint64_t beginnings(const block *at, uint64_t quotes) {
    const uint64_t last = UINT64_C(1) << 63;
    return quotes & (at->i >> 1 | last) & (at->s >> 2 | last | last >> 1);
}

static size_t skip_space(const uint8_t *in, size_t in_len, size_t i) {
    while (i < in_len && (in[i] == ' ' || in[i] == '\t' || in[i] == '\n' || in[i] == '\r')) {
        i++;
    }
    return i;
}

// text_at finds the end of the string whose opening quote is at i.
static int text_at(cjwt_issuer *issuer, const uint8_t *in, size_t in_len, size_t i) {
    issuer->start = ++i;
    for (;;) {
        i += cjwt_kernels_best()->json_string_span(in + i, in_len - i);
        if (i == in_len || in[i] < ' ') {
            return CJWT_ISSUER_OTHER;
        }
        if (in[i] == '"') {
            issuer->length = i - issuer->start;
            return CJWT_ISSUER_FOUND;
        }
        issuer->is_escaped = 1;
        i += i + 1 < in_len ? 2 : 1;
    }
}

// value_at looks for a text behind the name that ends at i.
static int value_at(cjwt_issuer *issuer, const uint8_t *in, size_t in_len, size_t i) {
    i = skip_space(in, in_len, i);
    if (i == in_len || in[i] != ':') {
        return CJWT_ISSUER_NONE;
    }
    i = skip_space(in, in_len, i + 1);
    return i == in_len || in[i] != '"' ? CJWT_ISSUER_OTHER : text_at(issuer, in, in_len, i);
}

// look looks at the strings of one block that begin at the bits of `quotes`.
INLINE int look(
    cjwt_issuer *issuer, const uint8_t *in, size_t in_len, size_t from, uint64_t quotes, const block *at, state *state) {
    for (; quotes != 0; quotes &= quotes - 1) {
        unsigned bit = lowest_bit(quotes);
        size_t i = from + bit;
        if (in_len - i < 6 || memcmp(in + i, "\"iss\"", 5) != 0 || (in[i + 5] != ':' && in[i + 5] > ' ')) {
            continue;
        }
        uint64_t before = (UINT64_C(1) << bit) - 1;
        if (state->depth + __builtin_popcountll(at->opens & before) - __builtin_popcountll(at->closes & before) != 1) {
            if (++state->passed == kMaxPassed) {
                return CJWT_ISSUER_HIDDEN;
            }
            continue;
        }
        int found = value_at(issuer, in, in_len, i + 5);
        if (found != CJWT_ISSUER_NONE) {
            return found;
        }
    }
    return CJWT_ISSUER_NONE;
}

// search searches one block.
INLINE int search(cjwt_issuer *issuer, const uint8_t *in, size_t in_len, size_t from, block *at, state *state) {
    at->quotes &= ~escaped(at->backslashes, state);
    uint64_t in_string = prefix_xor(at->quotes) ^ state->in_string;
    state->in_string = (uint64_t)((int64_t)in_string >> 63);
    at->opens &= ~in_string;
    at->closes &= ~in_string;
    // Where brackets are too deep to return to depth one within the block, no string in it counts.
    int may_count = state->depth - __builtin_popcountll(at->closes) < 2;
    int found = look(issuer, in, in_len, from, may_count ? beginnings(at, at->quotes & in_string) : 0, at, state);
    state->depth += __builtin_popcountll(at->opens) - __builtin_popcountll(at->closes);
    return found;
}

// Both forms of the search are this code, with another way to load a block.
#define FIND(LOAD)                                                         \
    state state = {0};                                                     \
    int found = CJWT_ISSUER_NONE;                                          \
    *issuer = (cjwt_issuer){0};                                            \
    for (size_t from = 0; from < in_len && found == 0; from += kBlock) {   \
        uint8_t rest[kBlock] = {0};                                        \
        int is_whole = in_len - from >= kBlock;                            \
        if (!is_whole) {                                                   \
            memcpy(rest, in + from, in_len - from);                        \
        }                                                                  \
        block at = LOAD(is_whole ? in + from : rest);                      \
        found = search(issuer, in, in_len, from, &at, &state);             \
    }                                                                      \
    return found;

#if defined(CJWT_HAVE_AVX2)
AVX2 static int find_avx2(cjwt_issuer *issuer, const uint8_t *in, size_t in_len) {
    FIND(load_avx2)
}
#endif

static int find(cjwt_issuer *issuer, const uint8_t *in, size_t in_len) {
    FIND(load)
}

int cjwt_json_issuer(cjwt_issuer *issuer, const uint8_t *in, size_t in_len) {
#if defined(CJWT_HAVE_AVX2)
    if (cjwt_kernels_best() != &cjwt_kernels_generic) {
        return find_avx2(issuer, in, in_len);
    }
#endif
    return find(issuer, in, in_len);
}
