// cjwt_scratch_acquire, cjwt_scratch_release: memory for the duration of one call, usually without the allocator.
//
// Each thread keeps up to six free blocks in a list of its own: no lock. A block is one allocation:
//
//   [ struct block, padded to 64 bytes ][ capacity bytes, 64-byte aligned: returned to the caller ]
//
// acquire takes the smallest free block that is large enough, or allocates one; a block in use is in no list, so nested calls get distinct
// memory. release puts it back; if the list then has seven, the smallest is freed, so that a sufficient block stays. Callers release last
// taken first. Correctness does not depend on that order, but the reuse of blocks does.
//
// A thread that exits frees its list through the destructor of a pthread key. Other destructors may run later and use scratch memory again:
// from then on every use by the thread allocates and frees its blocks.

#include "CJWTKernels.h"

#include <pthread.h>
#include <stdlib.h>

enum {
    kAlignment = 64,          // a cache line
    kMaxCached = 6,           // blocks; verifying one token nests three or four, and a batch has two of its own
    kMinCapacity = 4096,      // bytes; with the doubling below, a thread soon stops allocating for any sizes
    kMaxCapacity = 1 << 20,   // maximum bytes of a kept block: one huge input does not occupy the thread's memory for its lifetime
};

typedef struct block {
    struct block *next;
    size_t capacity;
} block;

// kCold: nothing is set up. kLive: blocks may be kept. kUncached: this thread is exiting, or has no way to notice its exit.
typedef enum { kCold, kLive, kUncached } phase;

static _Thread_local struct {
    block *cached;
    size_t num_cached;
    phase phase;
} mine;

static pthread_once_t key_once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static int key_exists;

static void *contents(block *b) {
    return (unsigned char *)b + kAlignment;
}

static block *block_of(void *scratch) {
    return (block *)(void *)((unsigned char *)scratch - kAlignment);
}

static void thread_exits(void *unused) {
    (void)unused;
    while (mine.cached != NULL) {
        block *b = mine.cached;
        mine.cached = b->next;
        free(b);
    }
    mine.num_cached = 0;
    mine.phase = kUncached;
}

static void create_key(void) {
    key_exists = pthread_key_create(&key, thread_exits) == 0;
}

// may_keep says whether this thread may keep blocks: only if its exit will be detected.
static int may_keep(void) {
    if (mine.phase == kCold) {
        (void)pthread_once(&key_once, create_key);
        // Any value but NULL makes the destructor run.
        mine.phase = key_exists && pthread_setspecific(key, &mine) == 0 ? kLive : kUncached;
    }
    return mine.phase == kLive;
}

// take removes the smallest block of at least `size` bytes from the list, or returns NULL.
static block *take(size_t size) {
    block **best = NULL;
    for (block **link = &mine.cached; *link != NULL; link = &(*link)->next) {
        if ((*link)->capacity >= size && (best == NULL || (*link)->capacity < (*best)->capacity)) {
            best = link;
        }
    }
    if (best == NULL) {
        return NULL;
    }
    block *b = *best;
    *best = b->next;
    mine.num_cached--;
    return b;
}

// rounded returns the capacity for `size` bytes, a multiple of the alignment: a power of two if the block will be kept.
static size_t rounded(size_t size) {
    if (size > kMaxCapacity) {
        return (size + kAlignment - 1) / kAlignment * kAlignment;
    }
    size_t capacity = kMinCapacity;
    while (capacity < size) {
        capacity *= 2;
    }
    return capacity;
}

// fits_exactly says whether no smaller block could hold `size` bytes: capacities are powers of two, starting at the minimum.
static int fits_exactly(const block *b, size_t size) {
    return b->capacity >= size && (b->capacity == kMinCapacity || b->capacity / 2 < size);
}

// take_first replaces `take` where the first block fits: nearly always, because blocks return last taken first.
static block *take_first(size_t size) {
    block *b = mine.cached;
    if (b == NULL || !fits_exactly(b, size)) {
        return NULL;
    }
    mine.cached = b->next;
    mine.num_cached--;
    return b;
}

void *cjwt_scratch_acquire(size_t size) {
    block *b = take_first(size);
    if (b == NULL) {
        b = take(size);
    }
    if (b == NULL) {
        if (size > SIZE_MAX / 2) {
            return NULL;
        }
        size_t capacity = rounded(size);
        b = aligned_alloc(kAlignment, kAlignment + capacity);
        if (b == NULL) {
            return NULL;
        }
        b->capacity = capacity;
    }
    return contents(b);
}

void cjwt_scratch_release(void *scratch) {
    if (scratch == NULL) {
        return;
    }
    block *b = block_of(scratch);
    if (b->capacity > kMaxCapacity || !may_keep()) {
        free(b);
        return;
    }
    b->next = mine.cached;
    mine.cached = b;
    mine.num_cached++;
    if (mine.num_cached > kMaxCached) {
        free(take(0));  // the smallest
    }
}
