-- Verifies and decides again and again: memory must stay flat. memory.lua VECTORS CALLS
local assay = require("assay")
local json = require("assay.json")

local text = assert(io.open(arg[1] .. "/audience.json", "rb")):read("*a")
local vectors, calls = json.decode(text), tonumber(arg[2])
local document = text:match("%b{}", assert(text:find('"keys":%s*{')))
local keys = assert(assay.keys(document))
local now, valid, invalid = vectors.now, nil, nil
for _, case in ipairs(vectors.cases) do
    if case.expect == "valid" then valid = case.token else invalid = case.token end
end
local policy = assay.policy({ audiences = vectors.policy.audience })
local verifier = assert(assay.verifier(policy, keys, { cache_bytes = 4194304 }))

local settings = '{"policies": [{"name": "api", "requires": "idp"}], "policy": "api", "providers": [{"name": "idp", '
    .. '"issuer": "https://idp.example", "audiences": ["client-1"], "keys": {"inline": ' .. document .. "}}]}"
local request = { method = "GET", authority = "a.example", target = "/", scheme = "http", fields = { host = "a.example" } }

local function kilobytes()
    for line in io.lines("/proc/self/status") do
        local value = line:match("^VmRSS:%s*(%d+)")
        if value then return tonumber(value) end
    end
end

local function one(index)
    if index % 10 == 0 then
        assert(not verifier:verify(invalid, now))
    elseif index % 1000 == 1 then
        assert(assay.verifier(policy, keys)):verify_batch({ valid, invalid }, now)
        local gateway = assert(assay.gateway(settings))
        assert(gateway:decide(request).code == "missing_token")
    else
        assert(verifier:verify(valid, now))
    end
end

-- The first calls fill what stays: pools of the allocator, the cache, and what waits for its finalizer.
for index = 1, math.max(200000, math.floor(calls / 10)) do one(index) end
collectgarbage()
collectgarbage()
local before = kilobytes()
for index = 1, calls do one(index) end
collectgarbage()
collectgarbage()
local grown = kilobytes() - before
print(("%d calls: %d KB of %d KB"):format(calls, grown, before))
print(grown < 8192 and "1 passed, 0 failed" or "0 passed, 1 failed")
os.exit(grown < 8192)
