#include "CProgram.h"

// Defines __GLIBC__ where the C library is glibc.
#include <stdlib.h>

static int argument_count = -1;
static char **arguments;

#if defined(__GLIBC__)
// An entry of .init_array gets the arguments of main (glibc, elf/dl-init.c). This holds for the program and for shared libraries.
__attribute__((constructor)) static void keep_arguments(int argc, char **argv, char **environment) {
    (void)environment;
    argument_count = argc;
    arguments = argv;
}
#endif

int cprogram_argument_count(void) { return argument_count; }

const char *cprogram_argument(int index) { return index >= 0 && index < argument_count ? arguments[index] : NULL; }
