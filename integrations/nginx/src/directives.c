/* directives.c: the directives. Each refuses nonsense where it stands, so that nginx names the file and the line. */

#include "assay_module.h"

#define ASSAY_ANYWHERE \
    (NGX_HTTP_MAIN_CONF | NGX_HTTP_SRV_CONF | NGX_HTTP_LOC_CONF | NGX_HTTP_LIF_CONF | NGX_HTTP_LMT_CONF)
#define ASSAY_TRUST(member) offsetof(ngx_http_assay_loc_conf_t, trust.member)
#define ASSAY_RULES(member) offsetof(ngx_http_assay_loc_conf_t, rules.member)

/* directive_values.c */
char *ngx_http_assay_on(ngx_conf_t *cf, ngx_command_t *cmd, void *conf);
char *ngx_http_assay_words(ngx_conf_t *cf, ngx_command_t *cmd, void *conf);
char *ngx_http_assay_authorities(ngx_conf_t *cf, ngx_command_t *cmd, void *conf);
char *ngx_http_assay_keys_file(ngx_conf_t *cf, ngx_command_t *cmd, void *conf);
char *ngx_http_assay_refresh(ngx_conf_t *cf, ngx_command_t *cmd, void *conf);
char *ngx_http_assay_stale(ngx_conf_t *cf, ngx_command_t *cmd, void *conf);
char *ngx_http_assay_cache(ngx_conf_t *cf, ngx_command_t *cmd, void *conf);
/* directive_lists.c */
char *ngx_http_assay_places(ngx_conf_t *cf, ngx_command_t *cmd, void *conf);
char *ngx_http_assay_require(ngx_conf_t *cf, ngx_command_t *cmd, void *conf);
char *ngx_http_assay_header(ngx_conf_t *cf, ngx_command_t *cmd, void *conf);
char *ngx_http_assay_remove_header(ngx_conf_t *cf, ngx_command_t *cmd, void *conf);

/* The checks of directive_values.c, which follow nginx's own reading of a value. */
extern ngx_conf_post_t ngx_http_assay_leeway_check;
extern ngx_conf_post_t ngx_http_assay_stale_check;
extern ngx_conf_post_t ngx_http_assay_age_check;
extern ngx_conf_post_t ngx_http_assay_url_check;
extern ngx_conf_post_t ngx_http_assay_text_check;
extern ngx_conf_post_t ngx_http_assay_redirect_check;
extern ngx_conf_post_t ngx_http_assay_wait_check;
extern ngx_conf_post_t ngx_http_assay_timeout_check;
extern ngx_conf_post_t ngx_http_assay_zone_check;

static ngx_conf_enum_t ngx_http_assay_token_kinds[] = {
    {ngx_string("any"), ASSAY_TOKENS_ANY},
    {ngx_string("access-token"), ASSAY_TOKENS_ACCESS},
    {ngx_string("id-token"), ASSAY_TOKENS_ID},
    {ngx_null_string, 0}
};

static ngx_conf_enum_t ngx_http_assay_refreshes[] = {
    {ngx_string("availability-first"), ASSAY_AVAILABILITY_FIRST},
    {ngx_string("revocation-first"), ASSAY_REVOCATION_FIRST},
    {ngx_null_string, 0}
};

static ngx_conf_enum_t ngx_http_assay_path_rules[] = {
    {ngx_string("strict"), ASSAY_PATHS_STRICT},
    {ngx_string("lenient"), ASSAY_PATHS_LENIENT},
    {ngx_null_string, 0}
};

#define ASSAY_OF_LOCATION(name, arguments, set, offset, post) \
    {ngx_string(name), ASSAY_ANYWHERE | (arguments), set, NGX_HTTP_LOC_CONF_OFFSET, offset, post}
#define ASSAY_OF_MAIN(name, arguments, set, member, post) \
    {ngx_string(name), NGX_HTTP_MAIN_CONF | (arguments), set, NGX_HTTP_MAIN_CONF_OFFSET, offsetof(ngx_http_assay_main_conf_t, member), post}

ngx_command_t ngx_http_assay_commands[] = {
    ASSAY_OF_LOCATION("assay", NGX_CONF_FLAG, ngx_http_assay_on, 0, NULL),

    /* the trust */
    ASSAY_OF_LOCATION("assay_issuer", NGX_CONF_TAKE1, ngx_conf_set_str_slot, ASSAY_TRUST(issuer), &ngx_http_assay_text_check),
    ASSAY_OF_LOCATION("assay_tenants", NGX_CONF_1MORE, ngx_http_assay_words, ASSAY_TRUST(tenants), NULL),
    ASSAY_OF_LOCATION("assay_audiences", NGX_CONF_1MORE, ngx_http_assay_words, ASSAY_TRUST(audiences), NULL),
    ASSAY_OF_LOCATION("assay_any_audience", NGX_CONF_FLAG, ngx_conf_set_flag_slot, ASSAY_TRUST(any_audience), NULL),
    ASSAY_OF_LOCATION("assay_tokens", NGX_CONF_TAKE1, ngx_conf_set_enum_slot, ASSAY_TRUST(tokens), ngx_http_assay_token_kinds),
    ASSAY_OF_LOCATION("assay_algorithms", NGX_CONF_1MORE, ngx_http_assay_words, ASSAY_TRUST(algorithms), NULL),
    ASSAY_OF_LOCATION("assay_required_claims", NGX_CONF_1MORE, ngx_http_assay_words, ASSAY_TRUST(required_claims), NULL),
    ASSAY_OF_LOCATION("assay_leeway", NGX_CONF_TAKE1, ngx_conf_set_sec_slot, ASSAY_TRUST(leeway), &ngx_http_assay_leeway_check),
    ASSAY_OF_LOCATION("assay_maximum_age", NGX_CONF_TAKE1, ngx_conf_set_sec_slot, ASSAY_TRUST(maximum_age), &ngx_http_assay_age_check),
    ASSAY_OF_LOCATION("assay_keys_file", NGX_CONF_TAKE1, ngx_http_assay_keys_file, 0, NULL),
    ASSAY_OF_LOCATION("assay_keys_url", NGX_CONF_TAKE1, ngx_conf_set_str_slot, ASSAY_TRUST(keys_url), &ngx_http_assay_url_check),
    ASSAY_OF_LOCATION("assay_refresh", NGX_CONF_TAKE1, ngx_http_assay_refresh, ASSAY_TRUST(refresh), ngx_http_assay_refreshes),
    ASSAY_OF_LOCATION("assay_stale", NGX_CONF_TAKE1, ngx_http_assay_stale, ASSAY_TRUST(stale), &ngx_http_assay_stale_check),
    ASSAY_OF_LOCATION("assay_token_cache", NGX_CONF_TAKE12, ngx_http_assay_cache, 0, NULL),

    /* the policy */
    ASSAY_OF_LOCATION("assay_token", NGX_CONF_1MORE, ngx_http_assay_places, 0, NULL),
    ASSAY_OF_LOCATION("assay_scopes", NGX_CONF_1MORE, ngx_http_assay_words, ASSAY_RULES(scopes), NULL),
    ASSAY_OF_LOCATION("assay_require", NGX_CONF_2MORE, ngx_http_assay_require, 0, NULL),
    ASSAY_OF_LOCATION("assay_realm", NGX_CONF_TAKE1, ngx_conf_set_str_slot, ASSAY_RULES(realm), &ngx_http_assay_text_check),
    ASSAY_OF_LOCATION("assay_resource_metadata", NGX_CONF_TAKE1, ngx_conf_set_str_slot, ASSAY_RULES(resource_metadata),
                      &ngx_http_assay_text_check),
    ASSAY_OF_LOCATION("assay_login_redirect", NGX_CONF_TAKE1, ngx_conf_set_str_slot, ASSAY_RULES(login_redirect),
                      &ngx_http_assay_redirect_check),
    ASSAY_OF_LOCATION("assay_wait", NGX_CONF_TAKE1, ngx_conf_set_msec_slot, ASSAY_RULES(wait), &ngx_http_assay_wait_check),
    ASSAY_OF_LOCATION("assay_dry_run", NGX_CONF_FLAG, ngx_conf_set_flag_slot, ASSAY_RULES(dry_run), NULL),
    ASSAY_OF_LOCATION("assay_header", NGX_CONF_TAKE23, ngx_http_assay_header, 0, NULL),

    /* the server */
    {ngx_string("assay_remove_headers"), NGX_HTTP_MAIN_CONF | NGX_HTTP_SRV_CONF | NGX_CONF_1MORE, ngx_http_assay_remove_header,
     NGX_HTTP_SRV_CONF_OFFSET, 0, NULL},
    {ngx_string("assay_paths"), NGX_HTTP_MAIN_CONF | NGX_HTTP_SRV_CONF | NGX_CONF_TAKE1, ngx_conf_set_enum_slot,
     NGX_HTTP_SRV_CONF_OFFSET, offsetof(ngx_http_assay_srv_conf_t, paths), ngx_http_assay_path_rules},

    /* nginx as a whole */
    {ngx_string("assay_claim_set"), NGX_HTTP_MAIN_CONF | NGX_CONF_TAKE23, ngx_http_assay_claim_set, 0, 0, NULL},
    ASSAY_OF_MAIN("assay_zone", NGX_CONF_TAKE1, ngx_conf_set_size_slot, zone_size, &ngx_http_assay_zone_check),
    ASSAY_OF_MAIN("assay_revocations", NGX_CONF_TAKE1, ngx_conf_set_str_slot, revocations, NULL),
    ASSAY_OF_MAIN("assay_authorities", NGX_CONF_TAKE1, ngx_http_assay_authorities, authorities, NULL),
    ASSAY_OF_MAIN("assay_allow_private_addresses", NGX_CONF_FLAG, ngx_conf_set_flag_slot, allow_private_addresses, NULL),
    ASSAY_OF_MAIN("assay_allow_loopback", NGX_CONF_FLAG, ngx_conf_set_flag_slot, allow_loopback, NULL),
    ASSAY_OF_MAIN("assay_fetch_timeout", NGX_CONF_TAKE1, ngx_conf_set_msec_slot, fetch_timeout, &ngx_http_assay_timeout_check),
    ngx_null_command
};
