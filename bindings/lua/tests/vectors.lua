-- The vectors of the repository: the same verdict and the same code as every other interface, single and in batches.
-- vectors.lua FILE…: files of tokens.
local assay = require("assay")
local json = require("assay.json")
local questions = require("questions")

local wrong, cases, skipped = {}, 0, 0

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

local function run(path)
    local text = assert(io.open(path, "rb")):read("a")
    local file = json.decode(text, assay.null)
    if file.kind ~= "tokens" then return end
    if path:find("mldsa", 1, true) and not questions.offers("ML-DSA-44") then
        skipped = skipped + #file.cases
        return
    end
    local made, refusal = questions.verifier(file)
    for _, case in ipairs(file.cases) do
        if not made then
            compare(case.id, case.expect, nil, refusal)
        else
            compare(case.id, case.expect, questions.verify(file, made, case.token))
        end
    end
    cases = cases + #file.cases
    if made and not questions.is_about_signatures(file) then batch(file, made) end
end

for _, path in ipairs(arg) do run(path) end
if cases < 7000 then wrong[#wrong + 1] = cases .. " cases are too few" end
for _, line in ipairs(wrong) do print("FAIL " .. line) end
print(("%d passed, %d failed, %d skipped"):format(cases, #wrong, skipped))
os.exit(#wrong == 0)
