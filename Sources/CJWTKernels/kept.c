// cjwt_kept_acquire, cjwt_kept_release: a few blocks of memory for each thread that keep their contents between calls.
//
// A thread has kNumBlocks blocks in one allocation, made at its first call and freed through the destructor of a pthread key when it exits;
// code that runs in that thread later gets none. The block of a text depends only on its bytes; texts that share a block overwrite each
// other's data, which only costs time.

#include "CJWTKernels.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { kNumBlocks = 8, kAlignment = 64 };

typedef enum { kCold, kLive, kGone } phase;

static _Thread_local struct {
    unsigned char *blocks;
    phase phase;
    unsigned in_use;  // a bit for each block
} mine;

static pthread_once_t key_once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static int key_exists;

static void thread_exits(void *unused) {
    (void)unused;
    free(mine.blocks);
    mine.blocks = NULL;
    mine.phase = kGone;
}

static void create_key(void) {
    key_exists = pthread_key_create(&key, thread_exits) == 0;
}

static void make_blocks(void) {
    mine.phase = kGone;
    (void)pthread_once(&key_once, create_key);
    mine.blocks = key_exists ? aligned_alloc(kAlignment, kNumBlocks * CJWT_KEPT_SIZE) : NULL;
    if (mine.blocks == NULL) {
        return;
    }
    memset(mine.blocks, 0, kNumBlocks * CJWT_KEPT_SIZE);
    if (pthread_setspecific(key, &mine) != 0) {
        thread_exits(NULL);
        return;
    }
    mine.phase = kLive;
}

// number_of returns the block for `text`: equal texts, equal blocks. Reads eight bytes at a time; the last eight may overlap.
static unsigned number_of(const uint8_t *text, size_t text_len) {
    uint64_t hash = text_len, word;
    for (size_t i = 0; i + 8 <= text_len; i += 8) {
        memcpy(&word, text + i, 8);
        hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    }
    if (text_len >= 8) {
        memcpy(&word, text + text_len - 8, 8);
        hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    }
    return (unsigned)(hash >> 32) % kNumBlocks;
}

void *cjwt_kept_acquire(const uint8_t *text, size_t text_len) {
    if (mine.phase == kCold) {
        make_blocks();
    }
    unsigned number = number_of(text, text_len);
    if (mine.phase != kLive || (mine.in_use & 1u << number) != 0) {
        return NULL;
    }
    mine.in_use |= 1u << number;
    return mine.blocks + number * CJWT_KEPT_SIZE;
}

void cjwt_kept_release(void *block) {
    if (block != NULL && mine.phase == kLive) {
        mine.in_use &= ~(1u << ((size_t)((unsigned char *)block - mine.blocks) / CJWT_KEPT_SIZE));
    }
}
