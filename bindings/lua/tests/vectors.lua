-- The vectors of the repository: the same verdict and the same code as every other interface, single and in batches.
-- vectors.lua FILE…: files of tokens.
local assay = require("assay")
local json = require("assay.json")

local wrong, cases, skipped = {}, 0, 0

local function list(value)
    if value == nil or value == assay.null then return nil end
    return type(value) == "table" and value or { value }
end

local function present(value)
    if value == assay.null then return nil end
    return value
end

local none = assert(assay.keys('{"keys": [{"kty": "oct", "k": "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"}]}'))

-- Leaves out the algorithms that this libcrypto lacks.
local function offered(algorithms)
    if not algorithms then return nil end
    local kept = {}
    for _, algorithm in ipairs(algorithms) do
        if pcall(assay.policy, { algorithms = { algorithm } }) then kept[#kept + 1] = algorithm end
    end
    return kept
end

local function with(all, names)
    all = all or {}
    for _, name in ipairs(names) do all[#all + 1] = name end
    return all
end

-- The rules of a preset, without the issuer and the audience that the presets require.
local function rules(policy)
    local made = {
        issuers = list(policy.issuer), audiences = list(policy.audience), trusted_audiences = list(policy.trusted_audiences),
        algorithms = offered(list(policy.algorithms)), required_claims = list(policy.required), context_classes = list(policy.acr),
        authentication_methods = list(policy.amr), revoked_token_ids = list(policy.revoked_jti),
        authorized_party = present(policy.authorized_party), leeway = present(policy.leeway), maximum_age = present(policy.maximum_age),
        maximum_authentication_age = present(policy.max_age), nonce = present(policy.nonce),
        access_token = present(policy.access_token), code = present(policy.code),
    }
    if policy.require_expiration == false then made.expiration_required = false end
    if policy.preset == "id_token" then
        made.trusted_audiences_only, made.types = true, { "", "JWT" }
        made.required_claims = with(made.required_claims, { "iss", "sub", "aud", "exp", "iat" })
    elseif policy.preset == "access_token" then
        made.types = { "at+jwt" }
        made.required_claims = with(made.required_claims, { "iss", "exp", "aud", "sub", "client_id", "iat", "jti" })
    end
    if policy.types then made.types = list(policy.types) end
    return made
end

-- The keys of a file, as the text that it has: a parsed key may have members twice.
local function keys(file, text)
    if file.keys == assay.null then return assay.keys_from_url("https://keys.invalid/") end
    local start = assert(text:find('"keys":%s*{'))
    return assay.keys(text:match("%b{}", start))
end

local function verifier(file, text)
    local its_keys, refusal = keys(file, text)
    if not its_keys then return nil, refusal end
    return assay.verifier(assay.policy(rules(file.policy)), its_keys)
end

local function compare(id, expect, claims, refusal)
    local code = claims and "valid" or refusal.code
    if code ~= expect and not (expect == "invalid" and code ~= "valid") then
        wrong[#wrong + 1] = ("%s: %s, and not %s"):format(id, code, expect)
    end
    -- A payload that is not claims need not be JSON.
    if claims and claims.sub then claims:decode() end
end

local function batch(file, verifies)
    local tokens = {}
    for index, case in ipairs(file.cases) do tokens[index] = case.token end
    local claims, refusals = verifies:verify_batch(tokens, file.now)
    for index, case in ipairs(file.cases) do
        compare(case.id .. " in a batch", case.expect, claims[index], refusals[index])
    end
end

-- The code of a token with no signature says whether libcrypto has the algorithm.
local function offers(algorithm)
    local works, policy = pcall(assay.policy, { algorithms = { algorithm } })
    if not works then return false end
    local header = { ["ML-DSA-44"] = "eyJhbGciOiJNTC1EU0EtNDQifQ" }
    local _, refusal = assert(assay.verifier(policy, none)):verify(header[algorithm] .. ".e30.AA")
    return refusal.code ~= "unsupported_algorithm"
end

local function run(path)
    local text = assert(io.open(path, "rb")):read("a")
    local file = json.decode(text, assay.null)
    if file.kind ~= "tokens" then return end
    if path:find("mldsa", 1, true) and not offers("ML-DSA-44") then
        skipped = skipped + #file.cases
        return
    end
    local made, refusal = verifier(file, text)
    local is_payload = file.policy.claims == false
    for _, case in ipairs(file.cases) do
        if not made then
            compare(case.id, case.expect, nil, refusal)
        elseif is_payload then
            compare(case.id, case.expect, made:verify_payload(case.token))
        else
            compare(case.id, case.expect, made:verify(case.token, file.now))
        end
    end
    cases = cases + #file.cases
    if made and not is_payload then batch(file, made) end
end

for _, path in ipairs(arg) do run(path) end
if cases < 7000 then wrong[#wrong + 1] = cases .. " cases are too few" end
for _, line in ipairs(wrong) do print("FAIL " .. line) end
print(("%d passed, %d failed, %d skipped"):format(cases, #wrong, skipped))
os.exit(#wrong == 0)
