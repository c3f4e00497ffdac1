/* NULL, zero lengths, impossible sizes, and results used after their reset: a code each, and never a crash. */

#include "objects.h"

static assay_verifier *verifier;
static assay_result *result;
static assay_keys *keys;
static assay_policy *policy;

static void null_objects(void) {
    char text[8];
    const char *start = NULL, *name = NULL;
    size_t len = 0;
    int64_t number = 0;
    double ratio = 0;
    int truth = 0;
    assay_value value;
    memset(&value, 0, sizeof value);
    assay_keys_free(NULL);
    assay_policy_free(NULL);
    assay_verifier_free(NULL);
    assay_fetch_free(NULL);
    assay_result_reset(NULL);
    assay_keys_prepare(NULL);
    CHECK(assay_result_init(NULL, 4096) == NULL);
    CHECK_EQUAL(assay_result_code(NULL), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_result_offset(NULL), -1);
    CHECK_EQUAL(assay_result_needed(NULL), 0);
    CHECK_EQUAL(assay_result_http_status(NULL), 500);
    CHECK(assay_result_claim_name(NULL) == NULL);
    CHECK_EQUAL(assay_result_challenge(text, sizeof text, NULL, NULL, 0, NULL, 0), 0);
    CHECK_EQUAL(assay_result_description(NULL, 0, NULL), strlen("not a result"));
    /* A size that no memory has: nothing but the NUL is written. */
    memset(text, 'x', sizeof text);
    CHECK_EQUAL(assay_result_description(text, SIZE_MAX, NULL), strlen("not a result"));
    CHECK(text[0] == 0 && text[1] == 'x');
    CHECK_EQUAL(assay_result_claim(&value, NULL, "x", 1), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_result_claim_at(&value, NULL, "/x", 2), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_result_issuer(&start, &len, NULL), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_result_subject(&start, &len, NULL), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_result_token_id(&start, &len, NULL), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_result_key_id(&start, &len, NULL), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_result_algorithm(&start, &len, NULL), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_result_header(&start, &len, NULL), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_result_payload(&start, &len, NULL), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_result_expiration(&number, NULL), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_result_not_before(&number, NULL), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_result_issued_at(&number, NULL), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_result_authentication_time(&number, NULL), ASSAY_INVALID_ARGUMENT);
    for (int i = 0; i < 2; i++) {
        /* NULL, and a value whose result is NULL. */
        const assay_value *none = i == 0 ? NULL : &value;
        CHECK_EQUAL(assay_value_string(&start, &len, none), ASSAY_INVALID_ARGUMENT);
        CHECK_EQUAL(assay_value_integer(&number, none), ASSAY_INVALID_ARGUMENT);
        CHECK_EQUAL(assay_value_number(&ratio, none), ASSAY_INVALID_ARGUMENT);
        CHECK_EQUAL(assay_value_bool(&truth, none), ASSAY_INVALID_ARGUMENT);
        CHECK_EQUAL(assay_value_json(&start, &len, none), ASSAY_INVALID_ARGUMENT);
        CHECK_EQUAL(assay_value_count(&len, none), ASSAY_INVALID_ARGUMENT);
        CHECK_EQUAL(assay_value_element(&value, none, 0), ASSAY_INVALID_ARGUMENT);
        CHECK_EQUAL(assay_value_member(&value, &name, &len, none, 0), ASSAY_INVALID_ARGUMENT);
    }
    CHECK(strcmp(assay_code_name(12345), "unknown") == 0);
    CHECK(strcmp(assay_code_name(UINT32_MAX), "unknown") == 0);
    CHECK_EQUAL(assay_code_http_status(12345), 500);
    CHECK(strcmp(assay_fetch_url(NULL), "") == 0);
    CHECK_EQUAL(assay_keys_next_due(NULL), -1);
}

static void constructors(void) {
    assay_policy *a_policy = NULL;
    assay_keys *a_keys = NULL;
    assay_verifier *a_verifier = NULL;
    assay_refresh_options options;
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
    CHECK_EQUAL(assay_keys_new(NULL, TEXT(JWKS)), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_keys_new(&a_keys, NULL, 9), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_keys_new(&a_keys, TEXT("{")), ASSAY_INVALID_JSON);
    CHECK_EQUAL(assay_keys_new(&a_keys, TEXT("{\"keys\":1}")), ASSAY_INVALID_KEY);
    CHECK(assay_keys_new(&a_keys, NULL, 0) >= 100);
    CHECK(assay_keys_new(&a_keys, TEXT("no key at all")) >= 100);
    static const char *const urls[] = {"", "ftp://x/", "https://", "https:///a", "https://user@x/", "https://x/ y", "https://x/\r\nA: b",
                                       "https://x/#f", "file:///etc/passwd", "https://x/\xc3\xbc"};
    for (size_t i = 0; i < sizeof urls / sizeof *urls; i++) {
        CHECK_EQUAL(assay_keys_new_url(&a_keys, urls[i], strlen(urls[i]), NULL), ASSAY_INVALID_ARGUMENT);
        CHECK_EQUAL(assay_keys_new_issuer(&a_keys, urls[i], strlen(urls[i]), NULL), ASSAY_INVALID_ARGUMENT);
    }
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
    assay_issuer issuer = {policy, keys};
    CHECK_EQUAL(assay_verifier_new(NULL, &issuer, 1, NULL), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_verifier_new(&a_verifier, NULL, 1, NULL), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_verifier_new(&a_verifier, &issuer, 0, NULL), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_verifier_new(&a_verifier, &issuer, SIZE_MAX, NULL), ASSAY_INVALID_ARGUMENT);
    issuer.keys = NULL;
    CHECK_EQUAL(assay_verifier_new(&a_verifier, &issuer, 1, NULL), ASSAY_INVALID_ARGUMENT);
    issuer = (assay_issuer){NULL, keys};
    CHECK_EQUAL(assay_verifier_new(&a_verifier, &issuer, 1, NULL), ASSAY_INVALID_ARGUMENT);
    issuer.policy = policy;
    assay_verifier_options choices[] = {{0, 0, 0, 0, 0, 0},
                                        {sizeof *choices, UINT64_MAX, 0, 0, 0, 0},
                                        {sizeof *choices, 0, UINT64_MAX, 0, 0, 0},
                                        {sizeof *choices, 0, (UINT64_C(1) << 32) + 1, 0, 0, 0},
                                        {sizeof *choices, 0, 1 << 20, UINT64_MAX, 0, 0},
                                        {sizeof *choices, 0, 0, 0, 2, 0},
                                        {sizeof *choices, 0, 0, 0, 0, 1}};
    for (size_t i = 0; i < sizeof choices / sizeof *choices; i++) {
        CHECK_EQUAL(assay_verifier_new(&a_verifier, &issuer, 1, &choices[i]), ASSAY_INVALID_ARGUMENT);
    }
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
    assay_issuer issuer = {policy, keys};
    *end = sizeof *end;
    CHECK_EQUAL(assay_keys_new_url(&a_keys, TEXT("https://x/"), (const assay_refresh_options *)end), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_keys_new_issuer(&a_keys, TEXT("https://x"), (const assay_refresh_options *)end), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_verifier_new(&a_verifier, &issuer, 1, (const assay_verifier_options *)end), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_verify_login(result, verifier, TEXT(TOKEN), NOW, (const assay_login *)end), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_keys_status((assay_keys_state *)end, keys), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(*end, sizeof *end);
    CHECK(a_keys == NULL && a_verifier == NULL);
    free(end);
}

static void verifying(void) {
    assay_code code = 7;
    assay_text token = {NULL, 1};
    CHECK_EQUAL(assay_verify(result, NULL, TEXT(TOKEN), NOW), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_verify(result, verifier, NULL, 1, NOW), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_verify(result, verifier, TOKEN, SIZE_MAX, NOW), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_verify(result, verifier, NULL, 0, NOW), ASSAY_MALFORMED_TOKEN);
    CHECK_EQUAL(assay_verify(result, verifier, TOKEN, 0, NOW), ASSAY_MALFORMED_TOKEN);
    CHECK_EQUAL(assay_verify(result, verifier, "", 0, NOW), ASSAY_MALFORMED_TOKEN);
    CHECK_EQUAL(assay_verify(NULL, NULL, NULL, 0, NOW), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_verify_payload(result, NULL, TEXT(TOKEN)), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_verify_payload(result, verifier, NULL, 0), ASSAY_MALFORMED_TOKEN);
    CHECK_EQUAL(assay_verify_login(result, verifier, TEXT(TOKEN), NOW, NULL), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_verify_login(result, NULL, TEXT(TOKEN), NOW, NULL), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_verify_batch(&code, NULL, verifier, &token, 1, NOW), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_verify_batch(&code, NULL, verifier, NULL, 1, NOW), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_verify_batch(NULL, NULL, verifier, &token, 1, NOW), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_verify_batch(&code, NULL, NULL, &token, 1, NOW), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_verify_batch(&code, NULL, verifier, &token, SIZE_MAX, NOW), ASSAY_INVALID_ARGUMENT);
    assay_text twice[2] = {{TEXT(TOKEN)}, {TEXT(TOKEN)}};
    assay_result *same[2] = {result, result};
    assay_code codes[2] = {7, 7};
    CHECK_EQUAL(assay_verify_batch(codes, same, verifier, twice, 2, NOW), ASSAY_INVALID_ARGUMENT);
    CHECK(codes[0] == 7 && codes[1] == 7);
    /* A call that is refused leaves the result free. */
    CHECK_EQUAL(assay_verify(result, verifier, TEXT(TOKEN), NOW), ASSAY_OK);
    CHECK_EQUAL(code, 7);
}

/* A mistake of the caller leaves no claims of an earlier token behind. */
static void outputs(void) {
    const char *start = NULL;
    size_t len = 0;
    CHECK_EQUAL(assay_verify(result, verifier, TEXT(TOKEN), NOW), ASSAY_OK);
    assay_value value, object;
    CHECK_EQUAL(assay_result_claim(&value, result, TEXT("email")), ASSAY_OK);
    CHECK_EQUAL(assay_result_claim(&object, result, TEXT("realm_access")), ASSAY_OK);
    CHECK_EQUAL(assay_result_claim(NULL, result, TEXT("email")), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_result_claim(&value, result, NULL, 3), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_result_claim(&object, result, NULL, 0), ASSAY_NO_VALUE);
    CHECK_EQUAL(assay_result_claim_at(NULL, result, TEXT("/email")), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_value_string(NULL, &len, &value), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_value_string(&start, NULL, &value), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_value_integer(NULL, &value), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_value_number(NULL, &value), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_value_bool(NULL, &value), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_value_json(NULL, NULL, &value), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_value_count(NULL, &value), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_value_element(NULL, &value, 0), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_value_member(NULL, &start, &len, &object, 0), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_value_member(&value, NULL, &len, &object, 0), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_result_issuer(NULL, NULL, result), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_result_header(NULL, NULL, result), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_result_expiration(NULL, result), ASSAY_INVALID_ARGUMENT);
    assay_value forged = value;
    forged.place = UINT32_MAX;
    CHECK_EQUAL(assay_value_string(&start, &len, &forged), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_verify(result, NULL, TEXT(TOKEN), NOW), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_result_code(result), ASSAY_OK);
    assay_text token = {TEXT(TOKEN)};
    assay_code code = 7;
    /* Memory that never was a result. */
    static _Alignas(16) char memory[4096];
    assay_result *foreign = (assay_result *)memory;
    CHECK_EQUAL(assay_verify(foreign, verifier, TEXT(TOKEN), NOW), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_verify_batch(&code, &foreign, verifier, &token, 1, NOW), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_result_code(foreign), ASSAY_INVALID_ARGUMENT);
    CHECK(assay_result_init(memory + 8, 2048) == NULL);
    CHECK(assay_result_init(memory, ASSAY_RESULT_MINIMUM - 1) == NULL);
    CHECK(assay_result_init(memory, SIZE_MAX) == NULL);
}

/* A value ends with the token it was taken from. */
static void after_reset(void) {
    const char *start = NULL;
    size_t len = 0;
    int64_t number = 0;
    double ratio = 0;
    int truth = 0;
    for (int way = 0; way < 5; way++) {
        assay_value value, object, next;
        CHECK_EQUAL(assay_verify(result, verifier, TEXT(TOKEN), NOW), ASSAY_OK);
        CHECK_EQUAL(assay_result_claim(&value, result, TEXT("email")), ASSAY_OK);
        CHECK_EQUAL(assay_result_claim(&object, result, TEXT("realm_access")), ASSAY_OK);
        if (way == 0) { assay_result_reset(result); }
        if (way == 1) { CHECK_EQUAL(assay_verify(result, verifier, TEXT(TOKEN), NOW), ASSAY_OK); }
        if (way == 2) { CHECK_EQUAL(assay_verify(result, verifier, TEXT(TOKEN_TAMPERED), NOW), ASSAY_SIGNATURE_INVALID); }
        if (way == 3) { CHECK_EQUAL(assay_verify_payload(result, verifier, TEXT(TOKEN)), ASSAY_OK); }
        if (way == 4) {
            CHECK(assay_result_init(result, ASSAY_RESULT_SIZE) == result);
            CHECK_EQUAL(assay_verify(result, verifier, TEXT(TOKEN), NOW), ASSAY_OK);
        }
        CHECK_EQUAL(assay_value_string(&start, &len, &value), ASSAY_NO_CLAIMS);
        CHECK_EQUAL(assay_value_integer(&number, &value), ASSAY_NO_CLAIMS);
        CHECK_EQUAL(assay_value_number(&ratio, &value), ASSAY_NO_CLAIMS);
        CHECK_EQUAL(assay_value_bool(&truth, &value), ASSAY_NO_CLAIMS);
        CHECK_EQUAL(assay_value_json(&start, &len, &value), ASSAY_NO_CLAIMS);
        CHECK_EQUAL(assay_value_count(&len, &object), ASSAY_NO_CLAIMS);
        CHECK_EQUAL(assay_value_element(&next, &object, 0), ASSAY_NO_CLAIMS);
        CHECK_EQUAL(assay_value_member(&next, &start, &len, &object, 0), ASSAY_NO_CLAIMS);
    }
    assay_result_reset(result);
    CHECK_EQUAL(assay_result_code(result), ASSAY_NO_CLAIMS);
    CHECK_EQUAL(assay_result_subject(&start, &len, result), ASSAY_NO_CLAIMS);
    CHECK_EQUAL(assay_result_claim_at(&(assay_value){0}, result, TEXT("/email")), ASSAY_NO_CLAIMS);
}

static void fetching(void) {
    assay_keys *hosted = NULL, *others = NULL;
    assay_fetch *fetch = NULL;
    assay_keys_state state = {0};
    const char *name = NULL, *value = NULL;
    CHECK_EQUAL(assay_keys_new_url(&hosted, TEXT("https://x/keys"), NULL), ASSAY_OK);
    CHECK_EQUAL(assay_keys_new_url(&others, TEXT("https://x/keys"), NULL), ASSAY_OK);
    CHECK_EQUAL(assay_keys_request(NULL, hosted), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_keys_request(&fetch, NULL), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_keys_request(&fetch, keys), ASSAY_NOT_DUE);
    CHECK_EQUAL(assay_keys_refresh(NULL), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_keys_refresh(keys), ASSAY_NOT_DUE);
    CHECK_EQUAL(assay_keys_next_due(keys), -1);
    CHECK_EQUAL(assay_keys_status(&state, NULL), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_keys_status(NULL, hosted), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_keys_status(&state, hosted), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_keys_install(hosted, NULL, 200, NULL, 0, NULL, 0), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_keys_request(&fetch, hosted), ASSAY_OK);
    CHECK_EQUAL(assay_fetch_field(NULL, &value, fetch, 0), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_fetch_field(&name, NULL, fetch, 0), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_fetch_field(&name, &value, NULL, 0), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_fetch_field(&name, &value, fetch, SIZE_MAX), ASSAY_NO_VALUE);
    CHECK_EQUAL(assay_keys_install(NULL, fetch, 200, NULL, 0, NULL, 0), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_keys_install(others, fetch, 200, NULL, 0, NULL, 0), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_keys_install(keys, fetch, 200, NULL, 0, NULL, 0), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_keys_install(hosted, fetch, 200, NULL, 1, NULL, 0), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_keys_install(hosted, fetch, 200, NULL, SIZE_MAX, NULL, 0), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_keys_install(hosted, fetch, 200, NULL, 0, NULL, 1), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_keys_install(hosted, fetch, 1000, NULL, 0, NULL, 0), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_keys_fail(hosted, fetch, 0), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_keys_fail(hosted, fetch, 12), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_keys_install(hosted, fetch, 200, NULL, 0, NULL, 0), ASSAY_FETCH_FAILED);
    CHECK_EQUAL(assay_keys_install(hosted, fetch, 200, NULL, 0, TEXT(JWKS)), ASSAY_FETCH_ENDED);
    /* A fetch keeps its keys. */
    assay_keys_free(hosted);
    assay_fetch_free(fetch);
    assay_keys_free(others);
}

int main(void) {
    verifier = new_verifier(JWKS);
    result = new_result(ASSAY_RESULT_SIZE);
    keys = new_keys(JWKS);
    policy = new_policy(ISSUER);
    null_objects();
    constructors();
    short_structures();
    verifying();
    outputs();
    after_reset();
    fetching();
    assay_verifier_free(verifier);
    assay_keys_free(keys);
    assay_policy_free(policy);
    free(result);
    return report();
}
