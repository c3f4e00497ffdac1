/* Objects that cannot be made, of keys, policies, options and issuers that are wrong: ASSAY_INVALID_ARGUMENT, and no object. */

#include "objects.h"

static assay_keys *keys;
static assay_policy *policy;

static void policies(void) {
    assay_policy *a_policy = NULL;
    CHECK_EQUAL(assay_policy_new(NULL), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_policy_new_id_token(&a_policy, NULL, 0, "c", 1), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_policy_new_id_token(&a_policy, NULL, 4, "c", 1), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_policy_new_access_token(&a_policy, "i", 1, NULL, 0), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_policy_new_access_token(NULL, "i", 1, "a", 1), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_policy_add(NULL, ASSAY_RULE_ISSUER, "x", 1), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_policy_add(policy, ASSAY_RULE_ISSUER, NULL, 1), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_policy_add(policy, ASSAY_RULE_ISSUER, "x", SIZE_MAX), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_policy_set(NULL, ASSAY_RULE_LEEWAY, 1), ASSAY_INVALID_ARGUMENT);
    CHECK(a_policy == NULL);
}

static void documents(void) {
    assay_keys *a_keys = NULL;
    CHECK_EQUAL(assay_keys_new(NULL, TEXT(JWKS)), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_keys_new(&a_keys, NULL, 9), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_keys_new(&a_keys, TEXT("{")), ASSAY_INVALID_JSON);
    CHECK_EQUAL(assay_keys_new(&a_keys, TEXT("{\"keys\":1}")), ASSAY_INVALID_KEY);
    CHECK(assay_keys_new(&a_keys, NULL, 0) >= 100);
    CHECK(assay_keys_new(&a_keys, TEXT("no key at all")) >= 100);
    CHECK(a_keys == NULL);
}

static void urls(void) {
    assay_keys *a_keys = NULL;
    static const char *const urls[] = {"", "ftp://x/", "https://", "https:///a", "https://user@x/", "https://x/ y", "https://x/\r\nA: b",
                                       "https://x/#f", "file:///etc/passwd", "https://x/\xc3\xbc"};
    for (size_t i = 0; i < sizeof urls / sizeof *urls; i++) {
        CHECK_EQUAL(assay_keys_new_url(&a_keys, urls[i], strlen(urls[i]), NULL), ASSAY_INVALID_ARGUMENT);
        CHECK_EQUAL(assay_keys_new_issuer(&a_keys, urls[i], strlen(urls[i]), NULL), ASSAY_INVALID_ARGUMENT);
    }
    CHECK(a_keys == NULL);
}

static void refresh_options(void) {
    assay_keys *a_keys = NULL;
    assay_refresh_options options;
    CHECK_EQUAL(assay_refresh_options_init(NULL, sizeof options, 0), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_refresh_options_init(&options, 8, 0), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_refresh_options_init(&options, sizeof options, 7), ASSAY_INVALID_ARGUMENT);
    int64_t *const numbers[] = {&options.default_lifetime, &options.shortest_lifetime, &options.longest_lifetime,
                                &options.stale_if_error, &options.attempt_limit};
    static const int64_t wrong[] = {-1, INT64_MIN, INT64_MAX};
    for (size_t i = 0; i < 5; i++) {
        for (size_t j = 0; j < 3; j++) {
            CHECK_EQUAL(assay_refresh_options_init(&options, sizeof options, 0), ASSAY_OK);
            *numbers[i] = wrong[j];
            CHECK_EQUAL(assay_keys_new_url(&a_keys, TEXT("https://x/"), &options), ASSAY_INVALID_ARGUMENT);
        }
    }
    CHECK_EQUAL(assay_refresh_options_init(&options, sizeof options, 0), ASSAY_OK);
    options.shortest_lifetime = options.longest_lifetime + 1;
    CHECK_EQUAL(assay_keys_new_url(&a_keys, TEXT("https://x/"), &options), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_refresh_options_init(&options, sizeof options, 0), ASSAY_OK);
    options.size = 0;
    CHECK_EQUAL(assay_keys_new_url(&a_keys, TEXT("https://x/"), &options), ASSAY_INVALID_ARGUMENT);
    CHECK(a_keys == NULL);
}

static void verifiers(void) {
    assay_verifier *a_verifier = NULL;
    assay_issuer issuer = {policy, keys};
    CHECK_EQUAL(assay_verifier_new(NULL, &issuer, 1, NULL), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_verifier_new(&a_verifier, NULL, 1, NULL), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_verifier_new(&a_verifier, &issuer, 0, NULL), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_verifier_new(&a_verifier, &issuer, SIZE_MAX, NULL), ASSAY_INVALID_ARGUMENT);
    issuer.keys = NULL;
    CHECK_EQUAL(assay_verifier_new(&a_verifier, &issuer, 1, NULL), ASSAY_INVALID_ARGUMENT);
    issuer = (assay_issuer){NULL, keys};
    CHECK_EQUAL(assay_verifier_new(&a_verifier, &issuer, 1, NULL), ASSAY_INVALID_ARGUMENT);
    CHECK(a_verifier == NULL);
}

static void verifier_options(void) {
    assay_verifier *a_verifier = NULL;
    assay_issuer issuer = {policy, keys};
    assay_verifier_options choices[] = {{0, 0, 0, 0, 0, 0},
                                        {sizeof *choices, UINT64_MAX, 0, 0, 0, 0},
                                        {sizeof *choices, 0, UINT64_MAX, 0, 0, 0},
                                        {sizeof *choices, 0, (UINT64_C(1) << 32) + 1, 0, 0, 0},
                                        {sizeof *choices, 0, 1 << 20, UINT64_MAX, 0, 0},
                                        {sizeof *choices, 0, 0, 0, 2, 0},
                                        {sizeof *choices, 0, 0, 0, 0, 1},
                                        /* Settings of a cache without a cache. */
                                        {sizeof *choices, 0, 0, 300, 0, 0},
                                        {sizeof *choices, 0, 0, 0, 1, 0}};
    for (size_t i = 0; i < sizeof choices / sizeof *choices; i++) {
        CHECK_EQUAL(assay_verifier_new(&a_verifier, &issuer, 1, &choices[i]), ASSAY_INVALID_ARGUMENT);
    }
    CHECK(a_verifier == NULL);
}

static void verifiers_of_documents(void) {
    assay_verifier *a_verifier = NULL;
    CHECK_EQUAL(assay_verifier_new_jwks(&a_verifier, TEXT(JWKS), NULL, 0, "a", 1), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_verifier_new_jwks(&a_verifier, TEXT(JWKS), "i", 1, NULL, 0), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_verifier_new_jwks(&a_verifier, TEXT("["), "i", 1, "a", 1), ASSAY_INVALID_KEY);
    CHECK_EQUAL(assay_verifier_new_jwks(&a_verifier, TEXT(JWKS), "i", 1, "a", SIZE_MAX), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_verifier_new_jwks(&a_verifier, TEXT(JWKS), "\xff", 1, "a", 1), ASSAY_INVALID_ARGUMENT);
    CHECK(a_verifier == NULL);
}

/* A structure of an older caller, which ends after its size: nothing behind it is read. */
static void short_structures(void) {
    size_t *end = malloc(sizeof *end);
    assay_keys *a_keys = NULL;
    assay_verifier *a_verifier = NULL;
    assay_verifier *verifier = new_verifier(JWKS);
    assay_issuer issuer = {policy, keys};
    *end = sizeof *end;
    CHECK_EQUAL(assay_keys_new_url(&a_keys, TEXT("https://x/"), (const assay_refresh_options *)end), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_keys_new_issuer(&a_keys, TEXT("https://x"), (const assay_refresh_options *)end), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_verifier_new(&a_verifier, &issuer, 1, (const assay_verifier_options *)end), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_verify_login(NULL, verifier, TEXT(TOKEN), NOW, (const assay_login *)end), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_keys_status((assay_keys_state *)end, keys), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(*end, sizeof *end);
    CHECK(a_keys == NULL && a_verifier == NULL);
    assay_verifier_free(verifier);
    free(end);
}

int main(void) {
    keys = new_keys(JWKS);
    policy = new_policy(ISSUER);
    policies();
    documents();
    urls();
    refresh_options();
    verifiers();
    verifier_options();
    verifiers_of_documents();
    short_structures();
    assay_keys_free(keys);
    assay_policy_free(policy);
    return report();
}
