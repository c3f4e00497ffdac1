// p521.c: ECDSA over P-521, as declared in CJWTKernelsECDSA.h.

// 75 windows of 64 rows, 675 KiB; 131 windows of 8 rows, 147 KiB; the generator's, for all keys: 48 windows of 1,024 rows, 6,912 KiB.
enum { kFullWindow = 7, kSmallWindow = 4, kGeneratorWindow = 11 };

#include "p521_curve.h"
#include "nist_scalar.h"

#define CURVE p521
#define NIST_PAIRS
#define SCALARS(FUNCTION) FUNCTION
#define kVector kP521Vector
#include "nist_kernel.h"
