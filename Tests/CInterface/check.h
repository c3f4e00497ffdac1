/* Checks of a test program. A program ends with `return report();`. */

#ifndef ASSAY_TEST_CHECK_H
#define ASSAY_TEST_CHECK_H

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

/* Threads of a program check side by side. */
static atomic_int passed, failed;

#define CHECK(condition) \
    do { \
        if (condition) { \
            passed++; \
        } else { \
            failed++; \
            printf("FAIL %s:%d: %s\n", __FILE__, __LINE__, #condition); \
        } \
    } while (0)

/* Compares two numbers and prints both if they differ. */
#define CHECK_EQUAL(got, expected) \
    do { \
        long long left = (long long)(got), right = (long long)(expected); \
        if (left == right) { \
            passed++; \
        } else { \
            failed++; \
            printf("FAIL %s:%d: %s is %lld, expected %s = %lld\n", __FILE__, __LINE__, #got, left, #expected, right); \
        } \
    } while (0)

static inline int is_text(const char *bytes, size_t len, const char *expected) {
    return bytes != NULL && len == strlen(expected) && memcmp(bytes, expected, len) == 0;
}

static inline int report(void) {
    printf("%d passed, %d failed\n", passed, failed);
    return failed > 0 || passed == 0;
}

#endif
