/* The value of WWW-Authenticate. */
#include <string.h>

#include "policy.h"

static void append_parameter(ae_bytes *to, const char *name, const char *value) {
    if (value[0]) {
        ae_append_text(to, ae_text(to->bytes[to->len - 1] == '"' ? ", " : " "));
        ae_append_text(to, ae_text(name));
        ae_append_text(to, LITERAL("=\""));
        ae_append_text(to, ae_text(value));
        ae_append_byte(to, '"');
    }
}

static void append_own(ae_bytes *to, const ae_policy *policy, const char *error, const char *description, const char *scope) {
    ae_append_text(to, LITERAL("Bearer"));
    append_parameter(to, "realm", policy->realm);
    append_parameter(to, "error", error);
    append_parameter(to, "error_description", description);
    append_parameter(to, "scope", scope);
}

/* libassay's own text for a token's verdict. */
static void append_verdict(ae_bytes *to, const ae_policy *policy, const assay_result *result) {
    char text[1024];
    size_t length = assay_result_challenge(text, sizeof text, result, policy->realm, strlen(policy->realm), NULL, 0);
    if (length && length < sizeof text) {
        ae_append(to, text, length);
    } else if (length) {
        append_own(to, policy, "invalid_token", "", "");
    }
}

void ae_challenge(ae_bytes *to, const ae_policy *policy, uint32_t code, const assay_result *result) {
    size_t start = to->len;
    switch (code) {
    case AE_MISSING_TOKEN: append_own(to, policy, "", "", policy->scope); break;
    case AE_SEVERAL_TOKENS: append_own(to, policy, "invalid_request", "more than one token", ""); break;
    case AE_INSUFFICIENT_SCOPE: append_own(to, policy, "insufficient_scope", "the token lacks a scope", policy->scope); break;
    case ASSAY_ISSUER_MISMATCH: append_own(to, policy, "invalid_token", "the token is from another issuer", ""); break;
    default:
        if (result && code >= ASSAY_TOKEN_TOO_LARGE && code < AE_MISSING_TOKEN) {
            append_verdict(to, policy, result);
        }
    }
    if (to->len > start) {
        append_parameter(to, "resource_metadata", policy->resource_metadata);
    }
}
