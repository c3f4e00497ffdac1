/* Threads that decide while another one changes settings, revocations and keys, and children that are forked meanwhile. */

#include <pthread.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>
#include "gateway.h"

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define HAS_THREAD_SANITIZER
#endif
#endif

enum { thread_count = 3, rounds = 2000, forks = 40 };

static const char *const settings[] = {
    SETTINGS,
    "{\"providers\": [" PROVIDER "], \"policies\": [{\"name\": \"orders\", \"requires\": \"main\"}],"
    " \"routes\": [{\"path\": \"/orders\", \"policy\": \"orders\"}]}",
};

/* With one more issuer, whose keys end with these settings. */
#define PASSING \
    "{\"name\": \"passing\", \"issuer\": \"https://passing.example\", \"audiences\": [\"client-1\"], \"required\": false}"
static const char with_another_issuer[] =
    "{\"providers\": [" PROVIDER ", " PASSING "], \"policies\": [{\"name\": \"orders\", \"requires\": \"main\"}],"
    " \"routes\": [{\"path\": \"/orders\", \"policy\": \"orders\"}]}";

static const char *const lists[] = {
    "{\"revocations\": []}",
    "{\"revocations\": [{\"sub\": \"user-1\"}]}",
};

static assay_gateway *gateway;
static atomic_int wrong, is_over;

/* A good token passes unless it is revoked just then; a forged one never does. */
static int is_expected(assay_code code, int is_good) {
    return is_good ? code == ASSAY_OK || code == ASSAY_REVOKED || code == ASSAY_KEYS_UNAVAILABLE
                   : code == ASSAY_SIGNATURE_INVALID || code == ASSAY_KEYS_UNAVAILABLE;
}

static void *judge(void *context) {
    (void)context;
    assay_decision *decision = NULL;
    char text[256];
    wrong += assay_decision_new(&decision) != ASSAY_OK;
    for (int i = 0; i < rounds; i++) {
        int is_good = i % 4 != 0;
        assay_code code = decide(decision, gateway, "/orders", "Authorization", is_good ? "Bearer " TOKEN : "Bearer " TOKEN_TAMPERED);
        wrong += !is_expected(code, is_good);
        wrong += code == ASSAY_OK && !is_operation(decision, 0, ASSAY_SET_FIELD, "x-user", "user-1");
        wrong += assay_gateway_is_ready(gateway) != 1;
        if (i % 100 == 0) { wrong += assay_gateway_metrics(text, sizeof text, gateway) == 0; }
    }
    assay_decision_free(decision);
    return NULL;
}

static void change_once(int i) {
    assay_fetch *fetch = NULL;
    wrong += assay_gateway_replace(gateway, TEXT(with_another_issuer)) != ASSAY_OK;
    wrong += assay_gateway_replace(gateway, settings[i % 2], strlen(settings[i % 2])) != ASSAY_OK;
    wrong += assay_gateway_revoke(gateway, lists[i / 2 % 2], strlen(lists[i / 2 % 2])) != ASSAY_OK;
    assay_gateway_refresh(gateway);
    if (assay_gateway_request(&fetch, gateway) != ASSAY_OK) { return; }
    assay_gateway_install(gateway, fetch, 200, NULL, 0, TEXT(JWKS));
    assay_fetch_free(fetch);
}

static void *change(void *context) {
    (void)context;
    for (int i = 0; !is_over; i++) { change_once(i); }
    return NULL;
}

#ifndef HAS_THREAD_SANITIZER
/* The child has a gateway of its own: it decides, changes settings, and ends. Its parent's threads are not there. */
static int child(void) {
    assay_decision *decision = NULL;
    int faults = assay_decision_new(&decision) != ASSAY_OK;
    for (int i = 0; i < 4; i++) {
        faults += assay_gateway_replace(gateway, settings[i % 2], strlen(settings[i % 2])) != ASSAY_OK;
        faults += assay_gateway_revoke(gateway, lists[0], strlen(lists[0])) != ASSAY_OK;
        faults += decide(decision, gateway, "/orders", "Authorization", "Bearer " TOKEN) != ASSAY_OK;
        faults += decide(decision, gateway, "/orders", "Authorization", "Bearer " TOKEN_TAMPERED) != ASSAY_SIGNATURE_INVALID;
    }
    return faults;
}

static void fork_children(void) {
    for (int i = 0; i < forks; i++) {
        pid_t pid = fork();
        if (pid == 0) {
            alarm(30);
            _exit(child());
        }
        int status = -1;
        wrong += pid < 0 || waitpid(pid, &status, 0) != pid || status != 0;
    }
}
#endif

int main(void) {
    pthread_t threads[thread_count], changing;
    gateway = new_gateway(SETTINGS);
    supply_keys(gateway, JWKS);
    /* No process forks while a thread is in its first call of a function: Swift's runtime takes a lock for each type that it meets first. */
    for (int i = 0; i < 4; i++) { change_once(i); }
    judge(NULL);
    pthread_create(&changing, NULL, change, NULL);
    for (int i = 0; i < thread_count; i++) { pthread_create(&threads[i], NULL, judge, NULL); }
#ifndef HAS_THREAD_SANITIZER
    fork_children();
#endif
    for (int i = 0; i < thread_count; i++) { pthread_join(threads[i], NULL); }
    is_over = 1;
    pthread_join(changing, NULL);
    CHECK_EQUAL(wrong, 0);
    assay_gateway_free(gateway);
    return report();
}
