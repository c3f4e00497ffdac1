-- Assay in nginx with lua-nginx-module: the decisions of `assay serve` inside each worker. README.md beside the folder `nginx` has the
-- configuration.
local gateways = require("assay.ffi.gateways")
local client = require("assay.nginx.client")
local documents = require("assay.nginx.documents")
local fetching = require("assay.nginx.fetching")
local uses = require("assay.nginx.uses")

local OK, AWAITING_KEYS = 0, 13
-- Seconds between two looks of a request that waits: the first, and the most. Each is twice the one before, so that a crowd that waits for an
-- issuer which does not answer leaves the worker to others.
local PAUSE, LONGEST_PAUSE = 0.005, 0.08

local module = {}

local gateway, feed, options, requests

local function settings_of(given)
    if given.settings then return given.settings end
    local file, why = io.open(given.file, "rb")
    if not file then error("assay: " .. why, 3) end
    local text = file:read("*a")
    file:close()
    return text
end

local NUMBERS = { wait = 1, uses = 262144 }

local function taken(given)
    local own = {}
    for name, value in pairs(given) do own[name] = value end
    for name, value in pairs(NUMBERS) do
        own[name] = own[name] == nil and value or own[name]
        if type(own[name]) ~= "number" then error("assay: " .. name .. " must be a number", 3) end
    end
    if own.wait < 0 or own.wait > 60 then error("assay: wait must be from 0 to 60 seconds", 3) end
    own.zone = own.zone or "assay"
    return own
end

-- Makes the gateway, in init_by_lua. `settings` (JSON) or `file` has what `assay serve` takes; a fault ends the start of nginx, and refuses
-- a reload. The README names the other options.
function module.open(given)
    if ngx.get_phase() ~= "init" then error("assay: open belongs into init_by_lua", 2) end
    options = taken(given)
    client.check(options)
    options.documents = documents.new(options.zone)
    local settings = settings_of(options)
    -- Paths in the settings count from their file.
    options.folder = options.folder or options.file and options.file:match("^(.*/)") or nil
    local said = gateways.gateway_check(settings)
    local made, code = gateways.gateway(settings, {
        folder = options.folder, cache_bytes = options.cache_bytes, cache_seconds = options.cache_seconds,
        cache_digests = options.cache_digests, memory = uses.memory(options.uses) })
    if not made then error("assay: the settings cannot be used (" .. require("assay.ffi").code_name(code) .. ")\n" .. said, 2) end
    if said ~= "" then ngx.log(ngx.WARN, "assay: ", said) end
    gateway = made
end

-- Begins to fetch, in init_worker_by_lua.
function module.start()
    if not gateway then error("assay: open was not called in init_by_lua", 2) end
    -- The privileged agent decides nothing. APISIX begins a plugin again when the list of plugins changes.
    if ngx.worker.id() == nil or feed then return end
    requests = require("assay.nginx.requests")
    feed = fetching.new(gateway, options.documents, options)
    feed:start()
end

-- Decides, and decides again when keys may have come.
local function judged(policy)
    local code = requests.decide(gateway, policy, true)
    local pause, deadline = PAUSE, ngx.now() + options.wait
    while code == AWAITING_KEYS do
        feed:step()
        -- Between two attempts at a source that fails the answer is given at once.
        local may_wait = ngx.now() < deadline and feed:is_fetching()
        if may_wait then
            ngx.sleep(pause)
            pause = math.min(2 * pause, LONGEST_PAUSE)
            feed:step()
        end
        code = requests.decide(gateway, policy, may_wait)
    end
    local verdict = requests.verdict(code)
    return code == OK and verdict.status == 200, verdict
end

-- Whether the request may pass, and the verdict: `code`, `status`, `reason` and others. For a program that answers by itself. With a
-- policy's name its rules are used; else the settings' `routes` or `policy`.
function module.decide(policy)
    if not feed then error("assay: start was not called in init_worker_by_lua", 2) end
    return judged(policy or "")
end

-- Lets the request pass, or answers it, in access_by_lua.
function module.access(policy)
    local is_admitted, verdict = module.decide(policy)
    if not is_admitted or verdict.reason then ngx.ctx.assay = verdict end
    if is_admitted then
        if verdict.proof_nonce then ngx.header["DPoP-Nonce"] = verdict.proof_nonce end
        return
    end
    ngx.log(ngx.INFO, "assay refuses the request: ", verdict.code)
    return requests.refuse(verdict)
end

-- Serves the metadata (RFC 9728) of the resource at this host and path, in content_by_lua, to pages of every origin.
function module.resource_metadata()
    local method, header = ngx.req.get_method(), ngx.header
    local text = gateways.resource_metadata(gateway, ngx.var.http_host or "", ngx.var.request_uri)
    if not text then return ngx.exit(404) end
    header["Access-Control-Allow-Origin"] = "*"
    if method == "OPTIONS" then
        header["Access-Control-Allow-Methods"], header["Access-Control-Allow-Headers"] = "GET, HEAD", "*"
        return ngx.exit(204)
    end
    if method ~= "GET" and method ~= "HEAD" then
        header["Allow"] = "GET, HEAD, OPTIONS"
        return ngx.exit(405)
    end
    header["Content-Type"], header["Cache-Control"], header["Content-Length"] = "application/json", "max-age=300", #text
    if method == "GET" then ngx.print(text) else ngx.send_headers() end
end

-- JSON about keys, decisions and kernels of this worker, and the same as samples for Prometheus.
function module.status() return gateways.status(gateway) end
function module.metrics() return gateways.metrics(gateway) end
function module.is_ready() return gateways.is_ready(gateway) end

return module
