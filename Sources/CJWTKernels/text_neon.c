// json_string_span_neon, ascii_span_neon, find_dot_neon, find_dots_neon, string_stops_neon: same contracts as the _generic forms.
//
// Compares 16 bytes at a time. No instruction collects one bit a byte; a narrowing shift collects four, the first byte lowest:
//
//   found, as 16-bit lanes    hhhhhhhhllllllll     h, l: all ones or all zeros, the second and the first byte of a pair
//   shifted right by 4        0000hhhhhhhhllll
//   low byte kept             hhhhllll             so 16 bytes become 64 bits, and the byte is the lowest set bit / 4
//
// An incomplete vector is loaded as two pieces that overlap in the middle, never with bytes outside the input:
//
//   in_len 16 and more    a whole vector at the end, over bytes already seen:    [.. 16 ..][.. 16 ..]
//                                                                                      [.. 16 ..]
//   in_len  8 to 15       8 bytes from the start and 8 to the end                [... 8 ...]
//   in_len  4 to  7       4 and 4, the same way                                        [... 8 ...]
//   in_len  0 to  3       byte by byte, by the generic code

#include "internal.h"

#if defined(CJWT_HAVE_NEON)

#include <arm_neon.h>
#include <string.h>

enum { kVector = 16 };

// ending returns all ones in each byte that ends the span.
INLINE uint8x16_t ending(uint8x16_t bytes, stop what) {
    if (what == kDot) {
        return vceqq_u8(bytes, vdupq_n_u8('.'));
    }
    if (what == kNotASCII) {
        return vcgeq_u8(bytes, vdupq_n_u8(0x80));
    }
    uint8x16_t control = vcltq_u8(bytes, vdupq_n_u8(0x20));
    uint8x16_t quote = vceqq_u8(bytes, vdupq_n_u8('"'));
    uint8x16_t backslash = vceqq_u8(bytes, vdupq_n_u8('\\'));
    return vorrq_u8(control, vorrq_u8(quote, backslash));
}

// stops returns four bits a byte, set where the byte ends the span.
INLINE uint64_t stops(uint8x16_t bytes, stop what) {
    uint8x8_t nibbles = vshrn_n_u16(vreinterpretq_u16_u8(ending(bytes, what)), 4);
    return vget_lane_u64(vreinterpret_u64_u8(nibbles), 0);
}

INLINE size_t first(uint64_t mask) {
    return (size_t)__builtin_ctzll(mask) / 4;
}

INLINE uint8x8_t load_four_and_four(const uint8_t *low, const uint8_t *high) {
    uint32_t words[2];
    memcpy(&words[0], low, 4);
    memcpy(&words[1], high, 4);
    return vreinterpret_u8_u32(vld1_u32(words));
}

// span_short is span for in_len 4 to 15.
INLINE size_t span_short(const uint8_t *in, size_t in_len, stop what) {
    size_t piece = in_len >= 8 ? 8 : 4;
    uint64_t mask;
    if (piece == 8) {
        mask = stops(vcombine_u8(vld1_u8(in), vld1_u8(in + in_len - 8)), what);
    } else {
        mask = stops(vcombine_u8(load_four_and_four(in, in + in_len - 4), vdup_n_u8(0)), what) & UINT32_MAX;
    }
    if (mask == 0) {
        return in_len;
    }
    size_t byte = first(mask);
    return byte < piece ? byte : in_len - 2 * piece + byte;
}

INLINE size_t span(const uint8_t *in, size_t in_len, stop what) {
    if (in_len < kVector) {
        return span_short(in, in_len, what);
    }
    for (size_t i = 0; in_len - i >= kVector; i += kVector) {
        uint64_t mask = stops(vld1q_u8(in + i), what);
        if (mask != 0) {
            return i + first(mask);
        }
    }
    uint64_t mask = stops(vld1q_u8(in + in_len - kVector), what);
    return mask == 0 ? in_len : in_len - kVector + first(mask);
}

SPANS(neon, , SPAN_FROM_FOUR)


size_t find_dots_neon(size_t *dots, size_t max_dots, const uint8_t *in, size_t in_len) {
    size_t len = 0, i = 0;
    while (len < max_dots && (i += find_dot_neon(in + i, in_len - i)) < in_len) {
        dots[len++] = i++;
    }
    return len;
}

// stops_of_64 returns one bit a byte of 64, and adds their bits to `all`. Each byte that ends a string keeps the bit of its place in eight;
// sums of neighbours, three times, make a byte of eight.
INLINE uint64_t stops_of_64(const uint8_t *in, uint8x16_t *all) {
    static const uint8_t places[kVector] = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
    uint8x16_t found[4];
    for (size_t i = 0; i < 4; i++) {
        uint8x16_t bytes = vld1q_u8(in + kVector * i);
        *all = vorrq_u8(*all, bytes);
        found[i] = vandq_u8(ending(bytes, kEndsJSONString), vld1q_u8(places));
    }
    uint8x16_t sums = vpaddq_u8(vpaddq_u8(found[0], found[1]), vpaddq_u8(found[2], found[3]));
    return vgetq_lane_u64(vreinterpretq_u64_u8(vpaddq_u8(sums, sums)), 0);
}

// An incomplete word is filled up with spaces, which no string ends at.
int string_stops_neon(cjwt_stops *out, const uint8_t *in, size_t in_len) {
    uint8x16_t all = vdupq_n_u8(0);
    size_t count = 0;
    for (size_t start = 0; start < in_len; start += 64) {
        uint8_t rest[64];
        const uint8_t *from = in + start;
        if (in_len - start < sizeof rest) {
            memset(rest, ' ', sizeof rest);
            memcpy(rest, from, in_len - start);
            from = rest;
        }
        uint64_t word = stops_of_64(from, &all);
        out->bits[start / 64] = word;
        count = note_places(out->places, count, start, word);
    }
    out->count = count;
    note_any_escapes(out, in, in_len);
    return vmaxvq_u8(all) < 0x80;
}

#endif
