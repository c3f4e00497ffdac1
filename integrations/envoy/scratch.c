#include "scratch.h"

#include <pthread.h>
#include <stdlib.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static _Thread_local ae_scratch *of_thread;

static void destroy(void *memory) {
    ae_scratch *scratch = memory;
    for (size_t i = 0; i < AE_MOST; i++) {
        free(scratch->results[i]);
    }
    free(scratch->headers.bytes);
    free(scratch->decoded.bytes);
    free(scratch->values.bytes);
    free(scratch->fields.bytes);
    free(scratch);
}

static void make_key(void) { pthread_key_create(&key, destroy); }

ae_scratch *ae_scratch_of_thread(void) {
    if (!of_thread) {
        pthread_once(&once, make_key);
        of_thread = ae_allocate(1, sizeof *of_thread);
        pthread_setspecific(key, of_thread);
    }
    return of_thread;
}

assay_result *ae_scratch_result(ae_scratch *scratch, size_t provider, size_t token_bytes) {
    size_t needed = assay_result_size(token_bytes);
    if (scratch->sizes[provider] < needed) {
        free(scratch->results[provider]);
        scratch->sizes[provider] = needed;
        scratch->results[provider] = assay_result_init(ae_allocate(1, needed), needed);
    }
    return scratch->results[provider];
}
