/* directives.c: the directives. Most are members of libassay's settings: `offset` has the object, and `post` the member's name. */

#include "assay_module.h"

#define ASSAY_ANYWHERE \
    (NGX_HTTP_MAIN_CONF | NGX_HTTP_SRV_CONF | NGX_HTTP_LOC_CONF | NGX_HTTP_LIF_CONF | NGX_HTTP_LMT_CONF)

/* members.c */
char *ngx_http_assay_set_text(ngx_conf_t *cf, ngx_command_t *cmd, void *conf);
char *ngx_http_assay_set_words(ngx_conf_t *cf, ngx_command_t *cmd, void *conf);
char *ngx_http_assay_set_seconds(ngx_conf_t *cf, ngx_command_t *cmd, void *conf);
char *ngx_http_assay_set_flag(ngx_conf_t *cf, ngx_command_t *cmd, void *conf);
char *ngx_http_assay_set_mode(ngx_conf_t *cf, ngx_command_t *cmd, void *conf);
char *ngx_http_assay_set_redirect(ngx_conf_t *cf, ngx_command_t *cmd, void *conf);
char *ngx_http_assay_set_keys_url(ngx_conf_t *cf, ngx_command_t *cmd, void *conf);
/* lists.c */
char *ngx_http_assay_tokens(ngx_conf_t *cf, ngx_command_t *cmd, void *conf);
char *ngx_http_assay_require(ngx_conf_t *cf, ngx_command_t *cmd, void *conf);
char *ngx_http_assay_header(ngx_conf_t *cf, ngx_command_t *cmd, void *conf);
char *ngx_http_assay_remove_headers(ngx_conf_t *cf, ngx_command_t *cmd, void *conf);
/* status_lists.c */
char *ngx_http_assay_status_lists(ngx_conf_t *cf, ngx_command_t *cmd, void *conf);
/* proofs.c */
char *ngx_http_assay_dpop(ngx_conf_t *cf, ngx_command_t *cmd, void *conf);
char *ngx_http_assay_decryption_keys(ngx_conf_t *cf, ngx_command_t *cmd, void *conf);
/* resources.c */
char *ngx_http_assay_protected_resource(ngx_conf_t *cf, ngx_command_t *cmd, void *conf);
char *ngx_http_assay_serve_resources(ngx_conf_t *cf, ngx_command_t *cmd, void *conf);
/* values.c */
char *ngx_http_assay_on(ngx_conf_t *cf, ngx_command_t *cmd, void *conf);
char *ngx_http_assay_authorities(ngx_conf_t *cf, ngx_command_t *cmd, void *conf);
char *ngx_http_assay_keys_file(ngx_conf_t *cf, ngx_command_t *cmd, void *conf);
char *ngx_http_assay_cache(ngx_conf_t *cf, ngx_command_t *cmd, void *conf);
extern ngx_conf_post_t ngx_http_assay_wait_check;
extern ngx_conf_post_t ngx_http_assay_timeout_check;
extern ngx_conf_post_t ngx_http_assay_zone_check;
extern ngx_conf_post_t ngx_http_assay_replay_zone_check;

static ngx_conf_enum_t ngx_http_assay_path_rules[] = {
    {ngx_string("strict"), ASSAY_PATHS_STRICT},
    {ngx_string("lenient"), ASSAY_PATHS_LENIENT},
    {ngx_null_string, 0}
};

#define ASSAY_OF_LOCATION(name, arguments, set, member, post) \
    {ngx_string(name), ASSAY_ANYWHERE | (arguments), set, NGX_HTTP_LOC_CONF_OFFSET, offsetof(ngx_http_assay_loc_conf_t, member), post}
#define ASSAY_OF_SERVER(name, arguments, set, member, post) \
    {ngx_string(name), NGX_HTTP_MAIN_CONF | NGX_HTTP_SRV_CONF | (arguments), set, NGX_HTTP_SRV_CONF_OFFSET, \
     offsetof(ngx_http_assay_srv_conf_t, member), post}
#define ASSAY_OF_MAIN(name, arguments, set, member, post) \
    {ngx_string(name), NGX_HTTP_MAIN_CONF | (arguments), set, NGX_HTTP_MAIN_CONF_OFFSET, offsetof(ngx_http_assay_main_conf_t, member), post}

ngx_command_t ngx_http_assay_commands[] = {
    ASSAY_OF_LOCATION("assay", NGX_CONF_FLAG, ngx_http_assay_on, is_on, NULL),

    /* the trust */
    ASSAY_OF_LOCATION("assay_issuer", NGX_CONF_TAKE1, ngx_http_assay_set_text, provider, "issuer"),
    ASSAY_OF_LOCATION("assay_tenants", NGX_CONF_1MORE, ngx_http_assay_set_words, provider, "tenants"),
    ASSAY_OF_LOCATION("assay_audiences", NGX_CONF_1MORE, ngx_http_assay_set_words, provider, "audiences"),
    ASSAY_OF_LOCATION("assay_any_audience", NGX_CONF_FLAG, ngx_http_assay_set_flag, provider, "anyAudience"),
    ASSAY_OF_LOCATION("assay_tokens", NGX_CONF_TAKE1, ngx_http_assay_set_text, provider, "tokens"),
    ASSAY_OF_LOCATION("assay_algorithms", NGX_CONF_1MORE, ngx_http_assay_set_words, provider, "algorithms"),
    ASSAY_OF_LOCATION("assay_required_claims", NGX_CONF_1MORE, ngx_http_assay_set_words, provider, "requiredClaims"),
    ASSAY_OF_LOCATION("assay_leeway", NGX_CONF_TAKE1, ngx_http_assay_set_seconds, provider, "leewaySeconds"),
    ASSAY_OF_LOCATION("assay_certificate_bound", NGX_CONF_TAKE1, ngx_http_assay_set_text, provider, "certificateBound"),
    ASSAY_OF_LOCATION("assay_maximum_age", NGX_CONF_TAKE1, ngx_http_assay_set_seconds, provider, "maximumAgeSeconds"),
    ASSAY_OF_LOCATION("assay_keys_url", NGX_CONF_TAKE1, ngx_http_assay_set_keys_url, provider, "keys"),
    ASSAY_OF_LOCATION("assay_keys_file", NGX_CONF_TAKE1, ngx_http_assay_keys_file, provider, "keys"),
    ASSAY_OF_LOCATION("assay_refresh", NGX_CONF_TAKE1, ngx_http_assay_set_text, provider, "refresh"),
    ASSAY_OF_LOCATION("assay_stale", NGX_CONF_TAKE1, ngx_http_assay_set_seconds, provider, "staleSeconds"),
    ASSAY_OF_LOCATION("assay_status_lists", NGX_CONF_1MORE, ngx_http_assay_status_lists, provider, "statusLists"),
    ASSAY_OF_LOCATION("assay_once", NGX_CONF_FLAG, ngx_http_assay_set_flag, provider, "once"),
    ASSAY_OF_LOCATION("assay_dpop", NGX_CONF_1MORE, ngx_http_assay_dpop, provider, "dpop"),
    ASSAY_OF_LOCATION("assay_decryption_keys", NGX_CONF_1MORE, ngx_http_assay_decryption_keys, provider, "decryptionKeys"),
    ASSAY_OF_LOCATION("assay_accept_unencrypted", NGX_CONF_FLAG, ngx_http_assay_set_flag, provider, "acceptUnencrypted"),
    ASSAY_OF_LOCATION("assay_token", NGX_CONF_1MORE, ngx_http_assay_tokens, provider, "tokenFrom"),
    ASSAY_OF_LOCATION("assay_header", NGX_CONF_TAKE23, ngx_http_assay_header, provider, "claims"),
    ASSAY_OF_LOCATION("assay_token_cache", NGX_CONF_TAKE12, ngx_http_assay_cache, cache, NULL),

    /* the policy */
    ASSAY_OF_LOCATION("assay_scopes", NGX_CONF_1MORE, ngx_http_assay_set_words, rules, "scopes"),
    ASSAY_OF_LOCATION("assay_require", NGX_CONF_2MORE, ngx_http_assay_require, rules, "claims"),
    ASSAY_OF_LOCATION("assay_realm", NGX_CONF_TAKE1, ngx_http_assay_set_text, rules, "realm"),
    ASSAY_OF_LOCATION("assay_resource_metadata", NGX_CONF_TAKE1, ngx_http_assay_set_text, rules, "resourceMetadata"),
    ASSAY_OF_LOCATION("assay_protected_resource", NGX_CONF_1MORE, ngx_http_assay_protected_resource, rules, "resource"),
    ASSAY_OF_LOCATION("assay_acr_values", NGX_CONF_1MORE, ngx_http_assay_set_words, rules, "acrValues"),
    ASSAY_OF_LOCATION("assay_maximum_authentication_age", NGX_CONF_TAKE1, ngx_http_assay_set_seconds, rules,
                      "maximumAuthenticationAgeSeconds"),
    ASSAY_OF_LOCATION("assay_login_redirect", NGX_CONF_TAKE1, ngx_http_assay_set_redirect, rules, "browsers"),
    ASSAY_OF_LOCATION("assay_dry_run", NGX_CONF_FLAG, ngx_http_assay_set_mode, rules, "mode"),
    ASSAY_OF_LOCATION("assay_wait", NGX_CONF_TAKE1, ngx_conf_set_msec_slot, wait, &ngx_http_assay_wait_check),

    {ngx_string("assay_serve_resource_metadata"), NGX_HTTP_LOC_CONF | NGX_CONF_NOARGS, ngx_http_assay_serve_resources,
     NGX_HTTP_LOC_CONF_OFFSET, 0, NULL},

    ASSAY_OF_SERVER("assay_remove_headers", NGX_CONF_1MORE, ngx_http_assay_remove_headers, names, NULL),
    ASSAY_OF_SERVER("assay_paths", NGX_CONF_TAKE1, ngx_conf_set_enum_slot, paths, ngx_http_assay_path_rules),

    /* nginx as a whole */
    ASSAY_OF_MAIN("assay_claim_set", NGX_CONF_TAKE23, ngx_http_assay_claim_set, shows_claims, NULL),
    ASSAY_OF_MAIN("assay_zone", NGX_CONF_TAKE1, ngx_conf_set_size_slot, zone_size, &ngx_http_assay_zone_check),
    ASSAY_OF_MAIN("assay_replay_zone", NGX_CONF_TAKE1, ngx_conf_set_size_slot, replay_zone_size, &ngx_http_assay_replay_zone_check),
    ASSAY_OF_MAIN("assay_revocations", NGX_CONF_TAKE1, ngx_conf_set_str_slot, revocations, NULL),
    ASSAY_OF_MAIN("assay_revocation_log", NGX_CONF_TAKE1, ngx_conf_set_str_slot, revocation_log, NULL),
    ASSAY_OF_MAIN("assay_authorities", NGX_CONF_TAKE1, ngx_http_assay_authorities, authorities, NULL),
    ASSAY_OF_MAIN("assay_allow_private_addresses", NGX_CONF_FLAG, ngx_conf_set_flag_slot, allow_private_addresses, NULL),
    ASSAY_OF_MAIN("assay_allow_loopback", NGX_CONF_FLAG, ngx_conf_set_flag_slot, allow_loopback, NULL),
    ASSAY_OF_MAIN("assay_fetch_timeout", NGX_CONF_TAKE1, ngx_conf_set_msec_slot, fetch_timeout, &ngx_http_assay_timeout_check),
    ngx_null_command
};

static ngx_uint_t ngx_http_assay_stands_for(const ngx_command_t *cmd, size_t offset, const char *member, size_t len)
{
    return cmd->conf == NGX_HTTP_LOC_CONF_OFFSET && cmd->offset == offset && cmd->post != NULL && ngx_strlen(cmd->post) == len
        && ngx_memcmp(cmd->post, member, len) == 0;
}

/* The directive that sets a member of the provider or of a policy. Two directives set `keys`: the result is the one that the configuration
 * has. NULL: no directive sets the member. */
const ngx_command_t *ngx_http_assay_command_for(size_t offset, const char *member, size_t len, const json_t *places)
{
    const ngx_command_t *found = NULL;
    for (const ngx_command_t *cmd = ngx_http_assay_commands; cmd->name.len > 0; cmd++) {
        if (ngx_http_assay_stands_for(cmd, offset, member, len)
            && (found == NULL || json_object_get(places, (const char *) cmd->name.data) != NULL))
        {
            found = cmd;
        }
    }
    return found;
}
