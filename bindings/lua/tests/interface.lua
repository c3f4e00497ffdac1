-- What module assay does with claims, refusals, wrong arguments and closed objects. interface.lua VECTORS: the folder of the vectors.
local assay = require("assay")
local json = require("assay.json")
local checking = require("checking")
local equal, raises = checking.equal, checking.raises

local function file(name)
    return json.decode(assert(io.open(arg[1] .. "/" .. name .. ".json", "rb")):read("a"), assay.null)
end

local vectors, now = file("audience"), 1700000000
local text = assert(io.open(arg[1] .. "/audience.json", "rb")):read("a")
local document = text:match("%b{}", assert(text:find('"keys":%s*{')))
local good, other_audience = nil, nil
for _, case in ipairs(vectors.cases) do
    if case.expect == "valid" then good = good or case.token end
    if case.expect == "audience_mismatch" then other_audience = other_audience or case.token end
end
local audiences = vectors.policy.audience

local function keys() return assert(assay.keys(document)) end

local function verifier(rules, options)
    rules = rules or {}
    rules.audiences = rules.audiences or audiences
    return assert(assay.verifier(assay.policy(rules), keys(), options))
end

local function settings(issuer)
    return ([[{"providers": [{"name": "idp", "issuer": "%s", "audiences": ["client-1"], "payloadMetadata": "claims",
        "claims": [{"header": "x-user", "claim": "sub"}]}],
        "policies": [{"name": "api", "requires": "idp"}], "policy": "api"}]]):format(issuer)
end

local is_jit = rawget(_G, "jit") ~= nil

local function gateway(issuer, options) return assert(assay.gateway(settings(issuer or "https://idp.example"), options)) end

-- Answers what a gateway asks for: metadata and keys of the issuer of the vectors.
local function get(url)
    if url:find("/.well-known/", 1, true) then
        return 200, { "content-type", "application/json" }, '{"issuer": "https://idp.example", "jwks_uri": "https://idp.example/jwks"}'
    end
    return 200, { ["content-type"] = { "application/json" } }, document
end

local function request(token, more)
    local asked = {
        method = "GET", authority = "api.example", target = "/orders", scheme = "https", now = now,
        fields = { "Host", "api.example", "Authorization", "Bearer " .. token } }
    for name, value in pairs(more or {}) do asked[name] = value end
    return asked
end

-- Wrong types: each must be an error of Lua.
local strange = { true, false, 1, 1.5, -1, {}, { {} }, print, coroutine.create(print), io.stdout, math.huge, 0 / 0 }

local tests = {}

function tests.a_valid_token_has_its_claims()
    local claims = assert(verifier():verify(good, now))
    local all = claims:decode()
    equal(claims.sub, all.sub)
    equal(claims:claim("sub"), all.sub)
    equal(claims.iss, all.iss)
    equal(claims.exp, all.exp)
    equal(claims.alg, "ES256")
    equal(claims.kid, "p256-1")
    equal(claims:claim("no such claim"), nil)
    equal(claims:claim("payload"), nil, "a member of the object is no claim")
    equal(type(claims.payload), "string")
    equal(rawequal(claims:decode(), all), true)
end

function tests.a_refusal_has_code_status_and_challenge()
    local claims, refusal = verifier(nil, { realm = "api" }):verify(other_audience, now)
    equal(claims, nil)
    equal(refusal.code, "audience_mismatch")
    equal(refusal.number, 507)
    equal(refusal.status, 401)
    equal(refusal.claim, "aud")
    equal(refusal.challenge:find('Bearer realm="api"', 1, true), 1)
    equal(refusal.description:find("audience_mismatch", 1, true) ~= nil, true)
end

function tests.a_missing_scope_is_named_by_the_challenge()
    local _, refusal = verifier({ scopes = { "read", "write" } }):verify(good, now)
    equal(refusal.code, "insufficient_scope")
    equal(refusal.status, 403)
    local _, malformed = verifier({ scopes = { "read", "write" } }):verify("a.b", now)
    equal(malformed.code, "malformed_token")
    equal(malformed.challenge:find('scope="read write"', 1, true) ~= nil, true)
end

function tests.the_clock_of_the_system_judges_without_a_time()
    local _, refusal = verifier():verify(good)
    equal(refusal.code, "expired")
end

function tests.a_batch_gives_what_single_calls_give()
    local tokens, v = {}, verifier()
    for index = 1, 200 do tokens[index] = index % 3 == 0 and other_audience or good end
    tokens[7] = ""
    local all, refusals = v:verify_batch(tokens, now)
    for index = 1, 200 do
        local claims, refusal = v:verify(tokens[index], now)
        equal(all[index] and all[index].payload or nil, claims and claims.payload)
        equal(refusals[index] and refusals[index].code or nil, refusal and refusal.code)
    end
    all, refusals = v:verify_batch({}, now)
    equal(#all + #refusals, 0)
end

function tests.a_login_needs_its_nonce()
    local v = verifier()
    raises("string expected", v.verify_login, v, good, {}, now)
    local claims, refusal = v:verify_login(good, { nonce = "n-1" }, now)
    equal(claims, nil)
    equal(refusal.code, "missing_claim")
    equal(refusal.claim, "nonce")
    local _, empty = v:verify_login(good, { nonce = "" }, now)
    equal(empty.code, "invalid_argument")
end

function tests.several_issuers_have_rules_of_their_own()
    local known = assay.policy({ issuers = { "https://idp.example" }, audiences = audiences })
    local other = assay.policy({ issuers = { "https://other.example" }, audiences = { "nobody" } })
    local v = assert(assay.verifier({ { known, keys() }, { other, keys() } }, { cache_bytes = 1048576 }))
    for _ = 1, 3 do equal(assert(v:verify(good, now)).iss, "https://idp.example") end
    equal(select(2, assay.verifier({ { known, keys() }, { known, keys() } })).code, "invalid_argument")
    equal(select(2, assay.verifier({})).code, "invalid_argument")
end

function tests.a_rule_or_an_option_that_is_misspelt_is_an_error()
    raises("no rule audience", assay.policy, { audience = { "a" } })
    raises("no option cache", assay.verifier, assay.policy({}), keys(), { cache = 1 })
    raises("no option cache", assay.gateway, settings("https://idp.example"), { cache = 1 })
    raises("no preset", assay.policy, { preset = "none" })
    raises("unsupported_algorithm", assay.policy, { algorithms = { "none" } })
    raises("must be a list", assay.policy, { issuers = { name = "a" } })
    raises("no option stale_for", assay.keys_from_url, "https://idp.example/jwks", { stale_for = 1 })
    raises("no member acces_token", verifier().verify_login, verifier(), good, { nonce = "n", acces_token = "a" }, now)
    raises("invalid_argument", assay.policy, { leeway = -1 })
    -- Lua 5.3 and 5.4 convert no such number.
    raises(is_jit and "invalid_argument" or "no integer", assay.policy, { leeway = 1.5 })
end

function tests.a_list_without_members_allows_nothing()
    for _, name in ipairs({ "issuers", "audiences", "algorithms", "types", "context_classes" }) do
        raises(name .. " must not be empty", assay.policy, { [name] = {} })
    end
    raises("audiences must not be empty", assay.policy, { audiences = { os.getenv("NO_SUCH_VARIABLE") } })
    equal(type(assay.policy({ revoked_token_ids = {}, required_claims = {}, scopes = {} })), "table")
end

function tests.wrong_types_are_errors()
    local v, g, policy, k = verifier(), gateway(), assay.policy({}), keys()
    for _, value in ipairs(strange) do
        for _, call in ipairs({
            function() return v:verify(value, now) end, function() return v:verify_payload(value) end,
            function() return v:verify_batch({ good, value }, now) end, function() return v:verify_login(value, { nonce = "n" }, now) end,
            function() return v:verify_login(good, { nonce = value }, now) end,
            function() return assay.keys(value) end, function() return assay.keys_from_url(value) end,
            function() return assay.verifier(value, k) end, function() return assay.verifier(policy, value) end,
            function() return assay.policy({ issuers = value and { value } or false }) end,
            function() return assay.policy({ leeway = { value } }) end,
            function() return assay.gateway(value) end, function() return assay.check(value) end,
            function() return g:decide({ method = value, fields = {} }) end,
            function() return g:decide({ method = "GET", fields = { "a", value } }) end,
            function() return g:decide({ method = "GET", fields = { [value == value and value or 1] = "b" } }) end,
            function() return g:decide({ fields = {}, now = { value } }) end, function() return g:install(value, 200, {}, "") end,
            function() return g:fail({ core = value }, "tls") end, function() return g:revoke(value) end,
            function() return g:protects(value) end, function() return v.verify({ core = value }, good) end,
        }) do
            local works = pcall(call)
            -- An empty table is a list without issuers: a refusal.
            if works and type(value) ~= "table" then error("a " .. tostring(value) .. " is taken") end
        end
    end
    raises("seconds since 1970", v.verify, v, good, -1)
    raises("seconds since 1970", v.verify, v, good, 0 / 0)
    raises("string expected", v.verify, v)
    raises("string expected", v.verify, v, nil)
    raises("table expected", g.decide, g)
    raises("fields must be a table", g.decide, g, {})
end

function tests.strange_bytes_are_refused_as_tokens()
    local v = verifier()
    for token, code in pairs({
        [""] = "malformed_token", ["\0"] = "malformed_token", ["\xED\xA0\x80.\xED\xBF\xBF.a"] = "invalid_base64url",
        [("a"):rep(4194304)] = "token_too_large", [good .. "\0"] = "invalid_base64url", [" " .. good] = "invalid_base64url" }) do
        local claims, refusal = v:verify(token, now)
        equal(claims, nil)
        equal(refusal.code == code or refusal.status == 401, true, #token .. " bytes: " .. refusal.code)
    end
    equal(select(2, assay.keys("")).code ~= nil, true)
    equal(select(2, assay.keys("\0")).code ~= nil, true)
    equal(select(2, assay.keys(("{"):rep(1048576))).code ~= nil, true)
    raises("invalid_argument", assay.policy, { issuers = { "\xED\xA0\x80" } })
end

function tests.a_large_token_has_all_its_claims()
    local large, count = file("limits"), 0
    local v = assert(assay.verifier(assay.policy({}), keys()))
    for _, case in ipairs(large.cases) do
        if case.expect == "valid" and #case.token > 5000 then
            local all = v:verify_batch({ good, case.token }, now)
            equal(assert(v:verify(case.token, now)).payload, all[2].payload)
            equal(assert(v:verify(good, now)):decode().sub, all[1]:claim("sub"))
            equal(type(all[2]:decode()), "table")
            count = count + 1
        end
    end
    equal(count >= 5, true)
end

function tests.a_freed_object_is_an_error()
    -- The objects of LuaJIT's FFI have no such method.
    if is_jit then return end
    local v, g = verifier(), gateway()
    for _, made in ipairs({ v, g, keys() }) do
        -- Lua code cannot reach it without the library `debug`.
        local release = debug.getmetatable(made.core).__gc
        equal(getmetatable(made.core), debug.getmetatable(made.core).__metatable)
        release(made.core)
        release(made.core)
    end
    raises("freed", v.verify, v, good, now)
    raises("freed", g.decide, g, request(good))
    raises("freed", g.status, g)
end

-- A function that makes garbage with a finalizer: in LuaJIT tables have none.
local function finalized(finalizer)
    if not is_jit then return function() setmetatable({}, { __gc = finalizer }) end end
    return function() getmetatable(newproxy(true)).__gc = finalizer end
end

function tests.a_finalizer_that_verifies_changes_no_claims()
    local v, count = verifier(), 0
    local finalizer = finalized(function()
        count = count + 1
        local claims, refusal = v:verify(count % 2 == 0 and good or other_audience, now)
        assert(claims or refusal.code == "audience_mismatch")
    end)
    for index = 1, 2000 do
        finalizer()
        local claims = assert(v:verify(good, now))
        equal(claims.aud, nil)
        equal(claims:claim("sub"), claims.sub)
        if index % 100 == 0 then collectgarbage() end
    end
    equal(count > 1000, true)
end

function tests.a_finalizer_that_decides_changes_no_decision()
    local g, count = gateway(), 0
    g:fetch(get)
    local finalizer = finalized(function()
        count = count + 1
        assert(g:decide(request("a.b")).status == 401)
    end)
    for index = 1, 2000 do
        finalizer()
        local decision = g:decide(request(good))
        equal(decision.code, "ok")
        equal(decision.metadata[1].provider, "idp")
        if index % 100 == 0 then collectgarbage() end
    end
    equal(count > 1000, true)
end

function tests.coroutines_have_results_of_their_own()
    local v, all = verifier(), {}
    for index = 1, 50 do
        all[index] = coroutine.wrap(function()
            local claims, refusal = v:verify(index % 2 == 0 and good or other_audience, now)
            coroutine.yield()
            return claims and claims:claim("sub") or refusal.code
        end)
    end
    for _, resume in ipairs(all) do resume() end
    for index, resume in ipairs(all) do equal(resume() == "audience_mismatch", index % 2 == 1) end
end

function tests.keys_are_fetched_by_the_program()
    local k = assert(assay.keys_from_issuer("https://idp.example"))
    local v = assert(assay.verifier(assay.policy({ audiences = audiences }), k))
    equal(select(2, v:verify(good, now)).code, "keys_unavailable")
    equal(k:next_due(), 0)
    local fetch = k:request()
    equal(fetch.url, "https://idp.example/.well-known/openid-configuration")
    equal(k:request(), nil)
    local done, refusal = k:fail(fetch, "timed_out")
    equal(done, nil)
    equal(refusal.code, "fetch_failed")
    equal(k:keys_status().last_failure, "fetch_timed_out")
    k:refresh()
    raises("no failure", k.fail, k, fetch, "bad luck")
    equal(k:fetch(get) > 0, true)
    equal(assert(v:verify(good, now)).sub ~= nil, true)
    local status = k:keys_status()
    equal(status.health, "fresh")
    equal(status.key_count > 0, true)
    equal(keys():keys_status().health, "fixed")
    equal(keys():refresh(), nil)
end

function tests.a_gateway_decides_and_says_what_to_change()
    local g = gateway()
    equal(g:is_ready(), false)
    local waiting = g:decide(request(good, { may_wait = true }))
    equal(waiting.code, "awaiting_keys")
    equal(g:decide(request(good, { may_wait = true, used = waiting.used })).code, "awaiting_keys")
    raises("32 bytes", g.decide, g, request(good, { used = { "short" } }))
    raises("must be a list", g.decide, g, request(good, { used = "short" }))
    equal(g:decide(request(good)).status, 503)
    g:fetch(get)
    equal(g:is_ready(), true)
    local decision = g:decide(request(good))
    equal(decision.code, "ok")
    equal(decision.status, 200)
    equal(decision.policy, "api")
    equal(decision.providers[1], "idp")
    equal(decision.metadata[1].key, "claims")
    equal(json.decode(decision.metadata[1].json).sub, "user-1")
    local sets = {}
    for _, operation in ipairs(decision.operations) do sets[operation[2]] = operation[3] or operation[1] end
    equal(sets["x-user"], "user-1")
    local refused = g:decide(request("a.b.c"))
    equal(refused.status, 401)
    equal(refused.challenge:find("Bearer", 1, true), 1)
    equal(type(refused.reason), "string")
    equal(g:explain(request(good)):find("api", 1, true) ~= nil, true)
    equal(type(json.decode(g:status())), "table")
    equal(g:metrics():find("assay_gateway_decisions", 1, true) ~= nil, true)
    equal(g:protects("X_User"), true)
    equal(g:protects("accept"), false)
    equal(g:resource_metadata("api.example", "/.well-known/oauth-protected-resource"), nil)
end

function tests.fields_come_in_four_forms()
    local g = gateway()
    g:fetch(get)
    local bearer = "Bearer " .. good
    for _, fields in ipairs({
        { "host", "api.example", "authorization", bearer }, { host = "api.example", authorization = bearer },
        "host: api.example\r\nauthorization: " .. bearer .. "\r\nx-empty: \r\n\r\n", "authorization: " .. bearer .. "\r\n",
        { host = { "api.example" }, authorization = { bearer } }, { host = { [0] = "api.example" }, authorization = { [0] = bearer } } }) do
        equal(g:decide(request(good, { fields = fields })).code, "ok")
    end
    for _, fields in ipairs({
        { authorization = { bearer, bearer } }, { authorization = { [0] = bearer, bearer } }, { authorization = bearer,
            Authorization = bearer },
        { "authorization", bearer, "Authorization", bearer } }) do
        equal(g:decide(request(good, { fields = fields })).code, "several_tokens")
    end
    for _, lossy in ipairs({
        { a = { "b", [3] = "c" } }, { a = { "b", c = "d" } }, { "host", "api.example", authorization = bearer },
        { "authorization", bearer, authorization = bearer }, { [0] = "authorization", bearer, "host", "api.example" },
        { "host", "api.example", nil, nil, "authorization", bearer } }) do
        raises("must be a list", g.decide, g, request(good, { fields = lossy }))
    end
    for _, wrong in ipairs({ "a: b", "a: b\n", "a: b\r", "a:b\r\n", ": b\r\n", "a\r\n", "a: b\r\n\r\nc: d\r\n" }) do
        raises("a line of the fields", g.decide, g, request(good, { fields = wrong }))
    end
    equal(g:decide(request(good, { fields = ("a: b\r\n"):rep(4000) })).status >= 400, true)
    equal(g:decide(request(good, { fields = "" })).code, "missing_token")
    raises("no value", g.decide, g, request(good, { fields = { "a" } }))
    local many = {}
    for index = 1, 4000 do many[index] = "a" end
    equal(g:decide(request(good, { fields = many })).status >= 400, true)
    many = {}
    for index = 1, 4000 do many["x-" .. index] = { "a", "b" } end
    equal(g:decide(request(good, { fields = many })).status >= 400, true)
end

local function head(token, more)
    return "host: api.example\r\nauthorization: Bearer " .. token .. "\r\n" .. (more or "") .. "\r\n"
end

local function plain(issuer)
    local text_of = settings(issuer or "https://idp.example"):gsub('"payloadMetadata": "claims",', "")
    local g = assert(assay.gateway(text_of))
    g:fetch(get)
    return g
end

local function admit(g, fields, used) return g:admit(fields, "GET", "/orders", "https", false, nil, used, now) end

function tests.an_admission_has_what_to_change()
    local g = plain()
    local changes, policy, decision = admit(g, head(good))
    equal(table.concat(changes, " "), "x-user user-1")
    equal(policy, "api")
    equal(decision, nil)
    changes = admit(g, head(good, "x-user: a\r\n"))
    equal(changes[1] .. " " .. tostring(changes[2]) .. " " .. changes[3] .. " " .. changes[4], "x-user false x-user user-1")
    equal(#changes, 4)
    equal(#admit(g, { host = "api.example", ["X-User"] = { "a", "b" }, authorization = "Bearer " .. good }), 4)
end

function tests.an_admission_with_more_to_say_has_a_decision()
    local g = gateway()
    g:fetch(get)
    local changes, policy, decision = admit(g, head(good))
    equal(changes[2], "user-1")
    equal(policy, "api")
    equal(decision.metadata[1].key, "claims")
    for _, operation in ipairs(decision.operations) do equal(operation[1] == "remove" or operation[1] == "set", true) end
end

function tests.a_request_that_is_not_admitted_has_a_decision()
    local g = plain()
    for fields, code in pairs({
        [head(other_audience)] = "audience_mismatch", [head("a")] = "malformed_token", ["host: api.example\r\n"] = "missing_token",
        [head(good, "authorization: Bearer " .. good .. "\r\n")] = "several_tokens" }) do
        local changes, _, decision = admit(g, fields)
        equal(changes, nil)
        equal(decision.code, code)
        equal(decision.challenge ~= nil, true)
    end
end

function tests.an_admission_waits_only_where_it_may()
    local g = assert(assay.gateway((settings("https://idp.example"))))
    local changes, _, decision = g:admit(head(good), "GET", "/", "https", true, nil, nil, now)
    equal(changes, nil)
    equal(decision.code, "awaiting_keys")
    changes, _, decision = g:admit(head(good), "GET", "/", "https", false, nil, decision.used, now)
    equal(changes, nil)
    equal(decision.status, 503)
end

-- A route of a host: the authority of a request is its only field `host`.
function tests.the_authority_of_an_admission_is_its_only_host()
    local of_host = settings("https://idp.example"):gsub('"policy": "api"', '"routes": [{"hosts": ["open.example"], "policy": "open"}]')
        :gsub('"policies": %[', '%0{"name": "open", "requires": "nothing"}, ')
    local g = assert(assay.gateway((of_host)))
    equal(admit(g, "host: open.example\r\n") ~= nil, true)
    equal(admit(g, { "HOST", "open.example" }) ~= nil, true)
    for _, fields in ipairs({ "host: open.example\r\nhost: open.example\r\n", "host: api.example\r\n", "a: b\r\n", "" }) do
        equal(admit(g, fields), nil)
    end
end

function tests.wrong_arguments_of_an_admission_are_errors()
    local g = plain()
    for _, value in ipairs(strange) do
        for place = 1, 8 do
            local arguments = { head(good), "GET", "/", "https", false, "", {}, now, n = 8 }
            -- A time is a number, and fields and uses are tables.
            local is_right = place == 5 and type(value) == "boolean" or (place == 1 or place == 7) and type(value) == "table"
                or place == 8 and type(value) == "number"
            arguments[place] = value
            local works = pcall(g.admit, g, (table.unpack or unpack)(arguments, 1, 8))
            equal(works and not is_right, false, place .. " " .. tostring(value))
        end
    end
    raises("a use must be", g.admit, g, head(good), "GET", "/", "https", false, nil, { "short" })
    raises("a line of the fields", admit, g, "a: b")
    equal(admit(g, ("a: b\r\n"):rep(4000)), nil)
end

function tests.a_revocation_counts_at_once()
    local g = gateway()
    g:fetch(get)
    equal(g:revoke('{"revocations": [{"issuer": "https://idp.example", "sub": "user-1"}]}'), true)
    equal(g:decide(request(good)).code, "revoked")
    equal(select(2, g:revoke("{")).code, "invalid_settings")
    equal(g:revoke('{"revocations": []}'), true)
    equal(g:decide(request(good)).code, "ok")
    equal(select(2, g:replace("{}")).code, "invalid_settings")
    equal(g:replace(settings("https://idp.example")), true)
end

function tests.wrong_settings_are_explained()
    local g, problems = assay.gateway('{"policies": [{"name": "a", "requires": "nobody"}]}')
    equal(g, nil)
    equal(problems:find("error: ", 1, true) ~= nil, true)
    equal(assay.check(settings("https://idp.example")):find("error", 1, true), nil)
end

function tests.a_shared_gateway_is_one()
    if is_jit then return raises("for the module in C", assay.gateway, settings("https://idp.example"), { shared = "one" }) end
    local first, second = gateway(nil, { shared = "one" }), gateway(nil, { shared = "one" })
    first:fetch(get)
    equal(second:is_ready(), true)
    equal(assay.gateway(settings("https://other.example"), { shared = "one" }), nil)
    equal(gateway(nil, { shared = "two" }):is_ready(), false)
    first, second = nil, nil
    collectgarbage()
    collectgarbage()
    equal(gateway(nil, { shared = "one" }):is_ready(), false, "the last one has freed it")
end

function tests.a_decoder_refuses_what_is_no_json()
    for _, wrong in ipairs({
        "", " ", "{", "[1,]", '{"a":1,}', '{"a":1,"a":2}', "01", "1.", "+1", "nul", "truex", '"\\x"', '"\\ud800"',
            '"\\udc00\\ud800"', '"a', '"\n"',
        "1 2", "'a'", "[" .. ("["):rep(200), "NaN", "{1:2}", '{"a"}', "-", "1e", '"\0"' }) do
        raises("malformed", json.decode, wrong)
    end
    equal(json.decode('"\\u00e9\\ud83d\\ude00\\n\\/\127"'), "\195\169\240\159\152\128\n/\127")
    equal(json.decode("[null]", assay.null)[1], assay.null)
    equal(getmetatable(json.decode("[]")), assay.array)
    equal(getmetatable(json.decode("{}")), nil)
    equal(json.decode(" [1, -2.5e3 , true,false] ")[2], -2500)
    if not is_jit then equal(math.type(json.decode("9007199254740993")), "integer") end
end

checking.run(tests)
