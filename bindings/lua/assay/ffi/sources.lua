-- What keys and gateways have in common: the requests that the program makes for them.
local ffi = require("ffi")
local texts = require("assay.ffi.texts")
local c = require("assay.ffi.library").c

local KEYS, GATEWAY, FETCH = ffi.typeof("assay_keys *"), ffi.typeof("assay_gateway *"), ffi.typeof("assay_fetch *")
local FAILURES = {
    connection = 1, tls = 2, timed_out = 3, too_large = 4, redirect = 5, malformed = 6, forbidden = 7, cancelled = 8, unresolved = 9,
    pin = 10, url = 11,
}

local sources = { failures = FAILURES }

-- The function for keys or the one for a gateway.
local function one_of(object, for_keys, for_gateway)
    if ffi.istype(KEYS, object) then return texts.of(KEYS, object, "the keys") and for_keys end
    return texts.of(GATEWAY, object, "what has keys") and for_gateway
end

function sources.next_due(object) return tonumber(one_of(object, c.assay_keys_next_due, c.assay_gateway_next_due)(object)) end

function sources.refresh(object, issuer)
    if issuer ~= nil and ffi.istype(GATEWAY, object) then
        texts.of(GATEWAY, object, "the gateway")
        texts.check(issuer, "string", "issuer")
        return tonumber(c.assay_gateway_refresh_issuer(object, issuer, #issuer))
    end
    return tonumber(one_of(object, c.assay_keys_refresh, c.assay_gateway_refresh)(object))
end

local function fields_of(fetch)
    local list, name, value = {}, ffi.new("const char *[1]"), ffi.new("const char *[1]")
    while c.assay_fetch_field(name, value, fetch, #list / 2) == 0 do
        list[#list + 1], list[#list + 2] = ffi.string(name[0]), ffi.string(value[0])
    end
    return list
end

-- A fetch, its URL, its issuer and its fields; nil if nothing is due.
function sources.request(object)
    local make = one_of(object, c.assay_keys_request, c.assay_gateway_request)
    local fetch = texts.object("assay_fetch", c.assay_fetch_free, make, object)
    if not fetch then return nil end
    return fetch, ffi.string(c.assay_fetch_url(fetch)), ffi.string(c.assay_fetch_issuer(fetch)), fields_of(fetch)
end

function sources.install(object, fetch, status, fields, body)
    local install = one_of(object, c.assay_keys_install, c.assay_gateway_install)
    texts.of(FETCH, fetch, "the fetch")
    texts.check(status, "number", "status")
    body = body or ""
    texts.check(body, "string", "body")
    if not (status >= 0 and status < 1000) then error("assay: status is out of range", 3) end
    local list, memory = texts.list_of(fields or {}), texts.enter()
    local array, count = memory:array(list)
    return texts.leave(tonumber(install(object, fetch, status, array, count, body, #body)))
end

function sources.fail(object, fetch, failure)
    local fail = one_of(object, c.assay_keys_fail, c.assay_gateway_fail)
    texts.of(FETCH, fetch, "the fetch")
    local number = FAILURES[failure] or failure
    if type(number) ~= "number" then error("assay: there is no failure of this name", 3) end
    return tonumber(fail(object, fetch, number))
end

local NUMBERS = {
    "health", "key_count", "generation", "age", "fresh_for", "used_for", "failures", "shed_fetches", "clock_skew" }

function sources.keys_status(object, issuer)
    local state = ffi.new("assay_keys_state", { size = ffi.sizeof("assay_keys_state") })
    local code
    if ffi.istype(KEYS, object) then
        code = c.assay_keys_status(state, texts.of(KEYS, object, "the keys"))
    else
        texts.of(GATEWAY, object, "the gateway")
        texts.check(issuer, "string", "issuer")
        code = c.assay_gateway_keys_status(state, object, issuer, #issuer)
    end
    if code ~= 0 then return nil, tonumber(code) end
    local out = { is_fetching = state.is_fetching == 1, last_failure = state.last_failure ~= nil and ffi.string(state.last_failure) or nil }
    for _, each in ipairs(NUMBERS) do out[each] = tonumber(state[each]) end
    return out
end

return sources
