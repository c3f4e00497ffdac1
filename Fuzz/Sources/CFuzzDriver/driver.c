#define _GNU_SOURCE
#include "CFuzzDriver.h"

#include <string.h>
#include <time.h>

__attribute__((weak)) void __lsan_disable(void);
__attribute__((weak)) void __lsan_enable(void);

// An object refers to the record of its weak references by a shifted address, which LeakSanitizer does not see. An object that leaks is
// still reported itself.
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void) { return "leak:formWeakReference\n"; }

void fuzz_allow_leaks(void) {
    if (__lsan_disable) { __lsan_disable(); }
}

void fuzz_forbid_leaks(void) {
    if (__lsan_enable) { __lsan_enable(); }
}

int fuzz_http_date(int64_t *out_seconds, const char *text) {
    struct tm date;
    char written[32];
    memset(&date, 0, sizeof date);
    const char *end = strptime(text, "%a, %d %b %Y %H:%M:%S GMT", &date);
    // A second of 61 is strptime's, not HTTP's.
    if (end == NULL || *end != '\0' || date.tm_sec > 60) { return 0; }
    // strptime also takes single digits, more spaces and small letters. The format has one form, which is what strftime writes. The name of
    // the day is not compared: it need not fit the date.
    if (strftime(written, sizeof written, ", %d %b %Y %H:%M:%S GMT", &date) == 0 || strcmp(text + 3, written) != 0) { return 0; }
    *out_seconds = (int64_t)timegm(&date);
    return 1;
}
