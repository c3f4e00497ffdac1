-- The requests of one worker for all of them, by libassay-http: checked addresses, redirects within one origin, limits on time and size.
local bit = require("bit")
local ffi = require("ffi")
require("assay.ffi.library")
local texts = require("assay.ffi.texts")

ffi.cdef [[
typedef struct assay_http_options {
    size_t size;
    int64_t request_limit;
    int64_t connect_limit;
    uint32_t addresses;
    uint32_t roots_only;
    assay_text roots;
    assay_text certificate;
    assay_text private_key;
    assay_text proxy_host;
    uint32_t proxy_port;
    uint32_t reserved;
    assay_text proxy_user;
    assay_text proxy_password;
    assay_text user_agent;
    const assay_text *pins;
    size_t pin_count;
} assay_http_options;
assay_code assay_http_options_init(assay_http_options *out, size_t size);
typedef struct assay_http_client assay_http_client;
typedef struct assay_http_answer {
    size_t size;
assay_text url;
uint32_t failure;
uint32_t status;
const assay_field *fields;
size_t field_count;
assay_text body;
assay_text reason;
} assay_http_answer;
assay_code assay_http_client_new(assay_http_client **out, const assay_http_options *options, void (*wake)(void *context), void *context);
assay_code assay_http_client_send(assay_http_client *client, const char *url, size_t url_len, const assay_field *fields,
                                  size_t field_count);
assay_code assay_http_client_take(assay_http_answer *out, assay_http_client *client);
void assay_http_client_free(assay_http_client *client);
const char *assay_http_version(void);]]

local ADDRESSES = { loopback = 1 + 8, private = 2, link_local = 4 }
local FAILURE_CANCELLED = 8

local client = {}
client.__index = client

-- The library, and what a client has of `options`: `addresses` (a list of "loopback", "private" and "link_local"), `request_limit` and
-- `connect_limit` in milliseconds, and `roots` (PEM). An error where libassay-http is not there, so that nginx does not start.
function client.check(options)
    local c = ffi.load(os.getenv("ASSAY_HTTP_LIBRARY") or "libassay-http.so.0")
    local own = ffi.new("assay_http_options")
    assert(c.assay_http_options_init(own, ffi.sizeof(own)) == 0)
    for _, kind in ipairs(options.addresses or {}) do
        local bits = ADDRESSES[kind] or error("assay: there are no addresses of the name " .. tostring(kind), 3)
        own.addresses = bit.bor(own.addresses, bits)
    end
    texts.numbers(own, options, { "request_limit", "connect_limit" })
    return c, own, texts.check(options.roots or "", "string", "roots")
end

function client.new(options)
    local c, own, roots = client.check(options)
    local memory = texts.enter()
    memory:set(own.roots, roots)
    local handle, code = texts.leave(texts.object("assay_http_client", c.assay_http_client_free, c.assay_http_client_new, own, nil, nil))
    if not handle then error("assay: the client for keys is not made: " .. texts.code_name(code), 2) end
    local answer = ffi.new("assay_http_answer", { size = ffi.sizeof("assay_http_answer") })
    return setmetatable({ c = c, handle = handle, answer = answer }, client)
end

-- Whether the request began: not while an answer from this URL is awaited.
function client:send(url, fields)
    local list, memory = texts.list_of(fields), texts.enter()
    local array, count = memory:array(list)
    return texts.leave(self.c.assay_http_client_send(self.handle, url, #url, array, count) == 0)
end

-- The fields of an answer that say how long a document is used.
local KEPT = { age = true, ["cache-control"] = true, ["content-type"] = true, date = true, expires = true, ["retry-after"] = true }

-- The oldest answer; nil if there is none.
function client:take()
    local answer = self.answer
    if self.c.assay_http_client_take(answer, self.handle) ~= 0 then return nil end
    local fields = {}
    for index = 0, tonumber(answer.field_count) - 1 do
        local name = texts.string(answer.fields[index].name):lower()
        if KEPT[name] then fields[#fields + 1], fields[#fields + 2] = name, texts.string(answer.fields[index].value) end
    end
    local failure = answer.failure
    if failure == 0 and answer.status == 0 then failure = FAILURE_CANCELLED end
    return {
        url = texts.string(answer.url), failure = failure, status = answer.status, fields = fields, body = texts.string(answer.body),
        reason = texts.string(answer.reason),
    }
end

return client
