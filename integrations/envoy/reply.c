#include "reply.h"

#include <stdio.h>

#include "metadata.h"
#include "stats.h"

/* Adds what the answer says about the token: where a browser finds another one, or the challenge. The status of the answer. */
static uint32_t add_remedy(envoy_header *fields, size_t *count, assay_code code, const assay_decision *decision) {
    assay_text text;
    if (assay_decision_location(&text.bytes, &text.len, decision) == ASSAY_OK) {
        fields[(*count)++] = ae_header(LITERAL("location"), text);
        fields[(*count)++] = ae_header(LITERAL("vary"), LITERAL("Accept, Sec-Fetch-Mode"));
        return 302;
    }
    if (assay_decision_challenge(&text.bytes, &text.len, decision) == ASSAY_OK) {
        fields[(*count)++] = ae_header(LITERAL("www-authenticate"), text);
    }
    if (assay_decision_proof_nonce(&text.bytes, &text.len, decision) == ASSAY_OK) {
        fields[(*count)++] = ae_header(LITERAL("dpop-nonce"), text);
    }
    return decision ? assay_decision_status(decision) : assay_code_http_status(code);
}

int ae_refuse_request(
    void *filter, const ae_configuration *configuration, assay_code code, const assay_decision *decision, int64_t started) {
    const char *name = assay_code_name(code);
    char details[80], seconds[24];
    snprintf(details, sizeof details, "assay_%s", name);
    envoy_header fields[6] = {
        ae_header(LITERAL("x-assay-code"), ae_text(name)),
        ae_header(LITERAL("cache-control"), LITERAL("no-store")),
    };
    size_t count = 2;
    uint32_t status = add_remedy(fields, &count, code, decision);
    int64_t retry_after = assay_decision_retry_after(decision);
    if (retry_after >= 0) {
        snprintf(seconds, sizeof seconds, "%lld", (long long)retry_after);
        fields[count++] = ae_header(LITERAL("retry-after"), ae_text(seconds));
    }
    ae_stats_count(filter, configuration, configuration->refused[code < AE_CODES ? code : 0], started);
    ae_metadata_set_code(filter, configuration, code);
    CALLBACK(http_send_response)(filter, status, fields, count, ae_envoy(ae_text(name)), ae_envoy(ae_text(details)));
    return ENVOY_STOP_ITERATION;
}
