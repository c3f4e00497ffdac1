/* Where a policy sends browsers in place of a 401. */

#include "gateway.h"

#define BROWSERS \
    "{\"providers\": [" PROVIDER "], \"policies\": [{\"name\": \"pages\", \"requires\": \"main\", \"realm\": \"shop\"," \
    " \"scopes\": [\"orders\"], \"browsers\": {\"redirect\": \"https://login.example/start?return={url}\"}}], \"policy\": \"pages\"}"
#define START "https://login.example/start?return="

static assay_gateway *gateway;
static assay_decision *decision;

static int has_location(const char *expected) {
    const char *bytes = NULL;
    size_t len = 0;
    assay_code code = assay_decision_location(&bytes, &len, decision);
    return expected == NULL ? code == ASSAY_NO_VALUE : code == ASSAY_OK && is_text(bytes, len, expected);
}

static assay_code decide_by(const char *scheme, const char *target, const char *name, const char *value) {
    assay_field field;
    assay_request request = request_with(&field, target, name, value);
    request.scheme = text_of(scheme);
    return assay_gateway_decide(decision, gateway, &request, NOW);
}

/* The decision is a refusal as before: a host that does not know of redirects answers with its status and its challenge. */
static void redirects(void) {
    const char *challenge = NULL;
    size_t len = 0;
    CHECK_EQUAL(decide_by("http", "/a?b=\"&c", "Sec-Fetch-Mode", "navigate"), ASSAY_MISSING_TOKEN);
    CHECK(has_location(START "http%3A%2F%2Fapi.example%2Fa%3Fb%3D%22%26c"));
    CHECK_EQUAL(assay_decision_status(decision), 401);
    CHECK_EQUAL(assay_decision_challenge(&challenge, &len, decision), ASSAY_OK);
    CHECK(is_text(challenge, len, "Bearer realm=\"shop\", scope=\"orders\""));
    CHECK_EQUAL(decide_by("", "/a", "Accept", "text/html"), ASSAY_MISSING_TOKEN);
    CHECK(has_location(START "https%3A%2F%2Fapi.example%2Fa"));
    CHECK_EQUAL(decide_by("", "/a?x=1&access_token=" TOKEN_TAMPERED, "Accept", "text/html"), ASSAY_SIGNATURE_INVALID);
    CHECK(has_location(START "https%3A%2F%2Fapi.example%2Fa"));
}

static void others(void) {
    CHECK(has_location(NULL));
    CHECK_EQUAL(decide_by("", "/a", "Accept", "*/*"), ASSAY_MISSING_TOKEN);
    CHECK(has_location(NULL));
    CHECK_EQUAL(decide_by("", "/a", "Cookie", "session=" TOKEN), ASSAY_OK);
    CHECK(has_location(NULL));
    CHECK_EQUAL(decide_by("", "/a", "Cookie", "session=a; session=b"), ASSAY_SEVERAL_TOKENS);
    CHECK(has_location(NULL));
    const char *bytes = NULL;
    size_t len = 0;
    CHECK_EQUAL(assay_decision_location(NULL, &len, decision), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_decision_location(&bytes, NULL, decision), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_decision_location(&bytes, &len, NULL), ASSAY_INVALID_ARGUMENT);
}

static void explanations(void) {
    char text[512];
    assay_field field;
    assay_request request = request_with(&field, "/secret", "Sec-Fetch-Mode", "navigate");
    assay_gateway_explain(text, sizeof text, gateway, &request, NOW);
    CHECK(strstr(text, "denied 302 missing_token policy=\"pages\" location=\"" START "{url}\"") != NULL);
    CHECK(strstr(text, "secret") == NULL);
}

int main(void) {
    gateway = new_gateway(BROWSERS);
    CHECK_EQUAL(assay_decision_new(&decision), ASSAY_OK);
    supply_keys(gateway, JWKS);
    others();
    redirects();
    explanations();
    assay_decision_free(decision);
    assay_gateway_free(gateway);
    return report();
}
