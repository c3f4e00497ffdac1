/* assay_module.h: what the files of the module share.
 *
 * libassay decides; the module describes requests to it, and does what it says. Directives are members of libassay's settings. A *source* is
 * where the keys of an issuer come from. A *gateway* is one of libassay: an issuer with its rules, the places of its tokens, and the fields
 * for the upstream. A *policy* is what a request needs in a location: it belongs to a gateway. A *verdict* is what became of one request
 * under one policy.
 *
 * A configuration is immutable once nginx has read it: it is made in the master with its gateways, and workers inherit it. What a worker makes
 * for itself hangs below `source->feed`. What belongs to a request is in its pool. */

#ifndef ASSAY_MODULE_H
#define ASSAY_MODULE_H

/* It says what the C library offers (`_GNU_SOURCE`), which nginx 1.26 needs: no header may stand before it. */
#include <ngx_config.h>
#if defined(__GLIBC__) && !defined(__USE_GNU)
#error "a header stands before nginx's"
#endif
#include <ngx_core.h>
#include <ngx_event.h>
#include <ngx_http.h>

#include <jansson.h>

#include "assay.h"

#define ASSAY_LARGEST_DOCUMENT 262144
#define ASSAY_MOST_FIELDS 1024          /* of a request, that libassay takes */
#define ASSAY_LONGEST_NAME 64           /* of a directive, with a number */

typedef struct ngx_http_assay_feed_s ngx_http_assay_feed_t;

/* Where keys come from. Gateways whose issuer, tenants, keys and refresh are the same share their keys, and a worker fetches them once. */
typedef struct {
    const json_t *provider;             /* of its first gateway */
    ngx_str_t url;                      /* of the keys, or the issuer; empty where keys are in the settings */
    ngx_array_t gateways;               /* of pointers; those that have it */
    ngx_http_assay_feed_t *feed;        /* the worker's own: how documents get to the keys; NULL in the master */
    ngx_uint_t has_lists;               /* a gateway of it judges tokens by status lists */
} ngx_http_assay_source_t;

/* A token in a text with variables. */
typedef struct {
    ngx_str_t name;                     /* as it is written, which names it in the context of a request */
    ngx_http_complex_value_t text;
} ngx_http_assay_value_t;

/* A claim by its name, or by a JSON Pointer where the text begins with a slash. */
typedef struct {
    ngx_str_t text;
    unsigned is_json : 1;               /* an array becomes JSON instead of elements with commas between them */
} ngx_http_assay_claim_t;

/* `assay_header`: a field for the upstream. */
typedef struct {
    ngx_str_t name;
    ngx_str_t plain_name;               /* in lower case, for comparisons in fields.c */
    ngx_uint_t hash;
} ngx_http_assay_header_t;

/* An issuer with its rules, the places of its tokens and the fields for the upstream. Locations with the same settings share one. */
typedef struct {
    json_t *provider;                   /* as libassay reads it, but for its name; the configuration's pool has it */
    size_t cache;                       /* bytes for verified tokens */
    time_t cache_age;                   /* seconds; NGX_CONF_UNSET: as libassay has it */
    ngx_http_assay_source_t *source;
    ngx_array_t policies;               /* of pointers */
    assay_gateway *core;
    ngx_uint_t counts_uses;             /* its tokens, or their proofs, pass once */
} ngx_http_assay_gateway_t;

/* What a request needs in a location. */
typedef struct {
    json_t *rules;                      /* as libassay reads them, but for their name */
    const json_t *places;               /* of the directives of its first location, for messages */
    ngx_array_t *values;                /* of ngx_http_assay_value_t; NULL: none */
    ngx_array_t *headers;               /* of ngx_http_assay_header_t; NULL: none */
    ngx_msec_t wait;
    ngx_http_assay_gateway_t *gateway;
    ngx_str_t name;
} ngx_http_assay_policy_t;

typedef struct {
    ngx_array_t sources;                /* of pointers, as are the following */
    ngx_array_t gateways;
    ngx_array_t levels;                 /* those with a directive of a location */
    ngx_str_t revocations;              /* the path of the file with revocations; empty without one */
    ngx_str_t revocation_log;           /* the path of the log that another process writes; empty without one */
    ngx_flag_t shows_claims;            /* a variable has a claim, so verdicts keep payloads */
    size_t zone_size;
    ngx_shm_zone_t *zone;               /* NULL where nothing is fetched */
    size_t replay_zone_size;            /* of the zone for what was used; 0: none */
    assay_replay_memory *replays;       /* in that zone; NULL without one */
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

/* The directives of a level; once nginx has merged it, with those that it inherits. */
typedef struct ngx_http_assay_loc_conf_s {
    ngx_flag_t is_on;
    json_t *provider;                   /* members of libassay's settings, as are the following */
    json_t *rules;
    json_t *trust;                      /* of a merged level: the members of the provider that apply to its keys */
    json_t *places;                     /* where each directive stands: `FILE:LINE` */
    ngx_array_t *values;                /* as in a policy, as are the following */
    ngx_array_t *headers;
    ngx_msec_t wait;
    size_t cache;                       /* as in a gateway, as is the following */
    time_t cache_age;
    ngx_http_assay_policy_t *policy;    /* NULL where `is_on` is 0 */
    struct ngx_http_assay_loc_conf_s *outer; /* the level around it; NULL: it has none, or is not merged yet */
    char first[ASSAY_LONGEST_NAME];     /* its own first directive, as `places` has it; empty: it has none */
    unsigned serves_metadata : 1;       /* the location has assay_serve_resource_metadata, and is open */
    unsigned is_used : 1;               /* `assay` stands here, or is on in a level further in */
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
    ngx_str_t nonce;                    /* for the next proof of the client; empty: it needs no other one */
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

/* members.c. A text that is not UTF-8 has no JSON. */
json_t *ngx_http_assay_json(ngx_str_t text);
json_t *ngx_http_assay_json_words(const ngx_conf_t *cf, ngx_uint_t first);
ngx_str_t ngx_http_assay_text(const json_t *text);
char *ngx_http_assay_note_place(ngx_conf_t *cf, const ngx_command_t *cmd, ngx_http_assay_loc_conf_t *mine, size_t number);
char *ngx_http_assay_set_member(ngx_conf_t *cf, const ngx_command_t *cmd, ngx_http_assay_loc_conf_t *mine, json_t *value);
char *ngx_http_assay_append_member(ngx_conf_t *cf, const ngx_command_t *cmd, ngx_http_assay_loc_conf_t *mine, json_t *value);
char *ngx_http_assay_set_keys(ngx_conf_t *cf, const ngx_command_t *cmd, ngx_http_assay_loc_conf_t *mine, const char *kind, ngx_str_t text);

/* directives.c */
const ngx_command_t *ngx_http_assay_command_for(size_t offset, const char *member, size_t len, const json_t *places);

/* policies.c: the policy of a location; NULL without memory. */
ngx_http_assay_policy_t *ngx_http_assay_policy(ngx_conf_t *cf, const ngx_http_assay_loc_conf_t *conf);

/* messages.c. Logs what libassay says about the settings of a gateway; whether it has found a fault. */
ngx_uint_t ngx_http_assay_report_settings(ngx_conf_t *cf, const ngx_http_assay_gateway_t *gateway, const char *settings);
/* Warns of levels with directives that no request is judged by. */
void ngx_http_assay_report_idle(ngx_conf_t *cf);

/* gateways.c: makes the gateways of a configuration that is complete. */
ngx_int_t ngx_http_assay_make_gateways(ngx_conf_t *cf);
void ngx_http_assay_free_gateways(ngx_http_assay_main_conf_t *conf);

/* certificates.c: the certificate of the client's connection. */
ngx_int_t ngx_http_assay_describe_certificate(assay_request *request, ngx_http_request_t *r);

/* decision.c: the worker's memory for decisions, and a decision by a policy. ASSAY_AWAITING_KEYS, if the request may wait: there is no
 * verdict yet. ASSAY_INVALID_ARGUMENT: nor is there one, because memory is exhausted or nginx cannot do what was decided. */
ngx_int_t ngx_http_assay_start_deciding(void);
void ngx_http_assay_stop_deciding(void);
assay_code ngx_http_assay_decide(ngx_http_assay_verdict_t *verdict, ngx_http_request_t *r, ngx_uint_t may_wait);

/* refusals.c: the fields of an answer to a refused request. */
ngx_int_t ngx_http_assay_refuse(ngx_http_request_t *r, ngx_http_assay_verdict_t *verdict);
/* Adds the nonce of the verdict to the answer, also of an allowed request (RFC 9449 section 8.2). */
ngx_int_t ngx_http_assay_give_nonce(ngx_http_request_t *r, ngx_http_assay_verdict_t *verdict);

/* uses.c: what passes once */
ngx_int_t ngx_http_assay_add_replay_zone(ngx_conf_t *cf);
ngx_uint_t ngx_http_assay_counts_uses(const ngx_http_assay_gateway_t *gateway);
/* For a gateway that counts uses: the client's method, and what the request has used. */
void ngx_http_assay_describe_uses(assay_request *request, ngx_http_request_t *r);
ngx_int_t ngx_http_assay_keep_uses(ngx_http_request_t *r, const assay_decision *decision);

/* The field, or NULL without memory. */
ngx_table_elt_t *ngx_http_assay_add_answer_field(ngx_http_request_t *r, const char *name, ngx_str_t value);

/* status_lists.c: parameters of directives. */
ngx_uint_t ngx_http_assay_is_parameter(ngx_str_t *out, ngx_str_t word, const char *name);
char *ngx_http_assay_set_or_append(json_t *object, const char *member, json_t *value, ngx_uint_t is_list);

/* resources.c */
ngx_int_t ngx_http_assay_collect_resources(ngx_conf_t *cf, const ngx_http_assay_gateway_t *gateway, json_t *out);

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

/* The object that a directive's member belongs to. */
static inline json_t *ngx_http_assay_object_of(const ngx_command_t *cmd, const ngx_http_assay_loc_conf_t *conf)
{
    return *(json_t **) ((u_char *) conf + cmd->offset);
}

/* Where the `assay on` of a policy stands. */
static inline const char *ngx_http_assay_place_of(const ngx_http_assay_policy_t *policy)
{
    return json_string_value(json_object_get(policy->places, "assay"));
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
