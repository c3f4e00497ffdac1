// ecdsa_cases.h: a known signature, and the verdicts on altered forms of it and on exceptional additions, for the self tests.

#ifndef ECDSA_CASES_H
#define ECDSA_CASES_H

#include "../self_test.h"

typedef struct ecdsa_vector {
    size_t bytes;  // of a coordinate
    const char *order, *x, *y, *hash, *r, *s, *minus_s;
} ecdsa_vector;

// RFC 6979, A.2.5, SHA-256 of "sample".
static const ecdsa_vector kP256Vector = {
    .bytes = 32,
    .order = "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551",
    .x = "60fed4ba255a9d31c961eb74c6356d68c049b8923b61fa6ce669622e60f29fb6",
    .y = "7903fe1008b8bc99a41ae9e95628bc64f2f1b20c2d7e9f5177a3c294d4462299",
    .hash = "af2bdbe1aa9b6ec1e2ade1d694f41fc71a831d0268e9891562113d8a62add1bf",
    .r = "efd48b2aacb6a8fd1140dd9cd45e81d69d2c877b56aaf991c34d0ea84eaf3716",
    .s = "f7cb1c942d657c41d436c7a1b6e29f65f3e900dbb9aff4064dc4ab2f843acda8",
    .minus_s = "0834e36ad29a83bf2bc9385e491d6099c8fdf9d1ed67aa7ea5f51f93782857a9",
};

// add_ecdsa_cases: the vector is accepted unchanged and with n - s, which ECDSA cannot distinguish; refused with any other change.
//
// With the generator as key and s = 1, a hash h gives h G + r G: the neutral element for h = 1 and r = n - 1; for h = 0 and r = 1 its x is
// not 1.
static inline void add_ecdsa_cases(signature_cases *all, const ecdsa_vector *v, const void *key, const void *generator) {
    const size_t last = v->bytes - 1;
    add_case(all, key, CJWT_ACCEPTED, v->hash, v->r, v->s);
    add_case(all, key, CJWT_ACCEPTED, v->hash, v->r, v->minus_s);
    add_case(all, key, CJWT_REFUSED, v->hash, v->r, v->s)->hash[0] ^= 1;
    add_case(all, key, CJWT_REFUSED, v->hash, v->r, v->s)->sig[0] ^= 0x80;
    add_case(all, key, CJWT_REFUSED, v->hash, v->r, v->s)->sig[v->bytes + last] ^= 1;
    add_case(all, key, CJWT_REFUSED, v->hash, "0", v->s);
    add_case(all, key, CJWT_REFUSED, v->hash, v->r, "0");
    add_case(all, key, CJWT_REFUSED, v->hash, v->order, v->s);
    add_case(all, key, CJWT_REFUSED, v->hash, v->r, v->order);
    add_case(all, generator, CJWT_UNDECIDED, "1", v->order, "1")->sig[last] -= 1;
    add_case(all, generator, CJWT_REFUSED, "0", "1", "1");
}

#endif
