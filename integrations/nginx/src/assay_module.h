/* assay_module.h: what the files of the module share.
 *
 * libassay decides; the module describes requests to it, and does what it says. A *source* is where the keys of an issuer come from. A
 * *gateway* is one of libassay: an issuer with its rules, the places of its tokens, and the fields for the upstream. A *policy* is what a
 * request needs in a location: it belongs to a gateway. A *verdict* is what became of one request under one policy.
 *
 * A configuration is immutable once nginx has read it: it is made in the master with its gateways, and workers inherit it. What a worker makes
 * for itself hangs below `source->feed`. What belongs to a request is in its pool. */

#ifndef ASSAY_MODULE_H
#define ASSAY_MODULE_H

#include <ngx_config.h>
#include <ngx_core.h>
#include <ngx_event.h>
#include <ngx_http.h>

#include "assay.h"

/* Limits that no directive changes. */
#define ASSAY_LONGEST_LEEWAY 600
#define ASSAY_LONGEST_STALENESS 86400
#define ASSAY_LARGEST_DOCUMENT 262144
#define ASSAY_MOST_FIELDS 1024          /* of a request, that libassay takes */

typedef struct ngx_http_assay_feed_s ngx_http_assay_feed_t;

/* Where keys come from. */
typedef enum {
    ASSAY_SOURCE_FILE,
    ASSAY_SOURCE_URL,
    ASSAY_SOURCE_ISSUER
} ngx_http_assay_source_kind_e;

/* Gateways with the same source share its keys, and a worker fetches them once. */
typedef struct {
    ngx_http_assay_source_kind_e kind;
    ngx_str_t issuer;
    const ngx_array_t *tenants;         /* of ngx_str_t: the issuer is a template; NULL: it is none */
    ngx_str_t name;                     /* the path, the URL or the issuer */
    ngx_uint_t refresh;                 /* ASSAY_AVAILABILITY_FIRST or ASSAY_REVOCATION_FIRST */
    time_t stale;                       /* seconds; NGX_CONF_UNSET: as the preset has it */
    ngx_array_t gateways;               /* of pointers; those that have it */
    ngx_http_assay_feed_t *feed;        /* the worker's own: how documents get to the keys; NULL in the master */
} ngx_http_assay_source_t;

/* A file of keys, as nginx has read it with its configuration. */
typedef struct {
    ngx_str_t path;
    ngx_str_t text;
} ngx_http_assay_key_file_t;

/* An issuer and its rules. Two locations with the same settings share one gateway, so every member is compared byte by byte. */
typedef struct {
    ngx_str_t issuer;
    ngx_str_t keys_file;
    ngx_str_t keys_url;
    ngx_array_t *tenants;               /* of ngx_str_t, as are the following */
    ngx_array_t *audiences;
    ngx_array_t *algorithms;
    ngx_array_t *required_claims;
    ngx_flag_t any_audience;
    ngx_uint_t tokens;                  /* ASSAY_TOKENS_… */
    time_t leeway;
    time_t maximum_age;
    ngx_uint_t refresh;
    time_t stale;
    size_t cache;
    time_t cache_age;
} ngx_http_assay_trust_settings_t;

enum {
    ASSAY_TOKENS_ANY,
    ASSAY_TOKENS_ACCESS,
    ASSAY_TOKENS_ID
};

/* Where a request has its token. */
typedef enum {
    ASSAY_PLACE_AUTHORIZATION,
    ASSAY_PLACE_HEADER,
    ASSAY_PLACE_COOKIE,
    ASSAY_PLACE_QUERY,
    ASSAY_PLACE_VALUE
} ngx_http_assay_place_kind_e;

typedef struct {
    ngx_http_assay_place_kind_e kind;
    ngx_str_t name;                     /* a field's in lower case */
    ngx_http_complex_value_t value;     /* of ASSAY_PLACE_VALUE */
} ngx_http_assay_place_t;

/* A claim by its name, or by a JSON Pointer where the text begins with a slash. */
typedef struct {
    ngx_str_t text;
    unsigned is_json : 1;               /* an array becomes JSON instead of elements with commas between them */
} ngx_http_assay_claim_t;

/* `assay_require`: values that a claim must have. */
typedef struct {
    ngx_http_assay_claim_t claim;
    ngx_array_t values;                 /* of ngx_str_t */
    unsigned needs_all : 1;
} ngx_http_assay_requirement_t;

/* `assay_header`: a field for the upstream. */
typedef struct {
    ngx_str_t name;
    ngx_str_t plain_name;               /* in lower case, for comparisons in fields.c */
    ngx_uint_t hash;
    ngx_http_assay_claim_t claim;
} ngx_http_assay_header_t;

/* The settings of a policy, compared byte by byte too. */
typedef struct {
    ngx_array_t *places;                /* of ngx_http_assay_place_t */
    ngx_array_t *scopes;                /* of ngx_str_t */
    ngx_array_t *requirements;          /* of ngx_http_assay_requirement_t */
    ngx_array_t *headers;               /* of ngx_http_assay_header_t */
    ngx_str_t realm;
    ngx_str_t resource_metadata;
    ngx_str_t login_redirect;           /* where browsers are sent in place of 401; empty: nowhere */
    ngx_msec_t wait;
    ngx_flag_t dry_run;
} ngx_http_assay_policy_settings_t;

typedef struct {
    ngx_http_assay_trust_settings_t trust;
    ngx_array_t *places;
    ngx_array_t *headers;
    ngx_http_assay_source_t *source;
    ngx_array_t policies;               /* of pointers */
    assay_gateway *core;
} ngx_http_assay_gateway_t;

typedef struct {
    ngx_http_assay_policy_settings_t settings;
    ngx_http_assay_gateway_t *gateway;
    ngx_str_t name;
    ngx_str_t file;                     /* where its first `assay on` stands, for messages */
    ngx_uint_t line;
} ngx_http_assay_policy_t;

typedef struct {
    ngx_array_t files;                  /* of ngx_http_assay_key_file_t */
    ngx_array_t sources;                /* of pointers, as are the following */
    ngx_array_t gateways;
    ngx_str_t revocations;              /* the path of the file with revocations; empty without one */
    ngx_flag_t shows_claims;            /* a variable has a claim, so verdicts keep payloads */
    size_t zone_size;
    ngx_shm_zone_t *zone;               /* NULL where no keys are fetched */
    ngx_str_t authorities;              /* the path of certificates that are trusted beside the system's; empty without one */
    ngx_str_t authorities_text;
    ngx_flag_t allow_private_addresses;
    ngx_flag_t allow_loopback;
    ngx_msec_t fetch_timeout;
} ngx_http_assay_main_conf_t;

typedef struct {
    ngx_array_t *names;                 /* of ngx_str_t: plain names of fields that no client of this server sets */
    ngx_uint_t paths;                   /* ASSAY_PATHS_… */
    ngx_flag_t is_used;                 /* a location of this server has `assay on` */
} ngx_http_assay_srv_conf_t;

enum {
    ASSAY_PATHS_STRICT,
    ASSAY_PATHS_LENIENT
};

typedef struct {
    ngx_flag_t is_on;
    ngx_str_t file;                     /* where `assay on` stands, for messages */
    ngx_uint_t line;
    ngx_http_assay_trust_settings_t trust;
    ngx_http_assay_policy_settings_t rules;
    ngx_http_assay_policy_t *policy;    /* NULL where `is_on` is 0 */
} ngx_http_assay_loc_conf_t;

/* A header field for the upstream, made of a claim. */
typedef struct {
    const ngx_http_assay_header_t *header;
    ngx_str_t value;
} ngx_http_assay_field_t;

/* What became of a request. Its texts are in the request's pool. */
typedef struct {
    ngx_http_request_t *request;
    const ngx_http_assay_policy_t *policy;  /* that judged; NULL: none */
    ngx_uint_t status;                  /* 200, or the status of the refusal */
    const char *code;                   /* "ok", or why not; also the refusal that dry run has waived */
    ngx_str_t reason;                   /* a sentence without any byte of the token */
    ngx_str_t challenge;                /* of a refusal; empty: it has none */
    ngx_str_t location;                 /* where a browser is sent in place of the challenge; empty: nowhere */
    ngx_str_t payload;                  /* of the token of an allowed request, as JSON; empty: it has none */
    ngx_array_t fields;                 /* of ngx_http_assay_field_t, for an allowed request */
    int64_t retry_after;                /* seconds; -1: none */
    ngx_table_elt_t *retry_field;
    ngx_queue_t queue;                  /* of waiting requests */
    ngx_event_t timer;
    ngx_msec_t deadline;                /* of the wait; 0: it has not begun */
    unsigned is_waiting : 1;
    unsigned has_waited : 1;
} ngx_http_assay_verdict_t;

extern ngx_module_t ngx_http_assay_module;
extern ngx_command_t ngx_http_assay_commands[];

/* configuration.c */
void *ngx_http_assay_create_main_conf(ngx_conf_t *cf);
char *ngx_http_assay_init_main_conf(ngx_conf_t *cf, void *conf);
void *ngx_http_assay_create_srv_conf(ngx_conf_t *cf);
char *ngx_http_assay_merge_srv_conf(ngx_conf_t *cf, void *parent, void *child);
void *ngx_http_assay_create_loc_conf(ngx_conf_t *cf);
char *ngx_http_assay_merge_loc_conf(ngx_conf_t *cf, void *parent, void *child);

/* directive_lists.c: whether a text is a claim's name, or a JSON Pointer (RFC 6901 section 3). */
ngx_uint_t ngx_http_assay_is_claim(ngx_str_t text);

/* sources.c. NULL and NGX_ERROR after a message. */
ngx_http_assay_source_t *ngx_http_assay_source(ngx_conf_t *cf, const ngx_http_assay_trust_settings_t *settings);
ngx_int_t ngx_http_assay_read_file(ngx_conf_t *cf, ngx_str_t *path, size_t most, ngx_str_t *out);
ngx_int_t ngx_http_assay_read_keys_file(ngx_conf_t *cf, ngx_str_t *path);
ngx_int_t ngx_http_assay_check_keys_url(ngx_conf_t *cf, ngx_str_t *url);
ngx_str_t ngx_http_assay_keys_text(const ngx_http_assay_main_conf_t *conf, ngx_str_t path);

/* settings.c: the settings of a gateway as libassay reads them, with a final NUL; NULL after a message. free() gives them back. */
char *ngx_http_assay_settings(ngx_conf_t *cf, const ngx_http_assay_gateway_t *gateway);

/* policies.c: the policy of a location; NULL without memory, or after a message. */
ngx_http_assay_policy_t *ngx_http_assay_policy(ngx_conf_t *cf, const ngx_http_assay_loc_conf_t *conf);

/* gateways.c: makes the gateways of a configuration that is complete. */
ngx_int_t ngx_http_assay_make_gateways(ngx_conf_t *cf);
void ngx_http_assay_free_gateways(ngx_http_assay_main_conf_t *conf);

/* decision.c: the worker's memory for decisions, and a decision by a policy. ASSAY_AWAITING_KEYS, if the request may wait: there is no
 * verdict yet. ASSAY_INVALID_ARGUMENT: nor is there one, because memory is exhausted or nginx cannot do what was decided. */
ngx_int_t ngx_http_assay_start_deciding(void);
void ngx_http_assay_stop_deciding(void);
assay_code ngx_http_assay_decide(ngx_http_assay_verdict_t *verdict, ngx_http_request_t *r, ngx_uint_t may_wait);

/* refusals.c: the fields of an answer to a refused request. */
ngx_int_t ngx_http_assay_refuse(ngx_http_request_t *r, ngx_http_assay_verdict_t *verdict);

/* fields.c */
ngx_int_t ngx_http_assay_protect_name(ngx_conf_t *cf, ngx_str_t name);
ngx_int_t ngx_http_assay_empty_fields(ngx_array_t *out, ngx_http_request_t *r, ngx_array_t *headers);
ngx_int_t ngx_http_assay_replace_fields(ngx_http_request_t *r, ngx_array_t *names, ngx_http_assay_field_t *fields, ngx_uint_t count);

/* verdicts.c: the verdict of a request, which lives until the request's end, also through internal redirects. */
ngx_http_assay_verdict_t *ngx_http_assay_verdict(ngx_http_request_t *r);
ngx_http_assay_verdict_t *ngx_http_assay_new_verdict(ngx_http_request_t *r);

/* access.c */
ngx_int_t ngx_http_assay_init_phases(ngx_conf_t *cf);

/* variables.c. Whether the configuration names a variable with a claim. */
ngx_int_t ngx_http_assay_add_variables(ngx_conf_t *cf);
ngx_uint_t ngx_http_assay_names_claims(ngx_conf_t *cf);
char *ngx_http_assay_claim_set(ngx_conf_t *cf, ngx_command_t *cmd, void *conf);

/* feeds.c: makes a feed look soon. */
void ngx_http_assay_order(ngx_http_assay_feed_t *feed);
ngx_uint_t ngx_http_assay_is_fetching(const ngx_http_assay_gateway_t *gateway);

/* waiting.c: requests that wait for keys. */
void ngx_http_assay_start_waiting(void);
ngx_uint_t ngx_http_assay_may_wait(const ngx_http_assay_verdict_t *verdict);
ngx_int_t ngx_http_assay_wait(ngx_http_request_t *r, ngx_http_assay_verdict_t *verdict);
void ngx_http_assay_stop_waiting(ngx_http_assay_verdict_t *verdict);
void ngx_http_assay_resume_all(void);

/* worker.c: what a worker makes for itself. */
ngx_int_t ngx_http_assay_start_worker(ngx_cycle_t *cycle);
void ngx_http_assay_stop_worker(ngx_cycle_t *cycle);

/* Whether a tenant stands for a part of a URL. libassay judges templates, with their tenants. */
static inline ngx_uint_t ngx_http_assay_is_template(ngx_str_t url)
{
    return ngx_strstr(url.data, "{tenant}") != NULL;
}

static inline assay_text ngx_http_assay_lent(ngx_str_t text)
{
    return (assay_text) {(const char *) text.data, text.len};
}

static inline ngx_str_t ngx_http_assay_str(assay_text text)
{
    return (ngx_str_t) {text.len, (u_char *) text.bytes};
}

#endif
