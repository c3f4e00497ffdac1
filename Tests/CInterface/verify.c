/* Verdicts, and everything that a result gives. */

#include <math.h>
#include "objects.h"

static void check_string(assay_code code, const char *bytes, size_t len, const char *expected) {
    CHECK_EQUAL(code, ASSAY_OK);
    CHECK(is_text(bytes, len, expected));
}

static assay_value claim(const assay_result *result, const char *name) {
    assay_value value;
    memset(&value, 0, sizeof value);
    CHECK_EQUAL(assay_result_claim(&value, result, name, strlen(name)), ASSAY_OK);
    return value;
}

static assay_value at(const assay_result *result, const char *pointer) {
    assay_value value;
    memset(&value, 0, sizeof value);
    CHECK_EQUAL(assay_result_claim_at(&value, result, pointer, strlen(pointer)), ASSAY_OK);
    return value;
}

static void registered_claims(const assay_result *result) {
    const char *text = NULL;
    size_t len = 0;
    int64_t date = 0;
    check_string(assay_result_issuer(&text, &len, result), text, len, ISSUER);
    check_string(assay_result_subject(&text, &len, result), text, len, "user-1");
    check_string(assay_result_token_id(&text, &len, result), text, len, "token-1");
    check_string(assay_result_key_id(&text, &len, result), text, len, "key-1");
    check_string(assay_result_algorithm(&text, &len, result), text, len, "RS256");
    CHECK_EQUAL(assay_result_expiration(&date, result), ASSAY_OK);
    CHECK_EQUAL(date, (int64_t)NOW + 300);
    CHECK_EQUAL(assay_result_not_before(&date, result), ASSAY_OK);
    CHECK_EQUAL(date, (int64_t)NOW - 5);
    CHECK_EQUAL(assay_result_issued_at(&date, result), ASSAY_OK);
    CHECK_EQUAL(date, (int64_t)NOW);
    CHECK_EQUAL(assay_result_authentication_time(&date, result), ASSAY_OK);
    CHECK_EQUAL(date, (int64_t)NOW - 60);
    CHECK_EQUAL(assay_result_header(&text, &len, result), ASSAY_OK);
    CHECK(len > 20 && text[0] == '{' && text[len - 1] == '}');
    CHECK_EQUAL(assay_result_payload(&text, &len, result), ASSAY_OK);
    CHECK(len > 300 && text[0] == '{' && text[len - 1] == '}');
}

static void scalars(const assay_result *result) {
    const char *text = NULL;
    size_t len = 0;
    int64_t integer = 0;
    double number = 0;
    int truth = -1;
    assay_value value = claim(result, "email");
    CHECK_EQUAL(value.type, ASSAY_TYPE_STRING);
    check_string(assay_value_string(&text, &len, &value), text, len, "a@b.example");
    check_string(assay_value_json(&text, &len, &value), text, len, "\"a@b.example\"");
    CHECK_EQUAL(assay_value_integer(&integer, &value), ASSAY_WRONG_TYPE);
    CHECK_EQUAL(assay_value_number(&number, &value), ASSAY_WRONG_TYPE);
    CHECK_EQUAL(assay_value_bool(&truth, &value), ASSAY_WRONG_TYPE);
    CHECK_EQUAL(assay_value_count(&len, &value), ASSAY_WRONG_TYPE);
    value = claim(result, "empty");
    check_string(assay_value_string(&text, &len, &value), text, len, "");
    check_string(assay_value_json(&text, &len, &value), text, len, "\"\"");
    value = claim(result, "big");
    CHECK_EQUAL(assay_value_integer(&integer, &value), ASSAY_OK);
    CHECK_EQUAL(integer, INT64_MAX);
    check_string(assay_value_json(&text, &len, &value), text, len, "9223372036854775807");
    CHECK_EQUAL(assay_value_string(&text, &len, &value), ASSAY_WRONG_TYPE);
    value = claim(result, "ratio");
    CHECK_EQUAL(value.type, ASSAY_TYPE_NUMBER);
    CHECK_EQUAL(assay_value_number(&number, &value), ASSAY_OK);
    CHECK(number == 0.25);
    CHECK_EQUAL(assay_value_integer(&integer, &value), ASSAY_WRONG_TYPE);
    value = claim(result, "yes");
    CHECK_EQUAL(value.type, ASSAY_TYPE_BOOLEAN);
    CHECK_EQUAL(assay_value_bool(&truth, &value), ASSAY_OK);
    CHECK_EQUAL(truth, 1);
    value = claim(result, "no");
    CHECK_EQUAL(assay_value_bool(&truth, &value), ASSAY_OK);
    CHECK_EQUAL(truth, 0);
    value = claim(result, "nothing");
    CHECK_EQUAL(value.type, ASSAY_TYPE_NULL);
    check_string(assay_value_json(&text, &len, &value), text, len, "null");
    CHECK_EQUAL(assay_result_claim(&value, result, TEXT("absent")), ASSAY_NO_VALUE);
}

static void paths(const assay_result *result) {
    const char *text = NULL;
    size_t len = 0;
    int64_t integer = 0;
    assay_value value = at(result, "/realm_access/roles/1"), element;
    check_string(assay_value_string(&text, &len, &value), text, len, "user");
    value = at(result, "/a~1b/m~0n");
    CHECK_EQUAL(assay_value_integer(&integer, &value), ASSAY_OK);
    CHECK_EQUAL(integer, 7);
    value = at(result, "/https:~1~1example.com~1roles/0");
    check_string(assay_value_string(&text, &len, &value), text, len, "x");
    value = claim(result, "https://example.com/roles");
    CHECK_EQUAL(value.type, ASSAY_TYPE_ARRAY);
    value = at(result, "");
    CHECK_EQUAL(value.type, ASSAY_TYPE_OBJECT);
    static const char *const nowhere[] = {"/realm_access/roles/2", "/realm_access/roles/01", "/realm_access/roles/-1",
                                          "/realm_access/roles/", "/realm_access/roles/99999999999999999999", "/email/0", "/", "/aud/0/0"};
    for (size_t i = 0; i < sizeof nowhere / sizeof *nowhere; i++) {
        CHECK_EQUAL(assay_result_claim_at(&value, result, nowhere[i], strlen(nowhere[i])), ASSAY_NO_VALUE);
    }
    static const char *const malformed[] = {"email", "/a~2b", "/a~", "/\xff"};
    for (size_t i = 0; i < sizeof malformed / sizeof *malformed; i++) {
        CHECK_EQUAL(assay_result_claim_at(&value, result, malformed[i], strlen(malformed[i])), ASSAY_INVALID_ARGUMENT);
    }
    value = at(result, "/realm_access/roles");
    CHECK_EQUAL(assay_value_count(&len, &value), ASSAY_OK);
    CHECK_EQUAL(len, 2);
    check_string(assay_value_json(&text, &len, &value), text, len, "[\"admin\", \"user\"]");
    CHECK_EQUAL(assay_value_element(&element, &value, 0), ASSAY_OK);
    check_string(assay_value_string(&text, &len, &element), text, len, "admin");
    CHECK_EQUAL(assay_value_element(&element, &value, 2), ASSAY_NO_VALUE);
    CHECK_EQUAL(assay_value_element(&element, &value, SIZE_MAX), ASSAY_NO_VALUE);
    CHECK_EQUAL(assay_value_member(&element, &text, &len, &value, 0), ASSAY_WRONG_TYPE);
    value = claim(result, "realm_access");
    CHECK_EQUAL(assay_value_member(&element, &text, &len, &value, 0), ASSAY_OK);
    CHECK(is_text(text, len, "roles"));
    CHECK_EQUAL(element.type, ASSAY_TYPE_ARRAY);
    CHECK_EQUAL(assay_value_member(&element, &text, &len, &value, 1), ASSAY_NO_VALUE);
    CHECK_EQUAL(assay_value_element(&element, &value, 0), ASSAY_WRONG_TYPE);
    value = claim(result, "list");
    CHECK_EQUAL(assay_value_count(&len, &value), ASSAY_OK);
    CHECK_EQUAL(len, 0);
}

static void escapes(const assay_verifier *verifier, assay_result *result) {
    static const char expected[] = "line\nnext \xc3\xbc \xf0\x9f\x98\x80 \"quoted\" nul:\0.";
    const char *text = NULL;
    size_t len = 0;
    CHECK_EQUAL(assay_verify(result, verifier, TEXT(TOKEN_ESCAPED), NOW), ASSAY_OK);
    assay_value value = claim(result, "text");
    CHECK_EQUAL(assay_value_string(&text, &len, &value), ASSAY_OK);
    CHECK(len == sizeof expected - 1 && memcmp(text, expected, len) == 0);
    CHECK_EQUAL(assay_value_json(&text, &len, &value), ASSAY_OK);
    CHECK(len > 11 && memcmp(text, "\"line\\nnext", 11) == 0);
    value = claim(result, "name");
    check_string(assay_value_string(&text, &len, &value), text, len, "value");
    assay_value all = at(result, ""), member;
    size_t count = 0;
    CHECK_EQUAL(assay_value_count(&count, &all), ASSAY_OK);
    CHECK_EQUAL(assay_value_member(&member, &text, &len, &all, count - 1), ASSAY_OK);
    CHECK(is_text(text, len, "name"));
    registered_claims(result);
    CHECK_EQUAL(assay_verify(result, verifier, TEXT(TOKEN_ESCAPED_KID), NOW), ASSAY_OK);
    registered_claims(result);
}

static void refusals(const assay_verifier *verifier, assay_result *result) {
    char text[512];
    const char *start = NULL;
    size_t len = 0;
    int64_t date = 0;
    assay_value value;
    CHECK_EQUAL(assay_verify(result, verifier, TEXT(TOKEN), NOW + 3600), ASSAY_EXPIRED);
    CHECK_EQUAL(assay_result_code(result), ASSAY_EXPIRED);
    CHECK_EQUAL(assay_result_http_status(result), 401);
    CHECK(strcmp(assay_result_claim_name(result), "exp") == 0);
    CHECK_EQUAL(assay_result_needed(result), 0);
    CHECK_EQUAL(assay_result_subject(&start, &len, result), ASSAY_NO_CLAIMS);
    CHECK_EQUAL(assay_result_key_id(&start, &len, result), ASSAY_NO_CLAIMS);
    CHECK_EQUAL(assay_result_payload(&start, &len, result), ASSAY_NO_CLAIMS);
    CHECK_EQUAL(assay_result_expiration(&date, result), ASSAY_NO_CLAIMS);
    CHECK_EQUAL(assay_result_claim(&value, result, TEXT("email")), ASSAY_NO_CLAIMS);
    CHECK_EQUAL(assay_result_claim_at(&value, result, TEXT("")), ASSAY_NO_CLAIMS);
    len = assay_result_challenge(text, sizeof text, result, TEXT("api \"x\""), TEXT("read write"));
    CHECK(is_text(text, len, "Bearer realm=\"api \\\"x\\\"\", error=\"invalid_token\", error_description=\"the token has expired\", "
                             "scope=\"read write\""));
    CHECK_EQUAL(assay_result_challenge(NULL, 0, result, TEXT("api \"x\""), TEXT("read write")), len);
    text[0] = 'x';
    CHECK_EQUAL(assay_result_challenge(text, len, result, TEXT("api \"x\""), TEXT("read write")), len);
    CHECK_EQUAL(text[0], 0);
    CHECK_EQUAL(assay_result_challenge(text, len + 1, result, TEXT("api \"x\""), TEXT("read write")), len);
    CHECK_EQUAL(strlen(text), len);
    CHECK(assay_result_description(text, sizeof text, result) == strlen(text) && strstr(text, "expired") == text);
    CHECK_EQUAL(assay_verify(result, verifier, TEXT(TOKEN_TAMPERED), NOW), ASSAY_SIGNATURE_INVALID);
    CHECK(assay_result_claim_name(result) == NULL);
    CHECK_EQUAL(assay_verify(result, verifier, TEXT(TOKEN_SECOND), NOW), ASSAY_UNKNOWN_KEY);
    CHECK_EQUAL(assay_verify(result, verifier, TEXT("a.b"), NOW), ASSAY_MALFORMED_TOKEN);
    CHECK_EQUAL(assay_verify(result, verifier, TEXT("eyJh*GciOiJub25lIn0.e30."), NOW), ASSAY_INVALID_BASE64URL);
    CHECK_EQUAL(assay_result_offset(result), 4);
    CHECK_EQUAL(assay_verify(result, verifier, TEXT(TOKEN_UNKNOWN_ISSUER), NOW), ASSAY_ISSUER_MISMATCH);
    CHECK_EQUAL(assay_verify(NULL, verifier, TEXT(TOKEN), NOW), ASSAY_OK);
    CHECK_EQUAL(assay_verify(NULL, verifier, TEXT(TOKEN), NOW + 3600), ASSAY_EXPIRED);
    /* The clock of the machine is years before the fixtures' time. */
    CHECK_EQUAL(assay_verify(NULL, verifier, TEXT(TOKEN), ASSAY_NOW), ASSAY_NOT_YET_VALID);
    CHECK_EQUAL(assay_verify(NULL, verifier, TEXT(TOKEN), NAN), ASSAY_NOT_YET_VALID);
    CHECK_EQUAL(assay_verify(NULL, verifier, TEXT(TOKEN), INFINITY), ASSAY_EXPIRED);
    CHECK_EQUAL(assay_verify(NULL, verifier, TEXT(TOKEN), 1e300), ASSAY_EXPIRED);
    CHECK_EQUAL(assay_verify(NULL, verifier, TEXT(TOKEN), NOW + 359.5), ASSAY_OK);
    CHECK_EQUAL(assay_verify(NULL, verifier, TEXT(TOKEN), NOW + 360.5), ASSAY_EXPIRED);
}

/* A result of every size either holds all claims, or none. */
static void sizes(const assay_verifier *verifier) {
    static _Alignas(16) char memory[16384];
    assay_result *result = assay_result_init(memory, sizeof memory);
    CHECK_EQUAL(assay_verify(result, verifier, TEXT(TOKEN_ESCAPED), NOW), ASSAY_OK);
    size_t needed = assay_result_needed(result);
    CHECK(needed > ASSAY_RESULT_MINIMUM && needed <= assay_result_size(sizeof(TOKEN_ESCAPED) - 1) && needed < 4096);
    for (size_t size = ASSAY_RESULT_MINIMUM; size <= needed + 16; size += 7) {
        memset(memory, 0x5a, sizeof memory);
        result = assay_result_init(memory, size);
        assay_code code = assay_verify(result, verifier, TEXT(TOKEN_ESCAPED), NOW);
        CHECK_EQUAL(code, size < needed ? ASSAY_RESULT_TOO_SMALL : ASSAY_OK);
        CHECK_EQUAL(assay_result_needed(result), needed);
        size_t spoiled = 0;
        for (size_t i = size; i < sizeof memory; i++) { spoiled += memory[i] != 0x5a; }
        CHECK_EQUAL(spoiled, 0);
        if (code == ASSAY_OK) { registered_claims(result); }
    }
    result = assay_result_init(memory, ASSAY_RESULT_MINIMUM);
    CHECK_EQUAL(assay_verify(result, verifier, TEXT(TOKEN), NOW), ASSAY_RESULT_TOO_SMALL);
    CHECK_EQUAL(assay_result_http_status(result), 500);
    CHECK_EQUAL(assay_result_size(16384) <= ASSAY_RESULT_SIZE, 1);
    CHECK(assay_result_size(0) >= ASSAY_RESULT_MINIMUM);
}

static void batch(const assay_verifier *verifier) {
    enum { count = 150 };
    assay_text tokens[count];
    assay_code codes[count];
    assay_result *results[count];
    for (int i = 0; i < count; i++) {
        tokens[i] = i % 3 == 1 ? (assay_text){TEXT(TOKEN_TAMPERED)} : i % 7 == 2 ? (assay_text){NULL, 0} : (assay_text){TEXT(TOKEN)};
        results[i] = i % 5 == 4 ? NULL : new_result(4096);
    }
    CHECK_EQUAL(assay_verify_batch(codes, results, verifier, tokens, count, NOW), ASSAY_OK);
    for (int i = 0; i < count; i++) {
        CHECK_EQUAL(codes[i], i % 3 == 1 ? ASSAY_SIGNATURE_INVALID : i % 7 == 2 ? ASSAY_MALFORMED_TOKEN : ASSAY_OK);
        if (results[i] != NULL) { CHECK_EQUAL(assay_result_code(results[i]), codes[i]); }
        if (results[i] != NULL && codes[i] == ASSAY_OK) { registered_claims(results[i]); }
        free(results[i]);
    }
    CHECK_EQUAL(assay_verify_batch(codes, NULL, verifier, tokens, count, NOW), ASSAY_OK);
    CHECK_EQUAL(codes[1], ASSAY_SIGNATURE_INVALID);
    CHECK_EQUAL(assay_verify_batch(NULL, NULL, verifier, NULL, 0, NOW), ASSAY_OK);
}

static void logins(const assay_verifier *verifier, assay_result *result) {
    assay_login login = {sizeof login, {TEXT("n-1")}, {NULL, 0}, {NULL, 0}};
    CHECK_EQUAL(assay_verify_login(result, verifier, TEXT(TOKEN), NOW, &login), ASSAY_OK);
    registered_claims(result);
    login.nonce = (assay_text){TEXT("another")};
    CHECK_EQUAL(assay_verify_login(result, verifier, TEXT(TOKEN), NOW, &login), ASSAY_NONCE_MISMATCH);
    login.nonce = (assay_text){NULL, 0};
    CHECK_EQUAL(assay_verify_login(result, verifier, TEXT(TOKEN), NOW, &login), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_result_code(result), ASSAY_NO_CLAIMS);
    login.nonce = (assay_text){TEXT("n-1")};
    login.access_token = (assay_text){TEXT("abc")};
    CHECK_EQUAL(assay_verify_login(result, verifier, TEXT(TOKEN), NOW, &login), ASSAY_MISSING_CLAIM);
    login.size = 8;
    CHECK_EQUAL(assay_verify_login(result, verifier, TEXT(TOKEN), NOW, &login), ASSAY_INVALID_ARGUMENT);
}

static void payloads(const assay_verifier *verifier, assay_result *result) {
    const char *text = NULL;
    size_t len = 0;
    assay_value value;
    CHECK_EQUAL(assay_verify_payload(result, verifier, TEXT(TOKEN_PAYLOAD)), ASSAY_OK);
    check_string(assay_result_payload(&text, &len, result), text, len, "any bytes at all");
    check_string(assay_result_key_id(&text, &len, result), text, len, "key-1");
    CHECK_EQUAL(assay_result_subject(&text, &len, result), ASSAY_NO_CLAIMS);
    CHECK_EQUAL(assay_result_claim(&value, result, TEXT("sub")), ASSAY_NO_CLAIMS);
    CHECK_EQUAL(assay_verify_payload(result, verifier, TEXT(TOKEN_TAMPERED)), ASSAY_SIGNATURE_INVALID);
    CHECK_EQUAL(assay_verify(result, verifier, TEXT(TOKEN_PAYLOAD), NOW), ASSAY_INVALID_JSON);
}

static void several_issuers(assay_result *result) {
    assay_policy *first = new_policy(ISSUER), *second = new_policy("https://other.example"), *open = NULL;
    assay_keys *first_keys = new_keys(JWKS), *second_keys = new_keys(JWKS_SECOND);
    assay_issuer issuers[2] = {{first, first_keys}, {second, second_keys}};
    assay_verifier_options options = {sizeof options, 0, 0, 0, 0, 0};
    for (int cached = 0; cached < 2; cached++) {
        assay_verifier *verifier = NULL;
        options.cache_bytes = cached ? 1 << 20 : 0;
        CHECK_EQUAL(assay_verifier_new(&verifier, issuers, 2, &options), ASSAY_OK);
        for (int round = 0; round < 4; round++) {
            CHECK_EQUAL(assay_verify(result, verifier, TEXT(TOKEN), NOW), ASSAY_OK);
            registered_claims(result);
            CHECK_EQUAL(assay_verify(result, verifier, TEXT(TOKEN_OTHER_ISSUER), NOW), ASSAY_OK);
            CHECK_EQUAL(assay_verify(result, verifier, TEXT(TOKEN_SECOND), NOW), ASSAY_UNKNOWN_KEY);
            CHECK_EQUAL(assay_verify(result, verifier, TEXT(TOKEN_UNKNOWN_ISSUER), NOW), ASSAY_ISSUER_MISMATCH);
            CHECK_EQUAL(assay_verify(result, verifier, TEXT(TOKEN_WITHOUT_ISSUER), NOW), ASSAY_MISSING_CLAIM);
            CHECK(strcmp(assay_result_claim_name(result), "iss") == 0);
        }
        assay_text tokens[3] = {{TEXT(TOKEN)}, {TEXT(TOKEN_OTHER_ISSUER)}, {TEXT(TOKEN_SECOND)}};
        assay_code codes[3];
        CHECK_EQUAL(assay_verify_batch(codes, NULL, verifier, tokens, 3, NOW), ASSAY_OK);
        CHECK(codes[0] == ASSAY_OK && codes[1] == ASSAY_OK && codes[2] == ASSAY_UNKNOWN_KEY);
        CHECK_EQUAL(assay_verify_payload(result, verifier, TEXT(TOKEN_PAYLOAD)), ASSAY_INVALID_ARGUMENT);
        assay_verifier_free(verifier);
    }
    assay_verifier *verifier = NULL;
    issuers[1].policy = first;
    CHECK_EQUAL(assay_verifier_new(&verifier, issuers, 2, NULL), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_policy_new(&open), ASSAY_OK);
    issuers[1].policy = open;
    CHECK_EQUAL(assay_verifier_new(&verifier, issuers, 2, NULL), ASSAY_INVALID_ARGUMENT);
    CHECK(verifier == NULL);
    assay_policy_free(open);
    assay_policy_free(first);
    assay_policy_free(second);
    assay_keys_free(first_keys);
    assay_keys_free(second_keys);
}

/* The verifier keeps its keys, and a policy that is changed afterwards does not change it. */
static void lifetimes(assay_result *result) {
    assay_policy *policy = new_policy(ISSUER);
    assay_keys *keys = new_keys(PEM);
    assay_issuer issuer = {policy, keys};
    assay_verifier_options options = {sizeof options, 0, 1 << 20, 0, 1, 0};
    assay_verifier *before = NULL, *after = NULL;
    CHECK_EQUAL(assay_verifier_new(&before, &issuer, 1, &options), ASSAY_OK);
    CHECK_EQUAL(assay_policy_add(policy, ASSAY_RULE_REVOKED_TOKEN_ID, TEXT("token-1")), ASSAY_OK);
    CHECK_EQUAL(assay_verifier_new(&after, &issuer, 1, NULL), ASSAY_OK);
    assay_policy_free(policy);
    assay_keys_prepare(keys);
    assay_keys_free(keys);
    for (int round = 0; round < 4; round++) {
        CHECK_EQUAL(assay_verify(result, before, TEXT(TOKEN), NOW), ASSAY_OK);
        registered_claims(result);
        CHECK_EQUAL(assay_verify(result, before, TEXT(TOKEN), NOW + 3600), ASSAY_EXPIRED);
    }
    CHECK_EQUAL(assay_verify(result, after, TEXT(TOKEN), NOW), ASSAY_REVOKED);
    assay_verifier_free(before);
    assay_verifier_free(after);
}

static assay_code verdict_under(uint32_t rule, const char *text, int64_t number) {
    assay_policy *policy = NULL;
    assay_keys *keys = new_keys(JWKS);
    CHECK_EQUAL(assay_policy_new(&policy), ASSAY_OK);
    assay_code code = text != NULL ? assay_policy_add(policy, rule, text, strlen(text)) : assay_policy_set(policy, rule, number);
    assay_issuer issuer = {policy, keys};
    assay_verifier *verifier = NULL;
    if (code == ASSAY_OK) {
        CHECK_EQUAL(assay_verifier_new(&verifier, &issuer, 1, NULL), ASSAY_OK);
        code = assay_verify(NULL, verifier, TEXT(TOKEN), NOW + 330);
    }
    assay_verifier_free(verifier);
    assay_policy_free(policy);
    assay_keys_free(keys);
    return code;
}

static void rules(void) {
    CHECK_EQUAL(verdict_under(ASSAY_RULE_ISSUER, ISSUER, 0), ASSAY_OK);
    CHECK_EQUAL(verdict_under(ASSAY_RULE_ISSUER, "x", 0), ASSAY_ISSUER_MISMATCH);
    CHECK_EQUAL(verdict_under(ASSAY_RULE_AUDIENCE, "client-2", 0), ASSAY_OK);
    CHECK_EQUAL(verdict_under(ASSAY_RULE_AUDIENCE, "x", 0), ASSAY_AUDIENCE_MISMATCH);
    CHECK_EQUAL(verdict_under(ASSAY_RULE_ALGORITHM, "RS256", 0), ASSAY_OK);
    CHECK_EQUAL(verdict_under(ASSAY_RULE_ALGORITHM, "ES256", 0), ASSAY_ALGORITHM_NOT_ALLOWED);
    CHECK_EQUAL(verdict_under(ASSAY_RULE_ALGORITHM, "none", 0), ASSAY_UNSUPPORTED_ALGORITHM);
    CHECK_EQUAL(verdict_under(ASSAY_RULE_TYPE, "JWT", 0), ASSAY_OK);
    CHECK_EQUAL(verdict_under(ASSAY_RULE_TYPE, "at+jwt", 0), ASSAY_TYPE_MISMATCH);
    CHECK_EQUAL(verdict_under(ASSAY_RULE_REQUIRED_CLAIM, "email", 0), ASSAY_OK);
    CHECK_EQUAL(verdict_under(ASSAY_RULE_REQUIRED_CLAIM, "x", 0), ASSAY_MISSING_CLAIM);
    CHECK_EQUAL(verdict_under(ASSAY_RULE_CONTEXT_CLASS, "gold", 0), ASSAY_MISSING_CLAIM);
    CHECK_EQUAL(verdict_under(ASSAY_RULE_AUTHENTICATION_METHOD, "otp", 0), ASSAY_MISSING_CLAIM);
    CHECK_EQUAL(verdict_under(ASSAY_RULE_REVOKED_TOKEN_ID, "token-1", 0), ASSAY_REVOKED);
    CHECK_EQUAL(verdict_under(ASSAY_RULE_NONCE, "n-1", 0), ASSAY_OK);
    CHECK_EQUAL(verdict_under(ASSAY_RULE_NONCE, "x", 0), ASSAY_NONCE_MISMATCH);
    CHECK_EQUAL(verdict_under(ASSAY_RULE_ACCESS_TOKEN, "x", 0), ASSAY_MISSING_CLAIM);
    CHECK_EQUAL(verdict_under(ASSAY_RULE_AUTHORIZATION_CODE, "x", 0), ASSAY_MISSING_CLAIM);
    CHECK_EQUAL(verdict_under(ASSAY_RULE_LEEWAY, NULL, 31), ASSAY_OK);
    CHECK_EQUAL(verdict_under(ASSAY_RULE_LEEWAY, NULL, 0), ASSAY_EXPIRED);
    CHECK_EQUAL(verdict_under(ASSAY_RULE_MAXIMUM_AGE, NULL, 100), ASSAY_TOO_OLD);
    CHECK_EQUAL(verdict_under(ASSAY_RULE_MAXIMUM_AUTHENTICATION_AGE, NULL, 300), ASSAY_AUTHENTICATION_TOO_OLD);
    CHECK_EQUAL(verdict_under(ASSAY_RULE_EXPIRATION_REQUIRED, NULL, 0), ASSAY_OK);
    CHECK_EQUAL(verdict_under(ASSAY_RULE_EXPIRATION_REQUIRED, NULL, 2), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(verdict_under(ASSAY_RULE_LEEWAY, NULL, -1), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(verdict_under(ASSAY_RULE_LEEWAY, NULL, INT64_MAX), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(verdict_under(ASSAY_RULE_LEEWAY, "1", 0), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(verdict_under(ASSAY_RULE_ISSUER, NULL, 1), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(verdict_under(999, "x", 0), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(verdict_under(ASSAY_RULE_ISSUER, "\xff\xfe", 0), ASSAY_INVALID_ARGUMENT);
}

static void presets(void) {
    assay_policy *policies[2] = {NULL, NULL};
    assay_keys *keys = new_keys(JWKS);
    CHECK_EQUAL(assay_policy_new_id_token(&policies[0], TEXT(ISSUER), TEXT("client-1")), ASSAY_OK);
    CHECK_EQUAL(assay_policy_new_access_token(&policies[1], TEXT(ISSUER), TEXT("client-1")), ASSAY_OK);
    static const assay_code expected[2] = {ASSAY_AUDIENCE_MISMATCH, ASSAY_TYPE_MISMATCH};
    for (int i = 0; i < 2; i++) {
        assay_issuer issuer = {policies[i], keys};
        assay_verifier *verifier = NULL;
        CHECK_EQUAL(assay_verifier_new(&verifier, &issuer, 1, NULL), ASSAY_OK);
        CHECK_EQUAL(assay_verify(NULL, verifier, TEXT(TOKEN), NOW), expected[i]);
        assay_verifier_free(verifier);
        assay_policy_free(policies[i]);
    }
    assay_keys_free(keys);
}

/* The library and its header are of one version. */
static void version(void) {
    char text[32];
    snprintf(text, sizeof text, "%d.%d.%d", ASSAY_VERSION_MAJOR, ASSAY_VERSION_MINOR, ASSAY_VERSION_PATCH);
    CHECK(strcmp(assay_version(), text) == 0);
}

int main(void) {
    version();
    assay_verifier *verifier = new_verifier(JWKS);
    assay_result *result = new_result(ASSAY_RESULT_SIZE);
    CHECK_EQUAL(assay_result_code(result), ASSAY_NO_CLAIMS);
    CHECK_EQUAL(assay_result_http_status(result), 401);
    char text[64];
    CHECK(assay_result_challenge(text, sizeof text, result, TEXT("api"), NULL, 0) == 18 && strcmp(text, "Bearer realm=\"api\"") == 0);
    /* The header's memo, the tables of the key and the batch each have their own path: repeat until all are in use. */
    for (int round = 0; round < 40; round++) {
        CHECK_EQUAL(assay_verify(result, verifier, TEXT(TOKEN), NOW), ASSAY_OK);
        CHECK_EQUAL(assay_result_http_status(result), 200);
        CHECK_EQUAL(assay_result_challenge(text, sizeof text, result, TEXT("api"), NULL, 0), 0);
        registered_claims(result);
        scalars(result);
        paths(result);
    }
    escapes(verifier, result);
    refusals(verifier, result);
    sizes(verifier);
    batch(verifier);
    logins(verifier, result);
    payloads(verifier, result);
    several_issuers(result);
    lifetimes(result);
    rules();
    presets();
    assay_verifier_free(verifier);
    free(result);
    return report();
}
