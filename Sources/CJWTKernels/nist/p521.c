// p521.c: ECDSA over P-521, as declared in CJWTKernelsECDSA.h.

// 75 windows of 64 rows, 675 KiB; 131 windows of 8 rows, 147 KiB; the generator's, for all keys: 53 windows of 512 rows, 3,816 KiB.
enum { kFullWindow = 7, kSmallWindow = 4, kGeneratorWindow = 10 };

#include "p521_curve.h"
#include "nist_scalar.h"

#define CURVE p521
#define NIST_PAIRS
#define SCALARS(FUNCTION) FUNCTION
#define kVector kP521Vector
#include "nist_kernel.h"
