// p256.c: ECDSA over P-256, as declared in CJWTKernelsECDSA.h.

// 32 windows of 128 rows, 256 KiB; 64 windows of 8 rows, 32 KiB.
enum { kFullWindow = 8, kSmallWindow = 4, kGeneratorWindow = kFullWindow };

#include "p256_curve.h"
#include "p256_scalar.h"

#define CURVE p256
#define SCALARS(FUNCTION) p256_##FUNCTION
#define kVector kP256Vector
#include "nist_kernel.h"
