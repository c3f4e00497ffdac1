-- How the gateway of each worker gets keys and status lists. libassay says what to request and when. One worker makes the requests, and
-- puts the answers into the dictionary; every worker takes them from there.
local sources = require("assay.ffi.sources")
local client = require("assay.nginx.client")

local FAILURE_CANCELLED, OK, CONTINUES = 8, 0, 7
-- Seconds: after which a question is asked again, and how old a failure may be that a worker which starts takes for its own.
local PATIENCE, RECENT = 2, 1
-- A URL is asked at most so often in so many seconds, whatever tokens arrive.
local MOST_STARTS, WINDOW, MOST_URLS = 2, 10, 4096
local LIST = "application/statuslist+jwt"

local fetching = {}
fetching.__index = fetching

function fetching.new(gateway, documents, options)
    return setmetatable({
        gateway = gateway, documents = documents, options = options, pending = {}, seen = {}, starts = {}, bodies = {}, url_count = 0,
        lists = {}, handed = {} }, fetching)
end

-- Whether this worker makes the requests.
function fetching:is_fetcher() return ngx.worker.id() == 0 end

-- The fields of a question. Its answer is for all workers, so the validators of one worker's copy stay away.
local function shared(fields)
    local kept = {}
    for index = 1, #fields, 2 do
        local name = fields[index]
        if name ~= "If-None-Match" and name ~= "If-Modified-Since" then
            kept[#kept + 1], kept[#kept + 2] = name, fields[index + 1]
        end
    end
    return kept
end

local function take_requests(self)
    while true do
        local fetch, url, issuer, fields = sources.request(self.gateway)
        if not fetch then return end
        self.pending[#self.pending + 1] = { fetch = fetch, url = url, issuer = issuer, fields = shared(fields) }
    end
end

-- The answer that a fetch takes: one that this worker has not had. A worker that starts begins with what another one has accepted.
local function answer_for(self, url)
    local seen = self.seen[url]
    local first = not seen and self.documents:accepted(url)
    if first then return first end
    if self.documents:serial(url) <= (seen or 0) then return nil end
    local last = self.documents:last(url)
    if not seen and last and (last.failure ~= 0 or last.status ~= 200) and ngx.now() - last.at > RECENT then return nil end
    return last
end

-- The fields with the age that the answer has by now (RFC 9111 section 5.1).
local function aged(answer)
    local fields, age = {}, math.max(0, ngx.now() - answer.at)
    for index = 1, #answer.fields, 2 do
        if answer.fields[index] == "age" then
            age = age + (tonumber(answer.fields[index + 1]:match("^%d+$")) or 0)
        else
            fields[#fields + 1], fields[#fields + 2] = answer.fields[index], answer.fields[index + 1]
        end
    end
    fields[#fields + 1], fields[#fields + 2] = "Age", tostring(math.floor(age))
    return fields
end

local function report(self, one, answer)
    local state = one.issuer ~= "" and sources.keys_status(self.gateway, one.issuer) or nil
    local why = state and state.last_failure or "the answer was refused"
    local detail = answer.status ~= 0 and "status " .. answer.status or answer.reason or ""
    local level = self:is_fetcher() and ngx.ERR or ngx.WARN
    ngx.log(level, "assay cannot use what it fetched from ", one.url, " for ", one.issuer, ": ", why, "; ", detail)
end

-- A fetch may have several answers, and also goes on after one that is useless. All of them count as accepted when it ends with keys.
local function note(self, one, answer, code)
    local key = one.fields[2] == LIST and one.url or one.issuer
    local handed = self.handed[key] or {}
    handed[#handed + 1] = { url = one.url, answer = answer }
    self.handed[key] = code == CONTINUES and handed or nil
    if code == OK then
        for _, each in ipairs(handed) do
            if each.answer.failure == 0 and each.answer.status == 200 then self.documents:accept(each.url, each.answer) end
        end
    elseif code ~= CONTINUES then
        report(self, one, answer)
    end
end

-- Hands an answer over; false while there is none.
local function settle(self, one)
    local answer = answer_for(self, one.url)
    if not answer then return false end
    self.seen[one.url] = answer.serial
    local code
    if answer.failure ~= 0 then
        code = sources.fail(self.gateway, one.fetch, answer.failure)
    else
        code = sources.install(self.gateway, one.fetch, answer.status, aged(answer), answer.body)
    end
    note(self, one, answer, code)
    return true
end

-- Asks once, and again where the worker that fetches was replaced. Without room the fetch fails, and the keys before stay in use.
local function ask(self, one)
    local now = ngx.now()
    if one.asked and now - one.asked < PATIENCE then return true end
    one.asked = now
    if self.documents:ask(one.url, one.fields) then return true end
    ngx.log(ngx.ERR, "assay: the lua_shared_dict has no room for a question about ", one.url)
    sources.fail(self.gateway, one.fetch, FAILURE_CANCELLED)
    return false
end

local function take_answers(self)
    local kept, has_changed = {}, false
    for _, one in ipairs(self.pending) do
        if settle(self, one) then
            has_changed = true
        elseif ask(self, one) then
            kept[#kept + 1] = one
        end
    end
    self.pending = kept
    return has_changed
end

-- Whether a URL may be asked now; then it counts.
local function may_start(self, url)
    local starts = self.starts[url]
    if not starts then
        if self.url_count >= MOST_URLS then self.starts, self.bodies, self.url_count = {}, {}, 0 end
        starts = {}
        self.starts[url], self.url_count = starts, self.url_count + 1
    end
    local now = ngx.now()
    if #starts == MOST_STARTS and now - starts[1] < WINDOW then return false end
    if #starts == MOST_STARTS then table.remove(starts, 1) end
    starts[#starts + 1] = now
    return true
end

-- A source that brings another document may be asked again, so keys that rotate quickly lose no request. A client that invents key ids
-- cannot change the document.
local function give_back(self, answer)
    local digest = ngx.md5_bin(answer.body)
    if self.bodies[answer.url] and self.bodies[answer.url] ~= digest and self.starts[answer.url] then
        table.remove(self.starts[answer.url], 1)
    end
    self.bodies[answer.url] = digest
end

local function publish(self, answer)
    if answer.failure ~= 0 then
        ngx.log(ngx.WARN, "assay cannot fetch ", answer.url, ": ", answer.reason)
    else
        give_back(self, answer)
    end
    local is_list = self.lists[answer.url]
    self.lists[answer.url] = nil
    local done, why = self.documents:publish(answer, is_list)
    if not done then ngx.log(ngx.ERR, "assay: the lua_shared_dict has no room for what came from ", answer.url, ": ", why) end
end

local function make_requests(self)
    for url, fields in self.documents.question, self.documents do
        if may_start(self, url) and self.client:send(url, fields) then self.lists[url] = fields[2] == LIST or nil end
    end
    for answer in self.client.take, self.client do publish(self, answer) end
end

-- Does all that can be done now, and does not wait.
function fetching:step()
    repeat
        take_requests(self)
        if self.client then make_requests(self) end
    until not take_answers(self)
end

-- Whether waiting helps.
function fetching:is_fetching() return #self.pending > 0 or sources.next_due(self.gateway) == 0 end

-- Begins in a worker.
function fetching:start()
    if self:is_fetcher() then self.client = client.new(self.options) end
    self:step()
    local function tick(premature)
        if not premature then self:step() end
    end
    assert(ngx.timer.every(0.05, tick))
end

return fetching
