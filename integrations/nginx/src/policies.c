/* policies.c: trusts and policies, made from settings. Locations that inherit the same settings share one, and with it its cache of tokens. */

#include "assay_module.h"

static void ngx_http_assay_free_policy(void *policy)
{
    assay_policy_free(policy);
}

/* Adds each word of a list to a rule. */
static assay_code ngx_http_assay_add_words(assay_policy *policy, uint32_t rule, ngx_array_t *words)
{
    assay_code code = ASSAY_OK;
    ngx_str_t *word = words == NULL ? NULL : words->elts;
    for (ngx_uint_t i = 0; words != NULL && i < words->nelts && code == ASSAY_OK; i++) {
        code = assay_policy_add(policy, rule, (const char *) word[i].data, word[i].len);
    }
    return code;
}

/* The presets name one audience; the others of the list follow. */
static assay_code ngx_http_assay_preset(assay_policy **out, const ngx_http_assay_trust_settings_t *settings)
{
    const char *issuer = (const char *) settings->issuer.data;
    if (settings->tokens == ASSAY_TOKENS_ANY) {
        assay_code code = assay_policy_new(out);
        return code == ASSAY_OK ? assay_policy_add(*out, ASSAY_RULE_ISSUER, issuer, settings->issuer.len) : code;
    }
    ngx_str_t *audience = settings->audiences->elts;
    if (settings->tokens == ASSAY_TOKENS_ACCESS) {
        return assay_policy_new_access_token(out, issuer, settings->issuer.len, (const char *) audience->data, audience->len);
    }
    return assay_policy_new_id_token(out, issuer, settings->issuer.len, (const char *) audience->data, audience->len);
}

static assay_code ngx_http_assay_fill(assay_policy *policy, const ngx_http_assay_trust_settings_t *settings)
{
    assay_code code = ngx_http_assay_add_words(policy, ASSAY_RULE_AUDIENCE, settings->audiences);
    if (code == ASSAY_OK) {
        code = ngx_http_assay_add_words(policy, ASSAY_RULE_ALGORITHM, settings->algorithms);
    }
    if (code == ASSAY_OK) {
        code = ngx_http_assay_add_words(policy, ASSAY_RULE_REQUIRED_CLAIM, settings->required_claims);
    }
    if (code == ASSAY_OK) {
        code = assay_policy_set(policy, ASSAY_RULE_LEEWAY, settings->leeway);
    }
    if (code == ASSAY_OK && settings->maximum_age > 0) {
        code = assay_policy_set(policy, ASSAY_RULE_MAXIMUM_AGE, settings->maximum_age);
    }
    return code;
}

/* Makes a verifier once in the master, without keeping it: what workers cannot make must not start. */
static assay_code ngx_http_assay_try(const assay_policy *policy, const ngx_http_assay_source_t *source)
{
    assay_keys *keys = NULL;
    assay_code code = source->keys == NULL ? assay_keys_new_url(&keys, "https://a.example", 17, NULL) : ASSAY_OK;
    assay_issuer issuer = {policy, source->keys == NULL ? keys : source->keys};
    assay_verifier *verifier = NULL;
    if (code == ASSAY_OK) {
        code = assay_verifier_new(&verifier, &issuer, 1, NULL);
    }
    assay_verifier_free(verifier);
    assay_keys_free(keys);
    return code;
}

static ngx_http_assay_trust_t *ngx_http_assay_new_trust(ngx_conf_t *cf, const ngx_http_assay_loc_conf_t *conf)
{
    ngx_http_assay_trust_t *trust = ngx_pcalloc(cf->pool, sizeof(*trust));
    ngx_pool_cleanup_t *cleanup = ngx_pool_cleanup_add(cf->pool, 0);
    if (trust == NULL || cleanup == NULL) {
        return NULL;
    }
    trust->settings = conf->trust;
    trust->source = ngx_http_assay_source(cf, &conf->trust);
    if (trust->source == NULL) {
        ngx_log_error(NGX_LOG_EMERG, cf->log, 0,
                      "\"assay on\" needs \"assay_keys_file\", \"assay_keys_url\" or an https or http URL as \"assay_issuer\" in %V:%ui",
                      &conf->file, conf->line);
        return NULL;
    }
    assay_code code = ngx_http_assay_preset(&trust->policy, &conf->trust);
    cleanup->handler = ngx_http_assay_free_policy;
    cleanup->data = trust->policy;
    if (code == ASSAY_OK) {
        code = ngx_http_assay_fill(trust->policy, &conf->trust);
    }
    if (code == ASSAY_OK) {
        code = ngx_http_assay_try(trust->policy, trust->source);
    }
    if (code != ASSAY_OK) {
        ngx_log_error(NGX_LOG_EMERG, cf->log, 0, "\"assay on\" has settings that do not fit together: %s, in %V:%ui", assay_code_name(code),
                      &conf->file, conf->line);
        return NULL;
    }
    return trust;
}

static ngx_http_assay_trust_t *ngx_http_assay_trust(ngx_conf_t *cf, const ngx_http_assay_loc_conf_t *conf)
{
    ngx_http_assay_main_conf_t *main = ngx_http_conf_get_module_main_conf(cf, ngx_http_assay_module);
    ngx_http_assay_trust_t **trusts = main->trusts.elts;
    for (ngx_uint_t i = 0; i < main->trusts.nelts; i++) {
        if (ngx_memcmp(&trusts[i]->settings, &conf->trust, sizeof(conf->trust)) == 0) {
            return trusts[i];
        }
    }
    ngx_http_assay_trust_t *trust = ngx_http_assay_new_trust(cf, conf), **place = ngx_array_push(&main->trusts);
    if (trust != NULL && place != NULL) {
        *place = trust;
    }
    return place == NULL ? NULL : trust;
}

/* The scopes with spaces between them, for challenges. */
static ngx_int_t ngx_http_assay_join_scopes(ngx_conf_t *cf, ngx_http_assay_policy_t *policy)
{
    ngx_array_t *scopes = policy->settings.scopes;
    ngx_str_t *scope = scopes == NULL ? NULL : scopes->elts;
    size_t size = 0;
    for (ngx_uint_t i = 0; scopes != NULL && i < scopes->nelts; i++) {
        size += scope[i].len + 1;
    }
    u_char *end = ngx_pnalloc(cf->pool, size + 1);
    if (end == NULL) {
        return NGX_ERROR;
    }
    policy->scope.data = end;
    for (ngx_uint_t i = 0; scopes != NULL && i < scopes->nelts; i++) {
        end = ngx_cpymem(end, scope[i].data, scope[i].len);
        *end++ = ' ';
    }
    policy->scope.len = size > 0 ? size - 1 : 0;
    return NGX_OK;
}

ngx_http_assay_policy_t *ngx_http_assay_policy(ngx_conf_t *cf, const ngx_http_assay_loc_conf_t *conf)
{
    ngx_http_assay_main_conf_t *main = ngx_http_conf_get_module_main_conf(cf, ngx_http_assay_module);
    ngx_http_assay_trust_t *trust = ngx_http_assay_trust(cf, conf);
    ngx_http_assay_policy_t **policies = main->policies.elts;
    for (ngx_uint_t i = 0; trust != NULL && i < main->policies.nelts; i++) {
        if (policies[i]->trust == trust && ngx_memcmp(&policies[i]->settings, &conf->rules, sizeof(conf->rules)) == 0) {
            return policies[i];
        }
    }
    ngx_http_assay_policy_t *policy = trust == NULL ? NULL : ngx_pcalloc(cf->pool, sizeof(*policy)), **place = NULL;
    if (policy != NULL) {
        policy->settings = conf->rules;
        policy->trust = trust;
        place = ngx_http_assay_join_scopes(cf, policy) == NGX_OK ? ngx_array_push(&main->policies) : NULL;
    }
    if (place == NULL) {
        return NULL;
    }
    *place = policy;
    return policy;
}
