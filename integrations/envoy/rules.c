/* Reads what a provider's tokens must fulfil. */
#include <string.h>

#include "provider.h"

static const char *const KINDS[] = {"any", "access-token", "id-token", NULL};

static assay_policy *of_kind(const ae_settings *in, const char *issuer, const char *audience) {
    assay_policy *policy = NULL;
    assay_code code = ASSAY_OK;
    switch (ae_choice_setting(in, "tokens", KINDS)) {
    case 1: code = assay_policy_new_access_token(&policy, issuer, strlen(issuer), audience, strlen(audience)); break;
    case 2: code = assay_policy_new_id_token(&policy, issuer, strlen(issuer), audience, strlen(audience)); break;
    default:
        assay_policy_new(&policy);
        code = assay_policy_add(policy, ASSAY_RULE_ISSUER, issuer, strlen(issuer));
        if (audience[0]) {
            assay_policy_add(policy, ASSAY_RULE_AUDIENCE, audience, strlen(audience));
        }
    }
    if (code != ASSAY_OK) {
        ae_refuse(in, "issuer", "cannot be an issuer");
    }
    return policy;
}

static void add_texts(assay_policy *policy, const ae_settings *in, const char *name, uint32_t rule, size_t from) {
    size_t count = ae_count(in, name);
    for (size_t i = from; i < count && !ae_is_faulty(in); i++) {
        const char *text = ae_text_element(in, name, i);
        if (text && assay_policy_add(policy, rule, text, strlen(text)) != ASSAY_OK) {
            ae_refuse(in, name, "`%.64s` cannot be one", text);
        }
    }
}

/* Shared secrets do not belong into keys that are fetched or lie in a configuration. */
static void add_algorithms(assay_policy *policy, const ae_settings *in) {
    size_t count = ae_count(in, "algorithms");
    if (ae_has(in, "algorithms") && !count) {
        ae_refuse(in, "algorithms", "at least one algorithm is needed");
    }
    for (size_t i = 0; i < count && !ae_is_faulty(in); i++) {
        const char *name = ae_text_element(in, "algorithms", i);
        bool is_shared = name && strncmp(name, "HS", 2) == 0;
        if (name && (is_shared || assay_policy_add(policy, ASSAY_RULE_ALGORITHM, name, strlen(name)) != ASSAY_OK)) {
            ae_refuse(in, "algorithms", "`%.32s` is not an algorithm for public keys", name);
        }
    }
}

assay_policy *ae_provider_rules(const ae_settings *in, const char *issuer) {
    bool is_any = ae_flag_setting(in, "anyAudience", false), has_audiences = ae_count(in, "audiences") > 0;
    if (is_any == has_audiences) {
        ae_refuse(in, "audiences", is_any ? "is of no use with `anyAudience`"
                                          : "is missing; a token for another service would be accepted (`anyAudience`)");
    }
    const char *first = has_audiences ? ae_text_element(in, "audiences", 0) : NULL;
    if (ae_is_faulty(in)) {
        return NULL;
    }
    assay_policy *policy = of_kind(in, issuer, first ? first : "");
    add_texts(policy, in, "audiences", ASSAY_RULE_AUDIENCE, 1);
    add_texts(policy, in, "requiredClaims", ASSAY_RULE_REQUIRED_CLAIM, 0);
    add_algorithms(policy, in);
    assay_policy_set(policy, ASSAY_RULE_LEEWAY, ae_integer_setting(in, "leewaySeconds", 0, 600, 60));
    if (ae_has(in, "maximumAgeSeconds")) {
        assay_policy_set(policy, ASSAY_RULE_MAXIMUM_AGE, ae_integer_setting(in, "maximumAgeSeconds", 1, 315360000, 1));
    }
    return policy;
}
