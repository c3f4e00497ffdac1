-- A request of nginx as libassay sees it, and what becomes of it. Nothing here yields: all requests of a worker use the same memory.
local bit = require("bit")
local ffi = require("ffi")
local base = require("resty.core.base")
require("resty.core.request")
local texts = require("assay.ffi.texts")
local uses = require("assay.nginx.uses")
local c = require("assay.ffi.library").c

local MOST_FIELDS, INVALID_ARGUMENT = 1024, 1
local OK, SET_FIELD, REMOVE_FIELD, SET_TARGET = 0, 1, 2, 4

local TOO_MANY = { code = "malformed_request", status = 400, reason = "malformed_request: more fields than a request may have" }
local OTHER_HOST = { code = "malformed_request", status = 400, reason = "malformed_request: Host is not the host that nginx serves" }

local TEXT = ffi.typeof("const char *")
local IMPOSSIBLE = { code = "invalid_argument", status = 500, reason = "nginx cannot make a change of the request" }
-- What most requests get.
local PASSED = { code = "ok", status = 200 }

local requests = {}

-- Of this module alone: the module's other calls do not touch it.
local memory = texts.memory()

local decision = assert(texts.object("assay_decision", c.assay_decision_free, c.assay_decision_new))
local request = ffi.new("assay_request", { size = ffi.sizeof("assay_request") })
local elements, fields = ffi.new("ngx_http_lua_ffi_table_elt_t[?]", MOST_FIELDS), ffi.new("assay_field[?]", MOST_FIELDS)
-- What is wrong with a request that libassay was not asked about.
local problem = TOO_MANY
local truncated, operation = ffi.new("int[1]"), ffi.new("assay_operation")

local function is_host(name)
    return bit.bor(name[0], 32) == 104 and bit.bor(name[1], 32) == 111 and bit.bor(name[2], 32) == 115 and bit.bor(name[3], 32) == 116
end

-- All fields as the client sent them, repeated ones too, in nginx's own memory: ngx.req.get_headers() loses their order and their spelling.
local function describe_fields()
    local r = base.get_request()
    local count = ffi.C.ngx_http_lua_ffi_req_get_headers_count(r, 0, truncated)
    if count < 0 or count > MOST_FIELDS then return false end
    if count > 0 and ffi.C.ngx_http_lua_ffi_req_get_headers(r, elements, count, 1) ~= 0 then return false end
    request.authority.bytes, request.authority.len = nil, 0
    for index = 0, count - 1 do
        local from, to = elements[index], fields[index]
        to.name.bytes, to.name.len = ffi.cast(TEXT, from.key.data), from.key.len
        to.value.bytes, to.value.len = ffi.cast(TEXT, from.value.data), from.value.len
        -- nginx refuses a second one.
        if from.key.len == 4 and is_host(from.key.data) then request.authority = to.value end
    end
    request.fields, request.field_count = fields, count
    return true
end

-- The certificate of the client's TLS connection in DER; "" without one.
local function certificate(scheme)
    local pem = scheme == "https" and ngx.var.ssl_client_raw_cert
    if not pem or pem == "" then return "" end
    local body = pem:match("^%-%-%-%-%-BEGIN CERTIFICATE%-%-%-%-%-\n(.-)\n%-%-%-%-%-END CERTIFICATE%-%-%-%-%-")
    local der = body and ngx.decode_base64((body:gsub("%s", "")))
    -- Not one without a certificate: that may ask less.
    return der or pem
end

-- The client's own method: an error page has another one.
local function method()
    return ngx.req.is_internal() and ngx.var.request:match("^(%S+) ") or ngx.req.get_method()
end

-- Whether the field Host names what nginx serves. By an absolute target that is the host of the target, and the rules would be those of
-- another one.
local function is_served(host)
    local authority = texts.string(request.authority)
    return authority == host or authority:gsub(":%d*$", "", 1):gsub("%.$", "", 1):lower() == host
end

-- Decides about the request: the code.
function requests.decide(gateway, policy, may_wait)
    problem = TOO_MANY
    if not describe_fields() then return INVALID_ARGUMENT end
    memory.count = 0
    local variables = ngx.var
    if not is_served(variables.host) then
        problem = OTHER_HOST
        return INVALID_ARGUMENT
    end
    local scheme = variables.scheme
    memory:set(request.method, method())
    memory:set(request.target, variables.request_uri or "/")
    memory:set(request.scheme, scheme)
    memory:set(request.policy, policy)
    memory:set(request.certificate, certificate(scheme))
    request.may_wait = may_wait and 1 or 0
    uses.describe(request)
    return tonumber(c.assay_gateway_decide(decision, gateway, request, -1))
end

-- The target without the token. nginx writes its path anew then, so only a path with one reading may pass.
local function set_target(target)
    local path, query = target:match("^([^?]*)%??(.*)$")
    local asked = ngx.var.request_uri:match("^[^?]*")
    if path ~= asked or c.assay_target_is_plain(path, #path) ~= 1 then return false end
    ngx.req.set_uri_args(query)
    return true
end

local function apply(one)
    if one.kind == SET_FIELD then
        -- nginx has no field with an empty value here: the field stays away.
        ngx.req.set_header(texts.string(one.name), texts.string(one.value))
    elseif one.kind == REMOVE_FIELD then
        ngx.req.clear_header(texts.string(one.name))
    elseif one.kind == SET_TARGET then
        return set_target(texts.string(one.value))
    else
        return false
    end
    return true
end

-- Makes the changes of an admitted request; false where one cannot be made.
local function admit()
    local index = 0
    while c.assay_decision_operation(operation, decision, index) == OK do
        if not apply(operation) then return false end
        index = index + 1
    end
    return true
end

-- What the decision says, for an answer and for a log.
function requests.verdict(code)
    if code == INVALID_ARGUMENT then return problem end
    local has_used = uses.keep(decision)
    local waived, retry_after = c.assay_decision_waived(decision), tonumber(c.assay_decision_retry_after(decision))
    if code == OK and waived == OK and not has_used then return admit() and PASSED or IMPOSSIBLE end
    local verdict = {
        code = texts.code_name(waived ~= OK and waived or code), status = tonumber(c.assay_decision_status(decision)),
        proof_nonce = memory:optional(c.assay_decision_proof_nonce, decision), policy = memory:optional(c.assay_decision_policy, decision),
    }
    if code ~= OK then
        verdict.challenge = memory:optional(c.assay_decision_challenge, decision)
        verdict.location = memory:optional(c.assay_decision_location, decision)
        verdict.retry_after = retry_after >= 0 and retry_after or nil
    end
    if code ~= OK or waived ~= OK then verdict.reason = memory:written(c.assay_decision_reason, decision) end
    return (code ~= OK or admit()) and verdict or IMPOSSIBLE
end

-- Answers a refused request.
function requests.refuse(verdict)
    local header = ngx.header
    header["X-Assay-Code"] = verdict.code
    header["DPoP-Nonce"] = verdict.proof_nonce
    if verdict.location then
        header["Location"], header["Cache-Control"], header["Vary"] = verdict.location, "no-store", "Accept, Sec-Fetch-Mode"
        return ngx.exit(302)
    end
    header["WWW-Authenticate"] = verdict.challenge
    header["Retry-After"] = verdict.retry_after
    return ngx.exit(verdict.status)
end

return requests
