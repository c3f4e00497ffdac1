-- The contract of APISIX's plugins `serverless-pre-function` and `forward-auth`, by its documentation. `settings` is of apisix.py.

local chosen
for _, route in ipairs(settings.routes) do
    local is_of_host = route.host == "" or route.host == ngx.var.host
    if not chosen and is_of_host and ngx.var.uri:sub(1, #route.prefix) == route.prefix then chosen = route end
end
if not chosen then return ngx.exit(404) end
ngx.var.application = chosen.to
if chosen.asks == "" then return end

for _, text in ipairs(settings.functions) do
    assert(loadstring(text))()({}, {})
end

local answer = ngx.location.capture("/_forward_auth", { method = ngx.HTTP_GET })
-- The plugin's client finds fields without regard to case.
local fields = {}
for name, value in pairs(answer.header) do fields[name:lower()] = value end
-- nginx's own failure page: the service was not there, or too late.
if answer.status == 502 or answer.status == 504 then return ngx.exit(tonumber(settings.status_on_error)) end
if answer.status >= 300 then
    for _, name in ipairs(settings.client_headers) do ngx.header[name] = fields[name:lower()] end
    return ngx.exit(answer.status)
end
-- A field that the answer does not have is removed.
for _, name in ipairs(settings.upstream_headers) do ngx.req.set_header(name, fields[name:lower()]) end
