#include "decision.h"

#include "change.h"
#include "metadata.h"
#include "reply.h"
#include "resource.h"
#include "stats.h"
#include "uses.h"

/* How many routes the claims of a token may lead to, one after the other. */
#define MOST_ROUTES 3

/* The name that the request's route gives its policy; empty without one. It ends when another route is chosen. */
static assay_text policy_of_route(void *envoy) {
    const char *name = CALLBACK(get_most_specific_route_config)(envoy);
    return name ? ae_text(name) : (assay_text){0};
}

/* Decides, perhaps again when a fetch has ended meanwhile. ASSAY_AWAITING_KEYS: the request waits. */
static assay_code judge(void *envoy, ae_filter *filter, assay_request *request, assay_decision *decision) {
    const ae_gateway *gateway = filter->configuration->gateway;
    int64_t most = filter->configuration->wait_milliseconds;
    ae_wait_outcome outcome = AE_ENDED;
    for (;;) {
        uint64_t ended = ae_waits_ended();
        request->may_wait = outcome == AE_ENDED && ae_wait_is_possible(&filter->wait, most);
        if (gateway->counts_uses) {
            ae_uses_describe(request, &filter->used);
        }
        assay_code code = assay_gateway_decide(decision, gateway->core, request, ASSAY_NOW);
        if (gateway->counts_uses) {
            ae_uses_keep(&filter->used, decision);
        }
        if (code != ASSAY_AWAITING_KEYS || !request->may_wait) {
            return code;
        }
        outcome = ae_wait_begin(&filter->wait, envoy, gateway, most, ended);
        if (outcome == AE_WAITS) {
            return code;
        }
    }
}

static bool clears_route(const ae_configuration *configuration, const assay_decision *decision) {
    assay_text name;
    for (size_t i = 0; assay_decision_provider(&name.bytes, &name.len, decision, i) == ASSAY_OK; i++) {
        const ae_provider *provider = ae_gateway_provider(configuration->gateway, name);
        if (provider && provider->clears_route) {
            return true;
        }
    }
    return false;
}

/* Lets Envoy choose the route again, by the fields that are set now. True if its policy is the one that has decided. */
static bool settles_route(void *envoy, const ae_configuration *configuration, const assay_decision *decision) {
    assay_text decided = {0};
    CALLBACK(http_clear_route_cache)(envoy);
    assay_text policy = policy_of_route(envoy);
    assay_decision_policy(&decided.bytes, &decided.len, decision);
    return ae_equal(policy.len ? policy : ae_text(configuration->policy), decided);
}

/* RFC 9449 section 8.2. */
static void keep_nonce(ae_filter *filter, const assay_decision *decision) {
    assay_text nonce;
    filter->nonce.len = 0;
    if (assay_decision_proof_nonce(&nonce.bytes, &nonce.len, decision) == ASSAY_OK) {
        ae_append_text(&filter->nonce, nonce);
    }
}

static int admit(void *envoy, ae_filter *filter, const assay_decision *decision) {
    const ae_configuration *configuration = filter->configuration;
    assay_code waived = assay_decision_waived(decision);
    assay_text provider;
    bool has_token = assay_decision_provider(&provider.bytes, &provider.len, decision, 0) == ASSAY_OK;
    ae_metadata_set(envoy, configuration, decision);
    if (configuration->gateway->counts_uses) {
        keep_nonce(filter, decision);
    }
    if (waived != ASSAY_OK) {
        ae_metadata_set_code(envoy, configuration, waived);
    }
    size_t id = waived != ASSAY_OK ? configuration->waived : has_token ? configuration->allowed : configuration->anonymous;
    ae_stats_count(envoy, configuration, id, filter->started);
    return ENVOY_CONTINUE;
}

/* ASSAY_INVALID_ARGUMENT: the upstream would get something else than libassay has decided. ASSAY_NO_POLICY: the claims lead to a route with
 * another policy. */
static assay_code carry_out(void *envoy, const ae_configuration *configuration, ae_memory *memory, const assay_request *request) {
    if (!ae_changes_plan(memory, request) || !ae_changes_identify(envoy, memory)) {
        return ASSAY_INVALID_ARGUMENT;
    }
    if (clears_route(configuration, memory->decision) && !settles_route(envoy, configuration, memory->decision)) {
        return ASSAY_NO_POLICY;
    }
    return ae_changes_withhold(envoy, memory) ? ASSAY_OK : ASSAY_INVALID_ARGUMENT;
}

int ae_decide(void *envoy, ae_filter *filter) {
    const ae_configuration *configuration = filter->configuration;
    ae_memory *memory = ae_memory_of_thread();
    assay_request request;
    assay_code code = ASSAY_NO_POLICY;
    for (size_t i = 0; i < MOST_ROUTES && code == ASSAY_NO_POLICY; i++) {
        if (!ae_request_read(&request, envoy, memory)) {
            return ae_refuse_request(envoy, configuration, ASSAY_INVALID_ARGUMENT, NULL, filter->started);
        }
        if (i == 0 && ae_resource_answer(envoy, configuration, &request)) {
            return ENVOY_STOP_ITERATION;
        }
        request.policy = policy_of_route(envoy);
        code = judge(envoy, filter, &request, memory->decision);
        if (code == ASSAY_AWAITING_KEYS && filter->wait.scheduler) {
            return ENVOY_STOP_ALL;
        }
        if (code != ASSAY_OK) {
            return ae_refuse_request(envoy, configuration, code, memory->decision, filter->started);
        }
        code = carry_out(envoy, configuration, memory, &request);
    }
    if (code == ASSAY_OK) {
        return admit(envoy, filter, memory->decision);
    }
    return ae_refuse_request(envoy, configuration, code, NULL, filter->started);
}
