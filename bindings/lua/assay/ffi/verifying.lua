-- Policies, keys and verifiers.
local ffi = require("ffi")
local texts = require("assay.ffi.texts")
local c = require("assay.ffi.library").c

local POLICY, KEYS, VERIFIER = ffi.typeof("assay_policy *"), ffi.typeof("assay_keys *"), ffi.typeof("assay_verifier *")
local RESULT_SIZE, MOST_TOKEN, RESULT_TOO_SMALL, INVALID_ARGUMENT = 99328, 1048576, 2, 1
-- Tokens of one call of assay_verify_batch.
local BATCH = 64

local verifying = {}

-- What a challenge says, by verifier.
local challenges = setmetatable({}, { __mode = "k" })

local function aligned(size)
    local memory = ffi.new("char[?]", size + 16)
    local start = memory + (-tonumber(ffi.cast("uintptr_t", memory)) % 16)
    return c.assay_result_init(start, size), memory
end

-- The results of this state: nothing is read from one after the call that filled it.
local result, memory = aligned(RESULT_SIZE)
local number = ffi.new("int64_t[1]")

local function whole(read, of)
    if read(number, of) ~= 0 then return nil end
    return tonumber(number[0])
end

function verifying.policy(preset, issuer, audience)
    if preset == 0 then return texts.object("assay_policy", c.assay_policy_free, c.assay_policy_new) end
    texts.check(issuer, "string", "issuer")
    texts.check(audience, "string", "audience")
    local make = preset == 1 and c.assay_policy_new_id_token or c.assay_policy_new_access_token
    return texts.object("assay_policy", c.assay_policy_free, make, issuer, #issuer, audience, #audience)
end

function verifying.policy_add(policy, rule, text)
    texts.of(POLICY, policy, "the policy")
    texts.check(text, "string", "the text of a rule")
    return tonumber(c.assay_policy_add(policy, rule, text, #text))
end

function verifying.policy_set(policy, rule, value)
    texts.of(POLICY, policy, "the policy")
    texts.check(value, "number", "the number of a rule")
    if not (value >= 0 and value <= 1e12) then return INVALID_ARGUMENT end
    return tonumber(c.assay_policy_set(policy, rule, value))
end

function verifying.keys(document)
    texts.check(document, "string", "the document")
    return texts.object("assay_keys", c.assay_keys_free, c.assay_keys_new, document, #document)
end

local TIMES = { "default_lifetime", "shortest_lifetime", "longest_lifetime", "stale_if_error", "attempt_limit", "seed" }

local function refreshed(make, url, refresh)
    texts.check(url, "string", "the address", 3)
    local options = ffi.new("assay_refresh_options")
    local code = c.assay_refresh_options_init(options, ffi.sizeof(options), refresh and refresh.preset or 0)
    if code ~= 0 then return nil, tonumber(code) end
    texts.numbers(options, refresh or {}, TIMES)
    return texts.object("assay_keys", c.assay_keys_free, make, url, #url, options)
end

function verifying.keys_url(url, refresh) return refreshed(c.assay_keys_new_url, url, refresh) end
function verifying.keys_issuer(issuer, refresh) return refreshed(c.assay_keys_new_issuer, issuer, refresh) end

function verifying.verifier(list, options)
    texts.check(list, "table", "the issuers")
    options = options or {}
    local count = math.floor(#list / 2)
    local issuers = ffi.new("assay_issuer[?]", count)
    for index = 0, count - 1 do
        issuers[index].policy = texts.of(POLICY, list[2 * index + 1], "the policy")
        issuers[index].keys = texts.of(KEYS, list[2 * index + 2], "the keys")
    end
    local own = ffi.new("assay_verifier_options", { size = ffi.sizeof("assay_verifier_options") })
    texts.numbers(own, options, { "token_bytes", "cache_bytes", "cache_seconds", "cache_digests" })
    local verifier, code = texts.object("assay_verifier", c.assay_verifier_free, c.assay_verifier_new, issuers, count, own)
    if not verifier then return nil, code end
    challenges[verifier] = {
        texts.check(options.realm or "", "string", "realm"), texts.check(options.scope or "", "string", "scope") }
    return verifier
end

local function accepted(of)
    local optional = texts.optional
    return 0, optional(c.assay_result_payload, of), optional(c.assay_result_header, of), optional(c.assay_result_issuer, of),
        optional(c.assay_result_subject, of), optional(c.assay_result_token_id, of), optional(c.assay_result_key_id, of),
        optional(c.assay_result_algorithm, of), whole(c.assay_result_expiration, of), whole(c.assay_result_not_before, of),
        whole(c.assay_result_issued_at, of), whole(c.assay_result_authentication_time, of)
end

local function refused(verifier, code, of)
    local offset, claim, challenge = c.assay_result_offset(of), c.assay_result_claim_name(of), challenges[verifier]
    local said = texts.written(c.assay_result_challenge, of, challenge[1], #challenge[1], challenge[2], #challenge[2])
    return tonumber(code), offset >= 0 and tonumber(offset) or nil, claim ~= nil and ffi.string(claim) or nil, said ~= "" and said or nil,
        texts.written(c.assay_result_description, of)
end

-- Verifies by a function of (result, verifier, token, ...), with a longer result where the claims need one.
local function judged(verify, verifier, token, ...)
    texts.of(VERIFIER, verifier, "the verifier")
    texts.check(token, "string", "the token", 3)
    local code = verify(result, verifier, token, #token, ...)
    if code == RESULT_TOO_SMALL then
        local size = tonumber(c.assay_result_needed(result))
        if size > tonumber(c.assay_result_size(MOST_TOKEN)) then return RESULT_TOO_SMALL end
        result, memory = aligned(size)
        code = verify(result, verifier, token, #token, ...)
    end
    if code == 0 then return accepted(result) end
    return refused(verifier, code, result)
end

local function time(now)
    return now == nil and -1 or texts.check(now, "number", "now", 3)
end

function verifying.verify(verifier, token, now) return judged(c.assay_verify, verifier, token, time(now)) end
function verifying.verify_payload(verifier, token) return judged(c.assay_verify_payload, verifier, token) end

function verifying.verify_login(verifier, token, now, nonce, access_token, code)
    local login = ffi.new("assay_login", { size = ffi.sizeof("assay_login") })
    access_token, code = access_token or "", code or ""
    texts.set(login.nonce, texts.check(nonce, "string", "nonce"))
    texts.set(login.access_token, texts.check(access_token, "string", "access_token"))
    texts.set(login.code, texts.check(code, "string", "code"))
    return judged(c.assay_verify_login, verifier, token, time(now), login)
end

-- Judges the signatures of a part of the tokens together: their codes and results.
local function codes_of(verifier, tokens, first, count, now)
    local array, codes = ffi.new("assay_text[?]", count), ffi.new("assay_code[?]", count)
    for index = 0, count - 1 do
        texts.set(array[index], texts.check(tokens[first + index], "string", "a token", 4))
    end
    local results, own = ffi.new("assay_result *[?]", count), {}
    for index = 0, count - 1 do
        local of, place = aligned(tonumber(c.assay_result_size(math.min(#tokens[first + index], MOST_TOKEN))))
        results[index], own[index + 1] = of, { result = of, memory = place }
    end
    local code = c.assay_verify_batch(codes, ffi.cast("assay_result *const *", results), verifier, array, count, now)
    if code ~= 0 then error("assay: " .. texts.code_name(code), 4) end
    return codes, own
end

function verifying.verify_batch(verifier, tokens, now)
    texts.of(VERIFIER, verifier, "the verifier")
    texts.check(tokens, "table", "the tokens")
    local verdicts, moment = { n = #tokens }, time(now)
    for first = 1, #tokens, BATCH do
        local count = math.min(BATCH, #tokens - first + 1)
        local codes, results = codes_of(verifier, tokens, first, count, moment)
        for index = 0, count - 1 do
            local of = results[index + 1].result
            verdicts[first + index] = codes[index] == 0 and { accepted(of) } or { refused(verifier, codes[index], of) }
        end
    end
    return verdicts
end

return verifying
