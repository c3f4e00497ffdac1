-- Runs the tasks of Docs/Lua.md. tasks.lua VECTORS: the folder of the vectors, whose tokens they judge.
package.path = arg[0]:match("^(.*)/tests/") .. "/examples/?.lua;" .. package.path
local assay = require("assay")
local json = require("assay.json")
local checking = require("checking")
local tasks = dofile(arg[0]:match("^(.*)/tests/") .. "/examples/tasks.lua")
local equal = checking.equal

-- A file of vectors: its keys as text, its time, and its first token with each verdict.
local function file(name)
    local text = assert(io.open(arg[1] .. "/" .. name .. ".json", "rb")):read("a")
    local vectors, tokens = json.decode(text), {}
    for _, case in ipairs(vectors.cases) do tokens[case.expect] = tokens[case.expect] or case.token end
    return text:match("%b{}", assert(text:find('"keys":%s*{'))), vectors.now, tokens, vectors
end

local function verifier(name)
    local document, now, tokens, vectors = file(name)
    local policy = assay.policy({ audiences = vectors.policy.audience })
    return assert(assay.verifier(policy, assert(assay.keys(document)))), now, tokens, policy
end

-- The issuer of the vectors, as an HTTP client sees it.
local function client(document)
    return function(url)
        local body = url:find("/.well-known/", 1, true) and '{"issuer": "https://idp.example", "jwks_uri": "https://idp.example/jwks"}'
        return { status = 200, headers = { ["content-type"] = { [0] = "application/json" } }, body = body or document }
    end
end

local tests = {}

function tests.an_id_token_over_remote_keys()
    local document, now, tokens, vectors = file("id-token")
    local keys, user = tasks.login("https://idp.example", "client-1")
    equal(select(2, user(tokens.valid, vectors.policy.nonce, now)), "keys_unavailable")
    equal(tasks.fetch(keys, client(document)) > 0, true)
    equal(user(tokens.valid, vectors.policy.nonce, now), "user-1")
    equal(select(2, user(tokens.valid, "another", now)), "nonce_mismatch")
end

function tests.an_access_token_with_a_scope()
    local document, now, tokens, vectors = file("access-token")
    local access = tasks.access(assert(assay.keys(document)), "https://idp.example", vectors.policy.audience)
    local status, challenge = tasks.answer(access, tokens.valid, now)
    equal(status, 403, "the token's scope is `read write`")
    equal(challenge:find('realm="orders"', 1, true) ~= nil, true)
    equal(challenge:find('scope="orders.read"', 1, true) ~= nil, true)
    equal(tasks.answer(access, "a.b", now), 401)
    local any, time, good = verifier("audience")
    equal(tasks.answer(any, good.valid, time), 200)
end

function tests.a_check_of_ones_own()
    local any, now, tokens = verifier("audience")
    equal(select(2, tasks.of_tenant(any, tokens.valid, "acme", now)), "a token of another tenant")
    equal(select(2, tasks.of_tenant(any, "a.b", "acme", now)), "malformed_token")
    equal(tasks.of_tenant(any, tokens.valid, nil, now).sub, "user-1")
end

-- The page's policy is for the audience `api`, which no token of the vectors has: they get as far as that.
function tests.several_issuers()
    local document, now, tokens = file("access-token")
    local several, keys = tasks.staff_and_customers("https://customers.example", "https://idp.example")
    equal(#keys, 2)
    equal(select(2, several:verify(tokens.valid, now)).code, "keys_unavailable")
    tasks.fetch(keys[2], client(document))
    equal(select(2, several:verify(tokens.valid, now)).code, "audience_mismatch")
    several = tasks.staff_and_customers("https://customers.example", "https://other.example")
    equal(select(2, several:verify(tokens.valid, now)).code, "issuer_mismatch")
end

function tests.secrets_that_rotate()
    local document, now, tokens = file("hmac")
    local secrets = tasks.with_secrets(document)
    equal(assert(secrets:verify(tokens.valid, now)).alg, "HS256")
    equal(select(2, secrets:verify(tokens.valid:gsub("%.[^.]*$", ".AAAA"), now)).code, "signature_invalid")
    local public, _, signed = file("audience")
    equal(select(2, assert(tasks.with_secrets(public)):verify(signed.valid, now)).code, "algorithm_not_allowed")
end

function tests.roles_of_claims()
    local any, now, tokens = verifier("audience")
    local roles = tasks.roles(assert(any:verify(tokens.valid, now)))
    equal(next(roles), nil)
    local claims = { claim = function() return { roles = { "admin", 1 } } end }
    equal(tasks.roles(claims).admin, true)
    equal(tasks.roles({ claim = function() return assay.null end }).admin, nil)
end

function tests.a_middleware()
    local document, now, tokens = file("audience")
    local gateway = assert(assay.gateway([[{"policy": "api", "policies": [{"name": "api", "requires": "idp"}], "providers": [
        {"name": "idp", "issuer": "https://idp.example", "audiences": ["client-1"], "claims": [{"header": "x-user", "claim": "sub"}]}]}]]))
    tasks.fetch(gateway, client(document))
    local request = {
        method = "GET", authority = "api.example", target = "/", now = now,
        fields = { host = "api.example", authorization = "Bearer " .. tokens.valid, ["X-User"] = "root" } }
    equal(tasks.guarded(gateway, request, function(fields) return fields["x-user"] end), "user-1")
    request.fields.authorization = nil
    local status, fields = tasks.guarded(gateway, request, function() error("reached") end)
    equal(status, 401)
    equal(fields["x-assay-code"], "missing_token")
    local metrics, state = tasks.observe(gateway)
    equal(metrics:find("assay_gateway", 1, true) ~= nil, true)
    equal(type(json.decode(state)), "table")
end

function tests.a_handler_and_its_test()
    local document, now, tokens = file("audience")
    tasks.test_of_the_handler(document, tokens.valid, now)
    checking.raises("assertion failed", tasks.test_of_the_handler, document, tokens.audience_mismatch, now)
end

function tests.an_error_as_a_status()
    local any, now = verifier("audience")
    local _, refusal = any:verify("a.b", now)
    local status, fields, line = tasks.response(refusal)
    equal(status, 401)
    equal(fields["www-authenticate"], refusal.challenge)
    equal(fields["retry-after"], nil)
    equal(line:find("status=401 code=malformed_token", 1, true), 1)
    local _, user = tasks.login("https://idp.example", "client-1")
    equal(select(2, user("a.b", "n", now)), "malformed_token")
    local _, _, tokens = file("audience")
    local away = assert(assay.verifier(assay.policy({}), assert(assay.keys_from_issuer("https://idp.example"))))
    status, fields = tasks.response(select(2, away:verify(tokens.valid, now)))
    equal(status, 503)
    equal(fields["retry-after"], "1")
end

function tests.keys_that_rotate()
    local document, now, tokens, vectors = file("audience")
    local text = nil
    local verify = tasks.rotating(function() return text end, assay.policy({ audiences = vectors.policy.audience }))
    text = "no keys"
    equal(select(2, verify(tokens.valid, now)), "there are no keys")
    text = document
    equal(verify(tokens.valid, now).sub, "user-1")
    text = "half a document"
    equal(verify(tokens.valid, now).sub, "user-1", "the keys before stay")
end

function tests.many_tokens_at_once()
    local any, now, tokens = verifier("audience")
    equal(tasks.valid(any, { tokens.valid, tokens.audience_mismatch, tokens.valid, "" }, now), 2)
end

checking.run(tests)
