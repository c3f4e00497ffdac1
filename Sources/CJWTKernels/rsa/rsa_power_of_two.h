// rsa_power_of_two.h: 2^exponent mod n, for the keys of kernels that have no multiplication for one number.

#ifndef CJWT_RSA_POWER_OF_TWO_H
#define CJWT_RSA_POWER_OF_TWO_H

#include <stddef.h>
#include <stdint.h>

/// Both numbers are big-endian and of modulus_len bytes: 256, 384 or 512. The modulus is odd, with its top bit set, and the exponent is from
/// 2^12 to 2^14: the power is then R times another, for R = 2^(27 * digits).
void rsa_power_of_two(uint8_t *out, const uint8_t *modulus, size_t modulus_len, size_t exponent);

#endif
