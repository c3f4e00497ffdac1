-- APISIX requires this module in init_by_lua: `apisix: {lua_module_hook: assay_hook}` in config.yaml.
require("assay.nginx").open { file = "/usr/local/apisix/conf/assay.json" }
