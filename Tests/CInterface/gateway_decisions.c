/* Decisions about requests, with the operations on them. */

#include "gateway.h"

static assay_gateway *gateway;
static assay_decision *decision;

typedef assay_code reader(const char **, size_t *, const assay_decision *);

static int has_text(reader *read, const char *expected) {
    const char *bytes = NULL;
    size_t len = 0;
    return read(&bytes, &len, decision) == ASSAY_OK && is_text(bytes, len, expected);
}

static assay_code first_provider(const char **out, size_t *out_len, const assay_decision *decided) {
    return assay_decision_provider(out, out_len, decided, 0);
}

static int has_none(reader *read) {
    const char *bytes = NULL;
    size_t len = 0;
    return read(&bytes, &len, decision) == ASSAY_NO_VALUE;
}

static void before(void) {
    assay_operation operation;
    CHECK_EQUAL(assay_decision_code(decision), ASSAY_NO_DECISION);
    CHECK_EQUAL(assay_decision_status(decision), 500);
    CHECK_EQUAL(assay_decision_waived(decision), ASSAY_OK);
    CHECK_EQUAL(assay_decision_retry_after(decision), -1);
    CHECK_EQUAL(assay_decision_operation(&operation, decision, 0), ASSAY_NO_VALUE);
    CHECK(has_none(assay_decision_policy) && has_none(first_provider) && has_none(assay_decision_challenge));
}

/* Without keys: 503 with a time, or a promise to decide again, which is not counted. */
static void waiting(void) {
    assay_field field;
    assay_request request = request_with(&field, "/orders", "authorization", "Bearer " TOKEN);
    CHECK_EQUAL(assay_gateway_is_ready(gateway), 0);
    CHECK_EQUAL(assay_gateway_decide(decision, gateway, &request, NOW), ASSAY_KEYS_UNAVAILABLE);
    CHECK_EQUAL(assay_decision_status(decision), 503);
    CHECK(assay_decision_retry_after(decision) >= 1);
    request.may_wait = 1;
    CHECK_EQUAL(assay_gateway_decide(decision, gateway, &request, NOW), ASSAY_AWAITING_KEYS);
    CHECK_EQUAL(assay_decision_code(decision), ASSAY_AWAITING_KEYS);
    CHECK_EQUAL(assay_decision_status(decision), 503);
    supply_keys(gateway, JWKS);
    CHECK_EQUAL(assay_gateway_is_ready(gateway), 1);
    CHECK_EQUAL(assay_gateway_decide(decision, gateway, &request, NOW), ASSAY_OK);
}

static void admissions(void) {
    CHECK_EQUAL(decide(decision, gateway, "/orders", "Authorization", "Bearer " TOKEN), ASSAY_OK);
    CHECK_EQUAL(assay_decision_status(decision), 200);
    CHECK(has_text(assay_decision_policy, "orders") && has_text(first_provider, "main") && has_none(assay_decision_challenge));
    CHECK(is_operation(decision, 0, ASSAY_SET_FIELD, "x-user", "user-1"));
    CHECK(is_operation(decision, 1, ASSAY_SET_FIELD, "x-mail", "a@b.example"));
    CHECK(!is_operation(decision, 2, ASSAY_SET_FIELD, "", ""));
    /* An open route: the fields are there, and empty. */
    CHECK_EQUAL(decide(decision, gateway, "/open", "X-User", "root"), ASSAY_OK);
    CHECK(is_operation(decision, 0, ASSAY_SET_FIELD, "x-user", "") && is_operation(decision, 1, ASSAY_SET_FIELD, "x-mail", ""));
    CHECK(has_text(assay_decision_policy, "open") && has_none(first_provider));
    /* Dry run: admitted without identity, and the token goes on as it would without the policy. */
    CHECK_EQUAL(decide(decision, gateway, "/trial", "Authorization", "Bearer " TOKEN), ASSAY_OK);
    CHECK_EQUAL(assay_decision_waived(decision), ASSAY_INSUFFICIENT_SCOPE);
    CHECK(is_operation(decision, 0, ASSAY_SET_FIELD, "x-user", ""));
}

static const struct {
    const char *target, *name, *value;
    assay_code code;
    uint32_t status;
} refusals[] = {
    {"/orders", NULL, NULL, ASSAY_MISSING_TOKEN, 401},
    {"/orders", "Authorization", "Bearer " TOKEN_TAMPERED, ASSAY_SIGNATURE_INVALID, 401},
    {"/orders", "Authorization", "Bearer " TOKEN_UNKNOWN_ISSUER, ASSAY_ISSUER_MISMATCH, 401},
    {"/orders", "Cookie", "session=" TOKEN "; session=x", ASSAY_SEVERAL_TOKENS, 400},
    {"/admins", "Authorization", "Bearer " TOKEN, ASSAY_CLAIM_MISMATCH, 403},
    {"/nowhere", NULL, NULL, ASSAY_NO_ROUTE, 403},
    {"/orders/../open", NULL, NULL, ASSAY_AMBIGUOUS_PATH, 400},
    {"/open", "X_User", "root", ASSAY_AMBIGUOUS_FIELD, 400},
    {"/open", "Connection", "x-user", ASSAY_AMBIGUOUS_FIELD, 400},
};

static void refused(void) {
    assay_operation operation;
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++) {
        CHECK_EQUAL(decide(decision, gateway, refusals[i].target, refusals[i].name, refusals[i].value), refusals[i].code);
        CHECK_EQUAL(assay_decision_code(decision), refusals[i].code);
        CHECK_EQUAL(assay_decision_status(decision), refusals[i].status);
        CHECK_EQUAL(assay_code_http_status(refusals[i].code), refusals[i].status);
        CHECK_EQUAL(assay_decision_operation(&operation, decision, 0), ASSAY_NO_VALUE);
    }
    CHECK_EQUAL(decide(decision, gateway, "/orders", NULL, NULL), ASSAY_MISSING_TOKEN);
    CHECK(has_text(assay_decision_challenge, "Bearer scope=\"orders\""));
}

/* A token in a cookie or in the query counts as well. */
static void places(void) {
    CHECK_EQUAL(decide(decision, gateway, "/orders", "Cookie", "a=1; session=" TOKEN), ASSAY_OK);
    CHECK_EQUAL(decide(decision, gateway, "/orders?access_token=" TOKEN, NULL, NULL), ASSAY_OK);
    CHECK_EQUAL(decide(decision, gateway, "/orders?access_token=" TOKEN, "Authorization", "Bearer " TOKEN), ASSAY_SEVERAL_TOKENS);
}

/* The upstream gets a target without the token. What else is in the query keeps its order and its encoding. */
static void targets(void) {
    const struct { const char *sent, *expected; } rows[] = {
        {"/orders?access_token=" TOKEN, "/orders"}, {"/orders?a=1&access_token=" TOKEN "&b=%20", "/orders?a=1&b=%20"},
        {"/orders?%61ccess_token=" TOKEN "&&a", "/orders?&a"}, {"/orders?&access_token=" TOKEN, "/orders?"},
    };
    /* The settings of the other checks forward tokens. */
    const char *settings = "{\"providers\": [{\"name\": \"main\", \"issuer\": \"" ISSUER "\", \"anyAudience\": true, \"forwardToken\": false,"
                           " \"tokenFrom\": [{\"authorization\": \"Bearer\"}, {\"query\": \"access_token\"}]}],"
                           " \"policies\": [{\"name\": \"p\", \"requires\": \"main\"}], \"policy\": \"p\"}";
    CHECK_EQUAL(assay_gateway_replace(gateway, settings, strlen(settings)), ASSAY_OK);
    assay_operation operation = {0};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        size_t last = 0;
        CHECK_EQUAL(decide(decision, gateway, rows[i].sent, NULL, NULL), ASSAY_OK);
        while (assay_decision_operation(&operation, decision, last) == ASSAY_OK) { last++; }
        CHECK(last > 0 && is_operation(decision, last - 1, ASSAY_SET_TARGET, "", rows[i].expected));
    }
    CHECK_EQUAL(decide(decision, gateway, "/orders?a", "Authorization", "Bearer " TOKEN), ASSAY_OK);
    for (size_t i = 0; assay_decision_operation(&operation, decision, i) == ASSAY_OK; i++) { CHECK(operation.kind != ASSAY_SET_TARGET); }
    CHECK_EQUAL(assay_gateway_replace(gateway, TEXT(SETTINGS)), ASSAY_OK);
}

/* A host that cannot say what it asks for gets no admission, and nothing of the request before. */
static void mistakes(void) {
    assay_field field, impossible = {{NULL, 3}, {"x", 1}};
    assay_request request = request_with(&field, "/open", "a", "b");
    CHECK_EQUAL(assay_gateway_decide(decision, gateway, &request, NOW), ASSAY_OK);
    CHECK_EQUAL(assay_gateway_decide(NULL, gateway, &request, NOW), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_gateway_decide(decision, NULL, &request, NOW), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_decision_code(decision), ASSAY_NO_DECISION);
    CHECK_EQUAL(assay_gateway_decide(decision, gateway, NULL, NOW), ASSAY_INVALID_ARGUMENT);
    request.size--;
    CHECK_EQUAL(assay_gateway_decide(decision, gateway, &request, NOW), ASSAY_INVALID_ARGUMENT);
    /* A caller that was compiled before `scheme` came has none. Its bytes are not read. */
    request.scheme = (assay_text){NULL, 1};
    request.size = offsetof(assay_request, scheme);
    CHECK_EQUAL(assay_gateway_decide(decision, gateway, &request, NOW), ASSAY_OK);
    request.size = sizeof request;
    CHECK_EQUAL(assay_gateway_decide(decision, gateway, &request, NOW), ASSAY_INVALID_ARGUMENT);
    request.scheme = (assay_text){NULL, 0};
    request.fields = &impossible;
    CHECK_EQUAL(assay_gateway_decide(decision, gateway, &request, NOW), ASSAY_INVALID_ARGUMENT);
    request.fields = NULL;
    CHECK_EQUAL(assay_gateway_decide(decision, gateway, &request, NOW), ASSAY_INVALID_ARGUMENT);
    request.fields = &field;
    request.field_count = 1025;
    CHECK_EQUAL(assay_gateway_decide(decision, gateway, &request, NOW), ASSAY_INVALID_ARGUMENT);
    request.field_count = 1;
    request.may_wait = 2;
    CHECK_EQUAL(assay_gateway_decide(decision, gateway, &request, NOW), ASSAY_INVALID_ARGUMENT);
    request.may_wait = 0;
    /* These settings have routes, so the host may name no policy. */
    request.policy = text_of("open");
    CHECK_EQUAL(assay_gateway_decide(decision, gateway, &request, NOW), ASSAY_NO_POLICY);
    request.policy = (assay_text){NULL, 1};
    CHECK_EQUAL(assay_gateway_decide(decision, gateway, &request, NOW), ASSAY_INVALID_ARGUMENT);
    request.policy = (assay_text){NULL, 0};
    request.method = (assay_text){NULL, 0};
    CHECK_EQUAL(assay_gateway_decide(decision, gateway, &request, NOW), ASSAY_MALFORMED_REQUEST);
}

int main(void) {
    gateway = new_gateway(SETTINGS);
    CHECK_EQUAL(assay_decision_new(&decision), ASSAY_OK);
    before();
    waiting();
    admissions();
    refused();
    places();
    targets();
    mistakes();
    assay_decision_free(decision);
    assay_gateway_free(gateway);
    CHECK_EQUAL(releases, 1);
    return report();
}
