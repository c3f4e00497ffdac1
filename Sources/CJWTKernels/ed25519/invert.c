// cjwt_ed25519_invert: the inverse modulo p = 2^255 - 19 by division steps, in variable time: the input is public.

#include "../nist/nist_inverse.h"
#include "field51.h"

// p in radix 2^62 with a negative lowest limb, 128 * 2^248 - 19: the compiler removes the products with the zeros between.
static const nist_modulus kPrime = {.limbs62 = {-19, 0, 0, 0, 128}, .scale62 = {1}, .inverse62 = UINT64_C(0x39435e50d79435e5)};

int cjwt_ed25519_invert(fe51 *out, const fe51 *a) {
    uint64_t words[4];
    fe51 inverted, back;
    fe51_to_words(words, a);
    inverse(words, words, &kPrime, 4);
    fe51_from_words(&inverted, words);
    fe51_multiply(&back, &inverted, a);
    *out = inverted;
    return fe51_equal(&back, &kFe51One);
}
