/* Loads and unloads the library: load LIBRARY ROUNDS. Threads that have verified end before dlclose, or after it. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <semaphore.h>
#include "objects.h"

static __typeof__(&assay_verify) verify;
static assay_verifier *verifier;
static sem_t is_done, may_end;

static void *use(void *outlives) {
    size_t wrong = 0;
    for (int i = 0; i < 30; i++) { wrong += verify(NULL, verifier, TEXT(TOKEN), NOW) != ASSAY_OK; }
    sem_post(&is_done);
    if (outlives != NULL) { sem_wait(&may_end); }
    return (void *)wrong;
}

static void round_trip(const char *path, int outlives) {
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL), *wrong = NULL;
    CHECK(library != NULL);
    if (library == NULL) {
        puts(dlerror());
        return;
    }
    __typeof__(&assay_verifier_new_jwks) make = (__typeof__(make))dlsym(library, "assay_verifier_new_jwks");
    __typeof__(&assay_verifier_free) release = (__typeof__(release))dlsym(library, "assay_verifier_free");
    verify = (__typeof__(verify))dlsym(library, "assay_verify");
    CHECK_EQUAL(make(&verifier, TEXT(JWKS), TEXT(ISSUER), TEXT("client-1")), ASSAY_OK);
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) { pthread_create(&threads[i], NULL, use, outlives ? &may_end : NULL); }
    for (int i = 0; i < 2; i++) { sem_wait(&is_done); }
    for (int i = 0; i < 2 && !outlives; i++) {
        pthread_join(threads[i], &wrong);
        CHECK(wrong == NULL);
    }
    release(verifier);
    CHECK_EQUAL(dlclose(library), 0);
    for (int i = 0; i < 2 && outlives; i++) { sem_post(&may_end); }
    for (int i = 0; i < 2 && outlives; i++) {
        pthread_join(threads[i], &wrong);
        CHECK(wrong == NULL);
    }
}

static long resident_pages(void) {
    long size = 0, resident = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file == NULL || fscanf(file, "%ld %ld", &size, &resident) != 2) { resident = -1; }
    if (file != NULL) { fclose(file); }
    return resident;
}

int main(int argc, char **argv) {
    if (argc != 3) { return 2; }
    int rounds = atoi(argv[2]);
    long half = 0;
    sem_init(&is_done, 0, 0);
    sem_init(&may_end, 0, 0);
    for (int round = 0; round < rounds; round++) {
        if (round == rounds / 2) { half = resident_pages(); }
        round_trip(argv[1], round % 2);
    }
    /* The second half needs no memory that the first did not: 1 MB for the allocator's whims. */
    CHECK(resident_pages() - half < 256);
    return report();
}
