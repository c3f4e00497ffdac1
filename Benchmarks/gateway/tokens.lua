-- wrk takes the tokens of a file in turn: wrk -s tokens.lua URL -- FILE [NAME=VALUE]…
-- The arguments after the file are fields of every request. The last line of the output is JSON.

local requests, turn = {}, 0

function init(arguments)
    local fields = { Host = "app.example", Accept = "*/*" }
    for index = 2, #arguments do
        local name, value = arguments[index]:match("^([^=]+)=(.*)$")
        fields[name] = value
    end
    for token in io.lines(arguments[1]) do
        fields.Authorization = "Bearer " .. token
        requests[#requests + 1] = wrk.format("GET", nil, fields)
    end
end

function request()
    turn = turn % #requests + 1
    return requests[turn]
end

function done(summary, latency)
    local errors = summary.errors
    io.write(string.format(
        '{"answers": %d, "per_second": %.1f, "wrong": %d, "failed": %d, "latency_us": {"p50": %d, "p99": %d, "p99.9": %d}}\n',
        summary.requests, summary.requests / summary.duration * 1e6, errors.status,
        errors.connect + errors.read + errors.write + errors.timeout, latency:percentile(50), latency:percentile(99),
        latency:percentile(99.9)))
end
