// p256_order.h: the order of P-256's group (SP 800-186, 3.2.1.3).

#ifndef P256_ORDER_H
#define P256_ORDER_H

#include "nist_modulus.h"

static const nist_modulus kOrder = {
    .limbs = {UINT64_C(0xf3b9cac2fc632551), UINT64_C(0xbce6faada7179e84), UINT64_C(0xffffffffffffffff), UINT64_C(0xffffffff00000000)},
    .r_squared = {UINT64_C(0x83244c95be79eea2), UINT64_C(0x4699799c49bd6fa6), UINT64_C(0x2845b2392b6bec59),
                  UINT64_C(0x66e12d94f3d95620)},
    .negated_inverse = UINT64_C(0xccd1c8aaee00bc4f),
    .limbs62 = {0x33b9cac2fc632551, 0x339beab69c5e7a13, 0x3ffffffffffffffb, 0x3fffffc00000003f, 0xff},
    .scale62 = {0x0c46353d039cdaaf, 0x0c64154963a185ec, 4, 0x3fffffffc0, 0},
    .inverse62 = UINT64_C(0x332e375511ff43b1),
};

#endif
