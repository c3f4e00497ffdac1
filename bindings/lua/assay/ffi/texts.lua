-- Texts between Lua and libassay.
local ffi = require("ffi")
local c = require("assay.ffi.library").c

local text, length = ffi.new("const char *[1]"), ffi.new("size_t[1]")
local texts = {}

-- A mistake of the program, told at the place that called the module.
function texts.check(value, kind, name, level)
    if type(value) ~= kind then error("assay: " .. name .. ": " .. kind .. " expected, got " .. type(value), (level or 2) + 1) end
    return value
end

-- Memory of calls. The collector may run a finalizer of the program wherever Lua allocates, and the finalizer may call this module: such a
-- call has memory of its own.
local Memory = {}
Memory.__index = Memory

function texts.memory()
    return setmetatable({
        text = ffi.new("const char *[1]"), length = ffi.new("size_t[1]"), buffer = ffi.new("char[?]", 4096), size = 4096, held = {},
        count = 0 }, Memory)
end

local memories, depth = {}, 0

function texts.enter()
    depth = depth + 1
    local memory = memories[depth]
    if not memory then
        memory = texts.memory()
        memories[depth] = memory
    end
    memory.count = 0
    return memory
end

-- Ends a call, with what it returns.
function texts.leave(...)
    depth = depth - 1
    return ...
end

-- The text of a function with the parameters (out, out_len, object, ...); nil if there is none.
function Memory:optional(read, ...)
    if read(self.text, self.length, ...) ~= 0 then return nil end
    return ffi.string(self.text[0], self.length[0])
end

-- The text of a function that writes at most so many bytes, and returns how many there are.
function Memory:written(write, ...)
    local needed = tonumber(write(self.buffer, self.size, ...))
    -- The text may grow between the two calls.
    while needed >= self.size do
        self.size = needed + 1024
        self.buffer = ffi.new("char[?]", self.size)
        needed = tonumber(write(self.buffer, self.size, ...))
    end
    return ffi.string(self.buffer, needed)
end

-- Keeps a value while the call lasts: the collector does not see what a structure of C points to.
function Memory:hold(value)
    self.count = self.count + 1
    self.held[self.count] = value
    return value
end

-- Lends a string to an assay_text, while the call lasts.
function Memory:set(place, value)
    place.bytes, place.len = self:hold(value), #value
end

function texts.code_name(code) return ffi.string(c.assay_code_name(code)) end
function texts.string(place) return ffi.string(place.bytes, place.len) end

local function pair(list, name, value)
    list[#list + 1], list[#list + 2] = texts.check(name, "string", "a field", 6), texts.check(value, "string", "a field", 6)
end

-- The last place of a list from `first` on. A list with a hole, or with other members, would lose a field.
local function last(list, first)
    local count = 0
    for _ in pairs(list) do count = count + 1 end
    local place = first + count - 1
    for index = first, place do
        if list[index] == nil then error("assay: fields: must be a list without holes", 6) end
    end
    return place
end

-- `{name, value, ...}` as it is; a table from names to a value, or to values from 0 or 1 on, as such a list.
local function listed(fields)
    if fields[1] ~= nil or next(fields) == nil then return fields, last(fields, 1) end
    local list = {}
    for name, value in pairs(fields) do
        if type(value) == "table" then
            local first = value[0] ~= nil and 0 or 1
            for index = first, last(value, first) do pair(list, name, value[index]) end
        else
            pair(list, name, value)
        end
    end
    return list
end

-- The fields of lines `name: value`, each with its end, as a request has them.
local function of_lines(text)
    local list, place = {}, 1
    -- An empty line may end them.
    while place <= #text and text:sub(place) ~= "\r\n" do
        local name, value, after = text:match("^([^:\r\n]+): ([^\r\n]*)\r\n()", place)
        if not name then error("assay: a line of the fields is not `name: value` with its end", 5) end
        list[#list + 1], list[#list + 2], place = name, value, after
    end
    return list
end

-- What the functions below give to `array`.
function texts.list_of(fields)
    if type(fields) == "string" then return of_lines(fields) end
    if type(fields) ~= "table" then error("assay: fields must be a table", 4) end
    local list = listed(fields)
    if #list % 2 ~= 0 then error("assay: a field has no value", 4) end
    for _, text in ipairs(list) do texts.check(text, "string", "a field", 4) end
    return list
end

-- An array of assay_field of such a list, and its length.
function Memory:array(list)
    local count = #list / 2
    local array = self:hold(ffi.new("assay_field[?]", count))
    for index = 0, count - 1 do
        self:set(array[index].name, list[2 * index + 1])
        self:set(array[index].value, list[2 * index + 2])
    end
    return array, count
end

-- Fills a structure of options with the numbers of a table.
function texts.numbers(out, options, names)
    for _, name in ipairs(names) do
        local value = options[name]
        if value ~= nil then
            if value == true then value = 1 elseif value == false then value = 0 end
            if type(value) ~= "number" then error("assay: " .. name .. ": number expected, got " .. type(value), 5) end
            if not (value >= 0 and value <= 2 ^ 53) then error("assay: " .. name .. " is out of range", 5) end
            out[name] = value
        end
    end
end

-- Objects that the collector has found, with their functions. When Lua ends it finds all of them first, and then runs the finalizers of the
-- program, which may still use them. So an object that is found waits until the next one is made, or until `has_ended`.
local found, found_count, is_ending, has_ended = {}, 0, false, false

local function find(object, free)
    found[found_count + 1], found[found_count + 2] = object, free
    found_count = found_count + 2
end

-- A call of C can run the collector, which finds more.
local function free_found()
    while found_count > 0 do
        local object, free = found[found_count - 1], found[found_count]
        found[found_count - 1], found[found_count] = nil, nil
        found_count = found_count - 2
        free(object)
    end
end

-- Lua runs the finalizers of FFI's objects before those of others, and of these the oldest last.
found.first, found.last = ffi.gc(ffi.new("char[1]"), function() is_ending = true end), newproxy(true)
getmetatable(found.last).__gc = function()
    has_ended = true
    free_found()
end

-- An object that a function of libassay makes, freed after the collector has found it; or nil and a code.
function texts.object(kind, free, make, ...)
    if not is_ending then free_found() end
    local out = ffi.new(kind .. " *[1]")
    local code = make(out, ...)
    if code ~= 0 then return nil, tonumber(code) end
    return ffi.gc(out[0], function(object) find(object, free) end)
end

-- An object of this kind: anything else is a mistake of the program.
function texts.of(kind, object, name)
    if has_ended then error("assay: " .. name .. " was freed: Lua ends", 4) end
    if not ffi.istype(kind, object) then error("assay: " .. name .. " is none", 4) end
    return object
end

return texts
