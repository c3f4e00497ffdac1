/* Keys whose source fails, answers late or does not answer: how long they stay in use, and which answers count. */

#include "hosting.h"

/* Fails a fetch in one of three ways. */
static assay_code fail(assay_keys *keys, assay_fetch *fetch, uint64_t way) {
    switch (way) {
    case 0: return assay_keys_fail(keys, fetch, ASSAY_FAILURE_CONNECTION);
    case 1: return assay_keys_install(keys, fetch, 503, NULL, 0, NULL, 0);
    default: return assay_keys_install(keys, fetch, 200, NULL, 0, TEXT("<html>"));
    }
}

/* Fails every fetch up to `end`. Each failure has its name, and the keys stay in use. */
static void fail_until(int64_t end, assay_keys *keys, const assay_verifier *verifier) {
    static const char *const names[] = {"fetch_connection", "status", "invalid_document"};
    uint64_t failures = 0;
    while (assay_keys_next_due(keys) * 1000000 < end - now_nanoseconds) {
        assay_fetch *fetch = NULL;
        advance(assay_keys_next_due(keys));
        if (assay_keys_request(&fetch, keys) != ASSAY_OK) { continue; }
        CHECK_EQUAL(fail(keys, fetch, failures % 3), ASSAY_FETCH_FAILED);
        CHECK(strcmp(status(keys).last_failure, names[failures % 3]) == 0);
        failures++;
        CHECK_EQUAL(status(keys).failures, failures);
        assay_fetch_free(fetch);
        CHECK_EQUAL(assay_verify(NULL, verifier, TEXT(TOKEN), NOW), ASSAY_OK);
    }
    CHECK(failures > 3);
}

/* Keys stay in use while their source fails, and no longer than the policy allows. */
static void outage(uint32_t preset, int64_t used_for, uint32_t last_health) {
    assay_keys *keys = new_hosted_keys(preset);
    assay_verifier *verifier = new_verifier_with(keys);
    CHECK_EQUAL(answer(keys, KEYS_URL, 200, NULL, JWKS), ASSAY_OK);
    CHECK_EQUAL(status(keys).used_for, used_for);
    int64_t end = now_nanoseconds + used_for * 1000000;
    fail_until(end, keys, verifier);
    now_nanoseconds = end - 1;
    CHECK_EQUAL(assay_verify(NULL, verifier, TEXT(TOKEN), NOW), ASSAY_OK);
    CHECK_EQUAL(status(keys).health, last_health);
    now_nanoseconds = end;
    CHECK_EQUAL(assay_verify(NULL, verifier, TEXT(TOKEN), NOW), ASSAY_KEYS_UNAVAILABLE);
    CHECK_EQUAL(status(keys).health, ASSAY_HEALTH_UNAVAILABLE);
    CHECK_EQUAL(status(keys).key_count, 0);
    CHECK_EQUAL(answer(keys, KEYS_URL, 200, NULL, JWKS), ASSAY_OK);
    CHECK_EQUAL(assay_verify(NULL, verifier, TEXT(TOKEN), NOW), ASSAY_OK);
    CHECK(status(keys).last_failure == NULL);
    assay_verifier_free(verifier);
    assay_keys_free(keys);
}

/* A fetch without an answer in time has failed; so has a fetch that is freed. A late answer still brings its keys. */
static void late_answer(assay_keys *keys, const assay_verifier *verifier, int64_t attempt_limit) {
    assay_fetch *late = NULL, *fetch = NULL;
    CHECK_EQUAL(assay_keys_request(&late, keys), ASSAY_OK);
    CHECK_EQUAL(assay_keys_next_due(keys), attempt_limit + 1);
    advance(attempt_limit);
    CHECK_EQUAL(assay_keys_request(&fetch, keys), ASSAY_NOT_DUE);
    CHECK(strcmp(status(keys).last_failure, "attempt_timed_out") == 0);
    assay_fetch_free(next_request(keys));
    CHECK(strcmp(status(keys).last_failure, "fetch_cancelled") == 0);
    CHECK_EQUAL(status(keys).failures, 2);
    CHECK_EQUAL(assay_keys_install(keys, late, 200, NULL, 0, TEXT(JWKS)), ASSAY_OK);
    CHECK_EQUAL(assay_verify(NULL, verifier, TEXT(TOKEN), NOW), ASSAY_OK);
    assay_fetch_free(late);
}

/* An answer that the answer of a later fetch precedes is dropped. */
static void overtaken_answer(assay_keys *keys, const assay_verifier *verifier, int64_t attempt_limit) {
    assay_fetch *late = NULL, *fetch = NULL;
    advance(20 * SECOND);
    CHECK_EQUAL(assay_keys_refresh(keys), ASSAY_OK);
    CHECK_EQUAL(assay_keys_request(&late, keys), ASSAY_OK);
    advance(attempt_limit + 400 * SECOND);
    CHECK_EQUAL(assay_keys_request(&fetch, keys), ASSAY_NOT_DUE);
    fetch = next_request(keys);
    CHECK_EQUAL(assay_keys_install(keys, fetch, 200, NULL, 0, TEXT(JWKS_BOTH)), ASSAY_OK);
    assay_fetch_free(fetch);
    CHECK_EQUAL(assay_keys_install(keys, late, 200, NULL, 0, TEXT(JWKS_SECOND)), ASSAY_FETCH_ENDED);
    assay_fetch_free(late);
    CHECK_EQUAL(assay_verify(NULL, verifier, TEXT(TOKEN), NOW), ASSAY_OK);
}

static void abandoned(void) {
    int64_t attempt_limit = options(ASSAY_AVAILABILITY_FIRST).attempt_limit;
    assay_keys *keys = new_hosted_keys(ASSAY_AVAILABILITY_FIRST);
    assay_verifier *verifier = new_verifier_with(keys);
    late_answer(keys, verifier, attempt_limit);
    overtaken_answer(keys, verifier, attempt_limit);
    assay_verifier_free(verifier);
    assay_keys_free(keys);
}

int main(void) {
    outage(ASSAY_AVAILABILITY_FIRST, 4200 * SECOND, ASSAY_HEALTH_STALE);
    outage(ASSAY_REVOCATION_FIRST, 300 * SECOND, ASSAY_HEALTH_FRESH);
    abandoned();
    return report();
}
