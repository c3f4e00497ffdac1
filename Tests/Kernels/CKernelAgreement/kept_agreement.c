// check_kept: kept memory keeps its contents, is lent to one user at a time, and belongs to its thread.
// check_equality: cjwt_is_equal agrees with a comparison byte by byte.

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

void check_kept(agreement *run) {
    unsigned char *block = cjwt_kept_acquire(kText, sizeof(kText));
    if (block == NULL || (uintptr_t)block % 64 != 0) {
        disagree(run, "no block, or one that is not aligned");
        return;
    }
    if (cjwt_kept_acquire(kText, sizeof(kText)) != NULL) {
        disagree(run, "a block in use is lent again");
    }
    memset(block, 0x5a, CJWT_KEPT_SIZE);
    pthread_t thread;
    void *answer = NULL;
    if (pthread_create(&thread, NULL, acquire_elsewhere, block) != 0 || pthread_join(thread, &answer) != 0 || answer != block) {
        disagree(run, "another thread got this thread's block, or none");
    }
    cjwt_kept_release(block);
    unsigned char *again = cjwt_kept_acquire(kText, sizeof(kText));
    if (again != block || again[0] != 0x5a || again[CJWT_KEPT_SIZE - 1] != 0x5a) {
        disagree(run, "the same text got another block, or what was kept is gone");
    }
    memset(block, 0, CJWT_KEPT_SIZE);
    cjwt_kept_release(again);
    cjwt_kept_release(NULL);
    uint8_t text[kMaxShort] = {0};
    for (size_t text_len = 0; text_len <= kMaxShort; text_len++) {
        cjwt_kept_release(cjwt_kept_acquire(text, text_len));
    }
}

void check_equality(agreement *run) {
    for (size_t len = 0; len <= kMaxShort; len++) {
        uint8_t *left = run->in.end - len, *right = len % 2 == 0 ? run->out.end - len : run->out.start;
        for (size_t i = 0; i < len; i++) {
            left[i] = right[i] = (uint8_t)random_next(&run->random);
        }
        if (!cjwt_is_equal(left, right, len)) {
            disagree(run, "equal bytes differ, length %zu", len);
        }
        for (size_t i = 0; i < 8 * len; i++) {
            left[i / 8] ^= (uint8_t)(1 << i % 8);
            if (cjwt_is_equal(left, right, len)) {
                disagree(run, "a difference in bit %zu is not seen, length %zu", i, len);
            }
            left[i / 8] ^= (uint8_t)(1 << i % 8);
        }
    }
}
