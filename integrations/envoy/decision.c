#include "decision.h"

#include "metadata.h"
#include "reply.h"
#include "stats.h"
#include "upstream.h"

/* How many routes the claims of a token may lead to, one after the other. */
#define MOST_ROUTES 3

/* The policy of the request's route; NULL if the route names one that the filter does not have. */
static const ae_policy *policy_of_route(void *envoy, const ae_configuration *configuration) {
    const ae_route_policy *route = CALLBACK(get_most_specific_route_config)(envoy);
    return route ? ae_configuration_policy(configuration, ae_text(route->name)) : configuration->policy;
}

/* A browser asks without a token whether it may ask (Fetch standard, section 4.8). */
static bool is_preflight(const ae_request *request) {
    bool has_origin = false, has_method = false;
    for (size_t i = 0; i < request->count && ae_equal(request->method, LITERAL("OPTIONS")); i++) {
        has_origin |= ae_equal(ae_name(&request->headers[i]), LITERAL("origin"));
        has_method |= ae_equal(ae_name(&request->headers[i]), LITERAL("access-control-request-method"));
    }
    return has_origin && has_method;
}

/* ASSAY_OK, or why the request is refused whatever its policy is. */
static uint32_t refused_form(const ae_configuration *configuration, const ae_request *request, ae_scratch *scratch) {
    if (ae_has_ambiguous_field(configuration, request)) {
        return AE_AMBIGUOUS_FIELD;
    }
    bool has_one = ae_path_has_one_reading(request->path, request->method, &configuration->paths, &scratch->values);
    return has_one ? ASSAY_OK : AE_AMBIGUOUS_PATH;
}

static uint64_t kept_tokens(const ae_judgement *judgement, uint64_t providers) {
    uint64_t kept = 0;
    for (uint64_t rest = providers; rest; rest &= rest - 1) {
        kept |= judgement->configuration->providers[__builtin_ctzll(rest)].forwards_token ? 0 : rest & -rest;
    }
    return kept;
}

static bool clears_route(const ae_judgement *judgement) {
    bool clears = false;
    for (uint64_t rest = judgement->accepted; rest; rest &= rest - 1) {
        clears |= judgement->configuration->providers[__builtin_ctzll(rest)].clears_route;
    }
    return clears;
}

static void admit(void *envoy, ae_judgement *judgement, const ae_request *request, int64_t started) {
    const ae_configuration *configuration = judgement->configuration;
    size_t id = judgement->accepted ? configuration->allowed : configuration->anonymous;
    uint64_t withheld = judgement->waived | kept_tokens(judgement, judgement->accepted);
    if (!judgement->holds) {
        /* A dry run: the request arrives as it would without this policy, but without identity. */
        withheld = kept_tokens(judgement, judgement->policy->providers);
        judgement->waived = judgement->policy->providers;
        judgement->waived_refusal = judgement->refusal;
        judgement->accepted = 0;
    }
    ae_change_request(envoy, judgement, request, withheld);
    ae_set_metadata(envoy, judgement);
    ae_stats_allowed(envoy, configuration, judgement->waived ? configuration->waived : id, started);
}

/* Lets Envoy choose the route again, by the fields that the claims have set. True if the policy is still the same. */
static bool settles_route(void *envoy, ae_judgement *judgement, ae_request *request) {
    ae_change_request(envoy, judgement, request, 0);
    CALLBACK(http_clear_route_cache)(envoy);
    ae_scratch *scratch = judgement->scratch;
    return policy_of_route(envoy, judgement->configuration) == judgement->policy
        && ae_request_read(request, envoy, &scratch->headers, &scratch->decoded);
}

/* Waits for keys that are being fetched: of the provider that decides, once for each. */
static ae_wait_outcome wait_for_keys(void *envoy, ae_filter *filter, const ae_judgement *judgement) {
    size_t provider = judgement->refusal.provider;
    if (judgement->refusal.code != ASSAY_KEYS_UNAVAILABLE || provider == AE_NO_PROVIDER || filter->awaited >> provider & 1) {
        return AE_NO_WAIT;
    }
    const ae_source *source = filter->configuration->providers[provider].source;
    filter->awaited |= 1ull << provider;
    return source ? ae_wait_begin(&filter->wait, envoy, source, filter->configuration->wait_milliseconds) : AE_NO_WAIT;
}

/* Judges a request; true if it waits for keys. Where the fetch has ended between the verdict and the wait, its keys are there, and the
 * request is judged again: at most once for each provider. */
static bool judge_or_wait(void *envoy, ae_filter *filter, ae_judgement *out, const ae_policy *policy, const ae_request *request,
                          ae_scratch *scratch) {
    ae_wait_outcome outcome = AE_NO_FETCH;
    while (outcome == AE_NO_FETCH) {
        ae_judge(out, filter->configuration, policy, request, scratch);
        outcome = out->holds ? AE_NO_WAIT : wait_for_keys(envoy, filter, out);
    }
    return outcome == AE_WAITS;
}

int ae_decide(void *envoy, ae_filter *filter) {
    const ae_configuration *configuration = filter->configuration;
    ae_scratch *scratch = ae_scratch_of_thread();
    ae_request request;
    ae_judgement judgement;
    for (size_t i = 0; i < MOST_ROUTES; i++) {
        const ae_policy *policy = policy_of_route(envoy, configuration);
        bool is_read = ae_request_read(&request, envoy, &scratch->headers, &scratch->decoded);
        uint32_t code = policy && is_read ? refused_form(configuration, &request, scratch) : AE_NO_POLICY;
        if (code != ASSAY_OK) {
            return ae_refuse_request(envoy, configuration, code, filter->started);
        }
        if (configuration->allows_preflight && is_preflight(&request)) {
            ae_clear_identity(envoy, configuration, &request);
            ae_stats_allowed(envoy, configuration, configuration->anonymous, filter->started);
            return ENVOY_CONTINUE;
        }
        if (judge_or_wait(envoy, filter, &judgement, policy, &request, scratch)) {
            return ENVOY_STOP_ALL;
        }
        if (!judgement.holds && !policy->is_dry_run) {
            return ae_refuse_judged(envoy, &judgement, filter->started);
        }
        if (!clears_route(&judgement) || settles_route(envoy, &judgement, &request)) {
            admit(envoy, &judgement, &request, filter->started);
            return ENVOY_CONTINUE;
        }
    }
    return ae_refuse_request(envoy, configuration, AE_NO_POLICY, filter->started);
}
