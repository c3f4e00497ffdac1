/* assay_module.h: what the files of the module share.
 *
 * The words are those of Assay: a *source* is where keys come from, a *trust* is an issuer with its rules and its source, a *policy* is
 * what a request needs in a location: a trust, scopes, and where the token is. A *verdict* is what became of one request under one policy.
 *
 * A configuration is immutable once nginx has read it: it is made in the master, and workers inherit it. What a worker makes for itself
 * (verifiers, keys that are fetched) hangs below `trust->verifier` and `source->keys`, which each process fills after the fork. What
 * belongs to a request is in its pool. */

#ifndef ASSAY_MODULE_H
#define ASSAY_MODULE_H

#include <ngx_config.h>
#include <ngx_core.h>
#include <ngx_event.h>
#include <ngx_http.h>

#include "assay.h"

/* Limits that no directive changes. */
#define ASSAY_LONGEST_LEEWAY 86400
#define ASSAY_LARGEST_DOCUMENT 262144
#define ASSAY_LARGEST_FIELD 4096
#define ASSAY_LARGEST_FIELDS 24576

typedef struct ngx_http_assay_feed_s ngx_http_assay_feed_t;

/* Where keys come from. */
typedef enum {
    ASSAY_SOURCE_FILE,
    ASSAY_SOURCE_URL,
    ASSAY_SOURCE_ISSUER
} ngx_http_assay_source_kind_e;

typedef struct {
    ngx_http_assay_source_kind_e kind;
    ngx_str_t name;                     /* the path, the URL or the issuer */
    ngx_uint_t refresh;                 /* ASSAY_AVAILABILITY_FIRST or ASSAY_REVOCATION_FIRST */
    time_t stale;                       /* seconds; NGX_CONF_UNSET: as the preset has it */
    assay_keys *keys;                   /* of a file: the master's; else the worker's own */
    ngx_http_assay_feed_t *feed;        /* the worker's own: how documents get to `keys` */
} ngx_http_assay_source_t;

/* The settings of a trust. Two locations with the same settings share one trust, so every member is compared byte by byte. */
typedef struct {
    ngx_str_t issuer;
    ngx_str_t keys_file;
    ngx_str_t keys_url;
    ngx_array_t *audiences;             /* of ngx_str_t, as are the following */
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

typedef struct {
    ngx_http_assay_trust_settings_t settings;
    ngx_http_assay_source_t *source;
    assay_policy *policy;               /* the master's */
    assay_verifier *verifier;           /* the worker's own */
} ngx_http_assay_trust_t;

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
    ngx_str_t plain_name;               /* in lower case, as ngx_http_assay_is_same_name compares it */
    ngx_uint_t hash;
    ngx_http_assay_claim_t claim;
} ngx_http_assay_header_t;

/* The settings of a policy, compared as those of a trust are. */
typedef struct {
    ngx_array_t *places;                /* of ngx_http_assay_place_t */
    ngx_array_t *scopes;                /* of ngx_str_t */
    ngx_array_t *requirements;          /* of ngx_http_assay_requirement_t */
    ngx_array_t *headers;               /* of ngx_http_assay_header_t */
    ngx_str_t realm;
    ngx_str_t resource_metadata;
    ngx_msec_t wait;
} ngx_http_assay_policy_settings_t;

typedef struct {
    ngx_http_assay_policy_settings_t settings;
    ngx_http_assay_trust_t *trust;
    ngx_str_t scope;                    /* the scopes with spaces between them */
} ngx_http_assay_policy_t;

typedef struct {
    ngx_array_t sources;                /* of pointers, as are the following */
    ngx_array_t trusts;
    ngx_array_t policies;
    size_t zone_size;
    ngx_shm_zone_t *zone;               /* NULL where no keys are fetched */
    ngx_str_t authorities;
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

/* What became of a request. */
typedef struct {
    ngx_http_request_t *request;
    const ngx_http_assay_policy_t *policy;  /* that judged; NULL: none */
    assay_result *result;               /* in the request's pool; NULL where no token was verified */
    size_t result_size;
    ngx_str_t token;
    ngx_uint_t status;                  /* 200, or the status of the refusal */
    const char *code;                   /* a name of assay_code_name, or of the module */
    const char *reason;                 /* a sentence of the module; NULL: the result has it */
    ngx_array_t fields;                 /* of ngx_http_assay_field_t, for an allowed request */
    ngx_table_elt_t *retry_after;
    ngx_queue_t queue;                  /* of waiting requests */
    ngx_event_t timer;
    ngx_uint_t retry_seconds;
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

/* sources.c. NULL after a message. */
ngx_http_assay_source_t *ngx_http_assay_source(ngx_conf_t *cf, const ngx_http_assay_trust_settings_t *settings);
ngx_int_t ngx_http_assay_check_keys_file(ngx_conf_t *cf, ngx_str_t *path);
ngx_int_t ngx_http_assay_check_keys_url(ngx_conf_t *cf, ngx_str_t *url);

/* origins.c: what the location needs for its keys to be fetched from this URL, as words of a message; NULL: nothing. */
const char *ngx_http_assay_missing_permission(const ngx_http_assay_main_conf_t *conf, ngx_str_t url);

/* policies.c. NULL after a message. */
ngx_http_assay_policy_t *ngx_http_assay_policy(ngx_conf_t *cf, const ngx_http_assay_loc_conf_t *conf);

/* tokens.c */
typedef enum {
    ASSAY_TOKEN_NONE,
    ASSAY_TOKEN_ONE,
    ASSAY_TOKEN_SEVERAL,
    ASSAY_TOKEN_FAILED
} ngx_http_assay_presence_e;

ngx_http_assay_presence_e ngx_http_assay_token(ngx_str_t *out, ngx_http_request_t *r, ngx_array_t *places);
ngx_str_t ngx_http_assay_trimmed(ngx_str_t text);

/* parameters.c: places with parts of their own. */
ngx_http_assay_presence_e ngx_http_assay_cookie(ngx_str_t *out, ngx_http_request_t *r, ngx_str_t name);
ngx_http_assay_presence_e ngx_http_assay_parameter(ngx_str_t *out, ngx_http_request_t *r, ngx_str_t name);

/* paths.c: whether a target has one reading; the byte that the three characters from `at` encode (RFC 3986 section 2.1), -1 for none. */
ngx_int_t ngx_http_assay_decoded_byte(const u_char *at, const u_char *end);
ngx_uint_t ngx_http_assay_is_plain_target(ngx_str_t target, ngx_pool_t *pool);

/* decision.c: judges a request under a policy. NGX_OK: the verdict is there. NGX_ERROR: no memory. */
ngx_int_t ngx_http_assay_decide(ngx_http_assay_verdict_t *verdict, ngx_http_request_t *r, const ngx_http_assay_policy_t *policy);

/* requirements.c */
ngx_uint_t ngx_http_assay_has_scopes(const assay_result *result, ngx_array_t *scopes);
ngx_uint_t ngx_http_assay_fulfils(const assay_result *result, ngx_array_t *requirements);

/* claims.c: a claim as printable ASCII, in `pool`; length 0 where it is absent. NGX_ERROR: no memory. */
ngx_int_t ngx_http_assay_claim_text(ngx_str_t *out, const assay_result *result, const ngx_http_assay_claim_t *claim, ngx_pool_t *pool);
ngx_uint_t ngx_http_assay_find_claim(assay_value *out, const assay_result *result, ngx_str_t text);

/* text.c: writing of claims. `size` counts what was written or, while `out` is NULL, what would be. */
typedef struct {
    u_char *out;
    size_t size;
} ngx_http_assay_text_t;

void ngx_http_assay_write(ngx_http_assay_text_t *text, const char *bytes, size_t len);
void ngx_http_assay_write_field(ngx_http_assay_text_t *text, const char *bytes, size_t len, ngx_uint_t is_element);
void ngx_http_assay_write_json(ngx_http_assay_text_t *text, const char *bytes, size_t len);

/* refusals.c: the fields of an answer to a refused request. */
ngx_int_t ngx_http_assay_refuse(ngx_http_request_t *r, ngx_http_assay_verdict_t *verdict);

/* fields.c */
ngx_uint_t ngx_http_assay_is_same_name(ngx_str_t plain_name, ngx_str_t name);
ngx_int_t ngx_http_assay_protect_name(ngx_conf_t *cf, ngx_str_t name);
ngx_int_t ngx_http_assay_replace_fields(ngx_http_request_t *r, ngx_array_t *names, ngx_http_assay_field_t *fields, ngx_uint_t count);

/* verdicts.c: the verdict of a request, which lives until the request's end, also through internal redirects. */
ngx_http_assay_verdict_t *ngx_http_assay_verdict(ngx_http_request_t *r);
ngx_http_assay_verdict_t *ngx_http_assay_new_verdict(ngx_http_request_t *r);

/* access.c */
ngx_int_t ngx_http_assay_init_phases(ngx_conf_t *cf);

/* variables.c */
ngx_int_t ngx_http_assay_add_variables(ngx_conf_t *cf);
char *ngx_http_assay_claim_set(ngx_conf_t *cf, ngx_command_t *cmd, void *conf);

/* waiting.c: requests that wait for keys. */
void ngx_http_assay_start_waiting(void);
ngx_int_t ngx_http_assay_wait(ngx_http_request_t *r, ngx_http_assay_verdict_t *verdict);
void ngx_http_assay_stop_waiting(ngx_http_assay_verdict_t *verdict);
void ngx_http_assay_resume_all(void);

/* worker.c: what a worker makes for itself. */
ngx_int_t ngx_http_assay_start_worker(ngx_cycle_t *cycle);
void ngx_http_assay_stop_worker(ngx_cycle_t *cycle);

static inline assay_text
ngx_http_assay_lent(ngx_str_t text)
{
    assay_text lent = {(const char *) text.data, text.len};
    return lent;
}

#endif
