/* Threads of a forked child, that which forked among them, whose first decisions come at once. */

#include <pthread.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>
#include "gateway.h"

enum { thread_count = 2, forks = 200 };

static assay_gateway *gateway;
static atomic_int arrived;

static void *judge(void *faults) {
    assay_decision *decision = NULL;
    *(int *)faults = assay_decision_new(&decision) != ASSAY_OK;
    /* A barrier of pthread would wake them one after the other. */
    for (arrived++; arrived < thread_count;) {}
    *(int *)faults += decide(decision, gateway, "/orders", "Authorization", "Bearer " TOKEN) != ASSAY_OK;
    assay_decision_free(decision);
    return NULL;
}

/* Nothing of its parent has judged a signature, so the threads make what that needs. */
static int child(void) {
    int faults[thread_count];
    pthread_t threads[thread_count];
    supply_keys(gateway, JWKS);
    for (int i = 1; i < thread_count; i++) { pthread_create(&threads[i], NULL, judge, &faults[i]); }
    judge(&faults[0]);
    for (int i = 1; i < thread_count; i++) { pthread_join(threads[i], NULL); }
    for (int i = 1; i < thread_count; i++) { faults[0] += faults[i]; }
    return faults[0] + failed;
}

int main(void) {
    gateway = new_gateway(SETTINGS);
    for (int i = 0; i < forks; i++) {
        pid_t pid = fork();
        if (pid == 0) {
            alarm(10);
            _exit(child());
        }
        int status = -1;
        CHECK_EQUAL(waitpid(pid, &status, 0), pid);
        CHECK_EQUAL(status, 0);
        if (status != 0) { break; }
    }
    assay_gateway_free(gateway);
    return report();
}
