-- Decides about requests inside HAProxy, without a service beside it:
--
--     global
--         setenv ASSAY_SETTINGS /etc/haproxy/assay.json
--         lua-load-per-thread /etc/haproxy/assay.lua
--     frontend web
--         http-request lua.assay
--         http-request deny deny_status 503 unless { var(txn.assay_allowed) -m bool }
--
-- The rule `deny` is needed: HAProxy continues with the next rule if a script fails. All threads have one gateway, and no lock. The first
-- thread fetches keys with HAProxy's own client.
local assay = require("assay")

-- HAProxy 2.6 hands a script no arguments.
local path = os.getenv("ASSAY_SETTINGS") or error("setenv ASSAY_SETTINGS must name the file of the settings, before lua-load-per-thread")

-- Milliseconds: to wait for keys in a request, for an answer of an issuer, and between two looks at what is due.
local patience, answer_timeout, interval = 2000, 10000, 50
local largest_answer = 2 * 1024 * 1024
-- What `Connection` may name. The next proxy drops every other field that it names, perhaps one that is set below.
local connection_options = { close = true, ["keep-alive"] = true, te = true, upgrade = true, ["http2-settings"] = true }

local function settings()
    local file = assert(io.open(path, "rb"))
    local text = file:read("a")
    file:close()
    return text
end

-- With ASSAY_CACHE_MEGABYTES, verified tokens are kept in a cache of this size.
local cache = tonumber(os.getenv("ASSAY_CACHE_MEGABYTES") or 0) or error("ASSAY_CACHE_MEGABYTES must be a number")
local gateway, problems = assay.gateway(
    settings(), { folder = path:match("^(.*/)") or ".", shared = path, cache_bytes = math.tointeger(cache) * 1048576 })
if not gateway then error("assay: " .. path .. ": " .. problems) end
-- The states of the other threads fetch nothing.
local fetches = core.thread <= 1
-- Reads keys of files now: later HAProxy may have another root and another user. Requests for issuers wait for the first thread.
local due = {}
for asked in function() return fetches and gateway:request() or nil end do due[#due + 1] = asked end

-- Keys

local function fields_by_name(fields)
    local named = {}
    for index = 1, #fields, 2 do named[fields[index]:lower()] = { fields[index + 1] } end
    return named
end

local function fetch(asked)
    local answer = core.httpclient():get{ url = asked.url, headers = fields_by_name(asked.fields), timeout = answer_timeout }
    if not answer or not answer.headers or answer.status == 0 then return gateway:fail(asked, "connection") end
    local body = answer.body or ""
    if #body > largest_answer then return gateway:fail(asked, "too_large") end
    return gateway:install(asked, answer.status, answer.headers, body)
end

-- Each fetch is a task of its own: an issuer that is slow delays no other.
local function begin(asked)
    core.register_task(function()
        local works, why = pcall(fetch, asked)
        if works then return end
        core.Warning("assay: a fetch failed: " .. tostring(why))
        gateway:fail(asked, "cancelled")
    end)
end

if fetches then
    core.register_task(function()
        while true do
            local asked = table.remove(due) or gateway:request()
            while asked do
                begin(asked)
                asked = table.remove(due) or gateway:request()
            end
            core.msleep(math.max(1, math.min(interval, gateway:next_due())))
        end
    end)
end

-- Requests

-- The head of the request: `name: value` in lines, with names in lower case. A head that does not fit into HAProxy's buffer is a table.
local function head_of(txn)
    return txn.f:req_hdrs() or txn.http:req_get_headers()
end

local function has(head, name)
    if type(head) == "table" then return head[name] ~= nil end
    return head:find("\n" .. name .. ":", 1, true) ~= nil or head:sub(1, #name + 1) == name .. ":"
end

local function drops_fields(txn, head)
    if not has(head, "connection") then return false end
    local values = txn.http:req_get_headers()["connection"]
    for index = 0, values and #values or -1 do
        for option in values[index]:gmatch("[^,]+") do
            local name = option:match("^%s*(.-)%s*$"):lower()
            if name ~= "" and not connection_options[name] then return true end
        end
    end
    return false
end

local function question(txn, head)
    local is_secure = txn.sf:ssl_fc() == "1"
    -- A request with two of them has no authority.
    local authority = txn.sf:req_fhdr_cnt("host") == "1" and txn.sf:req_fhdr("host") or ""
    return {
        method = txn.sf:method(), target = txn.sf:pathq(), authority = authority, fields = head,
        scheme = is_secure and "https" or "http", certificate = is_secure and txn.f:ssl_c_der() or nil, may_wait = true }
end

local function decide(asked)
    local decision = gateway:decide(asked)
    local waited = 0
    while decision.code == "awaiting_keys" and waited < patience do
        core.msleep(10)
        waited = waited + 10
        asked.used = decision.used
        decision = gateway:decide(asked)
    end
    if decision.code == "awaiting_keys" then
        asked.may_wait, asked.used = false, decision.used
        decision = gateway:decide(asked)
    end
    return decision
end

local function set_target(txn, target)
    local path_of, query = target:match("^([^?]*)%??(.*)$")
    txn.http:req_set_path(path_of)
    txn.http:req_set_query(query)
end

-- Whether all changes of an admitted request were done.
local function change(txn, operations, head)
    local http = txn.http
    for _, operation in ipairs(operations) do
        local kind = operation[1]
        if kind == "set" then
            if has(head, operation[2]) then http:req_del_header(operation[2]) end
            http:req_add_header(operation[2], operation[3])
        elseif kind == "remove" then
            -- Half of what a decision costs would be for fields that are not there.
            if has(head, operation[2]) then http:req_del_header(operation[2]) end
        elseif kind == "target" then
            set_target(txn, operation[2])
        else
            return false
        end
    end
    return true
end

local function refuse(txn, decision)
    local headers = { ["x-assay-code"] = { decision.code }, ["dpop-nonce"] = decision.proof_nonce and { decision.proof_nonce } }
    local status = decision.status
    if decision.location then
        status = 302
        headers["location"] = { decision.location }
        headers["cache-control"] = { "no-store" }
        headers["vary"] = { "Accept, Sec-Fetch-Mode" }
    else
        headers["www-authenticate"] = decision.challenge and { decision.challenge }
    end
    if decision.retry_after then headers["retry-after"] = { tostring(decision.retry_after) } end
    txn:set_var("txn.assay_code", decision.code)
    txn:done(txn:reply{ status = status, headers = headers })
end

-- Variables for rules and logs: txn.assay_code, txn.assay_policy, and for `payloadMetadata: claims` txn.assay_claims, in JSON.
local function set_variables(txn, decision)
    for _, metadata in ipairs(decision.metadata or {}) do
        if metadata.key:find("^[%w_]+$") then txn:set_var("txn.assay_" .. metadata.key, metadata.json) end
    end
    txn:set_var("txn.assay_code", decision.waived or decision.code)
    if decision.policy then txn:set_var("txn.assay_policy", decision.policy) end
    -- For the answer to the client, by a rule of haproxy.cfg.
    if decision.proof_nonce then txn:set_var("txn.assay_nonce", decision.proof_nonce) end
end

core.register_action("assay", { "http-req" }, function(txn)
    local head = head_of(txn)
    if drops_fields(txn, head) then return refuse(txn, { status = 400, code = "ambiguous_field" }) end
    local decision = decide(question(txn, head))
    if decision.code ~= "ok" then return refuse(txn, decision) end
    if not change(txn, decision.operations, head) then return end
    set_variables(txn, decision)
    txn:set_var("txn.assay_allowed", true)
end)

-- Metadata of protected resources (RFC 9728): `http-request lua.assay_metadata` before `lua.assay`, for its path.
core.register_action("assay_metadata", { "http-req" }, function(txn)
    local host = txn.sf:req_fhdr("host")
    local document = gateway:resource_metadata(host, txn.sf:pathq())
    if not document then return end
    local headers = {
        ["content-type"] = { "application/json" }, ["access-control-allow-origin"] = { "*" },
        ["access-control-allow-headers"] = { "*" }, ["cache-control"] = { "max-age=300" } }
    local method = txn.sf:method()
    if method == "OPTIONS" then return txn:done(txn:reply{ status = 204, headers = headers }) end
    if method ~= "GET" and method ~= "HEAD" then
        headers["allow"] = { "GET, HEAD, OPTIONS" }
        return txn:done(txn:reply{ status = 405, headers = headers })
    end
    txn:done(txn:reply{ status = 200, headers = headers, body = document })
end)

-- What the gateway says about itself: `http-request use-service lua.assay_metrics`, and lua.assay_status, for a frontend of administrators.
local function service(kind, write)
    return function(applet)
        local text = write(gateway)
        applet:set_status(200)
        applet:add_header("content-type", kind)
        applet:add_header("content-length", tostring(#text))
        applet:start_response()
        applet:send(text)
    end
end
core.register_service("assay_metrics", "http", service("text/plain; version=0.0.4", gateway.metrics))
core.register_service("assay_status", "http", service("application/json", gateway.status))
