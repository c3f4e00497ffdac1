// libFuzzer's driver, called from the program's own main: SwiftPM renames main after the module, so libFuzzer's main does not run.

#ifndef ASSAY_CFUZZDRIVER_H
#define ASSAY_CFUZZDRIVER_H

#include <stddef.h>
#include <stdint.h>

// Between the two, what is allocated is never a leak. They do nothing without LeakSanitizer.
void fuzz_allow_leaks(void);
void fuzz_forbid_leaks(void);

int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*one_input)(const uint8_t *data, size_t size));

// Changes `data` by libFuzzer's own mutations, in place, and returns the new size.
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);

// The time of a date as RFC 9110 section 5.6.7 writes it, by the C library: one on success, zero for any other text.
int fuzz_http_date(int64_t *out_seconds, const char *text);

#endif
