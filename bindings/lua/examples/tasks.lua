-- The tasks of Docs/Lua.md. bindings/lua/tests/tasks.lua runs each of them.
local assay = require("assay")

local tasks = {}

function tasks.login(issuer, client_id)
    local keys = assert(assay.keys_from_issuer(issuer))
    local policy = assay.policy({ preset = "id_token", issuers = { issuer }, audiences = { client_id } })
    local verifier = assert(assay.verifier(policy, keys))
    return keys, function(id_token, nonce, now)
        local claims, refusal = verifier:verify_login(id_token, { nonce = nonce }, now)
        if not claims then return nil, refusal.code end
        return claims.sub
    end
end

function tasks.access(keys, issuer, audience)
    local policy = assay.policy({
        preset = "access_token", issuers = { issuer }, audiences = { audience }, scopes = { "orders.read" } })
    return assert(assay.verifier(policy, keys, { realm = "orders" }))
end

function tasks.answer(verifier, token, now)
    local claims, refusal = verifier:verify(token, now)
    if claims then return 200 end
    return refusal.status, refusal.challenge
end

function tasks.of_tenant(verifier, token, tenant, now)
    local claims, refusal = verifier:verify(token, now)
    if not claims then return nil, refusal.code end
    if claims:claim("tenant") ~= tenant then return nil, "a token of another tenant" end
    return claims
end

function tasks.staff_and_customers(staff, customers)
    local issuers, all_keys = {}, {}
    for index, issuer in ipairs({ staff, customers }) do
        local policy = assay.policy({ preset = "access_token", issuers = { issuer }, audiences = { "api" } })
        all_keys[index] = assert(assay.keys_from_issuer(issuer))
        issuers[index] = { policy, all_keys[index] }
    end
    return assert(assay.verifier(issuers)), all_keys
end

function tasks.with_secrets(jwk_set)
    local policy = assay.policy({ algorithms = { "HS256" }, issuers = { "https://idp.example" } })
    return assert(assay.verifier(policy, assert(assay.keys(jwk_set))))
end

function tasks.roles(claims)
    local access = claims:claim("realm_access")
    local roles = {}
    for _, role in ipairs(type(access) == "table" and type(access.roles) == "table" and access.roles or {}) do
        if type(role) == "string" then roles[role] = true end
    end
    return roles
end

function tasks.guarded(gateway, request, handler)
    local decision = gateway:decide(request)
    if decision.code ~= "ok" then
        return decision.status, { ["www-authenticate"] = decision.challenge, ["x-assay-code"] = decision.code }
    end
    local fields = {}
    for name, value in pairs(request.fields) do fields[name:lower()] = value end
    for _, operation in ipairs(decision.operations) do
        if operation[1] ~= "set" and operation[1] ~= "remove" then return 503, {} end
        fields[operation[2]] = operation[3]
    end
    return handler(fields)
end

function tasks.fetch(keys, client)
    return keys:fetch(function(url, fields)
        local answer = client(url, fields)
        if not answer then return nil, "connection" end
        return answer.status, answer.headers, answer.body
    end)
end

function tasks.handler(verifier, clock)
    return function(authorization)
        local token = authorization and authorization:match("^Bearer ([^ ]+)$")
        if not token then return 401 end
        local claims, refusal = verifier:verify(token, clock())
        if not claims then return refusal.status end
        return 200, "Hello " .. tostring(claims.sub)
    end
end

function tasks.test_of_the_handler(jwk_set, token, signed_at)
    local now = signed_at
    local policy = assay.policy({ issuers = { "https://idp.example" }, audiences = { "client-1" } })
    local verifier = assert(assay.verifier(policy, assert(assay.keys(jwk_set))))
    local handler = tasks.handler(verifier, function() return now end)
    assert(select(2, handler("Bearer " .. token)) == "Hello user-1")
    assert(handler(nil) == 401)
    assert(handler("Bearer " .. token:gsub("%.[^.]*$", ".AAAA")) == 401)
    now = signed_at + 86400
    assert(handler("Bearer " .. token) == 401)
end

function tasks.response(refusal)
    local fields = { ["www-authenticate"] = refusal.challenge }
    if refusal.code == "keys_unavailable" then fields["retry-after"] = "1" end
    local line = ("status=%d code=%s %s"):format(refusal.status, refusal.code, refusal.description)
    return refusal.status, fields, line
end

function tasks.observe(gateway)
    return gateway:metrics(), gateway:status()
end

function tasks.rotating(read, policy)
    local text, verifier
    return function(token, now)
        local latest = read()
        if latest ~= text then
            local keys = assay.keys(latest)
            if keys then text, verifier = latest, assert(assay.verifier(policy, keys)) end
        end
        if not verifier then return nil, "there are no keys" end
        return verifier:verify(token, now)
    end
end

function tasks.valid(verifier, tokens, now)
    local count = 0
    for _, claims in ipairs(verifier:verify_batch(tokens, now)) do
        if claims then count = count + 1 end
    end
    return count
end

return tasks
