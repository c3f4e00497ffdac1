#include "reply.h"

#include <stdio.h>

#include "metadata.h"
#include "stats.h"

typedef struct reply {
    assay_code code;
    uint32_t status;
    assay_text challenge, retry_after; /* empty for none */
} reply;

static void add(envoy_header *fields, size_t *count, assay_text name, assay_text value) {
    if (value.len) {
        fields[(*count)++] = (envoy_header){name.bytes, name.len, value.bytes, value.len};
    }
}

static int answer(void *filter, const ae_configuration *configuration, const reply *reply, int64_t started) {
    envoy_header fields[4];
    size_t count = 0;
    const char *name = assay_code_name(reply->code);
    char details[80];
    snprintf(details, sizeof details, "assay_%s", name);
    add(fields, &count, LITERAL("x-assay-code"), ae_text(name));
    add(fields, &count, LITERAL("cache-control"), LITERAL("no-store"));
    add(fields, &count, LITERAL("www-authenticate"), reply->challenge);
    add(fields, &count, LITERAL("retry-after"), reply->retry_after);
    ae_stats_refused(filter, configuration, reply->code, started);
    ae_metadata_set_code(filter, configuration, reply->code);
    CALLBACK(http_send_response)(filter, reply->status, fields, count, ae_envoy(ae_text(name)), ae_envoy(ae_text(details)));
    return ENVOY_STOP_ITERATION;
}

int ae_refuse_decided(void *filter, const ae_configuration *configuration, const assay_decision *decision, int64_t started) {
    reply reply = {.code = assay_decision_code(decision), .status = assay_decision_status(decision)};
    char seconds[24];
    int64_t retry_after = assay_decision_retry_after(decision);
    if (retry_after >= 0) {
        reply.retry_after = (assay_text){seconds, (size_t)snprintf(seconds, sizeof seconds, "%lld", (long long)retry_after)};
    }
    assay_decision_challenge(&reply.challenge.bytes, &reply.challenge.len, decision);
    return answer(filter, configuration, &reply, started);
}

int ae_refuse_request(void *filter, const ae_configuration *configuration, assay_code code, int64_t started) {
    reply reply = {.code = code, .status = assay_code_http_status(code)};
    return answer(filter, configuration, &reply, started);
}
