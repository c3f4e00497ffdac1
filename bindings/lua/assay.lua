-- Verifies JSON Web Tokens with libassay, and decides about requests. README.md has the interface.
local core = require(rawget(_G, "jit") and "assay.ffi" or "assay.core")
local json = require("assay.json")

local OK = 0
local concat, unpack = table.concat, table.unpack or unpack

local assay = { version = core.version(), null = core.null, array = json.array }

-- What libassay calls its rules (assay.h).
local presets = { claims = 0, id_token = 1, access_token = 2 }
local lists = {
    issuers = 1, audiences = 2, trusted_audiences = 3, algorithms = 5, types = 6, required_claims = 7, context_classes = 8,
    authentication_methods = 9, revoked_token_ids = 10, scopes = 15 }
local texts = { authorized_party = 4, nonce = 11, access_token = 12, code = 13, subject = 14 }
local numbers = { leeway = 101, maximum_age = 102, maximum_authentication_age = 103 }
local booleans = { expiration_required = 104, trusted_audiences_only = 105 }
local failures = {
    connection = 1, tls = 2, timed_out = 3, too_large = 4, redirect = 5, malformed = 6, forbidden = 7, cancelled = 8, unresolved = 9,
    pin = 10, url = 11 }
local verifier_options = { token_bytes = true, cache_bytes = true, cache_seconds = true, cache_digests = true, realm = true, scope = true }
local gateway_options = { folder = true, cache_bytes = true, cache_seconds = true, cache_digests = true, uses = true, shared = true }
local refresh_options = {
    preset = true, default_lifetime = true, shortest_lifetime = true, longest_lifetime = true, stale_if_error = true, attempt_limit = true }
local login_members = { nonce = true, access_token = true, code = true }
-- Rules that allow everything where their list is absent: a setting that is missing must not become one that is empty.
local restricting = { issuers = true, audiences = true, algorithms = true, types = true, context_classes = true }
local refresh_presets = { availability_first = 0, revocation_first = 1 }
local healths = { [0] = "unavailable", "fixed", "fresh", "stale" }

local function needs(value, kind, name)
    if type(value) ~= kind then error(name .. " must be a " .. kind .. ", and not " .. type(value), 3) end
    return value
end

-- A name that is misspelt must not be lost.
local function known(values, names, kind)
    for name in pairs(needs(values or {}, "table", kind .. "s")) do
        if not names[name] then error("there is no " .. kind .. " " .. tostring(name), 3) end
    end
    return values
end

local function refusal(number, offset, claim, challenge, description)
    if challenge == "" then challenge = nil end
    return {
        code = core.code_name(number), number = number, status = core.code_status(number), offset = offset, claim = claim,
        challenge = challenge, description = description }
end

local function done(number)
    if number == OK then return true end
    return nil, refusal(number)
end

-- Claims

local Claims = {}
Claims.__index = Claims
Claims.__name = "assay.claims"

-- All claims. The table is the caller's and every caller's: do not change it.
function Claims:decode()
    local decoded = self.decoded
    if not decoded then
        decoded = json.decode(self.payload, core.null)
        self.decoded = decoded
    end
    return decoded
end

-- A claim by its exact name; nil if the token has none.
function Claims:claim(name)
    needs(name, "string", "name")
    local claims = self:decode()
    if type(claims) ~= "table" then return nil end
    return claims[name]
end

local function verdict(number, payload, header, iss, sub, jti, kid, alg, exp, nbf, iat, auth_time)
    if number ~= OK then return nil, refusal(number, payload, header, iss, sub) end
    return setmetatable({
        payload = payload, header = header, iss = iss, sub = sub, jti = jti, kid = kid, alg = alg, exp = exp, nbf = nbf, iat = iat,
        auth_time = auth_time }, Claims)
end

-- Policies

local Policy = {}
Policy.__index = Policy
Policy.__name = "assay.policy"

local function add(policy, rule, value, name)
    local number = core.policy_add(policy, rule, needs(value, "string", name))
    if number ~= OK then error(name .. ": " .. core.code_name(number), 4) end
end

local function set(policy, rule, value, name)
    local number = core.policy_set(policy, rule, value)
    if number ~= OK then error(name .. ": " .. core.code_name(number), 4) end
end

-- The texts of a list, which must have no gap. A preset has the first issuer and the first audience already.
local function add_list(policy, name, values, has_first)
    local count = 0
    for _ in pairs(needs(values, "table", name)) do count = count + 1 end
    if count ~= #values then error(name .. " must be a list", 4) end
    if count == 0 and restricting[name] then error(name .. " must not be empty", 4) end
    for index = has_first and 2 or 1, count do add(policy, lists[name], values[index], name) end
end

local function add_rule(policy, name, value, has_preset)
    if lists[name] then
        add_list(policy, name, value, has_preset and (name == "issuers" or name == "audiences"))
    elseif texts[name] then
        add(policy, texts[name], value, name)
    elseif numbers[name] then
        set(policy, numbers[name], needs(value, "number", name), name)
    elseif booleans[name] then
        set(policy, booleans[name], needs(value, "boolean", name) and 1 or 0, name)
    elseif name ~= "preset" then
        error("a policy has no rule " .. tostring(name), 3)
    end
end

-- A policy. An unknown rule is an error: a rule that is misspelt must not be lost.
function assay.policy(rules)
    needs(rules, "table", "rules")
    local preset = presets[rules.preset or "claims"]
    if not preset then error("there is no preset " .. tostring(rules.preset), 2) end
    local has_preset = preset ~= presets.claims
    local issuer, audience
    if has_preset then
        issuer = needs(needs(rules.issuers, "table", "issuers")[1], "string", "issuers")
        audience = needs(needs(rules.audiences, "table", "audiences")[1], "string", "audiences")
    end
    local policy, number = core.policy(preset, issuer, audience)
    if not policy then error("the policy is refused: " .. core.code_name(number), 2) end
    for name, value in pairs(rules) do add_rule(policy, name, value, has_preset) end
    return setmetatable({ core = policy, scope = rules.scopes and concat(rules.scopes, " ") or nil }, Policy)
end

-- Fetches: of keys and of gateways.

local function request(self)
    local fetch, url, issuer, fields = core.request(self.core)
    if not fetch then return nil end
    return { core = fetch, url = url, issuer = issuer, fields = fields }
end

local function install(self, fetch, status, fields, body)
    return done(core.install(self.core, needs(fetch, "table", "fetch").core, status, fields, body))
end

local function fail(self, fetch, failure)
    local number = failures[failure]
    if not number then error("there is no failure " .. tostring(failure), 2) end
    return done(core.fail(self.core, needs(fetch, "table", "fetch").core, number))
end

local function next_due(self) return core.next_due(self.core) end
local function refresh(self, issuer) return done(core.refresh(self.core, issuer)) end

local function keys_status(self, issuer)
    local status, number = core.keys_status(self.core, issuer)
    if not status then return nil, refusal(number) end
    status.health = healths[status.health]
    status.is_fetching = status.is_fetching == 1
    return status
end

-- Makes the requests that are due. `get(url, fields)` returns status, fields and body, or nil and the name of a failure.
local function fetch_all(self, get)
    for fetch in function() return request(self) end do
        local status, fields, body = get(fetch.url, fetch.fields, fetch.issuer)
        if status then install(self, fetch, status, fields, body) else fail(self, fetch, fields) end
    end
    return next_due(self)
end

local function with_fetching(class)
    class.request, class.install, class.fail, class.next_due, class.refresh = request, install, fail, next_due, refresh
    class.keys_status, class.fetch = keys_status, fetch_all
    return class
end

local Keys = with_fetching({ __name = "assay.keys" })
Keys.__index = Keys

-- Builds the tables of the present keys now, for a server before it forks.
function Keys:prepare() core.prepare(self.core) end

local function keys(made, number)
    if not made then return nil, refusal(number) end
    return setmetatable({ core = made }, Keys)
end

local function refreshing(options)
    if options == nil then return nil end
    local copy = {}
    for name, value in pairs(known(options, refresh_options, "option")) do copy[name] = value end
    if copy.preset then
        copy.preset = refresh_presets[copy.preset] or error("there is no preset " .. tostring(options.preset), 3)
    end
    return copy
end

function assay.keys(document) return keys(core.keys(document)) end
function assay.keys_from_url(url, options) return keys(core.keys_url(url, refreshing(options))) end
function assay.keys_from_issuer(issuer, options) return keys(core.keys_issuer(issuer, refreshing(options))) end

-- Verifiers

local Verifier = { __name = "assay.verifier" }
Verifier.__index = Verifier

local function object(value, class, name)
    if getmetatable(value) ~= class then error(name .. " must be " .. class.__name .. ", and not " .. type(value), 3) end
    return value.core
end

local function issuers(policy, its_keys, options)
    if getmetatable(policy) == Policy then return { { policy, its_keys } }, options end
    return needs(policy, "table", "issuers"), its_keys
end

function assay.verifier(policy, its_keys, options)
    local pairs_of, flat, scope = {}, {}, nil
    pairs_of, options = issuers(policy, its_keys, options)
    for index, pair in ipairs(pairs_of) do
        flat[2 * index - 1] = object(needs(pair, "table", "issuer")[1], Policy, "policy")
        flat[2 * index] = object(pair[2], Keys, "keys")
        scope = #pairs_of == 1 and pair[1].scope or nil
    end
    local given = { scope = scope }
    for name, value in pairs(known(options, verifier_options, "option") or {}) do given[name] = value end
    local made, number = core.verifier(flat, given)
    if not made then return nil, refusal(number) end
    return setmetatable({ core = made }, Verifier)
end

function Verifier:verify(token, now) return verdict(core.verify(self.core, token, now)) end
function Verifier:verify_payload(token) return verdict(core.verify_payload(self.core, token)) end

function Verifier:verify_login(token, login, now)
    known(needs(login, "table", "login"), login_members, "member")
    return verdict(core.verify_login(self.core, token, now, login.nonce, login.access_token, login.code))
end

function Verifier:verify_batch(tokens, now)
    local all, refusals = {}, {}
    for index, values in ipairs(core.verify_batch(self.core, tokens, now)) do
        local claims, refused = verdict(unpack(values, 1, 12))
        all[index], refusals[index] = claims or false, refused or false
    end
    return all, refusals
end

-- Gateways

local Gateway = with_fetching({ __name = "assay.gateway" })
Gateway.__index = Gateway

function assay.gateway(settings, options)
    local made, number = core.gateway(settings, known(options, gateway_options, "option"))
    if made then return setmetatable({ core = made }, Gateway) end
    local problems = core.gateway_check(settings)
    return nil, problems ~= "" and problems or core.code_name(number)
end

function assay.check(settings) return core.gateway_check(settings) end

function Gateway:decide(asked) return core.decide(self.core, asked) end
function Gateway:admit(fields, method, target, scheme, may_wait, certificate, used, now)
    return core.admit(self.core, fields, method, target, scheme, may_wait, certificate, used, now)
end

function Gateway:explain(asked) return core.explain(self.core, asked) end
function Gateway:status() return core.status(self.core) end
function Gateway:metrics() return core.metrics(self.core) end
function Gateway:is_ready() return core.is_ready(self.core) end
function Gateway:protects(name) return core.protects(self.core, name) end
function Gateway:replace(settings) return done(core.gateway_replace(self.core, settings)) end
function Gateway:revoke(revocations) return done(core.gateway_revoke(self.core, revocations)) end
function Gateway:resource_metadata(authority, target) return core.resource_metadata(self.core, authority, target) end

return assay
