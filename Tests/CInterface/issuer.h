/* The issuer of issuer.py, and clients of libassay-http that fetch its keys. A program's arguments are PORT FOLDER [ROUNDS]. */

#ifndef ASSAY_TEST_ISSUER_H
#define ASSAY_TEST_ISSUER_H

#include <assay_http.h>
#include <time.h>
#include "inspection.h"
#include "objects.h"

static char base[64], roots[8192];
static const char *folder;

static inline double seconds(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* Waits for a condition for at most a minute. */
#define CHECK_BECOMES(condition) \
    do { \
        double end_of_wait = seconds() + 60; \
        while (!(condition) && seconds() < end_of_wait) { usleep(1000); } \
        CHECK(condition); \
    } while (0)

static inline void read_issuer(char **arguments) {
    char path[512];
    folder = arguments[2];
    snprintf(base, sizeof base, "https://localhost:%s", arguments[1]);
    snprintf(path, sizeof path, "%s/ca.pem", folder);
    FILE *file = fopen(path, "r");
    CHECK(file != NULL);
    if (file != NULL) {
        roots[fread(roots, 1, sizeof roots - 1, file)] = 0;
        fclose(file);
    }
}

/* Replaces a file of the folder. */
static inline void write_file(const char *name, const char *text) {
    char path[512], next[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    snprintf(next, sizeof next, "%s/%s.next", folder, name);
    FILE *file = fopen(next, "w");
    CHECK(file != NULL && fputs(text, file) >= 0 && fclose(file) == 0 && rename(next, path) == 0);
}

/* Lets the issuer publish `document` from now on. */
static inline void publish(const char *document) { write_file("served.json", document); }

/* Lets /gated answer no request until there is a file `gate`. */
static inline void close_gate(void) {
    char path[512];
    snprintf(path, sizeof path, "%s/gate", folder);
    unlink(path);
}

/* How many requests of the issuer's log have this text. */
static inline int count_requests(const char *text) {
    char path[512], line[512];
    int count = 0;
    snprintf(path, sizeof path, "%s/requests", folder);
    FILE *file = fopen(path, "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL) { count += strstr(line, text) != NULL; }
    if (file != NULL) { fclose(file); }
    return count;
}

/* Trusts the issuer. The limits on time are not the subject: on a busy machine it may take seconds to answer. */
static inline assay_http_options trusting(void) {
    assay_http_options options;
    CHECK_EQUAL(assay_http_options_init(&options, sizeof options), ASSAY_OK);
    options.request_limit = options.connect_limit = 60000;
    options.addresses = ASSAY_HTTP_LOOPBACK;
    options.roots = (assay_text){roots, strlen(roots)};
    options.roots_only = 1;
    return options;
}

static inline assay_http *new_http(const char *path) {
    assay_http_options options = trusting();
    assay_http *http = NULL;
    char url[128];
    snprintf(url, sizeof url, "%s%s", base, path);
    CHECK_EQUAL(assay_http_new_url(&http, url, strlen(url), &options, NULL), ASSAY_OK);
    return http;
}

static inline assay_keys_state state(const assay_http *http) {
    assay_keys_state state = {.size = sizeof state};
    assay_keys_status(&state, assay_http_keys(http));
    return state;
}

#endif
