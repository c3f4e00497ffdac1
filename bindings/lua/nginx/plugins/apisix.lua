-- A plugin of APISIX: `apisix/plugins/assay.lua`. Its routes name a policy of the settings.
local assay = require("assay.nginx")
local core = require("apisix.core")

local plugin = {
    version = 0.1,
    -- Before the plugins that limit and rewrite.
    priority = 2600,
    name = "assay",
    schema = { type = "object", properties = { policy = { type = "string", minLength = 1 } }, required = { "policy" } },
}

function plugin.check_schema(conf) return core.schema.check(plugin.schema, conf) end

-- In each worker.
function plugin.init() assay.start() end

function plugin.access(conf) return assay.access(conf.policy) end

return plugin
