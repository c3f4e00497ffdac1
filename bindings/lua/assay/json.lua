-- Decodes the JSON of a verified token: libassay has checked its syntax, its depth and the names of its objects. It still refuses
-- everything that is not JSON. Arrays begin at 1; null is the value that the caller gives.
local byte, char, find, sub = string.byte, string.char, string.find, string.sub
local to_number, floor = tonumber, math.floor

local deepest = 128
local escapes = { ['"'] = '"', ["\\"] = "\\", ["/"] = "/", b = "\b", f = "\f", n = "\n", r = "\r", t = "\t" }
-- Marks a decoded array, so that an empty one is no object.
local array = { __name = "assay.array" }

local function wrong(place)
    error("JSON is malformed at byte " .. place, 0)
end

local function utf8(code)
    if code < 0x80 then return char(code) end
    if code < 0x800 then return char(0xC0 + floor(code / 0x40), 0x80 + code % 0x40) end
    if code < 0x10000 then
        return char(0xE0 + floor(code / 0x1000), 0x80 + floor(code / 0x40) % 0x40, 0x80 + code % 0x40)
    end
    return char(0xF0 + floor(code / 0x40000), 0x80 + floor(code / 0x1000) % 0x40, 0x80 + floor(code / 0x40) % 0x40, 0x80 + code % 0x40)
end

local function unit(text, place)
    local digits = text:match("^%x%x%x%x", place)
    if not digits then wrong(place) end
    return to_number(digits, 16)
end

-- The character of an escape whose letter is at `place`, and the place after it.
local function escaped(text, place)
    local letter = sub(text, place, place)
    if letter ~= "u" then
        return escapes[letter] or wrong(place), place + 1
    end
    local high = unit(text, place + 1)
    if high < 0xD800 or high > 0xDFFF then return utf8(high), place + 5 end
    if high > 0xDBFF or sub(text, place + 5, place + 6) ~= "\\u" then wrong(place) end
    local low = unit(text, place + 7)
    if low < 0xDC00 or low > 0xDFFF then wrong(place) end
    return utf8(0x10000 + (high - 0xD800) * 0x400 + low - 0xDC00), place + 11
end

-- The string after the quote before `place`.
local function string_at(text, place)
    local parts, count = nil, 0
    while true do
        local stop = find(text, '["\\%c]', place)
        if not stop then wrong(place) end
        local plain, mark = sub(text, place, stop - 1), byte(text, stop)
        if mark == 34 then
            if not parts then return plain, stop + 1 end
            parts[count + 1] = plain
            return table.concat(parts), stop + 1
        end
        if mark == 92 then
            parts = parts or {}
            parts[count + 1] = plain
            parts[count + 2], place = escaped(text, stop + 1)
            count = count + 2
        elseif mark == 127 then
            parts = parts or {}
            parts[count + 1], place, count = plain .. "\127", stop + 1, count + 1
        else
            wrong(stop)
        end
    end
end

local function after_space(text, place)
    return find(text, "[^ \t\r\n]", place) or wrong(place)
end

local value_at

local function members(text, place, null, depth)
    local object = {}
    place = after_space(text, place)
    if byte(text, place) == 125 then return object, place + 1 end
    while true do
        if byte(text, place) ~= 34 then wrong(place) end
        local name
        name, place = string_at(text, place + 1)
        place = after_space(text, place)
        if byte(text, place) ~= 58 or object[name] ~= nil then wrong(place) end
        object[name], place = value_at(text, after_space(text, place + 1), null, depth)
        place = after_space(text, place)
        if byte(text, place) == 125 then return object, place + 1 end
        if byte(text, place) ~= 44 then wrong(place) end
        place = after_space(text, place + 1)
    end
end

local function elements(text, place, null, depth)
    local list, count = setmetatable({}, array), 0
    place = after_space(text, place)
    if byte(text, place) == 93 then return list, place + 1 end
    while true do
        count = count + 1
        list[count], place = value_at(text, place, null, depth)
        place = after_space(text, place)
        if byte(text, place) == 93 then return list, place + 1 end
        if byte(text, place) ~= 44 then wrong(place) end
        place = after_space(text, place + 1)
    end
end

local function number_at(text, place)
    local digits = text:match("^-?%d+", place)
    if not digits or find(digits, "^-?0%d") then wrong(place) end
    local stop = place + #digits
    local fraction = text:match("^%.%d+", stop) or ""
    local exponent = text:match("^[eE][+-]?%d+", stop + #fraction) or ""
    return to_number(digits .. fraction .. exponent), stop + #fraction + #exponent
end

local words = { t = { "true", true }, f = { "false", false } }

function value_at(text, place, null, depth)
    if depth > deepest then wrong(place) end
    local first = sub(text, place, place)
    if first == '"' then return string_at(text, place + 1) end
    if first == "{" then return members(text, place + 1, null, depth + 1) end
    if first == "[" then return elements(text, place + 1, null, depth + 1) end
    if first == "n" and sub(text, place, place + 3) == "null" then return null, place + 4 end
    local word = words[first]
    if word then
        if sub(text, place, place + #word[1] - 1) ~= word[1] then wrong(place) end
        return word[2], place + #word[1]
    end
    return number_at(text, place)
end

local function decode(text, null)
    local value, place = value_at(text, after_space(text, 1), null, 0)
    if find(text, "[^ \t\r\n]", place) then wrong(place) end
    return value
end

return { decode = decode, array = array }
