-- The backend of module assay for LuaJIT, with the functions that BACKEND.md names. Objects are pointers that the collector frees.
local texts = require("assay.ffi.texts")
local library = require("assay.ffi.library")

local backend = {
    -- As lua-cjson has it.
    null = ngx and ngx.null or setmetatable({}, { __tostring = function() return "null" end }),
    version = function() return library.version end,
    header = function() return library.header end,
    code_name = function(code) return texts.code_name(texts.check(code, "number", "the code")) end,
    code_status = function(code) return tonumber(library.c.assay_code_http_status(texts.check(code, "number", "the code"))) end,
}
for _, part in ipairs({ "verifying", "sources", "gateways" }) do
    for name, value in pairs(require("assay.ffi." .. part)) do
        if type(value) == "function" then backend[name] = value end
    end
end
return backend
