// p521.c: ECDSA over P-521, as declared in CJWTKernelsECDSA.h.

// 87 windows of 32 rows, 392 KiB; 131 windows of 8 rows, 147 KiB.
enum { kFullWindow = 6, kSmallWindow = 4 };

#include "p521_curve.h"
#include "nist_scalar.h"

#define CURVE p521
#define SCALARS(FUNCTION) FUNCTION
#define kVector kP521Vector
#include "nist_kernel.h"
