// ckernel_kept_disagreements: kept memory keeps what is left in it, is lent once at a time, and belongs to its thread.
// ckernel_equality_disagreements: cjwt_is_equal says what comparing byte by byte says.

#include "agreement.h"

#include <pthread.h>
#include <string.h>

static const uint8_t kText[] = "eyJhbGciOiJFUzI1NiJ9";

static void *acquire_elsewhere(void *block) {
    unsigned char *own = cjwt_kept_acquire(kText, sizeof(kText));
    int is_own = own != NULL && own != block && own[0] == 0;
    cjwt_kept_release(own);
    return is_own ? block : NULL;
}

size_t ckernel_kept_disagreements(char *message, size_t message_max) {
    report r = report_make(message, message_max);
    unsigned char *block = cjwt_kept_acquire(kText, sizeof(kText));
    if (block == NULL || (uintptr_t)block % 64 != 0) {
        disagree(&r, "no block, or one that is not aligned");
        return r.num_disagreements;
    }
    if (cjwt_kept_acquire(kText, sizeof(kText)) != NULL) {
        disagree(&r, "a block in use is lent again");
    }
    memset(block, 0x5a, CJWT_KEPT_SIZE);
    pthread_t thread;
    void *answer = NULL;
    if (pthread_create(&thread, NULL, acquire_elsewhere, block) != 0 || pthread_join(thread, &answer) != 0 || answer != block) {
        disagree(&r, "another thread got this thread's block, or none");
    }
    cjwt_kept_release(block);
    unsigned char *again = cjwt_kept_acquire(kText, sizeof(kText));
    if (again != block || again[0] != 0x5a || again[CJWT_KEPT_SIZE - 1] != 0x5a) {
        disagree(&r, "the same text got another block, or what was kept is gone");
    }
    memset(block, 0, CJWT_KEPT_SIZE);
    cjwt_kept_release(again);
    cjwt_kept_release(NULL);
    uint8_t text[kMaxShort] = {0};
    for (size_t text_len = 0; text_len <= kMaxShort; text_len++) {
        cjwt_kept_release(cjwt_kept_acquire(text, text_len));
    }
    return r.num_disagreements;
}

size_t ckernel_equality_disagreements(char *message, size_t message_max) {
    report r = report_make(message, message_max);
    guarded a = guarded_make(), b = guarded_make();
    uint64_t random = 1;
    for (size_t len = 0; len <= kMaxShort; len++) {
        uint8_t *left = a.end - len, *right = len % 2 == 0 ? b.end - len : b.start;
        for (size_t i = 0; i < len; i++) {
            left[i] = right[i] = (uint8_t)random_next(&random);
        }
        if (!cjwt_is_equal(left, right, len)) {
            disagree(&r, "equal bytes differ, length %zu", len);
        }
        for (size_t i = 0; i < 8 * len; i++) {
            left[i / 8] ^= (uint8_t)(1 << i % 8);
            if (cjwt_is_equal(left, right, len)) {
                disagree(&r, "a difference in bit %zu is not seen, length %zu", i, len);
            }
            left[i / 8] ^= (uint8_t)(1 << i % 8);
        }
    }
    guarded_free(&a);
    guarded_free(&b);
    return r.num_disagreements;
}
