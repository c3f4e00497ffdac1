-- Verifies tokens in LuaJIT: luajit verify.lua JWKS ISSUER AUDIENCE [NOW] < tokens, one in a line.
-- ASSAY_LIBRARY names the library where the system does not find libassay.so.
local folder = arg[0]:match("^(.*)/") or "."
package.path = folder .. "/?.lua;" .. package.path
local assay = require("assay")

local jwks = assert(io.open(arg[1], "rb")):read("*a")
local verifier, why = assay.new(jwks, arg[2], arg[3])
if not verifier then
    io.stderr:write("cannot read the keys: ", why, "\n")
    os.exit(2)
end

local refused = false
for token in io.lines() do
    local subject, code, status, challenge = verifier:verify(token, tonumber(arg[4]))
    if subject then
        print("valid: subject " .. subject .. ", role " .. tostring(verifier:claim("/realm_access/roles/0")))
    else
        refused = true
        print(code .. ": reply " .. status)
        if challenge ~= "" then print("  WWW-Authenticate: " .. challenge) end
    end
end
os.exit(refused and 1 or 0)
