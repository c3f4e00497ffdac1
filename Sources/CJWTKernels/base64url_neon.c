// base64url_decode_neon: same contract as base64url_decode_generic, 32 characters to 24 bytes at a time.
//
// vld4_u8 splits 32 characters into eight groups of four, one vector for each position in the group, and vst3_u8 joins eight groups of
// three bytes; both move exactly that many bytes. Between them, lane by lane, after the look-up (base64url_nibbles.h):
//
//   values     00aaaaaa  00bbbbbb  00cccccc  00dddddd
//   byte 0     aaaaaabb  =  a << 2  |  b >> 4
//   byte 1     bbbbcccc  =  b << 4  |  c >> 2
//   byte 2     ccdddddd  =  c << 6  |  d
//
// The look-up works on full 16-byte vectors, so a and b are the halves of one vector, c and d those of another.

#include "internal.h"

#if defined(CJWT_HAVE_NEON)

#include <arm_neon.h>

#include "base64url_nibbles.h"

// values returns the six-bit values of characters, and sets bits in *refused for the lanes that are outside the alphabet.
static inline uint8x16_t values(uint8x16_t chars, uint8x16_t *refused) {
    uint8x16_t row = vshrq_n_u8(chars, 4);
    uint8x16_t column = vandq_u8(chars, vdupq_n_u8(0x0f));
    uint8x16_t row_class = vqtbl1q_u8(vld1q_u8(kBase64urlRow), row);
    uint8x16_t refused_classes = vqtbl1q_u8(vld1q_u8(kBase64urlColumn), column);
    *refused = vorrq_u8(*refused, vandq_u8(row_class, refused_classes));

    uint8x16_t is_underscore = vceqq_u8(chars, vdupq_n_u8('_'));
    uint8x16_t extra = vandq_u8(is_underscore, vdupq_n_u8(kBase64urlUnderscore));
    uint8x16_t shift = vaddq_u8(vqtbl1q_u8(vld1q_u8(kBase64urlShift), row), extra);
    return vaddq_u8(chars, shift);
}

// decode_step decodes in[0..<32] to out[0..<24]. Returns zero, with nothing written, where a character is outside the alphabet.
static inline int decode_step(uint8_t *out, const uint8_t *in) {
    uint8x8x4_t chars = vld4_u8(in);
    uint8x16_t refused = vdupq_n_u8(0);
    uint8x16_t ab = values(vcombine_u8(chars.val[0], chars.val[1]), &refused);
    uint8x16_t cd = values(vcombine_u8(chars.val[2], chars.val[3]), &refused);
    if (vmaxvq_u8(refused) != 0) {
        return 0;
    }
    uint8x8_t a = vget_low_u8(ab), b = vget_high_u8(ab), c = vget_low_u8(cd), d = vget_high_u8(cd);
    uint8x8x3_t bytes;
    bytes.val[0] = vorr_u8(vshl_n_u8(a, 2), vshr_n_u8(b, 4));
    bytes.val[1] = vorr_u8(vshl_n_u8(b, 4), vshr_n_u8(c, 2));
    bytes.val[2] = vorr_u8(vshl_n_u8(c, 6), d);
    vst3_u8(out, bytes);
    return 1;
}

DECODE_BY_32(neon, )

#endif
