/* Claims of a verified token: registered ones, values of each JSON type, paths into them, and escapes. */

#include "claims.h"

static void strings(const assay_result *result) {
    const char *text = NULL;
    size_t len = 0;
    int64_t integer = 0;
    double number = 0;
    int truth = -1;
    assay_value value = claim(result, "email");
    CHECK_EQUAL(value.type, ASSAY_TYPE_STRING);
    CHECK_STRING(assay_value_string(&text, &len, &value), text, len, "a@b.example");
    CHECK_STRING(assay_value_json(&text, &len, &value), text, len, "\"a@b.example\"");
    CHECK_EQUAL(assay_value_integer(&integer, &value), ASSAY_WRONG_TYPE);
    CHECK_EQUAL(assay_value_number(&number, &value), ASSAY_WRONG_TYPE);
    CHECK_EQUAL(assay_value_bool(&truth, &value), ASSAY_WRONG_TYPE);
    CHECK_EQUAL(assay_value_count(&len, &value), ASSAY_WRONG_TYPE);
    value = claim(result, "empty");
    CHECK_STRING(assay_value_string(&text, &len, &value), text, len, "");
    CHECK_STRING(assay_value_json(&text, &len, &value), text, len, "\"\"");
    CHECK_EQUAL(assay_result_claim(&value, result, TEXT("absent")), ASSAY_NO_VALUE);
}

static void numbers(const assay_result *result) {
    const char *text = NULL;
    size_t len = 0;
    int64_t integer = 0;
    double number = 0;
    assay_value value = claim(result, "big");
    CHECK_EQUAL(assay_value_integer(&integer, &value), ASSAY_OK);
    CHECK_EQUAL(integer, INT64_MAX);
    CHECK_STRING(assay_value_json(&text, &len, &value), text, len, "9223372036854775807");
    CHECK_EQUAL(assay_value_string(&text, &len, &value), ASSAY_WRONG_TYPE);
    value = claim(result, "ratio");
    CHECK_EQUAL(value.type, ASSAY_TYPE_NUMBER);
    CHECK_EQUAL(assay_value_number(&number, &value), ASSAY_OK);
    CHECK(number == 0.25);
    CHECK_EQUAL(assay_value_integer(&integer, &value), ASSAY_WRONG_TYPE);
}

static void literals(const assay_result *result) {
    const char *text = NULL;
    size_t len = 0;
    int truth = -1;
    assay_value value = claim(result, "yes");
    CHECK_EQUAL(value.type, ASSAY_TYPE_BOOLEAN);
    CHECK_EQUAL(assay_value_bool(&truth, &value), ASSAY_OK);
    CHECK_EQUAL(truth, 1);
    value = claim(result, "no");
    CHECK_EQUAL(assay_value_bool(&truth, &value), ASSAY_OK);
    CHECK_EQUAL(truth, 0);
    value = claim(result, "nothing");
    CHECK_EQUAL(value.type, ASSAY_TYPE_NULL);
    CHECK_STRING(assay_value_json(&text, &len, &value), text, len, "null");
}

static void paths(const assay_result *result) {
    const char *text = NULL;
    size_t len = 0;
    int64_t integer = 0;
    assay_value value = at(result, "/realm_access/roles/1");
    CHECK_STRING(assay_value_string(&text, &len, &value), text, len, "user");
    value = at(result, "/a~1b/m~0n");
    CHECK_EQUAL(assay_value_integer(&integer, &value), ASSAY_OK);
    CHECK_EQUAL(integer, 7);
    value = at(result, "/https:~1~1example.com~1roles/0");
    CHECK_STRING(assay_value_string(&text, &len, &value), text, len, "x");
    value = claim(result, "https://example.com/roles");
    CHECK_EQUAL(value.type, ASSAY_TYPE_ARRAY);
    value = at(result, "");
    CHECK_EQUAL(value.type, ASSAY_TYPE_OBJECT);
}

static void wrong_paths(const assay_result *result) {
    assay_value value;
    static const char *const nowhere[] = {"/realm_access/roles/2", "/realm_access/roles/01", "/realm_access/roles/-1",
                                          "/realm_access/roles/", "/realm_access/roles/99999999999999999999", "/email/0", "/", "/aud/0/0"};
    for (size_t i = 0; i < sizeof nowhere / sizeof *nowhere; i++) {
        CHECK_EQUAL(assay_result_claim_at(&value, result, nowhere[i], strlen(nowhere[i])), ASSAY_NO_VALUE);
    }
    static const char *const malformed[] = {"email", "/a~2b", "/a~", "/\xff"};
    for (size_t i = 0; i < sizeof malformed / sizeof *malformed; i++) {
        CHECK_EQUAL(assay_result_claim_at(&value, result, malformed[i], strlen(malformed[i])), ASSAY_INVALID_ARGUMENT);
    }
}

static void elements(const assay_result *result) {
    const char *text = NULL;
    size_t len = 0;
    assay_value value = at(result, "/realm_access/roles"), element;
    CHECK_EQUAL(assay_value_count(&len, &value), ASSAY_OK);
    CHECK_EQUAL(len, 2);
    CHECK_STRING(assay_value_json(&text, &len, &value), text, len, "[\"admin\", \"user\"]");
    CHECK_EQUAL(assay_value_element(&element, &value, 0), ASSAY_OK);
    CHECK_STRING(assay_value_string(&text, &len, &element), text, len, "admin");
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
    CHECK_STRING(assay_value_string(&text, &len, &value), text, len, "value");
    assay_value all = at(result, ""), member;
    size_t count = 0;
    CHECK_EQUAL(assay_value_count(&count, &all), ASSAY_OK);
    CHECK_EQUAL(assay_value_member(&member, &text, &len, &all, count - 1), ASSAY_OK);
    CHECK(is_text(text, len, "name"));
    registered_claims(result);
    CHECK_EQUAL(assay_verify(result, verifier, TEXT(TOKEN_ESCAPED_KID), NOW), ASSAY_OK);
    registered_claims(result);
}

int main(void) {
    assay_verifier *verifier = new_verifier(JWKS);
    assay_result *result = new_result(ASSAY_RESULT_SIZE);
    /* The header's memo and the key's tables each have their own path: repeat until all are in use. */
    for (int round = 0; round < 40; round++) {
        CHECK_EQUAL(assay_verify(result, verifier, TEXT(TOKEN), NOW), ASSAY_OK);
        registered_claims(result);
        strings(result);
        numbers(result);
        literals(result);
        paths(result);
        wrong_paths(result);
        elements(result);
    }
    escapes(verifier, result);
    assay_verifier_free(verifier);
    free(result);
    return report();
}
