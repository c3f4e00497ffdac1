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

// RFC 6979, A.2.6, SHA-384 of "sample".
static const ecdsa_vector kP384Vector = {
    .bytes = 48,
    .order = "ffffffffffffffffffffffffffffffffffffffffffffffffc7634d81f4372ddf581a0db248b0a77aecec196accc52973",
    .x = "ec3a4e415b4e19a4568618029f427fa5da9a8bc4ae92e02e06aae5286b300c64def8f0ea9055866064a254515480bc13",
    .y = "8015d9b72d7d57244ea8ef9ac0c621896708a59367f9dfb9f54ca84b3f1c9db1288b231c3ae0d4fe7344fd2533264720",
    .hash = "9a9083505bc92276aec4be312696ef7bf3bf603f4bbd381196a029f340585312313bca4a9b5b890efee42c77b1ee25fe",
    .r = "94edbb92a5ecb8aad4736e56c691916b3f88140666ce9fa73d64c4ea95ad133c81a648152e44acf96e36dd1e80fabe46",
    .s = "99ef4aeb15f178cea1fe40db2603138f130e740a19624526203b6351d0a3a94fa329c145786e679e7b82c71a38628ac8",
    .minus_s = "6610b514ea0e87315e01bf24d9fcec70ecf18bf5e69dbad9a727ea302393848fb4f04c6cd0423fdc7169525094629eab",
};

// RFC 6979, A.2.7, SHA-512 of "sample".
static const ecdsa_vector kP521Vector = {
    .bytes = 66,
    .order =
        "01ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
        "fa51868783bf2f966b7fcc0148f709a5d03bb5c9b8899c47aebb6fb71e91386409",
    .x =
        "01894550d0785932e00eaa23b694f213f8c3121f86dc97a04e5a7167db4e5bcd37"
        "1123d46e45db6b5d5370a7f20fb633155d38ffa16d2bd761dcac474b9a2f5023a4",
    .y =
        "00493101c962cd4d2fddf782285e64584139c2f91b47f87ff82354d6630f746a28"
        "a0db25741b5b34a828008b22acc23f924faafbd4d33f81ea66956dfeaa2bfdfcf5",
    .hash =
        "39a5e04aaff7455d9850c605364f514c11324ce64016960d23d5dc57d3ffd8f49a"
        "739468ab8049bf18eef820cdb1ad6c9015f838556bc7fad4138b23fdf986c7",
    .r =
        "00c328fafcbd79dd77850370c46325d987cb525569fb63c5d3bc53950e6d4c5f17"
        "4e25a1ee9017b5d450606add152b534931d7d4e8455cc91f9b15bf05ec36e377fa",
    .s =
        "00617cce7cf5064806c467f678d3b4080d6f1cc50af26ca209417308281b68af28"
        "2623eaa63e5b5c0723d8b8c37ff0777b1a20f8ccb1dccc43997f1ee0e44da4a67a",
    .minus_s =
        "019e8331830af9b7f93b9809872c4bf7f290e33af50d935df6be8cf7d7e49750d7"
        "d42d9be14563d38f47a7133dc906922ab61abcfd06acd004153c50d63a4393bd8f",
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

// add_sum_cases: a doubling, which kernels with two separate sums of rows do not cover; and -4 G.
static inline void add_sum_cases(signature_cases *all, const ecdsa_vector *v, const void *generator) {
    add_case(all, generator, CJWT_UNDECIDED, "1", "1", "1");
    add_case(all, generator, CJWT_REFUSED, "1", v->order, "1")->sig[v->bytes - 1] -= 5;
}

#endif
