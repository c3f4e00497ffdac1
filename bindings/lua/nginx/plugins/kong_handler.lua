-- A plugin of Kong: `kong/plugins/assay/handler.lua`. Kong loads it in init_by_lua. ASSAY_SETTINGS names the file of the settings; nginx gives
-- the variable to its master process.
local assay = require("assay.nginx")

if ngx.get_phase() == "init" then
    assay.open { file = os.getenv("ASSAY_SETTINGS") or error("ASSAY_SETTINGS must name the file of the settings") }
end

local handler = { PRIORITY = 1500, VERSION = "0.1.0" }

function handler:init_worker() assay.start() end

function handler:access(conf) return assay.access(conf.policy) end

return handler
