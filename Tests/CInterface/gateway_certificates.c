/* Tokens that are bound to the certificate of their client (RFC 8705), as a host knows it. */

#include "certificates.h"
#include "gateway.h"

#define BOUND(value) \
    "{\"providers\": [{\"name\": \"main\", \"issuer\": \"" ISSUER "\", \"audiences\": [\"client-1\"], \"certificateBound\": \"" value "\"}]," \
    " \"policies\": [{\"name\": \"main\", \"requires\": \"main\"}], \"policy\": \"main\"}"
#define BYTES(literal) ((assay_text){literal, sizeof(literal) - 1})

static assay_gateway *gateway;
static assay_decision *decision;

static assay_code code_of(const char *authorization, assay_text certificate, assay_text digest) {
    assay_field field;
    assay_request request = request_with(&field, "/", "authorization", authorization);
    request.certificate = certificate;
    request.certificate_digest = digest;
    return assay_gateway_decide(decision, gateway, &request, NOW);
}

static const assay_text none = {NULL, 0};

static void bound(void) {
    const char *token = "Bearer " TOKEN_OF_CERTIFICATE;
    CHECK_EQUAL(code_of(token, BYTES(CERTIFICATE), none), ASSAY_OK);
    CHECK_EQUAL(code_of(token, none, text_of(CERTIFICATE_DIGEST)), ASSAY_OK);
    CHECK_EQUAL(code_of(token, BYTES(CERTIFICATE_OTHER), none), ASSAY_CERTIFICATE_MISMATCH);
    CHECK_EQUAL(assay_decision_status(decision), 401);
    CHECK_EQUAL(code_of(token, none, none), ASSAY_MISSING_CERTIFICATE);
    CHECK_EQUAL(code_of(token, BYTES(CERTIFICATE "\0"), none), ASSAY_MALFORMED_CERTIFICATE);
    CHECK_EQUAL(code_of(token, text_of(CERTIFICATE_DIGEST), none), ASSAY_MALFORMED_CERTIFICATE);
    CHECK_EQUAL(code_of(token, none, text_of("00" CERTIFICATE_DIGEST)), ASSAY_MALFORMED_CERTIFICATE);
    CHECK_EQUAL(code_of(token, BYTES(CERTIFICATE), text_of(CERTIFICATE_DIGEST)), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(code_of(token, (assay_text){NULL, 1}, none), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(code_of(token, none, (assay_text){NULL, 1}), ASSAY_INVALID_ARGUMENT);
}

/* A caller that was compiled before the certificate came has none. Its bytes are not read. */
static void older(void) {
    const size_t sizes[] = {offsetof(assay_request, scheme), offsetof(assay_request, certificate)};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        assay_field field;
        assay_request request = request_with(&field, "/", "authorization", "Bearer " TOKEN_OF_CERTIFICATE);
        request.certificate = BYTES(CERTIFICATE);
        request.certificate_digest = (assay_text){NULL, 1};
        request.size = sizes[i];
        CHECK_EQUAL(assay_gateway_decide(decision, gateway, &request, NOW), ASSAY_MISSING_CERTIFICATE);
    }
}

/* A field of the client is none. */
static void fields(void) {
    assay_field field[2];
    assay_request request = request_with(field, "/", "authorization", "Bearer " TOKEN_OF_CERTIFICATE);
    field[1] = (assay_field){text_of("x-client-cert"), text_of(CERTIFICATE_DIGEST)};
    request.field_count = 2;
    CHECK_EQUAL(assay_gateway_decide(decision, gateway, &request, NOW), ASSAY_MISSING_CERTIFICATE);
}

int main(void) {
    gateway = new_gateway(BOUND("required"));
    CHECK_EQUAL(assay_decision_new(&decision), ASSAY_OK);
    supply_keys(gateway, JWKS);
    bound();
    older();
    fields();
    CHECK_EQUAL(code_of("Bearer " TOKEN, BYTES(CERTIFICATE), none), ASSAY_NOT_CERTIFICATE_BOUND);
    CHECK_EQUAL(assay_gateway_replace(gateway, TEXT(BOUND("optional"))), ASSAY_OK);
    CHECK_EQUAL(code_of("Bearer " TOKEN, none, none), ASSAY_OK);
    bound();
    assay_decision_free(decision);
    assay_gateway_free(gateway);
    return report();
}
