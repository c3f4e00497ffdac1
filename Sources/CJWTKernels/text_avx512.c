// json_string_span_avx512, ascii_span_avx512, find_dot_avx512, find_dots_avx512, string_stops_avx512: same contracts as the _generic
// forms.
//
// Compares 64 bytes at a time, which gives a word with one bit a byte, the first byte lowest. At the end, bytes after the input are not
// loaded: a masked load does not access memory, and therefore cannot fault, where the mask is clear.

#include "internal.h"

#if defined(CJWT_HAVE_AVX512)

#include <immintrin.h>
#include <string.h>

#define AVX512 __attribute__((target("avx512f,avx512bw,avx512vbmi,avx512vbmi2,bmi,bmi2,popcnt")))
#define AVX512_INLINE static inline __attribute__((target("avx512f,avx512bw,avx512vbmi,avx512vbmi2,bmi,bmi2,popcnt"), always_inline))

enum { kVector = 64 };

static const uint8_t kAscending[64] __attribute__((aligned(64))) = {
    0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31,
    32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63,
};

// stops returns one bit for each of the first `len` bytes of the vector, set where the byte ends the span.
AVX512_INLINE uint64_t stops(__m512i bytes, __mmask64 are_there, stop what) {
    if (what == kNotASCII) {
        return _mm512_movepi8_mask(bytes) & are_there;
    }
    if (what == kDot) {
        return _mm512_mask_cmpeq_epi8_mask(are_there, bytes, _mm512_set1_epi8('.'));
    }
    __mmask64 control = _mm512_mask_cmplt_epu8_mask(are_there, bytes, _mm512_set1_epi8(0x20));
    __mmask64 quote = _mm512_mask_cmpeq_epi8_mask(are_there, bytes, _mm512_set1_epi8('"'));
    __mmask64 backslash = _mm512_mask_cmpeq_epi8_mask(are_there, bytes, _mm512_set1_epi8('\\'));
    return control | quote | backslash;
}

// load returns the next 64 bytes, or the rest followed by zeros, and records which bytes exist.
AVX512_INLINE __m512i load(__mmask64 *are_there, const uint8_t *in, size_t len) {
    *are_there = _bzhi_u64(~UINT64_C(0), len < kVector ? (unsigned)len : kVector);
    return _mm512_maskz_loadu_epi8(*are_there, in);
}

AVX512_INLINE size_t span(const uint8_t *in, size_t in_len, stop what) {
    for (size_t i = 0; i < in_len; i += kVector) {
        __mmask64 are_there;
        __m512i bytes = load(&are_there, in + i, in_len - i);
        uint64_t word = stops(bytes, are_there, what);
        if (word != 0) {
            return i + (size_t)__builtin_ctzll(word);
        }
    }
    return in_len;
}

SPANS(avx512, AVX512, span)


// note_dots adds the offsets of the bits of `word` to dots[0..<len], up to max_dots of them, and returns their number.
AVX512_INLINE size_t note_dots(size_t *dots, size_t len, size_t max_dots, size_t start, uint64_t word) {
    for (; word != 0 && len < max_dots; word &= word - 1) {
        dots[len++] = start + (size_t)__builtin_ctzll(word);
    }
    return len;
}

AVX512 size_t find_dots_avx512(size_t *dots, size_t max_dots, const uint8_t *in, size_t in_len) {
    size_t len = 0, i = 0;
    for (; in_len - i >= kVector && len < max_dots; i += kVector) {
        uint64_t word = stops(_mm512_loadu_si512(in + i), ~UINT64_C(0), kDot);
        if (__builtin_expect(word != 0, 0)) {
            len = note_dots(dots, len, max_dots, i, word);
        }
    }
    if (len == max_dots) {
        return len;
    }
    __mmask64 are_there;
    __m512i bytes = load(&are_there, in + i, in_len - i);
    return note_dots(dots, len, max_dots, i, stops(bytes, are_there, kDot));
}

// note_places_avx512 is note_places, for up to 32 of them without a loop.
AVX512_INLINE size_t note_places_avx512(uint16_t *places, size_t count, size_t start, uint64_t word) {
    __m512i at = _mm512_maskz_compress_epi8(word, _mm512_load_si512(kAscending)), from = _mm512_set1_epi16((short)start);
    size_t more = (size_t)_mm_popcnt_u64(word);
    _mm512_storeu_si512(places + count, _mm512_add_epi16(_mm512_cvtepu8_epi16(_mm512_castsi512_si256(at)), from));
    if (__builtin_expect(more > 32, 0)) {
        _mm512_storeu_si512(places + count + 32, _mm512_add_epi16(_mm512_cvtepu8_epi16(_mm512_extracti64x4_epi64(at, 1)), from));
    }
    return count + more;
}

// What a byte may be in an escape, a bit for each, by the byte's seven low bits.
enum { kLetter = 1, kUnit = 2, kHex = 4, kD = 8, kHigh = 16, kLow = 32 };

static const uint8_t kEscapeBytes[128] __attribute__((aligned(64))) = {
    ['"'] = kLetter, ['/'] = kLetter, ['\\'] = kLetter, ['n'] = kLetter, ['r'] = kLetter, ['t'] = kLetter, ['u'] = kUnit,
    ['0'] = kHex, ['1'] = kHex, ['2'] = kHex, ['3'] = kHex, ['4'] = kHex, ['5'] = kHex, ['6'] = kHex, ['7'] = kHex,
    ['8'] = kHex | kHigh, ['9'] = kHex | kHigh, ['A'] = kHex | kHigh, ['B'] = kHex | kHigh, ['C'] = kHex | kLow,
    ['D'] = kHex | kLow | kD, ['E'] = kHex | kLow, ['F'] = kHex | kLow, ['a'] = kHex | kHigh, ['b'] = kHex | kHigh | kLetter,
    ['c'] = kHex | kLow, ['d'] = kHex | kLow | kD, ['e'] = kHex | kLow, ['f'] = kHex | kLow | kLetter,
};

// What one block of 64 bytes passes to the next.
typedef struct escapes {
    uint64_t is_escaped;  // one where the next byte is escaped
    uint64_t units;       // the bytes 'u' of escapes
    uint64_t firsts;      // the first digits 'd' behind them
    uint64_t highs;       // the second digits of high surrogates
    uint64_t is_open;     // not zero where one of these is not
    uint64_t faults;      // of all blocks
    size_t count;
} escapes;

// follow is the bits `distance` places further up, with those of the block before.
AVX512_INLINE uint64_t follow(uint64_t bits, uint64_t before, int distance) {
    return bits << distance | before >> (64 - distance);
}

// check_units checks the digits of the escapes \uXXXX whose 'u' is in this block or just before it.
AVX512_INLINE void check_units(escapes *all, uint64_t units, __m512i kinds, __mmask64 are_ascii) {
    uint64_t hex = _mm512_mask_test_epi8_mask(are_ascii, kinds, _mm512_set1_epi8(kHex));
    uint64_t d = _mm512_test_epi8_mask(kinds, _mm512_set1_epi8(kD)), first = follow(units, all->units, 1);
    uint64_t digits = first | follow(units, all->units, 2) | follow(units, all->units, 3) | follow(units, all->units, 4);
    // The second digit of a unit whose first one is 'd', which may have been the last byte of the block before.
    uint64_t second = follow(first & d, all->firsts, 1);
    uint64_t highs = second & _mm512_test_epi8_mask(kinds, _mm512_set1_epi8(kHigh));
    uint64_t lows = second & _mm512_test_epi8_mask(kinds, _mm512_set1_epi8(kLow));
    all->faults |= (digits & ~hex) | (lows ^ follow(highs, all->highs, 6));
    all->units = units;
    all->firsts = first & d;
    all->highs = highs;
}

// escape_starts is the backslashes that begin an escape; *seconds is the bytes behind them. Adding a run of backslashes to its first bit
// carries to the byte behind the run, at a distance that is even or odd like the run's length.
AVX512_INLINE uint64_t escape_starts(escapes *all, uint64_t backslashes, uint64_t *seconds) {
    const uint64_t even = UINT64_C(0x5555555555555555);
    uint64_t candidates = backslashes & ~all->is_escaped, follows = candidates << 1 | all->is_escaped;
    unsigned long long ends;
    uint64_t odd_starts = candidates & ~even & ~follows;
    all->is_escaped = __builtin_uaddll_overflow(odd_starts, candidates, &ends);
    *seconds = (even ^ (uint64_t)ends << 1) & follows;
    return backslashes & ~*seconds;
}

// note_block_escapes checks the escapes of a block. Returns their first two bytes.
AVX512_INLINE uint64_t note_block_escapes(escapes *all, uint64_t *starts, __m512i bytes, uint64_t backslashes) {
    uint64_t seconds;
    *starts = escape_starts(all, backslashes, &seconds);
    all->count += (size_t)_mm_popcnt_u64(*starts);
    __mmask64 are_ascii = ~_mm512_movepi8_mask(bytes);
    __m512i kinds = _mm512_permutex2var_epi8(_mm512_load_si512(kEscapeBytes), bytes, _mm512_load_si512(kEscapeBytes + 64));
    uint64_t units = seconds & _mm512_mask_test_epi8_mask(are_ascii, kinds, _mm512_set1_epi8(kUnit));
    uint64_t letters = _mm512_mask_test_epi8_mask(are_ascii, kinds, _mm512_set1_epi8(kLetter));
    all->faults |= seconds & ~units & ~letters;
    check_units(all, units, kinds, are_ascii);
    all->is_open = all->is_escaped | units | all->firsts | all->highs;
    return *starts | seconds;
}

// note_blocks is string_stops from the 64 bytes at `start` on, the first with a backslash. Returns one where every byte is below 0x80.
AVX512 static __attribute__((noinline)) int note_blocks(cjwt_stops *out, const uint8_t *in, size_t in_len, size_t start) {
    __m512i all = _mm512_setzero_si512();
    escapes escapes = {0};
    size_t count = out->count;
    memset(out->escape_bits, 0, start / kVector * sizeof(out->escape_bits[0]));
    for (size_t i = start; i < in_len; i += kVector) {
        __mmask64 are_there;
        __m512i bytes = load(&are_there, in + i, in_len - i);
        all = _mm512_or_si512(all, bytes);
        uint64_t word = stops(bytes, are_there, kEndsJSONString), begins = 0;
        uint64_t backslashes = _mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8('\\'));
        out->bits[i / kVector] = word;
        if ((backslashes | escapes.is_open) != 0) {
            word &= ~note_block_escapes(&escapes, &begins, bytes, backslashes);
        }
        out->escape_bits[i / kVector] = begins;
        count = note_places_avx512(out->places, count, i, word);
    }
    out->count = count;
    out->escapes = escapes.count;
    uint64_t is_open = escapes.is_escaped | escapes.units >> 60 | escapes.highs >> 58;
    out->are_escapes_valid = (escapes.faults | is_open) == 0 && escapes.count <= out->max_escapes;
    return _mm512_movepi8_mask(all) == 0;
}

AVX512 int string_stops_avx512(cjwt_stops *out, const uint8_t *in, size_t in_len) {
    __m512i all = _mm512_setzero_si512();
    size_t count = 0;
    out->escapes = 0;
    out->are_escapes_valid = 1;
    for (size_t i = 0; i < in_len; i += kVector) {
        __mmask64 are_there;
        __m512i bytes = load(&are_there, in + i, in_len - i);
        uint64_t word = stops(bytes, are_there, kEndsJSONString);
        if (__builtin_expect(_mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8('\\')) != 0, 0)) {
            out->count = count;
            return note_blocks(out, in, in_len, i) & (_mm512_movepi8_mask(all) == 0);
        }
        all = _mm512_or_si512(all, bytes);
        out->bits[i / kVector] = word;
        count = note_places_avx512(out->places, count, i, word);
    }
    out->count = count;
    return _mm512_movepi8_mask(all) == 0;
}

#endif
