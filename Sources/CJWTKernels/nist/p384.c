// p384.c: ECDSA over P-384, as declared in CJWTKernelsECDSA.h.

// 55 windows of 64 rows, 330 KiB; 96 windows of 8 rows, 72 KiB.
enum { kFullWindow = 7, kSmallWindow = 4, kGeneratorWindow = kFullWindow };

#include "p384_curve.h"
#include "nist_scalar.h"

#define CURVE p384
#define SCALARS(FUNCTION) FUNCTION
#define kVector kP384Vector
#include "nist_kernel.h"
