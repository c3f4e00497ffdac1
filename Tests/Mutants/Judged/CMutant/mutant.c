// The environment chooses the mutant before any other code of the program runs.
#include "CMutant.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

int32_t cmutant_in_force;
bool cmutant_traces;
uint8_t *cmutant_reached;

static void write_trace(void) {
    FILE *file = fopen(getenv("ASSAY_MUTANT_TRACE"), "w");
    if (!file) {
        abort();
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
    if (getenv("ASSAY_MUTANT_TRACE") == NULL) {
        return;
    }
    // Shared, so that a child process notes in it too: a test's child ends without its exit handlers.
    cmutant_reached = mmap(NULL, kMostMutants, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (cmutant_reached == MAP_FAILED) {
        abort();
    }
    cmutant_traces = true;
    atexit(write_trace);
}
