-- assay.lua FOLDER ALGORITHM SECONDS: prints a line of JSON for single calls, and one for batches. ../README.md describes folder and output.
local assay = require("assay")

local folder, algorithm, seconds = arg[1], arg[2], tonumber(arg[3])
local calls_per_look_at_the_clock, tokens_per_batch = 100, 100

local function text_of(name)
    local file = assert(io.open(folder .. "/" .. name, "rb"))
    local text = file:read("a")
    file:close()
    return text
end

local function lines(name)
    local all = {}
    for line in text_of(name):gmatch("[^\n]+") do all[#all + 1] = line end
    return all
end

local keys = assert(assay.keys(text_of(algorithm .. "/key.jwk")))
keys:prepare()
local verifier = assert(assay.verifier(assay.policy({
    algorithms = { algorithm }, issuers = { lines("issuer")[1] }, audiences = { lines("audience")[1] } }), keys))

local function verdict_on(name)
    for _, token in ipairs(lines(algorithm .. "/" .. name)) do
        if verifier:verify(token) then return "accepted" end
    end
    return "refused"
end

-- Lua's clock is the processor's time of this process, which nothing else has.
local function rate(calls, verify)
    for _, call in ipairs(calls) do verify(call) end
    local start, done = os.clock(), 0
    while os.clock() - start < seconds do
        for _ = 1, calls_per_look_at_the_clock do
            verify(calls[done % #calls + 1])
            done = done + 1
        end
    end
    return done / (os.clock() - start)
end

local tokens, batches = lines(algorithm .. "/tokens"), {}
for index = 1, #tokens, tokens_per_batch do
    batches[#batches + 1] = table.move(tokens, index, math.min(index + tokens_per_batch - 1, #tokens), 1, {})
end

local function single(token)
    if not verifier:verify(token) then error("refuses a good token", 0) end
end

local function together(batch)
    for _, claims in ipairs(verifier:verify_batch(batch)) do
        if not claims then error("refuses a good token in a batch", 0) end
    end
end

local verdicts = {}
for _, name in ipairs({ "tampered", "expired", "other-issuer", "other-audience" }) do
    verdicts[#verdicts + 1] = ('"%s": "%s"'):format(name, verdict_on(name))
end
local said = table.concat(verdicts, ", ")
if said:find('"tampered": "accepted"', 1, true) then
    print("{" .. said .. "}")
    return
end
print(('{%s, "tokens_per_second": %.1f}'):format(said, rate(tokens, single)))
print(('{"variant": "in batches", %s, "tokens_per_second": %.1f}'):format(said, rate(batches, together) * tokens_per_batch))
