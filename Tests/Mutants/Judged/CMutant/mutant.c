// The environment chooses the mutant before any other code of the program runs.
#include "CMutant.h"

#include <stdio.h>
#include <stdlib.h>

int32_t cmutant_in_force;
bool cmutant_traces;
uint8_t cmutant_reached[kMostMutants];

static void write_trace(void) {
    // A child process of a test adds to what its parent writes.
    FILE *file = fopen(getenv("ASSAY_MUTANT_TRACE"), "a");
    if (!file) {
        return;
    }
    for (int mutant = 0; mutant < kMostMutants; mutant++) {
        if (cmutant_reached[mutant]) {
            fprintf(file, "%d\n", mutant);
        }
    }
    fclose(file);
}

__attribute__((constructor)) static void choose(void) {
    const char *number = getenv("ASSAY_MUTANT");
    cmutant_in_force = number ? atoi(number) : 0;
    cmutant_traces = getenv("ASSAY_MUTANT_TRACE") != NULL;
    if (cmutant_traces) {
        atexit(write_trace);
    }
}
