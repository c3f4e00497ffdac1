local assay = require("assay")

local file = assert(io.open(arg[1], "rb"))
local keys = assert(assay.keys(file:read("a")))
local policy = assay.policy({ issuers = { arg[2] }, audiences = { arg[3] } })
local verifier = assert(assay.verifier(policy, keys))

for token in io.lines() do
    local claims, refusal = verifier:verify(token)
    print(claims and "valid: " .. tostring(claims.sub) or refusal.code .. ": reply " .. refusal.status)
end
