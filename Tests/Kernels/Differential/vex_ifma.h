// vex_ifma.h: runs the kernel with VEX encoding where the machine lacks AVX-IFMA.

#ifndef ASSAY_VEX_IFMA_H
#define ASSAY_VEX_IFMA_H

#include <stdint.h>

/// rsa_avxifma_power4. Without AVX-IFMA a machine with AVX2 refuses the kernel's VPMADD52LUQ and VPMADD52HUQ. A handler of SIGILL then
/// decodes each, and computes what it would have done: all other instructions are the machine's. Not for two threads at once.
void vex_ifma_power4(int *results, const void *const *keys, uint8_t *const *ems, const uint8_t *const *sigs);

/// How many instructions the handler has computed.
uint64_t vex_ifma_computed(void);

#endif
