// Which mutant of the sources is in force. Every changed place asks it; the program's other mutants then do what the original does.
#ifndef CMUTANT_H
#define CMUTANT_H

#include <stdbool.h>
#include <stdint.h>

enum { kMostMutants = 1 << 15 };

/// ASSAY_MUTANT, or zero: the original.
extern int32_t cmutant_in_force;
/// Whether ASSAY_MUTANT_TRACE names a file: at its end the program writes there which places it has reached.
extern bool cmutant_traces;
extern uint8_t *cmutant_reached;

static inline bool mutated(int32_t mutant) {
    if (__builtin_expect(cmutant_traces, 0)) {
        cmutant_reached[mutant] = 1;
    }
    return mutant == cmutant_in_force;
}

#endif
