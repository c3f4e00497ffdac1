#include "reply.h"

#include <stdio.h>

#include "metadata.h"
#include "stats.h"

int ae_refuse_request(
    void *filter, const ae_configuration *configuration, assay_code code, const assay_decision *decision, int64_t started) {
    const char *name = assay_code_name(code);
    char details[80], seconds[24];
    snprintf(details, sizeof details, "assay_%s", name);
    envoy_header fields[4] = {
        ae_header(LITERAL("x-assay-code"), ae_text(name)),
        ae_header(LITERAL("cache-control"), LITERAL("no-store")),
    };
    size_t count = 2;
    assay_text challenge;
    if (assay_decision_challenge(&challenge.bytes, &challenge.len, decision) == ASSAY_OK) {
        fields[count++] = ae_header(LITERAL("www-authenticate"), challenge);
    }
    int64_t retry_after = assay_decision_retry_after(decision);
    if (retry_after >= 0) {
        snprintf(seconds, sizeof seconds, "%lld", (long long)retry_after);
        fields[count++] = ae_header(LITERAL("retry-after"), ae_text(seconds));
    }
    uint32_t status = decision ? assay_decision_status(decision) : assay_code_http_status(code);
    ae_stats_count(filter, configuration, configuration->refused[code < AE_CODES ? code : 0], started);
    ae_metadata_set_code(filter, configuration, code);
    CALLBACK(http_send_response)(filter, status, fields, count, ae_envoy(ae_text(name)), ae_envoy(ae_text(details)));
    return ENVOY_STOP_ITERATION;
}
