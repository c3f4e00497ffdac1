// text_avx512.h: what text_avx512.c and followed_stops_avx512.c share: blocks of 64 bytes, the offsets of their bits, and their escapes.

#ifndef CJWT_TEXT_AVX512_H
#define CJWT_TEXT_AVX512_H

#include "internal.h"

#include <immintrin.h>
#include <string.h>

#define AVX512 __attribute__((target("avx512f,avx512bw,avx512vbmi,avx512vbmi2,bmi,bmi2,popcnt")))
#define AVX512_INLINE static inline __attribute__((target("avx512f,avx512bw,avx512vbmi,avx512vbmi2,bmi,bmi2,popcnt"), always_inline))

enum { kVector = 64 };

static const uint8_t kAscending[64] __attribute__((aligned(64))) = {
    0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31,
    32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63,
};

// load returns the next 64 bytes, or the rest followed by zeros, and records which bytes exist.
AVX512_INLINE __m512i load(__mmask64 *are_there, const uint8_t *in, size_t len) {
    *are_there = _bzhi_u64(~UINT64_C(0), len < kVector ? (unsigned)len : kVector);
    return _mm512_maskz_loadu_epi8(*are_there, in);
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

#endif
