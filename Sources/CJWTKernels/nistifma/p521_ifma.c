// p521_ifma.c: ECDSA over P-521 in eight lanes, as declared in CJWTKernelsNISTIFMA.h.

#if defined(__x86_64__)

enum { kFullWindow = 7, kSmallWindow = 4 };

#include "../nist/p521_curve.h"
#include "../nist/nist_scalar.h"
#include "../nist/nist_table.h"
#include "p521_lanes.h"

#define CURVE p521
#define kVector kP521Vector
#include "kernel.h"

#endif
