// check_base64url: every form of base64url_decode gives the same result as its reference.
//
//   avx2, avx512, neon   are compared with   generic   is compared with   decode_by_bits
//
// decode_by_bits shares no code with the kernels: it looks characters up in the alphabet as RFC 4648 prints it and moves single bits.

#include "agreement.h"

#include <string.h>

static const char kAlphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

typedef int (*decoder)(uint8_t *out, size_t *out_len, const uint8_t *in, size_t in_len);

// One comparison: `tested` against `truth`, with memory for both.
typedef struct checks {
    agreement *run;
    decoder tested, truth;
    size_t max_exhaustive;  // every byte value at every offset is tried up to this length
    int expected_ok;
    size_t expected_len;
    uint8_t expected[kMaxLong];
} checks;

static int value_of(uint8_t character) {
    const char *found = character == 0 ? NULL : strchr(kAlphabet, character);
    return found == NULL ? -1 : (int)(found - kAlphabet);
}

static int bit_of(const uint8_t *values, size_t bit) {
    return values[bit / 6] >> (5 - bit % 6) & 1;
}

static int decode_by_bits(uint8_t *out, size_t *out_len, const uint8_t *in, size_t in_len) {
    uint8_t values[kMaxLong];
    for (size_t i = 0; i < in_len; i++) {
        int value = value_of(in[i]);
        if (value < 0) {
            *out_len = i;
            return 0;
        }
        values[i] = (uint8_t)value;
    }
    size_t num_bits = in_len * 6, used_bits = num_bits / 8 * 8;
    int unused_are_zero = 1;
    for (size_t bit = used_bits; bit < num_bits; bit++) {
        unused_are_zero &= bit_of(values, bit) == 0;
    }
    if (num_bits - used_bits >= 6 || !unused_are_zero) {
        *out_len = in_len - 1;
        return 0;
    }
    *out_len = used_bits / 8;
    for (size_t i = 0; i < *out_len; i++) {
        out[i] = 0;
    }
    for (size_t bit = 0; bit < used_bits; bit++) {
        out[bit / 8] = (uint8_t)(out[bit / 8] | bit_of(values, bit) << (7 - bit % 8));
    }
    return 1;
}

static size_t decoded_max(size_t in_len) {
    return in_len * 3 / 4;
}

// expect decodes in[0..<in_len] with the reference decoder.
static void expect(checks *c, const uint8_t *in, size_t in_len) {
    c->expected_ok = c->truth(c->expected, &c->expected_len, in, in_len);
}

// test decodes in[0..<in_len] to `out` with the tested decoder, and compares the result with the expected one.
static void test(checks *c, const char *what, uint8_t *out, const uint8_t *in, size_t in_len) {
    size_t len = 0;
    if (in_len > 0) {
        memset(out, 0xa5, decoded_max(in_len));  // shows bytes that the decoder does not write
    }
    int ok = c->tested(out, &len, in, in_len);
    if (ok != c->expected_ok || len != c->expected_len) {
        disagree(c->run, "%s: %s, %zu characters: answers %d and %zu, expected %d and %zu", c->run->kernels->name, what, in_len, ok, len,
                 c->expected_ok, c->expected_len);
    } else if (ok && len > 0 && memcmp(out, c->expected, len) != 0) {
        disagree(c->run, "%s: %s, %zu characters: the bytes differ", c->run->kernels->name, what, in_len);
    }
}

static void compare(checks *c, const char *what, uint8_t *out, const uint8_t *in, size_t in_len) {
    expect(c, in, in_len);
    test(c, what, out, in, in_len);
}

// fill writes random decodable characters, unless the length is one modulo four.
static void fill(checks *c, uint8_t *in, size_t in_len) {
    for (size_t i = 0; i < in_len; i++) {
        in[i] = (uint8_t)kAlphabet[random_below(&c->run->random, 64)];
    }
    if (in_len % 4 == 2) {
        in[in_len - 1] = (uint8_t)kAlphabet[random_below(&c->run->random, 4) * 16];
    } else if (in_len % 4 == 3) {
        in[in_len - 1] = (uint8_t)kAlphabet[random_below(&c->run->random, 16) * 4];
    }
}

// Every byte value at every offset, with input and output ending at a guard page. At the last offset this includes all unused bits.
static void check_every_byte(checks *c) {
    for (size_t in_len = 0; in_len <= c->max_exhaustive; in_len++) {
        uint8_t *in = c->run->in.end - in_len, *out = c->run->out.end - decoded_max(in_len);
        fill(c, in, in_len);
        compare(c, "at the end of memory", out, in, in_len);
        for (size_t i = 0; i < in_len; i++) {
            uint8_t kept = in[i];
            for (unsigned byte = 0; byte < 256; byte++) {
                in[i] = (uint8_t)byte;
                compare(c, "one byte replaced", out, in, in_len);
            }
            in[i] = kept;
        }
    }
}

// Every alignment of input and output; bytes around the output stay unchanged; every length at the start of memory.
static void check_every_alignment(checks *c) {
    static const char around[] = "bytes not to be touched";
    for (size_t in_len = 0; in_len <= kMaxShort; in_len++) {
        uint8_t *text = c->run->in.end - in_len;
        size_t max = decoded_max(in_len);
        fill(c, text, in_len);
        expect(c, text, in_len);
        for (size_t i = 0; i < kAlignments; i++) {
            uint8_t *in = c->run->in.start + i;
            memcpy(in, text, in_len);
            test(c, "at the start of memory", c->run->out.start, in, in_len);
            for (size_t o = 0; o < kAlignments; o++) {
                uint8_t *out = c->run->out.start + kAlignments + o;
                memcpy(out - sizeof(around), around, sizeof(around));
                memcpy(out + max, around, sizeof(around));
                test(c, "alignment", out, in, in_len);
                if (memcmp(out - sizeof(around), around, sizeof(around)) != 0 || memcmp(out + max, around, sizeof(around)) != 0) {
                    disagree(c->run, "%s: %zu characters: bytes around the output change", c->run->kernels->name, in_len);
                }
            }
        }
    }
}

// Long random inputs, with zero to three bytes replaced at random: the decoder reports the first invalid one.
static void check_random(checks *c) {
    for (int round = 0; round < 4000; round++) {
        size_t in_len = random_below(&c->run->random, kMaxLong + 1), num_replaced = random_below(&c->run->random, 4);
        uint8_t *in = c->run->in.end - in_len;
        fill(c, in, in_len);
        for (size_t i = 0; i < num_replaced && in_len > 0; i++) {
            in[random_below(&c->run->random, in_len)] = (uint8_t)random_next(&c->run->random);
        }
        compare(c, "random", c->run->out.end - decoded_max(in_len), in, in_len);
    }
}

// Texts of one byte value, and of one to four characters: a wrong look-up of some characters shows only where a whole vector has no others.
static void check_few_characters(checks *c) {
    for (unsigned round = 0; round < 4096; round++) {
        uint8_t some[4], *in = c->run->in.end - kMaxShort;
        for (size_t i = 0; i < 4; i++) { some[i] = round < 256 ? (uint8_t)round : (uint8_t)kAlphabet[random_below(&c->run->random, 64)]; }
        for (size_t i = 0; i < kMaxShort; i++) { in[i] = some[random_below(&c->run->random, 1 + round % 4)]; }
        compare(c, "few characters", c->run->out.end - decoded_max(kMaxShort), in, kMaxShort);
    }
}

void check_base64url(agreement *run) {
    int is_generic = run->kernels == &cjwt_kernels_generic;
    static _Thread_local checks c;  // too large for the stack
    c = (checks){
        .run = run,
        .tested = run->kernels->base64url_decode,
        .truth = is_generic ? decode_by_bits : cjwt_kernels_generic.base64url_decode,
        // The generic form repeats every four characters, and moving single bits is slow.
        .max_exhaustive = is_generic ? 67 : kMaxShort,
    };
    compare(&c, "NULL", NULL, NULL, 0);
    check_every_byte(&c);
    check_every_alignment(&c);
    check_random(&c);
    check_few_characters(&c);
}
