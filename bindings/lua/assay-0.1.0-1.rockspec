rockspec_format = "3.0"
package = "assay"
version = "0.1.0-1"
source = { url = "." }
description = {
    summary = "Verifies JSON Web Tokens with libassay, and decides about requests",
    detailed = "By FFI in LuaJIT, with the decisions of Assay's gateway inside nginx. bindings/lua/build.sh makes the module in C for Lua 5.3 and 5.4.",
}
dependencies = { "lua >= 5.1" }
external_dependencies = { ASSAY = { library = "assay" } }
build = {
    type = "builtin",
    modules = {
        assay = "assay.lua",
        ["assay.json"] = "assay/json.lua",
        ["assay.ffi"] = "assay/ffi.lua",
        ["assay.ffi.gateways"] = "assay/ffi/gateways.lua",
        ["assay.ffi.library"] = "assay/ffi/library.lua",
        ["assay.ffi.sources"] = "assay/ffi/sources.lua",
        ["assay.ffi.texts"] = "assay/ffi/texts.lua",
        ["assay.ffi.verifying"] = "assay/ffi/verifying.lua",
        ["assay.nginx"] = "assay/nginx.lua",
        ["assay.nginx.client"] = "assay/nginx/client.lua",
        ["assay.nginx.documents"] = "assay/nginx/documents.lua",
        ["assay.nginx.fetching"] = "assay/nginx/fetching.lua",
        ["assay.nginx.requests"] = "assay/nginx/requests.lua",
        ["assay.nginx.uses"] = "assay/nginx/uses.lua",
    },
}
