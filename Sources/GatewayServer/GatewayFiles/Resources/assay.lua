-- Asks the forward-auth service about each request:
--
--     http-request lua.assay ADDRESS
--     http-request deny deny_status 503 unless { var(txn.assay_allowed) -m bool }
--
-- The listener at ADDRESS (host:port or unix@/path) has the profile `caddy`. The rule `deny` is needed: HAProxy continues with the next
-- rule if a script fails.

-- Fields of the client's connection, and those that are set below.
local not_sent = { "connection", "content-length", "expect", "host", "te", "transfer-encoding", "upgrade" }
-- Fields of the answer that are not for the application.
local not_copied = { ["cache-control"] = true, connection = true, ["content-length"] = true, date = true, ["dpop-nonce"] = true,
    server = true, ["transfer-encoding"] = true }
-- Fields of a refusal that the client gets.
local given = { "www-authenticate", "dpop-nonce", "retry-after", "x-assay-code", "location", "cache-control", "vary" }
-- HAProxy's client asks four times: without an answer the request waits for two seconds.
local milliseconds = 500
-- What `Connection` may name. The next proxy drops every other field that it names, perhaps one that is set below.
local connection_options = { close = true, ["keep-alive"] = true, te = true, upgrade = true, ["http2-settings"] = true }

local function drops_fields(txn)
    local values = txn.http:req_get_headers()["connection"]
    if not values then return false end
    for index = 0, #values do
        for option in values[index]:gmatch("[^,]+") do
            local name = option:match("^%s*(.-)%s*$"):lower()
            if name ~= "" and not connection_options[name] then return true end
        end
    end
    return false
end

local function question(txn)
    local fields = {}
    for name, values in pairs(txn.http:req_get_headers()) do
        fields[name] = {}
        for index = 0, #values do fields[name][index + 1] = values[index] end
    end
    for _, name in ipairs(not_sent) do fields[name] = nil end
    fields["x-forwarded-method"] = { txn.sf:method() }
    fields["x-forwarded-uri"] = { txn.sf:pathq() }
    fields["x-forwarded-host"] = { txn.sf:req_fhdr("host") }
    fields["x-forwarded-proto"] = { txn.sf:ssl_fc() == "1" and "https" or "http" }
    -- Every field of the answer replaces the client's, and HAProxy's file sets the one with the certificate, if it names it.
    local certificate = txn:get_var("txn.assay_certificate")
    fields["x-assay-fields"] = { certificate and "* " .. certificate or "*" }
    return fields
end

local function refuse(txn, status, fields)
    local sent = {}
    for _, name in ipairs(given) do
        if fields[name] then sent[name] = { fields[name][0] } end
    end
    txn:done(txn:reply{ status = status, headers = sent })
end

core.register_action("assay", { "http-req" }, function(txn, address)
    if drops_fields(txn) then
        return refuse(txn, 400, { ["x-assay-code"] = { [0] = "ambiguous_field" } })
    end
    local answer = core.httpclient():get{ url = "http://assay/", dst = address, headers = question(txn), timeout = milliseconds }
    local status = answer and answer.status
    if status ~= 200 then
        -- Without an answer the status is 0, or that of HAProxy's own failure page.
        local fields = answer and answer.headers or {}
        local is_given = status and (status >= 400 and status < 500 or status == 302 and fields["location"])
        refuse(txn, is_given and status or 503, fields)
        return
    end
    for name, values in pairs(answer.headers) do
        if not not_copied[name] and name:sub(1, 8) ~= "x-assay-" then
            txn.http:req_del_header(name)
            if values[0] ~= "" then txn.http:req_set_header(name, values[0]) end
        end
    end
    -- For the answer to the client, by a rule of haproxy.cfg.
    local nonces = answer.headers["dpop-nonce"]
    if nonces then txn:set_var("txn.assay_nonce", nonces[0]) end
    txn:set_var("txn.assay_allowed", true)
end, 1)
