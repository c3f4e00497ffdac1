-- Reads the vectors of the repository, for the tests and for the scoreboard's adapter.
local assay = require("assay")
local json = require("assay.json")

local questions = {}

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

local function quoted(text)
    return '"' .. text:gsub('[%c"\\]', function(mark) return ("\\u%04x"):format(mark:byte()) end) .. '"'
end

-- A decoded value as JSON.
function questions.encode(value)
    if value == assay.null then return "null" end
    if type(value) == "string" then return quoted(value) end
    if type(value) ~= "table" then return tostring(value) end
    local parts, is_list = {}, getmetatable(value) == json.array
    for name, member in pairs(value) do
        parts[is_list and name or #parts + 1] = (is_list and "" or quoted(name) .. ":") .. questions.encode(member)
    end
    return (is_list and "[%s]" or "{%s}"):format(table.concat(parts, ","))
end

local function keys(file)
    if file.keys == assay.null then return assay.keys_from_url("https://keys.invalid/") end
    return assay.keys(questions.encode(file.keys))
end

-- The verifier of a file; or nil and a refusal, where the keys cannot be read.
function questions.verifier(file)
    local its_keys, refusal = keys(file)
    if not its_keys then return nil, refusal end
    return assay.verifier(assay.policy(rules(file.policy)), its_keys)
end

-- Whether the payload need not be claims.
function questions.is_about_signatures(file) return file.policy.claims == false end

-- The verdict on one token of a file.
function questions.verify(file, verifier, token)
    if questions.is_about_signatures(file) then return verifier:verify_payload(token) end
    return verifier:verify(token, file.now)
end

-- The code of a token with no signature says whether libcrypto has the algorithm.
function questions.offers(algorithm)
    local works, policy = pcall(assay.policy, { algorithms = { algorithm } })
    if not works then return false end
    local header = {
        ["ML-DSA-44"] = "eyJhbGciOiJNTC1EU0EtNDQifQ", ["ML-DSA-65"] = "eyJhbGciOiJNTC1EU0EtNjUifQ",
        ["ML-DSA-87"] = "eyJhbGciOiJNTC1EU0EtODcifQ" }
    local _, refusal = assert(assay.verifier(policy, none)):verify(header[algorithm] .. ".e30.AA")
    return refusal.code ~= "unsupported_algorithm"
end

return questions
