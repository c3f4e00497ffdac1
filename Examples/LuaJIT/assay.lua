-- Assay in LuaJIT, as OpenResty and HAProxy run it: a module over libassay. Only the declarations that it uses are here.
local ffi = require("ffi")

ffi.cdef [[
typedef struct assay_verifier assay_verifier;
typedef struct assay_result assay_result;
typedef struct { const assay_result *result; uint64_t serial; uint32_t place; uint32_t type; } assay_value;
const char *assay_version(void);
const char *assay_code_name(uint32_t code);
uint32_t assay_verifier_new_jwks(assay_verifier **out, const char *jwks, size_t jwks_len, const char *issuer, size_t issuer_len,
                                 const char *audience, size_t audience_len);
void assay_verifier_free(assay_verifier *verifier);
assay_result *assay_result_init(void *memory, size_t size);
uint32_t assay_result_http_status(const assay_result *result);
size_t assay_result_challenge(char *out, size_t max_out, const assay_result *result, const char *realm, size_t realm_len,
                              const char *scope, size_t scope_len);
uint32_t assay_verify(assay_result *result, const assay_verifier *verifier, const char *token, size_t token_len, double now);
uint32_t assay_result_subject(const char **out, size_t *out_len, const assay_result *result);
uint32_t assay_result_claim_at(assay_value *out, const assay_result *result, const char *pointer, size_t pointer_len);
uint32_t assay_value_string(const char **out, size_t *out_len, const assay_value *value);
uint32_t assay_value_number(double *out, const assay_value *value);
uint32_t assay_value_bool(int *out, const assay_value *value);
]]

local library = ffi.load(os.getenv("ASSAY_LIBRARY") or "assay")
local OK, RESULT_SIZE = 0, 99328

-- A coroutine must not yield between a verification and the last read of its claims: all of them use this memory.
local memory = ffi.new("uint64_t[?]", RESULT_SIZE / 8 + 2)
local aligned = ffi.cast("char *", memory)
aligned = aligned + (-tonumber(ffi.cast("uintptr_t", aligned)) % 16)
local result = library.assay_result_init(aligned, RESULT_SIZE)
assert(result ~= nil)

local text, length = ffi.new("const char *[1]"), ffi.new("size_t[1]")
local value, number, truth = ffi.new("assay_value"), ffi.new("double[1]"), ffi.new("int[1]")

local Verifier = {}
Verifier.__index = Verifier

local function new(jwks, issuer, audience)
    local out = ffi.new("assay_verifier *[1]")
    local code = library.assay_verifier_new_jwks(out, jwks, #jwks, issuer, #issuer, audience, #audience)
    if code ~= OK then return nil, ffi.string(library.assay_code_name(code)) end
    return setmetatable({ verifier = ffi.gc(out[0], library.assay_verifier_free) }, Verifier)
end

-- The subject of a valid token; or nil, the code's name, the HTTP status and the challenge.
function Verifier:verify(token, now)
    local code = library.assay_verify(result, self.verifier, token, #token, now or -1)
    if code == OK then
        library.assay_result_subject(text, length, result)
        return ffi.string(text[0], length[0])
    end
    local challenge = ffi.new("char[512]")
    library.assay_result_challenge(challenge, 512, result, "example", 7, nil, 0)
    return nil, ffi.string(library.assay_code_name(code)), library.assay_result_http_status(result), ffi.string(challenge)
end

-- A claim of the last valid token by a JSON Pointer: a string, a number, a Boolean, or nil.
function Verifier:claim(pointer)
    if library.assay_result_claim_at(value, result, pointer, #pointer) ~= OK then return nil end
    if library.assay_value_string(text, length, value) == OK then return ffi.string(text[0], length[0]) end
    if library.assay_value_number(number, value) == OK then return number[0] end
    if library.assay_value_bool(truth, value) == OK then return truth[0] == 1 end
    return nil
end

return { new = new, version = ffi.string(library.assay_version()) }
