#include "memory.h"

#include <pthread.h>
#include <stdlib.h>

static pthread_key_t key;
static _Thread_local ae_memory *of_thread;

static void destroy(void *value) {
    ae_memory *memory = value;
    assay_decision_free(memory->decision);
    free(memory->headers.bytes);
    free(memory->fields.bytes);
    free(memory->changes.bytes);
    free(memory);
}

__attribute__((constructor)) static void make_key(void) { pthread_key_create(&key, destroy); }

ae_memory *ae_memory_of_thread(void) {
    if (!of_thread) {
        of_thread = ae_allocate(1, sizeof *of_thread);
        assay_decision_new(&of_thread->decision);
        pthread_setspecific(key, of_thread);
    }
    return of_thread;
}
