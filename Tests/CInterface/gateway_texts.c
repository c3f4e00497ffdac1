/* Texts that a host shows beside a decision, tokens in its own context, and the state of its keys. */

#include "gateway.h"

#define WITH_CONTEXT "{\"providers\": [{\"name\": \"main\", \"issuer\": \"" ISSUER "\", \"anyAudience\": true, \"tokenFrom\": [{\"context\": " \
    "\"own\"}, {\"authorization\": \"Bearer\"}]}], \"policies\": [{\"name\": \"all\", \"requires\": \"main\"}], \"policy\": \"all\"}"

static assay_gateway *gateway;
static assay_decision *decision;
static char text[4096];

static int reason_begins(const char *words) {
    size_t len = assay_decision_reason(text, sizeof text, decision);
    return len == strlen(text) && strncmp(text, words, strlen(words)) == 0 && strstr(text, TOKEN) == NULL;
}

/* The code for a request with these entries of the gateway's context, and this token beside them. */
static assay_code decide_in(const char *name, const char *one, const char *other, const char *beside) {
    assay_field field, context[] = {{text_of(name), text_of(one)}, {text_of(name), text_of(other)}};
    assay_request request = request_with(&field, "/a", beside ? "Authorization" : NULL, beside);
    request.context = context;
    request.context_count = 2;
    return assay_gateway_decide(decision, gateway, &request, NOW);
}

static void reasons(void) {
    CHECK(reason_begins("no_decision: "));
    CHECK_EQUAL(decide(decision, gateway, "/a", NULL, NULL), ASSAY_MISSING_TOKEN);
    CHECK(reason_begins("missing_token: the request has no token"));
    CHECK_EQUAL(decide(decision, gateway, "/a", "Authorization", "Bearer " TOKEN_TAMPERED), ASSAY_SIGNATURE_INVALID);
    CHECK(reason_begins("signature_invalid"));
    CHECK_EQUAL(decide(decision, gateway, "/a", "Authorization", "Bearer " TOKEN), ASSAY_OK);
    CHECK(reason_begins("ok: the token is valid"));
    CHECK_EQUAL(assay_decision_reason(text, 3, decision), strlen("ok: the token is valid"));
    CHECK_EQUAL(text[0], 0);
    CHECK(assay_decision_reason(NULL, 0, NULL) > 0);
}

static void contexts(void) {
    CHECK_EQUAL(decide_in("own", TOKEN, "", NULL), ASSAY_OK);
    CHECK_EQUAL(decide_in("own", "", "", "Bearer " TOKEN), ASSAY_OK);
    CHECK_EQUAL(decide_in("own", "", "", NULL), ASSAY_MISSING_TOKEN);
    CHECK_EQUAL(decide_in("other", TOKEN, TOKEN, NULL), ASSAY_MISSING_TOKEN);
    CHECK_EQUAL(decide_in("own", TOKEN, TOKEN, NULL), ASSAY_SEVERAL_TOKENS);
    CHECK_EQUAL(decide_in("own", TOKEN, "", "Bearer " TOKEN), ASSAY_SEVERAL_TOKENS);
    CHECK_EQUAL(decide_in("own", "Bearer " TOKEN, "", NULL), ASSAY_INVALID_BASE64URL);
}

static const struct {
    const char *claim, *expected;
    uint32_t is_json;
} claims[] = {
    {"name", "J%C3%A9", 0}, {"/realm/roles/0", "a,b", 0}, {"/realm/roles", "a%2Cb,2", 0}, {"/realm/roles", "[\"a,b\",2]", 1},
    {"level", "2.0", 0}, {"realm", "{\"roles\":[\"a,b\",2]}", 0}, {"none", "", 0}, {"/realm/2", "", 0}, {"/~", "", 0}, {"", "", 0},
};

static void claim_texts(void) {
    const char *payload = "{\"name\": \"J\xc3\xa9\", \"level\": 2.0, \"realm\": {\"roles\": [\"a,b\", 2]}}";
    for (size_t i = 0; i < sizeof claims / sizeof *claims; i++) {
        size_t len = assay_claim_text(text, sizeof text, payload, strlen(payload), claims[i].claim, strlen(claims[i].claim), claims[i].is_json);
        CHECK(len == strlen(claims[i].expected) && strcmp(text, claims[i].expected) == 0);
    }
    CHECK_EQUAL(assay_claim_text(text, sizeof text, TEXT("{\"a\": 1, \"a\": 2}"), TEXT("a"), 0), 0);
    CHECK_EQUAL(assay_claim_text(text, sizeof text, TEXT("{"), TEXT("a"), 0), 0);
    CHECK_EQUAL(assay_claim_text(text, sizeof text, NULL, 1, TEXT("a"), 0), 0);
    CHECK_EQUAL(assay_claim_text(NULL, 0, TEXT("{\"a\": 12}"), TEXT("a"), 0), 2);
}

static void targets(void) {
    static const char *plain[] = {"/", "/a/b?c=d", "/a%20b", "/%C3%A4"};
    static const char *others[] = {"", "a", "*", "/a//b", "/a/../b", "/%2e%2e/a", "/a%2fb", "/a;b", "/%ff", "/a?b c", "/a#b", "/%252e"};
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++) {
        CHECK_EQUAL(assay_target_is_plain(plain[i], strlen(plain[i])), 1);
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        CHECK_EQUAL(assay_target_is_plain(others[i], strlen(others[i])), 0);
    }
    CHECK_EQUAL(assay_target_is_plain(NULL, 1), 0);
}

static void states(void) {
    assay_keys_state state = {.size = sizeof state};
    CHECK_EQUAL(assay_gateway_keys_status(&state, gateway, TEXT(ISSUER)), ASSAY_OK);
    CHECK(state.health == ASSAY_HEALTH_UNAVAILABLE && state.is_fetching == 1 && state.key_count == 0 && state.age == -1);
    supply_keys(gateway, JWKS);
    CHECK_EQUAL(assay_gateway_keys_status(&state, gateway, TEXT(ISSUER)), ASSAY_OK);
    CHECK(state.health == ASSAY_HEALTH_FRESH && state.key_count > 0 && state.used_for > 0 && state.last_failure == NULL);
    CHECK_EQUAL(assay_gateway_keys_status(&state, gateway, TEXT("https://other.example")), ASSAY_NO_VALUE);
    CHECK_EQUAL(assay_gateway_keys_status(NULL, gateway, TEXT(ISSUER)), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_gateway_keys_status(&state, NULL, TEXT(ISSUER)), ASSAY_INVALID_ARGUMENT);
}

int main(void) {
    gateway = new_gateway(WITH_CONTEXT);
    CHECK_EQUAL(assay_decision_new(&decision), ASSAY_OK);
    states();
    reasons();
    contexts();
    claim_texts();
    targets();
    assay_decision_free(decision);
    assay_gateway_free(gateway);
    return report();
}
