/* Verdicts on tokens, ID tokens of logins and payloads that are no claims, and what a result says of a refusal. */

#include <math.h>
#include "claims.h"

/* Before the first token, and after an accepted one. */
static void states(const assay_verifier *verifier, assay_result *result) {
    char text[64];
    CHECK_EQUAL(assay_result_code(result), ASSAY_NO_CLAIMS);
    CHECK_EQUAL(assay_result_http_status(result), 401);
    CHECK(assay_result_challenge(text, sizeof text, result, TEXT("api"), NULL, 0) == 18 && strcmp(text, "Bearer realm=\"api\"") == 0);
    CHECK_EQUAL(assay_verify(result, verifier, TEXT(TOKEN), NOW), ASSAY_OK);
    CHECK_EQUAL(assay_result_http_status(result), 200);
    CHECK_EQUAL(assay_result_challenge(text, sizeof text, result, TEXT("api"), NULL, 0), 0);
}

/* A refused token leaves no claim. */
static void expired(const assay_verifier *verifier, assay_result *result) {
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
}

/* The texts of the last refusal. */
static void challenge(const assay_result *result) {
    char text[512];
    size_t len = assay_result_challenge(text, sizeof text, result, TEXT("api \"x\""), TEXT("read write"));
    CHECK(is_text(text, len, "Bearer realm=\"api \\\"x\\\"\", error=\"invalid_token\", error_description=\"the token has expired\", "
                             "scope=\"read write\""));
    CHECK_EQUAL(assay_result_challenge(NULL, 0, result, TEXT("api \"x\""), TEXT("read write")), len);
    text[0] = 'x';
    CHECK_EQUAL(assay_result_challenge(text, len, result, TEXT("api \"x\""), TEXT("read write")), len);
    CHECK_EQUAL(text[0], 0);
    CHECK_EQUAL(assay_result_challenge(text, len + 1, result, TEXT("api \"x\""), TEXT("read write")), len);
    CHECK_EQUAL(strlen(text), len);
    CHECK(assay_result_description(text, sizeof text, result) == strlen(text) && strstr(text, "expired") == text);
}

static void refusals(const assay_verifier *verifier, assay_result *result) {
    CHECK_EQUAL(assay_verify(result, verifier, TEXT(TOKEN_TAMPERED), NOW), ASSAY_SIGNATURE_INVALID);
    CHECK(assay_result_claim_name(result) == NULL);
    CHECK_EQUAL(assay_verify(result, verifier, TEXT(TOKEN_SECOND), NOW), ASSAY_UNKNOWN_KEY);
    CHECK_EQUAL(assay_verify(result, verifier, TEXT("a.b"), NOW), ASSAY_MALFORMED_TOKEN);
    CHECK_EQUAL(assay_verify(result, verifier, TEXT("eyJh*GciOiJub25lIn0.e30."), NOW), ASSAY_INVALID_BASE64URL);
    CHECK_EQUAL(assay_result_offset(result), 4);
    CHECK_EQUAL(assay_verify(result, verifier, TEXT(TOKEN_UNKNOWN_ISSUER), NOW), ASSAY_ISSUER_MISMATCH);
}

static void times(const assay_verifier *verifier) {
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
    CHECK_STRING(assay_result_payload(&text, &len, result), text, len, "any bytes at all");
    CHECK_STRING(assay_result_key_id(&text, &len, result), text, len, "key-1");
    CHECK_EQUAL(assay_result_subject(&text, &len, result), ASSAY_NO_CLAIMS);
    CHECK_EQUAL(assay_result_claim(&value, result, TEXT("sub")), ASSAY_NO_CLAIMS);
    CHECK_EQUAL(assay_verify_payload(result, verifier, TEXT(TOKEN_TAMPERED)), ASSAY_SIGNATURE_INVALID);
    CHECK_EQUAL(assay_verify(result, verifier, TEXT(TOKEN_PAYLOAD), NOW), ASSAY_INVALID_JSON);
}

/* The library and its header are of one version. */
static void version(void) {
    char text[32];
    snprintf(text, sizeof text, "%d.%d.%d", ASSAY_VERSION_MAJOR, ASSAY_VERSION_MINOR, ASSAY_VERSION_PATCH);
    CHECK(strcmp(assay_version(), text) == 0);
}

int main(void) {
    assay_verifier *verifier = new_verifier(JWKS);
    assay_result *result = new_result(ASSAY_RESULT_SIZE);
    version();
    states(verifier, result);
    expired(verifier, result);
    challenge(result);
    refusals(verifier, result);
    times(verifier);
    logins(verifier, result);
    payloads(verifier, result);
    assay_verifier_free(verifier);
    free(result);
    return report();
}
