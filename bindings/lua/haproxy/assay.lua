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

-- Whether a value of `Connection` names more than options.
local function names_fields(value)
    for option in value:gmatch("[^,]+") do
        local name = option:match("^%s*(.-)%s*$"):lower()
        if name ~= "" and not connection_options[name] then return true end
    end
    return false
end

local function drops_fields(head)
    if type(head) == "table" then
        local values = head["connection"]
        for index = 0, values and #values or -1 do
            if names_fields(values[index]) then return true end
        end
        return false
    end
    local first, last = head:find("connection: ", 1, true)
    while first do
        local is_name = first == 1 or head:sub(first - 1, first - 1) == "\n"
        if is_name and names_fields(head:match("^[^\r]*", last + 1)) then return true end
        first, last = head:find("connection: ", last + 1, true)
    end
    return false
end

-- Nothing else in a request is an argument that libassay does not take. HAProxy takes 101 fields, or as many as `tune.http.maxhdr` says.
local too_many = { status = 400, code = "malformed_request" }

-- What to change in a request that passes, or nil; its policy; and the decision, if there is more to say.
local function decide(txn, head)
    local scheme, certificate = "http", nil
    if txn.sf:ssl_fc() == "1" then scheme, certificate = "https", txn.f:ssl_c_der() end
    local method, target = txn.sf:method(), txn.sf:pathq()
    local changes, policy, decision = gateway:admit(head, method, target, scheme, true, certificate)
    local waited = 0
    while not changes and decision.code == "awaiting_keys" do
        core.msleep(10)
        waited = waited + 10
        changes, policy, decision = gateway:admit(head, method, target, scheme, waited < patience, certificate, decision.used)
    end
    if not changes and decision.code == "invalid_argument" then decision = too_many end
    return changes, policy, decision
end

local function set_target(txn, target)
    local path_of, query = target:match("^([^?]*)%??(.*)$")
    txn.http:req_set_path(path_of)
    txn.http:req_set_query(query)
end

local function change(txn, changes)
    local http = txn.http
    for index = 1, #changes, 2 do
        local name, value = changes[index], changes[index + 1]
        if not value then
            http:req_del_header(name)
        elseif name == ":path" then
            set_target(txn, value)
        else
            http:req_add_header(name, value)
        end
    end
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
local function set_variables(txn, policy, decision)
    txn:set_var("txn.assay_code", decision and decision.waived or "ok")
    if policy then txn:set_var("txn.assay_policy", policy) end
    if not decision then return end
    for _, metadata in ipairs(decision.metadata or {}) do
        if metadata.key:find("^[%w_]+$") then txn:set_var("txn.assay_" .. metadata.key, metadata.json) end
    end
    -- For the answer to the client, by a rule of haproxy.cfg.
    if decision.proof_nonce then txn:set_var("txn.assay_nonce", decision.proof_nonce) end
end

core.register_action("assay", { "http-req" }, function(txn)
    local head = head_of(txn)
    if drops_fields(head) then return refuse(txn, { status = 400, code = "ambiguous_field" }) end
    local changes, policy, decision = decide(txn, head)
    if not changes then return refuse(txn, decision) end
    change(txn, changes)
    set_variables(txn, policy, decision)
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
