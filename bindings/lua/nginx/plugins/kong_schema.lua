-- `kong/plugins/assay/schema.lua`.
return {
    name = "assay",
    fields = { { config = { type = "record", fields = { { policy = { type = "string", required = true } } } } } },
}
