-- A table of named tests: run(tests) prints a line for each that fails, and the totals. Ends with 1 after a failure.
local checking = {}

function checking.equal(value, expected, what)
    if value ~= expected then
        error((what and what .. ": " or "") .. tostring(value) .. ", and not " .. tostring(expected), 2)
    end
end

-- A call must be an error of Lua whose text holds `part`.
function checking.raises(part, call, ...)
    local works, why = pcall(call, ...)
    if works then error("no error, and not one with " .. part, 2) end
    if not tostring(why):find(part, 1, true) then error(tostring(why) .. " has no " .. part, 2) end
end

function checking.run(tests)
    local names, passed, failed = {}, 0, 0
    for name in pairs(tests) do names[#names + 1] = name end
    table.sort(names)
    for _, name in ipairs(names) do
        local works, why = xpcall(tests[name], debug.traceback)
        if works then
            passed = passed + 1
        else
            failed = failed + 1
            print("FAIL " .. name .. "\n" .. tostring(why))
        end
    end
    print(passed .. " passed, " .. failed .. " failed")
    os.exit(failed == 0 and passed > 0 and 0 or 1)
end

return checking
