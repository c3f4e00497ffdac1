#include "reply.h"

#include <stdio.h>
#include <string.h>

#include "metadata.h"
#include "stats.h"

typedef struct reply {
    envoy_header fields[4];
    size_t count;
} reply;

static void add(reply *reply, assay_text name, assay_text value) {
    if (value.len) {
        reply->fields[reply->count++] = (envoy_header){name.bytes, name.len, value.bytes, value.len};
    }
}

static int answer(void *filter, const ae_configuration *configuration, uint32_t code, assay_text challenge, assay_text retry) {
    reply reply = {.count = 0};
    const char *name = ae_code_name(code);
    char details[80];
    snprintf(details, sizeof details, "assay_%s", name);
    add(&reply, LITERAL("x-assay-code"), ae_text(name));
    add(&reply, LITERAL("cache-control"), LITERAL("no-store"));
    add(&reply, LITERAL("www-authenticate"), challenge);
    add(&reply, LITERAL("retry-after"), retry);
    ae_set_code(filter, configuration, code);
    CALLBACK(http_send_response)
    (filter, ae_code_status(code), reply.fields, reply.count, ae_envoy(ae_text(name)), ae_envoy(ae_text(details)));
    return ENVOY_STOP_ITERATION;
}

/* When the keys that are missing will be asked for next, from one second to a minute. */
static assay_text retry_after(char out[8], const ae_judgement *judgement) {
    if (judgement->refusal.code != ASSAY_KEYS_UNAVAILABLE || judgement->refusal.provider == AE_NO_PROVIDER) {
        return (assay_text){0};
    }
    int64_t due = assay_keys_next_due(judgement->configuration->providers[judgement->refusal.provider].keys) / 1000 + 1;
    snprintf(out, 8, "%d", (int)(due < 1 ? 1 : due > 60 ? 60 : due));
    return ae_text(out);
}

int ae_refuse_judged(void *filter, const ae_judgement *judgement, int64_t started) {
    ae_scratch *scratch = judgement->scratch;
    uint32_t code = judgement->refusal.code;
    size_t provider = judgement->refusal.provider, start = scratch->values.len;
    char retry[8];
    assay_text after = retry_after(retry, judgement);
    ae_challenge(&scratch->values, judgement->policy, code, provider == AE_NO_PROVIDER ? NULL : scratch->results[provider]);
    ae_stats_refused(filter, judgement->configuration, code, started);
    return answer(filter, judgement->configuration, code, (assay_text){scratch->values.bytes + start, scratch->values.len - start}, after);
}

int ae_refuse_request(void *filter, const ae_configuration *configuration, uint32_t code, int64_t started) {
    ae_stats_refused(filter, configuration, code, started);
    return answer(filter, configuration, code, (assay_text){0}, (assay_text){0});
}
