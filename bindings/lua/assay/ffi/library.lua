-- libassay by LuaJIT's FFI: the declarations of assay.h that the modules beside this one use, and the loaded library. declarations.py
-- compares them with the header. libassay never calls Lua: `clock`, `wake` and `release` stay NULL.
local ffi = require("ffi")

ffi.cdef [[
const char *assay_version(void);
typedef uint32_t assay_code;
const char *assay_code_name(assay_code code);
uint32_t assay_code_http_status(assay_code code);
typedef struct assay_policy assay_policy;
assay_code assay_policy_new(assay_policy **out);
assay_code assay_policy_new_id_token(assay_policy **out, const char *issuer, size_t issuer_len, const char *client_id,
                                     size_t client_id_len);
assay_code assay_policy_new_access_token(assay_policy **out, const char *issuer, size_t issuer_len, const char *audience,
                                         size_t audience_len);
assay_code assay_policy_add(assay_policy *policy, uint32_t rule, const char *text, size_t text_len);
assay_code assay_policy_set(assay_policy *policy, uint32_t rule, int64_t value);
void assay_policy_free(assay_policy *policy);
typedef struct assay_keys assay_keys;
assay_code assay_keys_new(assay_keys **out, const char *document, size_t document_len);
void assay_keys_free(assay_keys *keys);
typedef struct assay_fetch assay_fetch;
typedef struct assay_refresh_options {
    size_t size;
int64_t default_lifetime;
int64_t shortest_lifetime;
int64_t longest_lifetime;
int64_t stale_if_error;
int64_t attempt_limit;
uint64_t seed;
int64_t (*clock)(void *context);
void (*wake)(void *context);
void (*release)(void *context);
void *context;
} assay_refresh_options;
assay_code assay_refresh_options_init(assay_refresh_options *out, size_t size, uint32_t preset);
assay_code assay_keys_new_url(assay_keys **out, const char *url, size_t url_len, const assay_refresh_options *options);
assay_code assay_keys_new_issuer(assay_keys **out, const char *issuer, size_t issuer_len, const assay_refresh_options *options);
int64_t assay_keys_next_due(const assay_keys *keys);
assay_code assay_keys_refresh(assay_keys *keys);
assay_code assay_keys_request(assay_fetch **out, assay_keys *keys);
const char *assay_fetch_url(const assay_fetch *fetch);
const char *assay_fetch_issuer(const assay_fetch *fetch);
assay_code assay_fetch_field(const char **out_name, const char **out_value, const assay_fetch *fetch, size_t index);
void assay_fetch_free(assay_fetch *fetch);
typedef struct assay_text {
    const char *bytes;
size_t len;
} assay_text;
typedef struct assay_field {
    assay_text name;
assay_text value;
} assay_field;
assay_code assay_keys_install(assay_keys *keys, assay_fetch *fetch, uint32_t status, const assay_field *fields, size_t field_count,
                              const char *body, size_t body_len);
assay_code assay_keys_fail(assay_keys *keys, assay_fetch *fetch, uint32_t failure);
typedef struct assay_keys_state {
    size_t size;
uint32_t health;
uint32_t is_fetching;
uint64_t key_count;
uint64_t generation;
int64_t age;
int64_t fresh_for;
int64_t used_for;
uint64_t failures;
uint64_t shed_fetches;
int64_t clock_skew;
const char *last_failure;
} assay_keys_state;
assay_code assay_keys_status(assay_keys_state *out, const assay_keys *keys);
typedef struct assay_verifier assay_verifier;
typedef struct assay_issuer {
    const assay_policy *policy;
const assay_keys *keys;
} assay_issuer;
typedef struct assay_verifier_options {
    size_t size;
uint64_t token_bytes;
uint64_t cache_bytes;
uint64_t cache_seconds;
uint32_t cache_digests;
uint32_t reserved;
} assay_verifier_options;
assay_code assay_verifier_new(assay_verifier **out, const assay_issuer *issuers, size_t issuer_count,
                              const assay_verifier_options *options);
void assay_verifier_free(assay_verifier *verifier);
typedef struct assay_result assay_result;
size_t assay_result_size(size_t token_len);
assay_result *assay_result_init(void *memory, size_t size);
size_t assay_result_needed(const assay_result *result);
int64_t assay_result_offset(const assay_result *result);
const char *assay_result_claim_name(const assay_result *result);
size_t assay_result_challenge(char *out, size_t max_out, const assay_result *result, const char *realm, size_t realm_len,
                              const char *scope, size_t scope_len);
size_t assay_result_description(char *out, size_t max_out, const assay_result *result);
assay_code assay_verify(assay_result *result, const assay_verifier *verifier, const char *token, size_t token_len, double now);
typedef struct assay_login {
    size_t size;
assay_text nonce;
assay_text access_token;
assay_text code;
} assay_login;
assay_code assay_verify_login(assay_result *result, const assay_verifier *verifier, const char *token, size_t token_len, double now,
                              const assay_login *login);
assay_code assay_verify_payload(assay_result *result, const assay_verifier *verifier, const char *token, size_t token_len);
assay_code assay_verify_batch(assay_code *codes, assay_result *const *results, const assay_verifier *verifier, const assay_text *tokens,
                              size_t count, double now);
assay_code assay_result_issuer(const char **out, size_t *out_len, const assay_result *result);
assay_code assay_result_subject(const char **out, size_t *out_len, const assay_result *result);
assay_code assay_result_token_id(const char **out, size_t *out_len, const assay_result *result);
assay_code assay_result_key_id(const char **out, size_t *out_len, const assay_result *result);
assay_code assay_result_algorithm(const char **out, size_t *out_len, const assay_result *result);
assay_code assay_result_expiration(int64_t *out, const assay_result *result);
assay_code assay_result_not_before(int64_t *out, const assay_result *result);
assay_code assay_result_issued_at(int64_t *out, const assay_result *result);
assay_code assay_result_authentication_time(int64_t *out, const assay_result *result);
assay_code assay_result_header(const char **out, size_t *out_len, const assay_result *result);
assay_code assay_result_payload(const char **out, size_t *out_len, const assay_result *result);
typedef struct assay_gateway assay_gateway;
typedef struct assay_replay_memory assay_replay_memory;
assay_code assay_replay_memory_new(assay_replay_memory **out, uint64_t entries);
void assay_replay_memory_free(assay_replay_memory *memory);
typedef struct assay_gateway_options {
    size_t size;
assay_text folder;
uint64_t cache_bytes;
uint64_t cache_seconds;
uint32_t cache_digests;
uint32_t reserved;
uint64_t seed;
int64_t (*clock)(void *context);
void (*wake)(void *context);
void (*release)(void *context);
void *context;
const assay_gateway *const *sharing;
size_t sharing_count;
const assay_replay_memory *replay_memory;
} assay_gateway_options;
size_t assay_gateway_check(char *out, size_t max_out, const char *settings, size_t settings_len);
assay_code assay_gateway_new(assay_gateway **out, const char *settings, size_t settings_len, const assay_gateway_options *options);
assay_code assay_gateway_replace(assay_gateway *gateway, const char *settings, size_t settings_len);
assay_code assay_gateway_revoke(assay_gateway *gateway, const char *revocations, size_t revocations_len);
void assay_gateway_free(assay_gateway *gateway);
int64_t assay_gateway_next_due(const assay_gateway *gateway);
assay_code assay_gateway_request(assay_fetch **out, assay_gateway *gateway);
assay_code assay_gateway_install(assay_gateway *gateway, assay_fetch *fetch, uint32_t status, const assay_field *fields, size_t field_count,
                                 const char *body, size_t body_len);
assay_code assay_gateway_fail(assay_gateway *gateway, assay_fetch *fetch, uint32_t failure);
assay_code assay_gateway_refresh(assay_gateway *gateway);
assay_code assay_gateway_refresh_issuer(assay_gateway *gateway, const char *issuer, size_t issuer_len);
assay_code assay_gateway_keys_status(assay_keys_state *out, const assay_gateway *gateway, const char *issuer, size_t issuer_len);
int assay_gateway_is_ready(const assay_gateway *gateway);
typedef struct assay_use {
    unsigned char digest[32];
} assay_use;
typedef struct assay_request {
    size_t size;
assay_text method;
assay_text authority;
assay_text target;
const assay_field *fields;
size_t field_count;
const assay_field *context;
size_t context_count;
uint32_t may_wait;
uint32_t reserved;
assay_text policy;
assay_text scheme;
const assay_use *used;
size_t used_count;
assay_text certificate;
assay_text certificate_digest;
} assay_request;
typedef struct assay_decision assay_decision;
assay_code assay_decision_new(assay_decision **out);
void assay_decision_free(assay_decision *decision);
assay_code assay_gateway_decide(assay_decision *decision, const assay_gateway *gateway, const assay_request *request, double now);
assay_code assay_decision_waived(const assay_decision *decision);
uint32_t assay_decision_status(const assay_decision *decision);
int64_t assay_decision_retry_after(const assay_decision *decision);
assay_code assay_decision_challenge(const char **out, size_t *out_len, const assay_decision *decision);
assay_code assay_decision_policy(const char **out, size_t *out_len, const assay_decision *decision);
assay_code assay_decision_location(const char **out, size_t *out_len, const assay_decision *decision);
assay_code assay_decision_proof_nonce(const char **out, size_t *out_len, const assay_decision *decision);
assay_code assay_decision_use(assay_use *out, const assay_decision *decision, size_t index);
size_t assay_decision_reason(char *out, size_t max_out, const assay_decision *decision);
assay_code assay_decision_provider(const char **out, size_t *out_len, const assay_decision *decision, size_t index);
typedef struct assay_operation {
    uint32_t kind;
uint32_t reserved;
assay_text name;
assay_text value;
} assay_operation;
assay_code assay_decision_operation(assay_operation *out, const assay_decision *decision, size_t index);
typedef struct assay_metadata {
    assay_text provider;
assay_text key;
assay_text json;
} assay_metadata;
assay_code assay_decision_metadata(assay_metadata *out, const assay_decision *decision, size_t index);
int assay_target_is_plain(const char *target, size_t target_len);
int assay_gateway_protects(const assay_gateway *gateway, const char *name, size_t name_len);
size_t assay_gateway_resource_metadata(char *out, size_t max_out, const assay_gateway *gateway, const char *authority,
                                       size_t authority_len, const char *target, size_t target_len);
size_t assay_gateway_explain(char *out, size_t max_out, const assay_gateway *gateway, const assay_request *request, double now);
size_t assay_gateway_status(char *out, size_t max_out, const assay_gateway *gateway);
size_t assay_gateway_metrics(char *out, size_t max_out, const assay_gateway *gateway);]]

-- ASSAY_LIBRARY names the library where the system does not find it.
local library = ffi.load(os.getenv("ASSAY_LIBRARY") or "libassay.so.0")

-- The version of the header that the declarations are of.
local HEADER = { 0, 1, 0 }

local function check_version()
    local version = ffi.string(library.assay_version())
    local major, minor, patch = version:match("^(%d+)%.(%d+)%.(%d+)")
    local found = { tonumber(major), tonumber(minor), tonumber(patch) }
    for place, number in ipairs(HEADER) do
        if found[place] ~= number then
            assert(place > 1 and found[place] > number, "assay: libassay " .. version .. " is older than 0.1.0, which this module needs")
            break
        end
    end
    return version
end

return { c = library, version = check_version(), header = table.concat(HEADER, ".") }
