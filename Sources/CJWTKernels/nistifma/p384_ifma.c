// p384_ifma.c: ECDSA over P-384 in eight lanes, as declared in CJWTKernelsNISTIFMA.h.

#if defined(__x86_64__)

enum { kFullWindow = 7, kSmallWindow = 4 };

#include "../nist/p384_curve.h"
#include "../nist/nist_scalar.h"
#include "../nist/nist_table.h"
#include "p384_lanes.h"

#define CURVE p384
#define kVector kP384Vector
#include "kernel.h"

#endif
