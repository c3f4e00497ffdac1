-- The adapter of the scoreboard: reads questions of one token a line, and writes verdicts.
local json = require("assay.json")
local assay = require("assay")
local questions = require("questions")

local lacks = setmetatable({}, json.array)
for _, name in ipairs({ "ML-DSA-44", "ML-DSA-65", "ML-DSA-87" }) do
    if not questions.offers(name) then lacks[#lacks + 1] = name end
end

io.stdout:setvbuf("line")
for line in io.lines() do
    local question = json.decode(line, assay.null)
    local verifier, refusal = questions.verifier(question)
    local claims
    if verifier then claims, refusal = questions.verify(question, verifier, question.token) end
    print(questions.encode({
        id = question.id, verdict = claims and "valid" or "invalid", lacks = lacks,
        reason = claims and "" or refusal.description or refusal.code }))
end
