-- What a finalizer of the program may do with objects while Lua ends: an error, never a crash. ending.lua VECTORS: the folder of the vectors.
local assay = require("assay")

local is_jit, now = rawget(_G, "jit") ~= nil, 1700000000
local text = assert(io.open(arg[1] .. "/audience.json", "rb")):read(is_jit and "*a" or "a")
local document = text:match("%b{}", assert(text:find('"keys":%s*{')))
local objects = {}

local function attempt()
    local request = { method = "GET", authority = "api.example", target = "/", fields = {} }
    for _, call in ipairs({
        function() return objects.verifier:verify("a.b.c", now) end, function() return objects.verifier:verify_batch({ "a.b.c" }, now) end,
        function() return objects.gateway:decide(request) end, function() return objects.gateway:status() end,
        function() return objects.fetched:install(objects.fetch, 200, {}, document) end,
        function() return objects.fetched:keys_status() end, function() return assay.keys(document) end,
    }) do
        local works, why = pcall(call)
        if not works and not tostring(why):find("freed", 1, true) then os.exit(1) end
    end
end

-- Lua runs the finalizer of what is older later.
local function finalized()
    if not is_jit then return setmetatable({}, { __gc = attempt }) end
    local made = newproxy(true)
    getmetatable(made).__gc = attempt
    return made
end

local older = finalized()
objects.fetched = assert(assay.keys_from_url("https://idp.example/jwks"))
objects.fetch = objects.fetched:request()
objects.verifier = assert(assay.verifier(assay.policy({ audiences = { "a" } }), assert(assay.keys(document))))
objects.gateway = assert(assay.gateway([[{"providers": [{"name": "idp", "issuer": "https://idp.example", "audiences": ["a"]}],
    "policies": [{"name": "api", "requires": "idp"}], "policy": "api"}]]))
objects.kept = { older, finalized() }
attempt()
