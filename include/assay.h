/* assay.h: verifies JSON Web Tokens from C.
 *
 * What holds for every function:
 *
 * Returns. A function that can fail returns an assay_code: ASSAY_OK, or why not. Codes from 100 on are verdicts on a token, a key or a key
 * set, with the numbers and names of Assay's other interfaces. Codes below 100 are mistakes of the caller and states of an object. No
 * function aborts the process for an argument: NULL for an object or an output gives ASSAY_INVALID_ARGUMENT. Outputs are written only
 * with ASSAY_OK, unless the function says otherwise.
 *
 * Arguments. Outputs come first, then inputs. A text is a pointer with its length in bytes, and needs no final NUL. A pointer may be NULL
 * where the length is zero. A text that must be UTF-8 and is not gives ASSAY_INVALID_ARGUMENT.
 *
 * Ownership. An object that a `_new` function or assay_keys_request returns belongs to the caller, who frees it with its `_free`
 * function, once. Every `_free` accepts NULL. Inputs are copied: they may be freed as soon as the function returns. A verifier keeps its
 * keys alive.
 *
 * Threads. Functions take any thread. A verifier and keys may be used by many threads at once. A policy, a fetch and a result belong to one
 * thread at a time; many threads may read a result while no call changes it. While a thread changes a result, every other call with it
 * gives ASSAY_INVALID_ARGUMENT. While a thread reads it, a call that would change it gives the same.
 *
 * Process. The library opens no socket, installs no signal handler and changes no signal disposition. It has one thread, which prepares
 * keys and blocks every signal but faults; it starts with the first key. After fork, parent and child may use every object that existed
 * before, each its own copy; memories of uses alone they share. A process with several threads must not fork while one of them is inside
 * its first call of a function.
 * dlclose leaves the library in memory. Where memory is exhausted, the process ends.
 *
 * Stability. Functions, constants and structures only grow within one soname. A structure that a caller fills begins with its size, so that
 * a later library knows which members the caller has. */

#ifndef ASSAY_H
#define ASSAY_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of this header. The soname is libassay.so.ASSAY_VERSION_MAJOR. */
#define ASSAY_VERSION_MAJOR 0
#define ASSAY_VERSION_MINOR 1
#define ASSAY_VERSION_PATCH 0

/* assay_version returns the version of the library, such as "0.1.0". Static storage. */
const char *assay_version(void);


/* Codes */

typedef uint32_t assay_code;

enum {
    /* The function did what it says. For a token: it is valid. */
    ASSAY_OK = 0,

    /* Mistakes of the caller, and states of an object. */
    ASSAY_INVALID_ARGUMENT = 1,   /* NULL, a size, number or text that the function does not take, or objects that do not fit together */
    ASSAY_RESULT_TOO_SMALL = 2,   /* the token is valid, but its claims do not fit into the result: see assay_result_needed */
    ASSAY_NO_CLAIMS = 3,          /* the result has no claims: nothing was verified, the token was refused, or the result was reset */
    ASSAY_NO_VALUE = 4,           /* the token has no such claim, or the path leads nowhere */
    ASSAY_WRONG_TYPE = 5,         /* the value has another type, or does not fit into the C type */
    ASSAY_NOT_DUE = 6,            /* no fetch is due */
    ASSAY_FETCH_CONTINUES = 7,    /* one more request is needed: call assay_keys_request again now */
    ASSAY_FETCH_FAILED = 8,       /* the response has no usable keys or list: assay_keys_status or assay_gateway_status says why */
    ASSAY_FETCH_ENDED = 9,        /* the fetch was answered before, or took too long */
    ASSAY_FORKED = 10,            /* no function returns it: a forked child goes on by itself */
    ASSAY_NO_THREAD = 11,         /* the system gave no thread */
    ASSAY_INVALID_SETTINGS = 12,  /* the settings of a gateway: assay_gateway_check says what is wrong */
    ASSAY_AWAITING_KEYS = 13,     /* no decision yet: a fetch may bring the keys of the token, or its status list */
    ASSAY_NO_DECISION = 14,       /* nothing was decided with this object */

    /* The form of a token */
    ASSAY_TOKEN_TOO_LARGE = 100,
    ASSAY_MALFORMED_TOKEN = 101,
    ASSAY_ENCRYPTED_TOKEN = 102,
    ASSAY_INVALID_BASE64URL = 103,
    ASSAY_INVALID_JSON = 104,
    ASSAY_INVALID_UTF8 = 105,
    ASSAY_DUPLICATE_MEMBER = 106,
    ASSAY_NESTING_TOO_DEEP = 107,
    ASSAY_TOO_MANY_MEMBERS = 108,

    /* Its header */
    ASSAY_INVALID_HEADER = 200,
    ASSAY_MISSING_ALGORITHM = 201,
    ASSAY_UNSECURED_TOKEN = 202,
    ASSAY_UNSUPPORTED_ALGORITHM = 203,
    ASSAY_ALGORITHM_NOT_ALLOWED = 204,
    ASSAY_UNSUPPORTED_CRITICAL = 205,
    ASSAY_TYPE_MISMATCH = 206,

    /* Its key */
    ASSAY_UNKNOWN_KEY = 300,
    ASSAY_AMBIGUOUS_KEY = 301,
    ASSAY_KEY_ALGORITHM_MISMATCH = 302,
    ASSAY_KEY_USE_MISMATCH = 303,
    ASSAY_WEAK_KEY = 304,
    ASSAY_INVALID_KEY = 305,
    ASSAY_KEYS_UNAVAILABLE = 306,

    /* Its signature */
    ASSAY_SIGNATURE_INVALID = 400,

    /* Its claims */
    ASSAY_MISSING_CLAIM = 500,
    ASSAY_INVALID_CLAIM = 501,
    ASSAY_EXPIRED = 502,
    ASSAY_NOT_YET_VALID = 503,
    ASSAY_ISSUED_IN_FUTURE = 504,
    ASSAY_TOO_OLD = 505,
    ASSAY_ISSUER_MISMATCH = 506,
    ASSAY_AUDIENCE_MISMATCH = 507,
    ASSAY_AUTHORIZED_PARTY_MISMATCH = 508,
    ASSAY_NONCE_MISMATCH = 509,
    ASSAY_TOKEN_HASH_MISMATCH = 510,
    ASSAY_AUTHENTICATION_TOO_OLD = 511,
    ASSAY_CONTEXT_CLASS_MISMATCH = 512,
    ASSAY_REVOKED = 513,
    ASSAY_SUBJECT_MISMATCH = 514,
    ASSAY_INSUFFICIENT_SCOPE = 515,
    ASSAY_INVALID_STATUS = 516,

    /* Its encryption */
    ASSAY_DECRYPTION_FAILED = 740,
    ASSAY_UNSUPPORTED_ENCRYPTION = 741,
    ASSAY_ENCRYPTION_NOT_ALLOWED = 742,
    ASSAY_COMPRESSED_TOKEN = 743,
    ASSAY_INVALID_EPHEMERAL_KEY = 744,
    ASSAY_UNKNOWN_DECRYPTION_KEY = 745,
    ASSAY_AMBIGUOUS_DECRYPTION_KEY = 746,
    ASSAY_NOT_NESTED = 747,
    ASSAY_UNENCRYPTED_TOKEN = 748,

    /* A request to a gateway */
    ASSAY_MALFORMED_REQUEST = 600,    /* the method, the target or the authority is impossible */
    ASSAY_AMBIGUOUS_PATH = 601,       /* the path has more than one reading */
    ASSAY_AMBIGUOUS_FIELD = 602,      /* another reader takes a field for one that the gateway sets, or would drop one */
    ASSAY_NO_ROUTE = 603,             /* no route matches */
    ASSAY_MISSING_TOKEN = 604,
    ASSAY_SEVERAL_TOKENS = 605,       /* more than one token, or one that another reader finds elsewhere */
    ASSAY_CLAIM_MISMATCH = 606,       /* a claim breaks a rule of the policy */
    ASSAY_CLAIMS_TOO_LARGE = 607,     /* the claims do not fit into the fields for the upstream */
    ASSAY_UNHANDLED_FIELD = 608,      /* of the service: a gateway's file does not handle a field that a claim is sent in */
    ASSAY_NO_POLICY = 609,            /* the settings have no policy of the name that the host gives */
    ASSAY_SUSPENDED = 610,            /* the status list says that the token is suspended, or has a status of an application */
    ASSAY_STATUS_UNAVAILABLE = 611,   /* the token's status list is not there */
    ASSAY_REPLAYED = 612,             /* the token passes once, and was used before */
    ASSAY_REPLAY_MEMORY_UNAVAILABLE = 613, /* the memory of used tokens is full or not available */

    /* Of the service alone, which introspects opaque tokens (RFC 7662) */
    ASSAY_INACTIVE_TOKEN = 630,             /* the authorization server says that the token is not active */
    ASSAY_INTROSPECTION_UNAVAILABLE = 631,  /* the authorization server does not answer */
    ASSAY_INVALID_INTROSPECTION = 632,      /* the answer is malformed, or not signed as it has to be */

    /* A DPoP proof (RFC 9449), and the token that it is for */
    ASSAY_MISSING_PROOF = 710,
    ASSAY_SEVERAL_PROOFS = 711,
    ASSAY_PROOF_TOO_LARGE = 712,
    ASSAY_MALFORMED_PROOF = 713,
    ASSAY_PROOF_TYPE_MISMATCH = 714,
    ASSAY_PROOF_ALGORITHM_NOT_ALLOWED = 715,
    ASSAY_INVALID_PROOF_KEY = 716,
    ASSAY_MISSING_PROOF_CLAIM = 717,
    ASSAY_INVALID_PROOF_CLAIM = 718,
    ASSAY_PROOF_METHOD_MISMATCH = 719,
    ASSAY_PROOF_URL_MISMATCH = 720,
    ASSAY_PROOF_TOO_OLD = 721,
    ASSAY_PROOF_ISSUED_IN_FUTURE = 722,
    ASSAY_PROOF_TOKEN_MISMATCH = 723,
    ASSAY_PROOF_KEY_MISMATCH = 724,
    ASSAY_MISSING_PROOF_NONCE = 725,
    ASSAY_PROOF_NONCE_MISMATCH = 726,
    ASSAY_PROOF_SIGNATURE_INVALID = 727,
    ASSAY_REPLAYED_PROOF = 728,
    ASSAY_UNBOUND_TOKEN = 729,
    ASSAY_BOUND_TOKEN_WITHOUT_PROOF = 730,
    ASSAY_INVALID_CONFIRMATION = 731,

    /* The client's certificate (RFC 8705), and the token that is bound to it */
    ASSAY_MISSING_CERTIFICATE = 750,
    ASSAY_MALFORMED_CERTIFICATE = 751,
    ASSAY_CERTIFICATE_TOO_LARGE = 752,
    ASSAY_CERTIFICATE_MISMATCH = 753,
    ASSAY_NOT_CERTIFICATE_BOUND = 754,
    ASSAY_UNSUPPORTED_CONFIRMATION = 755
};

/* assay_code_name returns the stable name of a code, such as "expired", for logs and metrics; "unknown" for a number that is no code.
 * Static storage. */
const char *assay_code_name(assay_code code);

/* assay_code_http_status returns the status of a reply to a request with such a token: 200, 401, 403 for insufficient_scope, 503 for
 * keys_unavailable, 400, 401 or 403 for a code from 600 on, and 500 for a code below 100. */
uint32_t assay_code_http_status(assay_code code);


/* Policies: what a token must fulfil. */

typedef struct assay_policy assay_policy;

/* The rules that take a text. Each call of assay_policy_add adds one text to a rule's list; a rule marked * has one text, which a later
 * call replaces. A token without the claim of a list that is not empty is refused, unless the rule says something else. */
enum {
    ASSAY_RULE_ISSUER = 1,                  /* `iss` is one of these */
    ASSAY_RULE_AUDIENCE = 2,                /* `aud` contains one of these */
    ASSAY_RULE_TRUSTED_AUDIENCE = 3,        /* `aud` may contain these too: see ASSAY_RULE_TRUSTED_AUDIENCES_ONLY */
    ASSAY_RULE_AUTHORIZED_PARTY = 4,        /* * `azp` is this, if present; see ASSAY_RULE_TRUSTED_AUDIENCES_ONLY */
    ASSAY_RULE_ALGORITHM = 5,               /* `alg` is one of these; the first one replaces the default, all but HMAC */
    ASSAY_RULE_TYPE = 6,                    /* `typ` is one of these, "" for absent; the first one replaces the preset's */
    ASSAY_RULE_REQUIRED_CLAIM = 7,          /* a claim that must be present */
    ASSAY_RULE_CONTEXT_CLASS = 8,           /* `acr` is one of these */
    ASSAY_RULE_AUTHENTICATION_METHOD = 9,   /* `amr` contains all of these */
    ASSAY_RULE_REVOKED_TOKEN_ID = 10,       /* `jti` is none of these; a token without `jti` passes */
    ASSAY_RULE_NONCE = 11,                  /* * `nonce` is this. For one login rather use assay_verify_login */
    ASSAY_RULE_ACCESS_TOKEN = 12,           /* * `at_hash` is the hash of this access token */
    ASSAY_RULE_AUTHORIZATION_CODE = 13,     /* * `c_hash` is the hash of this code */
    ASSAY_RULE_SUBJECT = 14,                /* * `sub` is this */
    ASSAY_RULE_SCOPE = 15                   /* `scope` (RFC 8693 section 4.2) or `scp` grants all of these */
};

/* The rules that take a number, for assay_policy_set. */
enum {
    ASSAY_RULE_LEEWAY = 101,                      /* seconds that clocks may differ; 60 by default */
    ASSAY_RULE_MAXIMUM_AGE = 102,                 /* seconds since `iat` after which a token is too old */
    ASSAY_RULE_MAXIMUM_AUTHENTICATION_AGE = 103,  /* seconds since `auth_time` after which the user must authenticate again */
    ASSAY_RULE_EXPIRATION_REQUIRED = 104,         /* 1 (the default): a token without `exp` is refused; 0: it passes */
    ASSAY_RULE_TRUSTED_AUDIENCES_ONLY = 105       /* 1: as OpenID Connect Core 3.1.3.7, see below; 0: the default */
};

/* ASSAY_RULE_TRUSTED_AUDIENCES_ONLY needs ASSAY_RULE_AUDIENCE: without it no token fits. Every audience of a token must be in that list or
 * in ASSAY_RULE_TRUSTED_AUDIENCE, and a token with several audiences must have `azp`. Where no ASSAY_RULE_AUTHORIZED_PARTY names it, `azp`
 * must be the first of ASSAY_RULE_AUDIENCE. */

/* assay_policy_new makes a policy that checks dates, the types of registered claims and the presence of `exp`. */
assay_code assay_policy_new(assay_policy **out);

/* assay_policy_new_id_token makes a policy for an id_token of `issuer` for the client `client_id` (OpenID Connect Core section 3.1.3.7). */
assay_code assay_policy_new_id_token(assay_policy **out, const char *issuer, size_t issuer_len, const char *client_id,
                                     size_t client_id_len);

/* assay_policy_new_access_token makes a policy for a JWT access token of `issuer` for the resource server `audience` (RFC 9068 section
 * 4). */
assay_code assay_policy_new_access_token(assay_policy **out, const char *issuer, size_t issuer_len, const char *audience,
                                         size_t audience_len);

/* assay_policy_add adds a text to a rule. An algorithm that is unknown gives ASSAY_UNSUPPORTED_ALGORITHM. Verifiers made before do not
 * change. */
assay_code assay_policy_add(assay_policy *policy, uint32_t rule, const char *text, size_t text_len);

/* assay_policy_set sets a rule to a number from 0 to 10^12. */
assay_code assay_policy_set(assay_policy *policy, uint32_t rule, int64_t value);

/* assay_policy_free frees a policy. Verifiers made with it stay as they are. */
void assay_policy_free(assay_policy *policy);


/* Keys */

typedef struct assay_keys assay_keys;

/* assay_keys_new makes fixed keys from a JWK Set, a JWK, PEM or DER, at most 262,144 bytes. PEM has one key, or one certificate with its
 * issuers behind it. Returns why the document cannot be read. A key that is not usable stays in the set; a token that names it gets the
 * reason. */
assay_code assay_keys_new(assay_keys **out, const char *document, size_t document_len);

/* assay_keys_prepare builds the tables of all present keys on the calling thread: milliseconds for each key, which are then not spent in
 * the background. For a server before it forks. Does nothing for NULL, or while there are no keys. */
void assay_keys_prepare(const assay_keys *keys);

/* assay_keys_free gives back the caller's reference. Verifiers and fetches keep the keys until they are freed. */
void assay_keys_free(assay_keys *keys);


/* Keys that the caller fetches. The library says what to request and when; the caller makes the HTTP request with its own client, TLS and
 * address rules, and hands over the response. One caller at a time drives a set of keys, usually in a timer of its event loop:
 *
 *     while (assay_keys_request(&fetch, keys) == ASSAY_OK) {
 *         GET assay_fetch_url(fetch), with the fields of assay_fetch_field
 *         code = assay_keys_install(keys, fetch, status, fields, field_count, body, body_len);      or assay_keys_fail
 *         assay_fetch_free(fetch);
 *     }
 *     call again after assay_keys_next_due milliseconds, or when `wake` is called
 *
 * Until the first keys are there, and after they have become too old, verifications give ASSAY_KEYS_UNAVAILABLE. A token with an unknown
 * key id makes a fetch due at once, at most two in ten seconds.
 *
 * Keys fetched before a fork serve parent and child alike; each then drives its own copy. */

typedef struct assay_fetch assay_fetch;

enum {
    ASSAY_AVAILABILITY_FIRST = 0, /* keys stay in use for up to two hours while their source fails */
    ASSAY_REVOCATION_FIRST = 1    /* a removed key is dropped within five minutes, with or without an outage */
};

/* How often keys are fetched and how long they are used, in milliseconds from 0 to 10^12. */
typedef struct assay_refresh_options {
    size_t size;                  /* of this structure; assay_refresh_options_init sets it */
    int64_t default_lifetime;     /* of keys whose response states none */
    int64_t shortest_lifetime;    /* the bounds of what a response may state */
    int64_t longest_lifetime;
    int64_t stale_if_error;       /* how long keys are used after their lifetime while their source fails; at most a day */
    int64_t attempt_limit;        /* from the order of a fetch to its last response; then it has failed */
    uint64_t seed;                /* for the jitter of the schedule; 0: random */
    int64_t (*clock)(void *context); /* NULL: the system's; else nanoseconds that never go back, from any thread */
    void (*wake)(void *context);  /* NULL, or called when a verification or assay_keys_refresh has made a fetch due, on its thread; must not
                                   * call this library */
    void (*release)(void *context); /* NULL, or called once when no thread uses `context` any more; must not call this library */
    void *context;                /* for these functions; must live until `release`, or else as long as keys and verifiers */
} assay_refresh_options;

/* assay_refresh_options_init fills `out` with the values of a preset, ASSAY_AVAILABILITY_FIRST or ASSAY_REVOCATION_FIRST. `size` is
 * sizeof(assay_refresh_options). */
assay_code assay_refresh_options_init(assay_refresh_options *out, size_t size, uint32_t preset);

/* assay_keys_new_url makes keys that are fetched from the JWK Set at an https or http URL of printable ASCII. `options` may be NULL. */
assay_code assay_keys_new_url(assay_keys **out, const char *url, size_t url_len, const assay_refresh_options *options);

/* assay_keys_new_issuer makes keys of an issuer: first its metadata is requested (OpenID Connect Discovery section 4, then RFC 8414), then
 * the keys at the `jwks_uri` that it names. `options` may be NULL. */
assay_code assay_keys_new_issuer(assay_keys **out, const char *issuer, size_t issuer_len, const assay_refresh_options *options);

/* assay_keys_next_due returns the milliseconds until assay_keys_request has something to do: 0 now; -1 for fixed keys and NULL. */
int64_t assay_keys_next_due(const assay_keys *keys);

/* assay_keys_refresh makes a fetch due now that bypasses caches, unless one is under way. ASSAY_NOT_DUE for fixed keys. */
assay_code assay_keys_refresh(assay_keys *keys);

/* assay_keys_request hands out the request that is due, or returns ASSAY_NOT_DUE. At most one is handed out at a time. */
assay_code assay_keys_request(assay_fetch **out, assay_keys *keys);

/* assay_fetch_url returns the URL to request, with a final NUL; "" for NULL. It is valid until the fetch is freed. A URL that an issuer's
 * metadata names is untrusted: apply your rules about addresses. */
const char *assay_fetch_url(const assay_fetch *fetch);

/* assay_fetch_issuer returns the issuer whose keys a fetch of a gateway is for, or whose tokens name the status list, with a final NUL; ""
 * for NULL and for a fetch of assay_keys_request. It is valid until the fetch is freed. */
const char *assay_fetch_issuer(const assay_fetch *fetch);

/* assay_fetch_field gives the header fields to send, by index from 0: Accept, whose value depends on what is fetched, and If-None-Match,
 * If-Modified-Since and Cache-Control as needed. ASSAY_NO_VALUE past the last. The texts end with NUL, and are valid until the fetch is
 * freed. If-None-Match and If-Modified-Since are about the copy from assay_fetch_url alone: do not send them along a redirect. */
assay_code assay_fetch_field(const char **out_name, const char **out_value, const assay_fetch *fetch, size_t index);

/* assay_fetch_free frees a fetch. One without an answer counts as failed. */
void assay_fetch_free(assay_fetch *fetch);

/* A text of a caller. */
typedef struct assay_text {
    const char *bytes;
    size_t len;
} assay_text;

/* A header field of a response. */
typedef struct assay_field {
    assay_text name;
    assay_text value;
} assay_field;

/* assay_keys_install hands over the response to a fetch of these keys: status, all header fields (at most 1,024) and the decoded body. Do
 * not follow redirects to another origin. ASSAY_OK: keys were installed or confirmed. ASSAY_FETCH_CONTINUES: another request is due, for
 * example the keys after the metadata. ASSAY_FETCH_FAILED: the keys before stay in use until they are too old. */
assay_code assay_keys_install(assay_keys *keys, assay_fetch *fetch, uint32_t status, const assay_field *fields, size_t field_count,
                              const char *body, size_t body_len);

enum {
    ASSAY_FAILURE_CONNECTION = 1, /* refused, reset or closed too early */
    ASSAY_FAILURE_TLS = 2,
    ASSAY_FAILURE_TIMED_OUT = 3,
    ASSAY_FAILURE_TOO_LARGE = 4,
    ASSAY_FAILURE_REDIRECT = 5,
    ASSAY_FAILURE_MALFORMED = 6,  /* not HTTP */
    ASSAY_FAILURE_FORBIDDEN = 7,  /* the caller's rules forbid the address */
    ASSAY_FAILURE_CANCELLED = 8,
    ASSAY_FAILURE_UNRESOLVED = 9, /* the name does not resolve */
    ASSAY_FAILURE_PIN = 10,       /* the server's key is not a pinned one */
    ASSAY_FAILURE_URL = 11        /* the caller's client does not take the URL */
};

/* assay_keys_fail reports that a fetch of these keys got no response. Returns as assay_keys_install does. */
assay_code assay_keys_fail(assay_keys *keys, assay_fetch *fetch, uint32_t failure);

enum {
    ASSAY_HEALTH_UNAVAILABLE = 0, /* there are no keys */
    ASSAY_HEALTH_FIXED = 1,
    ASSAY_HEALTH_FRESH = 2,
    ASSAY_HEALTH_STALE = 3        /* the lifetime has ended; the keys are used because their source fails */
};

/* The state of keys at one moment. Times in milliseconds. */
typedef struct assay_keys_state {
    size_t size;                  /* set by the caller: sizeof(assay_keys_state) */
    uint32_t health;
    uint32_t is_fetching;         /* 1: a request is due or handed out */
    uint64_t key_count;           /* usable keys */
    uint64_t generation;          /* increases whenever other keys are installed, or keys become too old */
    int64_t age;                  /* since the keys were confirmed; -1 without keys, and for fixed keys */
    int64_t fresh_for;            /* until the lifetime ends; negative when stale */
    int64_t used_for;             /* until the keys are dropped */
    uint64_t failures;            /* failed fetches since the last success */
    uint64_t shed_fetches;        /* fetches for unknown key ids that the limit prevented, since the start */
    int64_t clock_skew;           /* how far the source's clock is ahead of this machine's; 0 if unknown */
    const char *last_failure;     /* the name of the last failure since the last success, in static storage; NULL for none */
} assay_keys_state;

/* assay_keys_status fills `out`. */
assay_code assay_keys_status(assay_keys_state *out, const assay_keys *keys);


/* Verifiers */

typedef struct assay_verifier assay_verifier;

/* One issuer of a verifier. */
typedef struct assay_issuer {
    const assay_policy *policy;
    const assay_keys *keys;
} assay_issuer;

typedef struct assay_verifier_options {
    size_t size;                  /* sizeof(assay_verifier_options) */
    uint64_t token_bytes;         /* the longest token; 0: 16,384; at most 1,048,576 */
    uint64_t cache_bytes;         /* for verified tokens; 0: no cache; at most 2^32. A token of 1 KB takes about 2.5 KB */
    uint64_t cache_seconds;       /* after which a token is verified again; 0: 300. Without a cache 0 */
    uint32_t cache_digests;       /* 1: the cache holds digests instead of tokens: slower, and a memory dump shows no token; 0: tokens.
                                   * Without a cache 0 */
    uint32_t reserved;            /* 0 */
} assay_verifier_options;

/* assay_verifier_new makes a verifier. With several issuers, at most 1,024, each policy names its issuers with ASSAY_RULE_ISSUER, no name
 * twice; a token's own `iss` chooses, and one that none names is refused with ASSAY_ISSUER_MISMATCH. `options` may be NULL;
 * ASSAY_INVALID_ARGUMENT for `cache_seconds` or `cache_digests` without `cache_bytes`. The policies may be freed afterwards, and so may the
 * keys. */
assay_code assay_verifier_new(assay_verifier **out, const assay_issuer *issuers, size_t issuer_count,
                              const assay_verifier_options *options);

/* assay_verifier_new_jwks makes a verifier for one issuer and one audience with fixed keys. Returns why the keys cannot be read. */
assay_code assay_verifier_new_jwks(assay_verifier **out, const char *jwks, size_t jwks_len, const char *issuer, size_t issuer_len,
                                   const char *audience, size_t audience_len);

/* assay_verifier_free frees a verifier. No thread may be using it. */
void assay_verifier_free(assay_verifier *verifier);


/* Results: the verdict on a token, and the claims of a valid one, in memory of the caller. */

typedef struct assay_result assay_result;

/* The memory for the claims of any token within the standard limits. 4,096 bytes suffice for usual tokens. */
#define ASSAY_RESULT_SIZE 99328

/* The least memory: a verdict without claims. */
#define ASSAY_RESULT_MINIMUM 256

/* assay_result_size returns how much memory the claims of any token of `token_len` bytes can need, up to 1,048,576 bytes. */
size_t assay_result_size(size_t token_len);

/* assay_result_init makes an empty result in `memory`, which must be aligned to 16 bytes, as malloc's is, and returns it; NULL for NULL,
 * for less than ASSAY_RESULT_MINIMUM bytes and for other alignment. There is nothing to free. */
assay_result *assay_result_init(void *memory, size_t size);

/* assay_result_reset empties a result. Values and texts taken from it end. A verification does the same first. */
void assay_result_reset(assay_result *result);

/* assay_result_needed returns the size of memory that the last token needed, also after ASSAY_RESULT_TOO_SMALL; 0 for a refused token. */
size_t assay_result_needed(const assay_result *result);

/* assay_result_code returns the verdict; ASSAY_NO_CLAIMS for an empty result, ASSAY_INVALID_ARGUMENT for NULL. */
assay_code assay_result_code(const assay_result *result);

/* assay_result_offset returns the byte offset in the token of what was refused; -1 if there is none. */
int64_t assay_result_offset(const assay_result *result);

/* assay_result_claim_name returns the name of the registered claim that was missing, malformed or unequal, such as "exp"; NULL if the
 * refusal has none. Static storage. */
const char *assay_result_claim_name(const assay_result *result);

/* assay_result_http_status returns the status of a reply: assay_code_http_status of the verdict; 401 for an empty result, which stands for
 * a request without a token; 500 for NULL. */
uint32_t assay_result_http_status(const assay_result *result);

/* assay_result_challenge writes the value of WWW-Authenticate (RFC 6750 section 3) with a final NUL, and returns its length without it; 0
 * where the reply has no challenge, as for a valid token and for keys_unavailable. If `max_out` does not suffice, writes "" and returns the
 * length that the value has. For an empty result the challenge only says how to authenticate. `realm` and `scope` may have length zero. */
size_t assay_result_challenge(char *out, size_t max_out, const assay_result *result, const char *realm, size_t realm_len,
                              const char *scope, size_t scope_len);

/* assay_result_description writes one sentence about the verdict, for logs: it holds no byte of the token. Lengths as above. */
size_t assay_result_description(char *out, size_t max_out, const assay_result *result);


/* Verifying */

/* For `now`: the system's clock. */
#define ASSAY_NOW (-1.0)

/* assay_verify verifies a compact JWT, without white space around it. `result` may be NULL, for the verdict alone. `now` is the time to
 * judge for in seconds since 1970; negative or not a number: the system's clock. Returns the verdict, which the result has too. */
assay_code assay_verify(assay_result *result, const assay_verifier *verifier, const char *token, size_t token_len, double now);

/* What one login sent or received beside its id_token. */
typedef struct assay_login {
    size_t size;                  /* sizeof(assay_login) */
    assay_text nonce;             /* of the authentication request; must not be empty, so that a lost session cannot skip the check */
    assay_text access_token;      /* received with the id_token: `at_hash` must be its hash; length 0: not checked */
    assay_text code;              /* likewise for `c_hash` */
} assay_login;

/* assay_verify_login verifies the id_token of one login. It uses no cache. */
assay_code assay_verify_login(assay_result *result, const assay_verifier *verifier, const char *token, size_t token_len, double now,
                              const assay_login *login);

/* assay_verify_payload verifies a JWS with any payload, not only claims. Of the policy only algorithms and types apply. The result has the
 * payload and the header, and no claims. For a verifier of one issuer. */
assay_code assay_verify_payload(assay_result *result, const assay_verifier *verifier, const char *token, size_t token_len);

/* assay_verify_batch verifies `count` tokens, each with its own verdict, and judges signatures of one kind eight at a time where the CPU
 * can. `codes` receives the verdicts. `results` may be NULL, and so may its elements; a result that is in it twice gives
 * ASSAY_INVALID_ARGUMENT. Returns ASSAY_OK when every token has a verdict. With one issuer it uses no cache. With several issuers it
 * verifies one token after another, and uses the cache if the verifier has one. */
assay_code assay_verify_batch(assay_code *codes, assay_result *const *results, const assay_verifier *verifier, const assay_text *tokens,
                              size_t count, double now);


/* Claims. Every text points into the result's memory: it ends when the result is reset or verifies another token, or when its memory is
 * freed. Texts are UTF-8 without escapes and without a final NUL, and may contain NUL. */

enum {
    ASSAY_TYPE_NULL = 0,
    ASSAY_TYPE_BOOLEAN = 1,
    ASSAY_TYPE_NUMBER = 2,
    ASSAY_TYPE_STRING = 3,
    ASSAY_TYPE_ARRAY = 4,
    ASSAY_TYPE_OBJECT = 5
};

/* A JSON value of a result. Copy it freely. After its result was reset, its functions return ASSAY_NO_CLAIMS. */
typedef struct assay_value {
    const assay_result *result;
    uint64_t serial;
    uint32_t place;
    uint32_t type;                /* ASSAY_TYPE_… */
} assay_value;

/* assay_result_claim finds a claim by its name: `name` is compared as a whole, so "https://example.com/roles" is one name. */
assay_code assay_result_claim(assay_value *out, const assay_result *result, const char *name, size_t name_len);

/* assay_result_claim_at finds a value by a JSON Pointer (RFC 6901), such as "/realm_access/roles/0"; "" is the whole payload. */
assay_code assay_result_claim_at(assay_value *out, const assay_result *result, const char *pointer, size_t pointer_len);

/* assay_value_string gives a string. */
assay_code assay_value_string(const char **out, size_t *out_len, const assay_value *value);

/* assay_value_integer gives a number without fraction and exponent that fits. */
assay_code assay_value_integer(int64_t *out, const assay_value *value);

/* assay_value_number gives the nearest double of a number. */
assay_code assay_value_number(double *out, const assay_value *value);

/* assay_value_bool gives 1 for true, 0 for false. */
assay_code assay_value_bool(int *out, const assay_value *value);

/* assay_value_json gives the JSON text of any value as the token has it, a string with its quotes and escapes. */
assay_code assay_value_json(const char **out, size_t *out_len, const assay_value *value);

/* assay_value_count gives the number of elements of an array or members of an object. */
assay_code assay_value_count(size_t *out, const assay_value *value);

/* assay_value_element gives an element of an array by its index from 0. */
assay_code assay_value_element(assay_value *out, const assay_value *array, size_t index);

/* assay_value_member gives a member of an object by its index from 0, with its name. */
assay_code assay_value_member(assay_value *out, const char **out_name, size_t *out_name_len, const assay_value *object, size_t index);

/* The registered claims and the header's key id and algorithm. ASSAY_NO_VALUE if the token does not have them. */
assay_code assay_result_issuer(const char **out, size_t *out_len, const assay_result *result);
assay_code assay_result_subject(const char **out, size_t *out_len, const assay_result *result);
assay_code assay_result_token_id(const char **out, size_t *out_len, const assay_result *result);
assay_code assay_result_key_id(const char **out, size_t *out_len, const assay_result *result);
assay_code assay_result_algorithm(const char **out, size_t *out_len, const assay_result *result);

/* Dates in seconds since 1970; a fraction is cut off. */
assay_code assay_result_expiration(int64_t *out, const assay_result *result);
assay_code assay_result_not_before(int64_t *out, const assay_result *result);
assay_code assay_result_issued_at(int64_t *out, const assay_result *result);
assay_code assay_result_authentication_time(int64_t *out, const assay_result *result);

/* The decoded header and payload. */
assay_code assay_result_header(const char **out, size_t *out_len, const assay_result *result);
assay_code assay_result_payload(const char **out, size_t *out_len, const assay_result *result);


/* Gateways: decisions about requests. A gateway has the settings of `assay serve`, as JSON: providers, policies, routes. For each request
 * it says whether the request may pass, and what becomes of its header fields. A host with routes of its own gives `policy` in place of
 * `routes`, and names the policy of each request.
 *
 *     code = assay_gateway_decide(decision, gateway, &request, ASSAY_NOW);
 *     if (code == ASSAY_OK) { do what assay_decision_operation says, and let the request pass }
 *     else { answer with assay_decision_status, assay_decision_challenge and assay_decision_retry_after }
 *
 * Only ASSAY_OK lets a request pass. */

typedef struct assay_gateway assay_gateway;

/* A memory of uses, for settings with `once` or `dpop`: what passes once is refused when it comes again. All gateways that may see the same
 * tokens need the same memory. It may be freed before them. */
typedef struct assay_replay_memory assay_replay_memory;

/* assay_replay_memory_new makes a memory with room for so many uses that have not ended, at most 2^30, of 16 bytes each. Processes that
 * fork share it. A full memory refuses (ASSAY_REPLAY_MEMORY_UNAVAILABLE): no use is forgotten before its end. With 0 the memory has no
 * room, and refuses everything, until assay_replay_memory_place. Proofs that are older than the memory are refused. */
assay_code assay_replay_memory_new(assay_replay_memory **out, uint64_t entries);

/* assay_replay_memory_size returns the size of a block for so many uses; 0 for none and for more than 2^30. */
size_t assay_replay_memory_size(uint64_t entries);

/* assay_replay_memory_place gives a memory that has no room a block of the host's: memory that processes share. Every process may have it
 * at another address, a multiple of 64 bytes. It stays the host's, and there while the memory or a gateway with it lives. `is_new` 1: the
 * block becomes empty, for which no other process may use it. 0: its uses are kept. ASSAY_INVALID_ARGUMENT: this memory has room, the
 * block is too small, or it is not new and was made with another size or by another version of the library. */
assay_code assay_replay_memory_place(assay_replay_memory *memory, void *block, size_t block_len, uint32_t is_new);

/* assay_replay_memory_free frees a memory, which its gateways keep. */
void assay_replay_memory_free(assay_replay_memory *memory);

typedef struct assay_gateway_options {
    size_t size;                  /* sizeof(assay_gateway_options) */
    assay_text folder;            /* from which paths in the settings count; length 0: the working directory */
    uint64_t cache_bytes;         /* for verified tokens, as in assay_verifier_options */
    uint64_t cache_seconds;
    uint32_t cache_digests;
    uint32_t reserved;            /* 0 */
    uint64_t seed;                /* the others as in assay_refresh_options, for the keys of all issuers */
    int64_t (*clock)(void *context);
    void (*wake)(void *context);
    void (*release)(void *context); /* called once when the gateway and its keys are gone; not by a function that fails */
    void *context;
    const assay_gateway *const *sharing; /* gateways whose keys this one uses where issuer and sources are the same; the array may be freed */
    size_t sharing_count;         /* at most 1,024 */
    const assay_replay_memory *replay_memory; /* NULL: the gateway has a memory of its own for 262,144 uses, if its settings need one.
                                   * Absent in a caller's older structure */
} assay_gateway_options;

/* assay_gateway_check writes what is wrong with settings and what may do something else than it seems to, a line each, with a final NUL:
 * "error: ..." or "warning: ...". Returns the length without the NUL, 0 where there is nothing to say. If `max_out` does not suffice, writes
 * "" and returns the length that the text has. */
size_t assay_gateway_check(char *out, size_t max_out, const char *settings, size_t settings_len);

/* assay_gateway_new makes a gateway. ASSAY_INVALID_SETTINGS: assay_gateway_check says why. `options` may be NULL. */
assay_code assay_gateway_new(assay_gateway **out, const char *settings, size_t settings_len, const assay_gateway_options *options);

/* assay_gateway_replace gives the gateway other settings. Issuers with the same sources keep their keys, providers with the same
 * `statusLists`, issuers and keys their lists; policies with the same names go on counting, and revocations stay. A decision that has begun
 * ends under the settings before. ASSAY_INVALID_SETTINGS: these stay; also where the settings are the first that need a memory of uses, and
 * the gateway was made before a fork without one. */
assay_code assay_gateway_replace(assay_gateway *gateway, const char *settings, size_t settings_len);

/* assay_gateway_revoke replaces the list of revocations: {"revocations": [{"issuer": ..., "sub": ...}, ...]}, as in the file of `assay
 * serve`. It applies to every decision that begins afterwards. What came from a log (`revocationLog` in the settings) stays.
 * ASSAY_INVALID_SETTINGS: the list before stays. ASSAY_INVALID_ARGUMENT: the settings name a file of revocations, and it has the list. */
assay_code assay_gateway_revoke(assay_gateway *gateway, const char *revocations, size_t revocations_len);

/* assay_gateway_free frees a gateway. No thread may be using it. */
void assay_gateway_free(assay_gateway *gateway);


/* Keys and status lists of a gateway. The caller makes the requests for all issuers, as for keys above, in one loop. Files are read by
 * assay_gateway_request. A fetch for a status list, where the settings have `statusLists`, has the Accept field application/statuslist+jwt.
 * Its URL comes from a token, and its origin from the settings. Its body may have 1,887,916 bytes, that of keys 262,144. */

/* assay_gateway_next_due returns the milliseconds until assay_gateway_request has something to do; -1 for NULL. */
int64_t assay_gateway_next_due(const assay_gateway *gateway);

/* assay_gateway_request hands out the next request that is due, for any issuer or status list, or returns ASSAY_NOT_DUE. */
assay_code assay_gateway_request(assay_fetch **out, assay_gateway *gateway);

/* assay_gateway_install and assay_gateway_fail hand over what came of a fetch of this gateway, as assay_keys_install and assay_keys_fail
 * do. Decide again about requests that were ASSAY_AWAITING_KEYS, unless it returns ASSAY_FETCH_CONTINUES. */
assay_code assay_gateway_install(assay_gateway *gateway, assay_fetch *fetch, uint32_t status, const assay_field *fields, size_t field_count,
                                 const char *body, size_t body_len);
assay_code assay_gateway_fail(assay_gateway *gateway, assay_fetch *fetch, uint32_t failure);

/* assay_gateway_refresh makes a fetch of keys due for every issuer, assay_gateway_refresh_issuer for one. ASSAY_NO_VALUE: no provider has this issuer.
 * ASSAY_NOT_DUE: its keys are fixed. */
assay_code assay_gateway_refresh(assay_gateway *gateway);
assay_code assay_gateway_refresh_issuer(assay_gateway *gateway, const char *issuer, size_t issuer_len);

/* assay_gateway_keys_status fills `out` for the keys of an issuer, as assay_keys_status does. ASSAY_NO_VALUE: no provider has this issuer. */
assay_code assay_gateway_keys_status(assay_keys_state *out, const assay_gateway *gateway, const char *issuer, size_t issuer_len);

/* assay_gateway_is_ready returns 1 if every required issuer has keys, else 0. */
int assay_gateway_is_ready(const assay_gateway *gateway);


/* Deciding */

/* One use of a token or a proof that passes once: a digest. */
typedef struct assay_use {
    unsigned char digest[32];
} assay_use;

/* A client's request. Its texts are only read during the call. */
typedef struct assay_request {
    size_t size;                  /* sizeof(assay_request) */
    assay_text method;            /* with its case */
    assay_text authority;         /* that the client asked for, with its port if it named one */
    assay_text target;            /* path and query as the client sent them, from the first slash */
    const assay_field *fields;    /* all header fields in their order, at most 1,024 */
    size_t field_count;
    const assay_field *context;   /* what the gateway itself says about the route, at most 1,024 entries */
    size_t context_count;
    uint32_t may_wait;            /* 1: a decision that lacks keys or a list is ASSAY_AWAITING_KEYS, and is not counted; 0: it is 503 */
    uint32_t reserved;            /* 0 */
    assay_text policy;            /* that a route of the host names; length 0: `routes` choose it, or it is `policy` of the settings */
    assay_text scheme;            /* "http" or "https", by which the client asked; length 0: not known. Absent in a caller's older structure */
    const assay_use *used;        /* what earlier decisions about this same request have used (assay_decision_use), at most 64: it is no
                                   * replay. Absent in a caller's older structure, as is the next */
    size_t used_count;
    assay_text certificate;       /* the client's, in DER, as the host itself knows it from the TLS connection; length 0: none */
    assay_text certificate_digest; /* its SHA-256 in 64 hexadecimal digits, of a host that has no more; length 0: not known. Both are absent
                                   * in a caller's older structure, and one of them is empty */
} assay_request;

/* A decision, with its texts. One serves for one request after the other; its texts end with the next one. */
typedef struct assay_decision assay_decision;

assay_code assay_decision_new(assay_decision **out);
void assay_decision_free(assay_decision *decision);

/* assay_gateway_decide decides about a request. ASSAY_OK: it may pass. Otherwise why not. `now` as for assay_verify. It waits for nothing,
 * and allocates nothing once the decision has the memory that requests need. */
assay_code assay_gateway_decide(assay_decision *decision, const assay_gateway *gateway, const assay_request *request, double now);

/* assay_decision_code returns what assay_gateway_decide returned last; ASSAY_NO_DECISION before, ASSAY_INVALID_ARGUMENT for NULL. */
assay_code assay_decision_code(const assay_decision *decision);

/* assay_decision_waived returns the refusal that dry run, or a requirement that allows a failed token, turned into ASSAY_OK; ASSAY_OK if
 * there was none. Such a request has no identity of that token. */
assay_code assay_decision_waived(const assay_decision *decision);

/* assay_decision_status returns the status of the reply: 200 for ASSAY_OK, 400, 401, 403 or 503 for a refusal, 500 without a decision. */
uint32_t assay_decision_status(const assay_decision *decision);

/* assay_decision_retry_after returns the seconds for Retry-After of a 503; -1 if there are none. */
int64_t assay_decision_retry_after(const assay_decision *decision);

/* The texts of a decision: valid until the next one, UTF-8, without a final NUL. ASSAY_NO_VALUE if there is none. The challenge is the value
 * of WWW-Authenticate. */
assay_code assay_decision_challenge(const char **out, size_t *out_len, const assay_decision *decision);
assay_code assay_decision_policy(const char **out, size_t *out_len, const assay_decision *decision);

/* assay_decision_location gives where the policy sends a browser in place of this 401 (`browsers`); ASSAY_NO_VALUE for every other decision. A
 * host answers 302 with it in `Location`, with `Cache-Control: no-store`, and without the challenge. The request stays refused: a host that
 * cannot redirect answers with status and challenge. */
assay_code assay_decision_location(const char **out, size_t *out_len, const assay_decision *decision);

/* assay_decision_proof_nonce gives the value of DPoP-Nonce for the response, of a refused request and of one that passes (RFC 9449 section
 * 8); ASSAY_NO_VALUE where the client needs no new nonce. */
assay_code assay_decision_proof_nonce(const char **out, size_t *out_len, const assay_decision *decision);

/* assay_decision_use gives what the request has used, by index from 0; ASSAY_NO_VALUE past the last. A host that decides again about the
 * same request, for example under another policy, hands it all back in `used`. With another request it would admit a replay. */
assay_code assay_decision_use(assay_use *out, const assay_decision *decision, size_t index);

/* assay_decision_reason writes one sentence about the decision, for logs: it holds no byte of the token. Lengths as for
 * assay_gateway_check. */
size_t assay_decision_reason(char *out, size_t max_out, const assay_decision *decision);

/* assay_decision_provider gives the providers whose tokens were accepted, by index from 0; ASSAY_NO_VALUE past the last. */
assay_code assay_decision_provider(const char **out, size_t *out_len, const assay_decision *decision, size_t index);

enum {
    ASSAY_SET_FIELD = 1,          /* replace all fields of this name by one with this value; it may be empty */
    ASSAY_REMOVE_FIELD = 2,       /* remove all fields of this name */
    ASSAY_SET_TARGET = 4          /* ask the upstream for this target, path and query, in place of the client's: it has no token; no name */
};

typedef struct assay_operation {
    uint32_t kind;                /* ASSAY_SET_FIELD, ASSAY_REMOVE_FIELD or ASSAY_SET_TARGET */
    uint32_t reserved;
    assay_text name;              /* in lower case, for a field */
    assay_text value;
} assay_operation;

/* assay_decision_operation gives the changes of an admitted request, by index from 0; ASSAY_NO_VALUE past the last. A host that cannot do
 * one of them must refuse the request. */
assay_code assay_decision_operation(assay_operation *out, const assay_decision *decision, size_t index);

/* What the host may keep of an accepted token beside the request: its payload and header, where `payloadMetadata` and `headerMetadata` of the
 * provider name them. */
typedef struct assay_metadata {
    assay_text provider;
    assay_text key;               /* the name in the settings */
    assay_text json;              /* a JSON object, as the token has it */
} assay_metadata;

/* assay_decision_metadata gives them by index from 0; ASSAY_NO_VALUE past the last. */
assay_code assay_decision_metadata(assay_metadata *out, const assay_decision *decision, size_t index);

/* assay_claim_text writes a claim of a payload, as assay_decision_metadata gives it, as a header field has it: printable ASCII, with a final
 * NUL. `claim` is a name, or a JSON Pointer (RFC 6901) if it begins with a slash. `is_json` is 1 where an array becomes JSON, and 0 where it
 * becomes its elements with commas between them. Writes "" for a claim that is absent, and for a payload that is no JSON. Lengths as for
 * assay_gateway_check. */
size_t assay_claim_text(char *out, size_t max_out, const char *payload, size_t payload_len, const char *claim, size_t claim_len,
                        uint32_t is_json);

/* assay_target_is_plain returns 1 if the target of a request, path and query, has one reading by the strict rules of a gateway, else 0. For
 * a host that asks about a request before it has chosen its policy. */
int assay_target_is_plain(const char *target, size_t target_len);

/* assay_gateway_protects returns 1 if a field of this name, in any spelling, can bring an identity or a token to the upstream: a host removes
 * such trailers. Else 0. */
int assay_gateway_protects(const assay_gateway *gateway, const char *name, size_t name_len);

/* assay_gateway_resource_metadata writes the metadata (RFC 9728) of the resource in `resources` of the settings whose metadata is at this
 * host and path: a JSON object, with a final NUL. `authority` is what the client asked for, with its port if it named one, and `target` path
 * and query as the client sent them. Returns 0 where no resource has its metadata there: answer 404, or decide about the request. Answer GET
 * and HEAD with `Content-Type: application/json`. It needs no token. Lengths as for assay_gateway_check. */
size_t assay_gateway_resource_metadata(char *out, size_t max_out, const assay_gateway *gateway, const char *authority,
                                       size_t authority_len, const char *target, size_t target_len);

/* assay_gateway_explain decides about a request without counting it, and writes one line about it for a log, with a final NUL. Of a token it
 * has only `kid` and `iss`, cut and escaped. Lengths as for assay_gateway_check. */
size_t assay_gateway_explain(char *out, size_t max_out, const assay_gateway *gateway, const assay_request *request, double now);

/* assay_gateway_status writes a JSON document about keys, decisions and the kernels that judge signatures (`engine`), assay_gateway_metrics the
 * same as samples for Prometheus (text format 0.0.4), with a final NUL. Lengths as for assay_gateway_check. */
size_t assay_gateway_status(char *out, size_t max_out, const assay_gateway *gateway);
size_t assay_gateway_metrics(char *out, size_t max_out, const assay_gateway *gateway);

#ifdef __cplusplus
}
#endif

#endif
