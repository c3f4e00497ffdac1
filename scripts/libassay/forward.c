/* In libassay: CCurl's functions, which libassay-http has. */

#include "table.h"

static const ccurl_table *functions;

void assay_private_http_attach(const ccurl_table *table) { functions = table; }

#define FORWARD(result, name, parameters, arguments) \
    result name parameters { return functions->name arguments; }
CCURL_FUNCTIONS(FORWARD)
