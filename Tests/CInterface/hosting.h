/* A host that fetches keys: its clock, its count of wakes, and the answers that it gives to requests. */

#ifndef ASSAY_TEST_HOSTING_H
#define ASSAY_TEST_HOSTING_H

#include "objects.h"

#define SECOND INT64_C(1000)
#define KEYS_URL "https://idp.example/keys"

static int64_t now_nanoseconds = 5 * INT64_C(1000000000);
static int wakes;

static inline int64_t read_clock(void *context) { return *(int64_t *)context; }

static inline void count_wake(void *context) {
    (void)context;
    wakes++;
}

static inline void advance(int64_t milliseconds) { now_nanoseconds += milliseconds * 1000000; }

static inline assay_refresh_options options(uint32_t preset) {
    assay_refresh_options options;
    CHECK_EQUAL(assay_refresh_options_init(&options, sizeof options, preset), ASSAY_OK);
    options.clock = read_clock;
    options.wake = count_wake;
    options.context = &now_nanoseconds;
    options.seed = 1;
    return options;
}

static inline assay_keys *new_hosted_keys(uint32_t preset) {
    assay_refresh_options own = options(preset);
    assay_keys *keys = NULL;
    CHECK_EQUAL(assay_keys_new_url(&keys, TEXT(KEYS_URL), &own), ASSAY_OK);
    return keys;
}

static inline assay_keys_state status(const assay_keys *keys) {
    assay_keys_state state = {.size = sizeof state};
    CHECK_EQUAL(assay_keys_status(&state, keys), ASSAY_OK);
    return state;
}

static inline const char *field(const assay_fetch *fetch, const char *wanted) {
    const char *name, *value;
    for (size_t i = 0; assay_fetch_field(&name, &value, fetch, i) == ASSAY_OK; i++) {
        if (strcmp(name, wanted) == 0) { return value; }
    }
    return NULL;
}

/* Answers the request that is due, after checking its URL. */
static inline assay_code answer(assay_keys *keys, const char *url, uint32_t status, const char *entity_tag, const char *body) {
    assay_fetch *fetch = NULL;
    CHECK_EQUAL(assay_keys_next_due(keys), 0);
    CHECK_EQUAL(assay_keys_request(&fetch, keys), ASSAY_OK);
    CHECK(strcmp(assay_fetch_url(fetch), url) == 0);
    CHECK(field(fetch, "Accept") != NULL);
    assay_field fields[2] = {{{TEXT("cache-control")}, {TEXT("max-age=600")}}, {{TEXT("ETag")}, {entity_tag, 0}}};
    if (entity_tag != NULL) { fields[1].value.len = strlen(entity_tag); }
    assay_code code = assay_keys_install(keys, fetch, status, fields, entity_tag == NULL ? 1 : 2, body, strlen(body));
    CHECK_EQUAL(assay_keys_install(keys, fetch, status, NULL, 0, body, strlen(body)), ASSAY_FETCH_ENDED);
    assay_fetch_free(fetch);
    return code;
}

/* The next request, however long the pauses before it are. */
static inline assay_fetch *next_request(assay_keys *keys) {
    assay_fetch *fetch = NULL;
    for (int i = 0; i < 10 && assay_keys_request(&fetch, keys) != ASSAY_OK; i++) { advance(assay_keys_next_due(keys)); }
    return fetch;
}

#endif
