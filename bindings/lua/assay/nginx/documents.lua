-- Answers of issuers in a lua_shared_dict, where every worker finds them. nginx keeps them over a reload. The functions of nginx that are
-- used drop nothing that is there for something new: a full dictionary takes no new document, and the keys before stay in use.
local documents = {}
documents.__index = documents

-- The part of the dictionary that status lists leave for keys.
local RESERVE = 4
local MOST_QUESTIONS = 1024

function documents.new(name)
    local dict = ngx.shared[name]
    if not dict then error("assay: lua_shared_dict " .. name .. " is missing", 3) end
    if dict:capacity() < 1048576 then error("assay: lua_shared_dict " .. name .. " must have at least 1m", 3) end
    return setmetatable({ dict = dict }, documents)
end

local function packed(answer)
    local parts = { answer.serial, string.format("%.3f", answer.at), answer.failure, answer.status, #answer.fields }
    local texts = { table.concat(parts, " ") .. "\n" }
    for _, text in ipairs(answer.fields) do texts[#texts + 1] = #text .. ":" .. text end
    texts[#texts + 1] = answer.body
    return table.concat(texts)
end

local function unpacked(text)
    local serial, at, failure, status, count, place = text:match("^(%d+) (%S+) (%d+) (%d+) (%d+)\n()")
    local answer = {
        serial = tonumber(serial), at = tonumber(at), failure = tonumber(failure), status = tonumber(status), fields = {} }
    for index = 1, tonumber(count) do
        local length, start = text:match("^(%d+):()", place)
        place = start + tonumber(length)
        answer.fields[index] = text:sub(start, place - 1)
    end
    answer.body = text:sub(place)
    return answer
end

-- Puts an answer in; nil and why not.
function documents:publish(answer, is_list)
    answer.serial, answer.at = self.dict:incr("serial", 1, 0), ngx.now()
    local text = packed(answer)
    if is_list and self.dict:free_space() < #text + self.dict:capacity() / RESERVE then return nil, "no memory" end
    local done, why = self.dict:safe_set("news:" .. answer.url, text)
    if not done then return nil, why end
    return self.dict:safe_set("serial:" .. answer.url, answer.serial)
end

-- The number of the last answer from a URL; 0 if there is none.
function documents:serial(url) return self.dict:get("serial:" .. url) or 0 end

local function read(self, key)
    local text = self.dict:get(key)
    return text and unpacked(text) or nil
end

function documents:last(url) return read(self, "news:" .. url) end

-- The last answer that a worker has accepted: what a worker that starts begins with, also while the source fails.
function documents:accepted(url) return read(self, "good:" .. url) end

function documents:accept(url, answer)
    if (self.dict:get("accepted:" .. url) or 0) >= answer.serial then return end
    if self.dict:safe_set("good:" .. url, packed(answer)) then self.dict:safe_set("accepted:" .. url, answer.serial) end
end

-- Asks the worker that fetches; false where the dictionary has no room.
function documents:ask(url, fields)
    if (self.dict:llen("asked") or 0) >= MOST_QUESTIONS then return false end
    return self.dict:lpush("asked", url .. "\n" .. table.concat(fields, "\n")) ~= nil
end

-- The oldest question: a URL and its fields; nil if there is none.
function documents:question()
    local text = self.dict:rpop("asked")
    if not text then return nil end
    local url, fields = nil, {}
    for line in text:gmatch("[^\n]+") do
        if url then fields[#fields + 1] = line else url = line end
    end
    return url, fields
end

return documents
