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

local function whole(memory, read, of)
    local number = memory.number
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
    if not (value >= 0 and value <= 1e12 and value % 1 == 0) then return INVALID_ARGUMENT end
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

local function accepted(memory, of)
    return 0, memory:optional(c.assay_result_payload, of), memory:optional(c.assay_result_header, of),
        memory:optional(c.assay_result_issuer, of), memory:optional(c.assay_result_subject, of),
        memory:optional(c.assay_result_token_id, of), memory:optional(c.assay_result_key_id, of),
        memory:optional(c.assay_result_algorithm, of), whole(memory, c.assay_result_expiration, of),
        whole(memory, c.assay_result_not_before, of), whole(memory, c.assay_result_issued_at, of),
        whole(memory, c.assay_result_authentication_time, of)
end

local function refused(memory, verifier, code, of)
    local offset, claim, challenge = c.assay_result_offset(of), c.assay_result_claim_name(of), challenges[verifier]
    local said = memory:written(c.assay_result_challenge, of, challenge[1], #challenge[1], challenge[2], #challenge[2])
    return tonumber(code), offset >= 0 and tonumber(offset) or nil, claim ~= nil and ffi.string(claim) or nil, said ~= "" and said or nil,
        memory:written(c.assay_result_description, of)
end

-- The memory of a call with its result.
local function enter()
    local memory = texts.enter()
    if not memory.result then
        memory.result, memory.bytes = aligned(RESULT_SIZE)
        memory.number = ffi.new("int64_t[1]")
    end
    return memory
end

-- Verifies by a function of (result, verifier, token, ...), with a longer result where the claims need one.
local function judged(memory, verify, verifier, token, ...)
    local code = verify(memory.result, verifier, token, #token, ...)
    if code == RESULT_TOO_SMALL then
        local size = tonumber(c.assay_result_needed(memory.result))
        if size > tonumber(c.assay_result_size(MOST_TOKEN)) then return RESULT_TOO_SMALL end
        memory.result, memory.bytes = aligned(size)
        code = verify(memory.result, verifier, token, #token, ...)
    end
    if code == 0 then return accepted(memory, memory.result) end
    return refused(memory, verifier, code, memory.result)
end

local function time(now)
    if now == nil then return -1 end
    texts.check(now, "number", "now", 3)
    if not (now >= 0) then error("assay: now must be in seconds since 1970", 4) end
    return now
end

local function check(verifier, token)
    texts.of(VERIFIER, verifier, "the verifier")
    texts.check(token, "string", "the token", 3)
end

function verifying.verify(verifier, token, now)
    check(verifier, token)
    local moment = time(now)
    return texts.leave(judged(enter(), c.assay_verify, verifier, token, moment))
end

function verifying.verify_payload(verifier, token)
    check(verifier, token)
    return texts.leave(judged(enter(), c.assay_verify_payload, verifier, token))
end

function verifying.verify_login(verifier, token, now, nonce, access_token, code)
    check(verifier, token)
    access_token, code = access_token or "", code or ""
    texts.check(nonce, "string", "nonce")
    texts.check(access_token, "string", "access_token")
    texts.check(code, "string", "code")
    local moment, memory = time(now), enter()
    local login = ffi.new("assay_login", { size = ffi.sizeof("assay_login") })
    memory:set(login.nonce, nonce)
    memory:set(login.access_token, access_token)
    memory:set(login.code, code)
    return texts.leave(judged(memory, c.assay_verify_login, verifier, token, moment, login))
end

-- Judges the signatures of a part of the tokens together: their codes and results.
local function codes_of(memory, verifier, tokens, first, count, now)
    local array, codes, results = ffi.new("assay_text[?]", count), ffi.new("assay_code[?]", count), ffi.new("assay_result *[?]", count)
    local own = {}
    for index = 0, count - 1 do
        local token = tokens[first + index]
        local of, bytes = aligned(tonumber(c.assay_result_size(math.min(#token, MOST_TOKEN))))
        memory:set(array[index], token)
        results[index], own[index + 1] = of, { result = of, bytes = bytes }
    end
    return c.assay_verify_batch(codes, ffi.cast("assay_result *const *", results), verifier, array, count, now), codes, own
end

local function verdicts_of(memory, verifier, tokens, now)
    local verdicts = { n = #tokens }
    for first = 1, #tokens, BATCH do
        memory.count = 0
        local count = math.min(BATCH, #tokens - first + 1)
        local code, codes, results = codes_of(memory, verifier, tokens, first, count, now)
        if code ~= 0 then return nil, tonumber(code) end
        for index = 0, count - 1 do
            local of = memory:hold(results[index + 1]).result
            verdicts[first + index] = codes[index] == 0 and { accepted(memory, of) }
                or { refused(memory, verifier, codes[index], of) }
        end
    end
    return verdicts
end

function verifying.verify_batch(verifier, tokens, now)
    texts.of(VERIFIER, verifier, "the verifier")
    texts.check(tokens, "table", "the tokens")
    local copy, moment = {}, time(now)
    for index = 1, #tokens do copy[index] = texts.check(tokens[index], "string", "a token") end
    local verdicts, code = texts.leave(verdicts_of(enter(), verifier, copy, moment))
    if not verdicts then error("assay: " .. texts.code_name(code), 2) end
    return verdicts
end

return verifying
