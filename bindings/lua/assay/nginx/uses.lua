-- What passes once. All workers share one memory of uses, which the master process makes before it forks and keeps over reloads: a new one
-- would know of no use. The environment of the master names it, because nothing else outlives the Lua of a configuration, and because no
-- worker can write there. nginx gives this variable to no other process.
local ffi = require("ffi")
local texts = require("assay.ffi.texts")
local c = require("assay.ffi.library").c

ffi.cdef [[
int getpid(void);
char *getenv(const char *name);
int setenv(const char *name, const char *value, int overwrite);
]]

local NAME = "ASSAY_MEMORY_OF_USES"

local uses = {}

-- The memory of this process for so many uses.
function uses.memory(entries)
    if type(entries) ~= "number" or entries < 1 or entries > 2 ^ 30 then error("assay: uses must be a number from 1 to 2^30", 3) end
    local process, value = ffi.C.getpid(), ffi.C.getenv(NAME)
    local known = value ~= nil and ffi.string(value) or ""
    local owner, address, size = known:match("^(%d+) (%x+) (%d+)$")
    if tonumber(owner) == process then
        if tonumber(size) ~= entries then
            error("assay: uses changes only when nginx starts: a new memory does not know what was used", 3)
        end
        return ffi.cast("assay_replay_memory *", ffi.cast("uintptr_t", tonumber(address, 16)))
    end
    local out = ffi.new("assay_replay_memory *[1]")
    local code = c.assay_replay_memory_new(out, entries)
    if code ~= 0 then error("assay: the memory of uses is not made: " .. texts.code_name(code), 3) end
    -- It is never freed. A pointer of Linux has at most 47 bits, which a number of Lua holds.
    local made = string.format("%d %x %d", process, tonumber(ffi.cast("uintptr_t", out[0])), entries)
    if ffi.C.setenv(NAME, made, 1) ~= 0 then error("assay: the memory of uses is not kept", 3) end
    return out[0]
end

-- What each request has used: after an internal redirect and in a subrequest it is judged again. nginx numbers connections, and the
-- requests of each, those of HTTP/2 too. Two tables take turns, so a request that is judged again more than a minute later is refused as a
-- replay.
local MINUTE = 60
local younger, older, turned, has_some = {}, {}, 0, false

local function turn()
    local now = ngx.now()
    if now - turned > MINUTE then
        older, younger, turned = now - turned > 2 * MINUTE and {} or younger, {}, now
    end
end

local function key() return ngx.var.connection .. ":" .. ngx.var.connection_requests end

-- Gives the request what it has used before.
function uses.describe(request)
    local known
    if has_some then
        local own = key()
        known = younger[own] or older[own]
    end
    request.used, request.used_count = known and known.array or nil, known and known.count or 0
end

local use = ffi.new("assay_use")

-- Keeps what the request has used by now; false where that is nothing.
function uses.keep(decision)
    local count = 0
    while c.assay_decision_use(use, decision, count) == 0 do count = count + 1 end
    if count == 0 then return false end
    local array = ffi.new("assay_use[?]", count)
    for index = 0, count - 1 do c.assay_decision_use(array[index], decision, index) end
    turn()
    has_some = true
    younger[key()] = { array = array, count = count }
    return true
end

return uses
