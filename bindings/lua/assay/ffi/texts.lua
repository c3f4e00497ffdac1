-- Texts between Lua and libassay.
local ffi = require("ffi")
local c = require("assay.ffi.library").c

local text, length = ffi.new("const char *[1]"), ffi.new("size_t[1]")
local MOST_FIELDS = 1024
local buffer_size = 4096
local buffer = ffi.new("char[?]", buffer_size)

local texts = {}

-- A mistake of the program, told at the place that called the module.
function texts.check(value, kind, name, level)
    if type(value) ~= kind then error("assay: " .. name .. " must be a " .. kind .. ", not " .. type(value), (level or 2) + 1) end
    return value
end

-- The text of a function with the parameters (out, out_len, object, ...); nil if there is none.
function texts.optional(read, ...)
    if read(text, length, ...) ~= 0 then return nil end
    return ffi.string(text[0], length[0])
end

-- The text of a function that writes at most so many bytes, and returns how many there are.
function texts.written(write, ...)
    local needed = tonumber(write(buffer, buffer_size, ...))
    -- The text may grow between the two calls.
    while needed >= buffer_size do
        buffer_size = needed + 1024
        buffer = ffi.new("char[?]", buffer_size)
        needed = tonumber(write(buffer, buffer_size, ...))
    end
    return ffi.string(buffer, needed)
end

function texts.code_name(code) return ffi.string(c.assay_code_name(code)) end

-- The collector does not see what a structure of C points to, so the last things that were lent stay here. One call lends at most 2,048 texts
-- of fields, as many of its context, and a few more.
local HELD = 8192
local held, held_count = {}, 0

local function hold(value)
    held_count = held_count % HELD + 1
    held[held_count] = value
    return value
end

-- Lends a string to an assay_text, for one call.
function texts.set(place, value)
    place.bytes, place.len = hold(value), #value
end

function texts.string(place) return ffi.string(place.bytes, place.len) end

local function pair(list, name, value)
    texts.check(name, "string", "the name of a field", 5)
    texts.check(value, "string", "the value of a field", 5)
    list[#list + 1], list[#list + 2] = name, value
end

-- `{name, value, ...}` as it is; a table from names to a value, or to values from 0 or 1 on, as such a list.
local function listed(fields)
    if fields[1] ~= nil or next(fields) == nil then return fields end
    local list = {}
    for name, value in pairs(fields) do
        if type(value) == "table" then
            for index = value[0] ~= nil and 0 or 1, #value do pair(list, name, value[index]) end
        else
            pair(list, name, value)
        end
    end
    return list
end

-- An array of assay_field for one call, and its length.
function texts.fields(fields)
    texts.check(fields, "table", "fields", 3)
    local list = listed(fields)
    if #list % 2 ~= 0 then error("assay: a field has no value", 4) end
    local count = #list / 2
    if count > MOST_FIELDS then error("assay: there are more than 1,024 fields", 4) end
    local array = hold(ffi.new("assay_field[?]", count))
    for index = 0, count - 1 do
        local name, value = list[2 * index + 1], list[2 * index + 2]
        texts.set(array[index].name, texts.check(name, "string", "the name of a field", 3))
        texts.set(array[index].value, texts.check(value, "string", "the value of a field", 3))
    end
    return array, count
end

-- Fills a structure of options with the numbers of a table.
function texts.numbers(out, options, names)
    for _, name in ipairs(names) do
        local value = options[name]
        if value ~= nil then
            if value == true then value = 1 elseif value == false then value = 0 end
            texts.check(value, "number", name, 4)
            if not (value >= 0 and value <= 2 ^ 53) then error("assay: " .. name .. " is out of range", 5) end
            out[name] = value
        end
    end
end

-- An object that a function of libassay makes, freed by the collector; or nil and a code.
function texts.object(kind, free, make, ...)
    local out = ffi.new(kind .. " *[1]")
    local code = make(out, ...)
    if code ~= 0 then return nil, tonumber(code) end
    return ffi.gc(out[0], free)
end

-- An object of this kind: anything else is a mistake of the program.
function texts.of(kind, object, name)
    if not ffi.istype(kind, object) then error("assay: " .. name .. " is none", 4) end
    return object
end

return texts
