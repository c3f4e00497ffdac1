// p384.c: ECDSA over P-384, as declared in CJWTKernelsECDSA.h.

#include "ecdsa_cases.h"

// 55 windows of 64 rows, 330 KiB; 96 windows of 8 rows, 72 KiB.
enum { kFullWindow = 7, kSmallWindow = 4 };

#include "p384_curve.h"
#include "nist_scalar.h"

// RFC 6979, A.2.6, SHA-384 of "sample".
static const ecdsa_vector kVector = {
    .bytes = 48,
    .order = "ffffffffffffffffffffffffffffffffffffffffffffffffc7634d81f4372ddf581a0db248b0a77aecec196accc52973",
    .x = "ec3a4e415b4e19a4568618029f427fa5da9a8bc4ae92e02e06aae5286b300c64def8f0ea9055866064a254515480bc13",
    .y = "8015d9b72d7d57244ea8ef9ac0c621896708a59367f9dfb9f54ca84b3f1c9db1288b231c3ae0d4fe7344fd2533264720",
    .hash = "9a9083505bc92276aec4be312696ef7bf3bf603f4bbd381196a029f340585312313bca4a9b5b890efee42c77b1ee25fe",
    .r = "94edbb92a5ecb8aad4736e56c691916b3f88140666ce9fa73d64c4ea95ad133c81a648152e44acf96e36dd1e80fabe46",
    .s = "99ef4aeb15f178cea1fe40db2603138f130e740a19624526203b6351d0a3a94fa329c145786e679e7b82c71a38628ac8",
    .minus_s = "6610b514ea0e87315e01bf24d9fcec70ecf18bf5e69dbad9a727ea302393848fb4f04c6cd0423fdc7169525094629eab",
};

#define CURVE p384
#define SCALARS(FUNCTION) FUNCTION
#include "nist_kernel.h"
