/* settings.c: the settings of a gateway as libassay reads them (Docs/Gateway.md). Each gateway has one provider, and a policy for each set
 * of rules that locations have. nginx has chosen the location, and looked at the path and the method. */

#include "assay_module.h"

#include <jansson.h>

/* NULL for what is not UTF-8; whatever is made of it is NULL then. */
static json_t *ngx_http_assay_json(ngx_str_t text)
{
    return json_stringn((const char *) text.data, text.len);
}

static json_t *ngx_http_assay_json_words(const ngx_array_t *words)
{
    json_t *list = json_array();
    const ngx_str_t *word = words->elts;
    for (ngx_uint_t i = 0; list != NULL && i < words->nelts; i++) {
        if (json_array_append_new(list, ngx_http_assay_json(word[i])) != 0) {
            json_decref(list);
            return NULL;
        }
    }
    return list;
}

/* Sets a member; 0 for a value that could not be made. */
static ngx_uint_t ngx_http_assay_set(json_t *object, const char *name, json_t *value)
{
    return json_object_set_new(object, name, value) == 0;
}

/* The same for a list that a location may lack. */
static ngx_uint_t ngx_http_assay_set_words(json_t *object, const char *name, const ngx_array_t *words)
{
    return words == NULL || ngx_http_assay_set(object, name, ngx_http_assay_json_words(words));
}

/* And for a text. */
static ngx_uint_t ngx_http_assay_set_text(json_t *object, const char *name, ngx_str_t text)
{
    return text.len == 0 || ngx_http_assay_set(object, name, ngx_http_assay_json(text));
}

/* What `make` makes of each element of a list. */
static ngx_uint_t ngx_http_assay_set_list(json_t *object, const char *name, const ngx_array_t *list, json_t *(*make)(const void *element))
{
    if (list == NULL) {
        return 1;
    }
    json_t *made = json_array();
    ngx_uint_t is_whole = ngx_http_assay_set(object, name, made);
    for (ngx_uint_t i = 0; is_whole && i < list->nelts; i++) {
        is_whole = json_array_append_new(made, make((const u_char *) list->elts + i * list->size)) == 0;
    }
    return is_whole;
}

static json_t *ngx_http_assay_json_place(const void *element)
{
    static const char *kinds[] = {"authorization", "header", "cookie", "query", "context"};
    const ngx_http_assay_place_t *place = element;
    return json_pack("{s:o}", kinds[place->kind], ngx_http_assay_json(place->name));
}

static json_t *ngx_http_assay_json_header(const void *element)
{
    const ngx_http_assay_header_t *header = element;
    return json_pack("{s:o, s:o, s:s}", "header", ngx_http_assay_json(header->plain_name), "claim", ngx_http_assay_json(header->claim.text),
                     "arrays", header->claim.is_json ? "json" : "joined");
}

static json_t *ngx_http_assay_json_requirement(const void *element)
{
    const ngx_http_assay_requirement_t *requirement = element;
    return json_pack("{s:o, s:o}", "claim", ngx_http_assay_json(requirement->claim.text), requirement->needs_all ? "allOf" : "anyOf",
                     ngx_http_assay_json_words(&requirement->values));
}

static ngx_uint_t ngx_http_assay_set_keys(json_t *provider, ngx_conf_t *cf, const ngx_http_assay_trust_settings_t *trust)
{
    const ngx_http_assay_main_conf_t *conf = ngx_http_conf_get_module_main_conf(cf, ngx_http_assay_module);
    if (trust->keys_file.data != NULL) {
        json_t *text = ngx_http_assay_json(ngx_http_assay_keys_text(conf, trust->keys_file));
        return ngx_http_assay_set(provider, "keys", json_pack("{s:o}", "inline", text));
    }
    ngx_uint_t is_whole = trust->keys_url.data == NULL
        || ngx_http_assay_set(provider, "keys", json_pack("{s:o}", "url", ngx_http_assay_json(trust->keys_url)));
    if (trust->refresh == ASSAY_REVOCATION_FIRST) {
        is_whole &= ngx_http_assay_set(provider, "refresh", json_string("revocation-first"));
    }
    if (trust->stale != NGX_CONF_UNSET) {
        is_whole &= ngx_http_assay_set(provider, "staleSeconds", json_integer(trust->stale));
    }
    return is_whole;
}

static json_t *ngx_http_assay_json_provider(ngx_conf_t *cf, const ngx_http_assay_gateway_t *gateway)
{
    static const char *tokens[] = {"any", "access-token", "id-token"};
    const ngx_http_assay_trust_settings_t *trust = &gateway->trust;
    json_t *provider = json_pack("{s:s, s:o, s:s, s:I}", "name", "issuer", "issuer", ngx_http_assay_json(trust->issuer), "tokens",
                                 tokens[trust->tokens], "leewaySeconds", (json_int_t) trust->leeway);
    ngx_uint_t is_whole = provider != NULL && ngx_http_assay_set_words(provider, "tenants", trust->tenants)
        && ngx_http_assay_set_words(provider, "audiences", trust->audiences)
        && ngx_http_assay_set_words(provider, "algorithms", trust->algorithms)
        && ngx_http_assay_set_words(provider, "requiredClaims", trust->required_claims)
        && ngx_http_assay_set_keys(provider, cf, trust)
        && ngx_http_assay_set_list(provider, "tokenFrom", gateway->places, ngx_http_assay_json_place)
        && ngx_http_assay_set_list(provider, "claims", gateway->headers, ngx_http_assay_json_header);
    if (is_whole && ngx_http_assay_names_claims(cf)) {
        is_whole = ngx_http_assay_set(provider, "payloadMetadata", json_string("payload"));
    }
    if (is_whole && trust->any_audience) {
        is_whole = ngx_http_assay_set(provider, "anyAudience", json_true());
    }
    if (is_whole && trust->maximum_age > 0) {
        is_whole = ngx_http_assay_set(provider, "maximumAgeSeconds", json_integer(trust->maximum_age));
    }
    if (!is_whole) {
        json_decref(provider);
    }
    return is_whole ? provider : NULL;
}

static json_t *ngx_http_assay_json_policy(const void *element)
{
    const ngx_http_assay_policy_t *policy = *(ngx_http_assay_policy_t *const *) element;
    const ngx_http_assay_policy_settings_t *rules = &policy->settings;
    json_t *made = json_pack("{s:o, s:s, s:s}", "name", ngx_http_assay_json(policy->name), "requires", "issuer", "mode",
                             rules->dry_run ? "dry-run" : "enforced");
    ngx_uint_t is_whole = made != NULL && ngx_http_assay_set_words(made, "scopes", rules->scopes)
        && ngx_http_assay_set_list(made, "claims", rules->requirements, ngx_http_assay_json_requirement)
        && ngx_http_assay_set_text(made, "realm", rules->realm)
        && ngx_http_assay_set_text(made, "resourceMetadata", rules->resource_metadata);
    if (is_whole && rules->login_redirect.len > 0) {
        is_whole = ngx_http_assay_set(made, "browsers", json_pack("{s:o}", "redirect", ngx_http_assay_json(rules->login_redirect)));
    }
    if (!is_whole) {
        json_decref(made);
    }
    return is_whole ? made : NULL;
}

char *ngx_http_assay_settings(ngx_conf_t *cf, const ngx_http_assay_gateway_t *gateway)
{
    const ngx_http_assay_main_conf_t *conf = ngx_http_conf_get_module_main_conf(cf, ngx_http_assay_module);
    const ngx_http_assay_policy_t *first = *(ngx_http_assay_policy_t **) gateway->policies.elts;
    json_t *root = json_pack("{s:[o], s:o, s:b, s:{s:b}}", "providers", ngx_http_assay_json_provider(cf, gateway), "policy",
                             ngx_http_assay_json(first->name), "allowMethodOverride", 1, "paths", "strict", 0);
    ngx_uint_t is_whole = root != NULL && ngx_http_assay_set_list(root, "policies", &gateway->policies, ngx_http_assay_json_policy)
        && ngx_http_assay_set_text(root, "revocations", conf->revocations);
    char *text = is_whole ? json_dumps(root, JSON_COMPACT) : NULL;
    json_decref(root);
    if (text == NULL) {
        ngx_log_error(NGX_LOG_EMERG, cf->log, 0, "\"assay on\" has a text that is not UTF-8 in %V:%ui", &first->file, first->line);
    }
    return text;
}
