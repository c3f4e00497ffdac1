module assay.local/assay

go 1.19
