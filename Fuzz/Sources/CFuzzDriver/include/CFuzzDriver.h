// libFuzzer's driver, called from the program's own main: SwiftPM renames main after the module, so libFuzzer's main does not run.

#ifndef ASSAY_CFUZZDRIVER_H
#define ASSAY_CFUZZDRIVER_H

#include <stddef.h>
#include <stdint.h>

// Of LeakSanitizer: between the two, what is allocated is never a leak.
void __lsan_disable(void);
void __lsan_enable(void);

int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*one_input)(const uint8_t *data, size_t size));

#endif
