-- Gateways and their decisions.
local ffi = require("ffi")
local texts = require("assay.ffi.texts")
local c = require("assay.ffi.library").c

local GATEWAY = ffi.typeof("assay_gateway *")
local REQUEST_SIZE, INVALID_ARGUMENT, AWAITING_KEYS = ffi.sizeof("assay_request"), 1, 13
local USE, MOST_USES = 32, 64
local KINDS = { [1] = "set", [2] = "remove", [4] = "target" }

local gateways = {}

-- A memory of uses; `options.memory` is one that exists.
local function uses(options)
    if options.memory or not options.uses then return options.memory end
    texts.check(options.uses, "number", "uses", 4)
    if not (options.uses >= 1 and options.uses <= 2 ^ 30) then error("assay: uses is out of range", 4) end
    return assert(texts.object("assay_replay_memory", c.assay_replay_memory_free, c.assay_replay_memory_new, options.uses))
end

function gateways.gateway(settings, options)
    texts.check(settings, "string", "settings")
    options = options or {}
    -- A state of LuaJIT cannot give another one an object of this module.
    if options.shared ~= nil then error("assay: shared is for the module in C alone", 3) end
    local own = ffi.new("assay_gateway_options", { size = ffi.sizeof("assay_gateway_options") })
    local folder, of_uses = texts.check(options.folder or "", "string", "folder"), uses(options)
    texts.numbers(own, options, { "cache_bytes", "cache_seconds", "cache_digests" })
    local memory = texts.enter()
    memory:set(own.folder, folder)
    own.replay_memory = memory:hold(of_uses)
    return texts.leave(texts.object("assay_gateway", c.assay_gateway_free, c.assay_gateway_new, settings, #settings, own))
end

-- What a function writes, in memory of this call.
local function written(...) return texts.leave(texts.enter():written(...)) end

function gateways.gateway_check(settings)
    texts.check(settings, "string", "settings")
    return written(c.assay_gateway_check, settings, #settings)
end

function gateways.gateway_replace(gateway, settings)
    texts.of(GATEWAY, gateway, "the gateway")
    texts.check(settings, "string", "settings")
    return tonumber(c.assay_gateway_replace(gateway, settings, #settings))
end

function gateways.gateway_revoke(gateway, text)
    texts.of(GATEWAY, gateway, "the gateway")
    texts.check(text, "string", "revocations")
    return tonumber(c.assay_gateway_revoke(gateway, text, #text))
end

local TEXTS = { "method", "authority", "target", "scheme", "policy", "certificate", "certificate_digest" }

-- What earlier decisions about the same request have used; nil for none.
local function used(list)
    if list == nil then return nil end
    if type(list) ~= "table" or #list > MOST_USES then error("assay: used must be a list of at most " .. MOST_USES, 4) end
    for _, digest in ipairs(list) do
        if type(digest) ~= "string" or #digest ~= USE then error("assay: a use must be a string of " .. USE .. " bytes", 4) end
    end
    return list
end

-- What a request has, checked: its texts in the order of TEXTS, its fields and its context as lists, and its time.
local function checked(request)
    texts.check(request, "table", "the request", 3)
    local list, context, now = texts.list_of(request.fields), request.context and texts.list_of(request.context), request.now
    local own = {}
    for place, name in ipairs(TEXTS) do
        own[place] = request[name] == nil and "" or texts.check(request[name], "string", name, 3)
    end
    if now ~= nil then
        texts.check(now, "number", "now", 3)
        if not (now >= 0) then error("assay: now must be in seconds since 1970", 4) end
    end
    return own, list, context, now or -1, request.may_wait, used(request.used)
end

local function described(memory, own, list, context, now, may_wait, uses_before)
    local out = memory:hold(ffi.new("assay_request", { size = REQUEST_SIZE }))
    for place, name in ipairs(TEXTS) do memory:set(out[name], own[place]) end
    out.fields, out.field_count = memory:array(list)
    if context then out.context, out.context_count = memory:array(context) end
    out.may_wait = may_wait and 1 or 0
    if uses_before then
        local array = memory:hold(ffi.new("assay_use[?]", #uses_before))
        for index, digest in ipairs(uses_before) do ffi.copy(array[index - 1].digest, digest, USE) end
        out.used, out.used_count = array, #uses_before
    end
    return out, now
end

local function operations(decision, operation)
    local list = {}
    while c.assay_decision_operation(operation, decision, #list) == 0 do
        local kind = KINDS[operation.kind]
        if kind == "target" then
            list[#list + 1] = { kind, texts.string(operation.value) }
        else
            list[#list + 1] = { kind, texts.string(operation.name), kind == "set" and texts.string(operation.value) or nil }
        end
    end
    return list
end

local function providers(memory, decision)
    local list = {}
    repeat
        local name = memory:optional(c.assay_decision_provider, decision, #list)
        list[#list + 1] = name
    until not name
    return list
end

local function all_metadata(decision)
    local list, metadata = {}, ffi.new("assay_metadata")
    while c.assay_decision_metadata(metadata, decision, #list) == 0 do
        list[#list + 1] = {
            provider = texts.string(metadata.provider), key = texts.string(metadata.key), json = texts.string(metadata.json) }
    end
    return list
end

local function uses_of(decision)
    local list, one = {}, ffi.new("assay_use")
    while c.assay_decision_use(one, decision, #list) == 0 do list[#list + 1] = ffi.string(one.digest, USE) end
    return list
end

local function decided(memory, gateway, ...)
    if not memory.decision then
        memory.decision = assert(texts.object("assay_decision", c.assay_decision_free, c.assay_decision_new))
        memory.operation = ffi.new("assay_operation")
    end
    local decision = memory.decision
    local code = tonumber(c.assay_gateway_decide(decision, gateway, described(memory, ...)))
    if code == INVALID_ARGUMENT then return { code = texts.code_name(code), number = code, status = 500, operations = {} } end
    local waived, retry_after = tonumber(c.assay_decision_waived(decision)), tonumber(c.assay_decision_retry_after(decision))
    return {
        code = texts.code_name(code), number = code, status = tonumber(c.assay_decision_status(decision)),
        operations = operations(decision, memory.operation), challenge = memory:optional(c.assay_decision_challenge, decision),
        location = memory:optional(c.assay_decision_location, decision), policy = memory:optional(c.assay_decision_policy, decision),
        proof_nonce = memory:optional(c.assay_decision_proof_nonce, decision), retry_after = retry_after >= 0 and retry_after or nil,
        waived = waived ~= 0 and texts.code_name(waived) or nil, reason = memory:written(c.assay_decision_reason, decision),
        providers = providers(memory, decision), metadata = all_metadata(decision),
        used = code == AWAITING_KEYS and uses_of(decision) or nil,
    }
end

local function decide(gateway, ...) return texts.leave(decided(texts.enter(), gateway, ...)) end

function gateways.decide(gateway, request)
    texts.of(GATEWAY, gateway, "the gateway")
    return decide(gateway, checked(request))
end

-- The names of the fields, in lower case, and the only value of `host`.
local function named(list)
    local names, hosts = {}, {}
    for index = 1, #list, 2 do
        local name = list[index]:lower()
        names[name] = true
        if name == "host" then hosts[#hosts + 1] = list[index + 1] end
    end
    return names, #hosts == 1 and hosts[1] or ""
end

local function changes_of(list, names)
    local changes = {}
    local function add(name, value) changes[#changes + 1], changes[#changes + 2] = name, value end
    for _, operation in ipairs(list) do
        local kind, name, value = operation[1], operation[2], operation[3]
        if kind == "target" then
            add(":path", name)
        elseif kind == "set" or kind == "remove" then
            if names[name:lower()] then add(name, false) end
            if kind == "set" then add(name, value) end
        else
            error("assay: an operation is not known", 3)
        end
    end
    return changes
end

function gateways.admit(gateway, fields, method, target, scheme, may_wait, certificate, uses_before, now)
    texts.check(may_wait, "boolean", "may_wait")
    texts.check(method, "string", "method")
    texts.check(target, "string", "target")
    texts.check(scheme, "string", "scheme")
    local list = texts.list_of(fields)
    local names, authority = named(list)
    local decision = gateways.decide(gateway, {
        method = method, target = target, scheme = scheme, authority = authority, fields = list, may_wait = may_wait,
        certificate = certificate, used = uses_before, now = now })
    if decision.code ~= "ok" then return nil, decision.policy, decision end
    local has_more = decision.waived or decision.proof_nonce or #decision.metadata > 0
    return changes_of(decision.operations, names), decision.policy, has_more and decision or nil
end

local function explained(gateway, ...)
    local memory = texts.enter()
    return texts.leave(memory:written(c.assay_gateway_explain, gateway, described(memory, ...)))
end

function gateways.explain(gateway, request)
    texts.of(GATEWAY, gateway, "the gateway")
    return explained(gateway, checked(request))
end

function gateways.status(gateway) return written(c.assay_gateway_status, texts.of(GATEWAY, gateway, "the gateway")) end
function gateways.metrics(gateway) return written(c.assay_gateway_metrics, texts.of(GATEWAY, gateway, "the gateway")) end
function gateways.is_ready(gateway) return c.assay_gateway_is_ready(texts.of(GATEWAY, gateway, "the gateway")) == 1 end

function gateways.protects(gateway, name)
    texts.of(GATEWAY, gateway, "the gateway")
    texts.check(name, "string", "the name")
    return c.assay_gateway_protects(gateway, name, #name) == 1
end

function gateways.resource_metadata(gateway, authority, target)
    texts.of(GATEWAY, gateway, "the gateway")
    texts.check(authority, "string", "authority")
    texts.check(target, "string", "target")
    local said = written(c.assay_gateway_resource_metadata, gateway, authority, #authority, target, #target)
    return said ~= "" and said or nil
end

return gateways
