#include "policy.h"

#include <stdlib.h>
#include <string.h>

static const char *const NAMES[] = {"name", "requires", "scopes", "realm", "resourceMetadata", "mode", NULL};
static const char *const MODES[] = {"enforced", "dry-run", NULL};

/* RFC 6749 section 3.3. */
static bool is_scope(const char *scope) {
    for (const char *byte = scope; *byte; byte++) {
        if (*byte < 0x21 || *byte > 0x7e || *byte == '"' || *byte == '\\') {
            return false;
        }
    }
    return true;
}

static void read_scopes(ae_policy *policy, const ae_settings *in) {
    size_t count = ae_count(in, "scopes");
    ae_bytes all = {0};
    policy->scopes = ae_allocate(count, sizeof *policy->scopes);
    for (size_t i = 0; i < count && !ae_is_faulty(in); i++) {
        const char *scope = ae_text_element(in, "scopes", i);
        if (!scope || !is_scope(scope)) {
            ae_refuse(in, "scopes", "a scope has no spaces, quotation marks and backslashes (RFC 6749 section 3.3)");
            break;
        }
        policy->scopes[policy->scope_count++] = ae_copy(scope);
        ae_append(&all, " ", i ? 1 : 0);
        ae_append_text(&all, ae_text(scope));
    }
    ae_append_byte(&all, 0);
    policy->scope = all.bytes;
    bool needs_token = policy->requirement && !ae_requirement_admits_anonymous(policy->requirement);
    if (count && !ae_is_faulty(in) && !needs_token) {
        ae_refuse(in, "scopes", "cannot be needed where a request without a token passes");
    }
}

/* A text in a quoted string of a header field. */
static char *quotable(const ae_settings *in, const char *name) {
    const char *text = ae_text_setting(in, name);
    if (text && (!ae_is_printable(ae_text(text)) || strpbrk(text, "\"\\"))) {
        ae_refuse(in, name, "printable ASCII without quotation marks and backslashes is expected");
    }
    return ae_copy(text ? text : "");
}

void ae_policy_read(ae_policy *out, const ae_settings *root, size_t index, const ae_provider *providers, size_t provider_count,
                    const ae_places *places) {
    ae_settings in = ae_element(root, "policies", index, NAMES);
    const char *name = ae_needed_text(&in, "name");
    out->name = ae_copy(name ? name : "");
    if (!ae_is_faulty(&in)) {
        out->requirement = ae_requirement_read(&in, providers, provider_count, places);
    }
    out->providers = out->requirement ? out->requirement->providers : 0;
    for (size_t i = 0; i < provider_count; i++) {
        out->places |= out->providers >> i & 1 ? providers[i].places : 0;
    }
    read_scopes(out, &in);
    out->realm = quotable(&in, "realm");
    out->resource_metadata = quotable(&in, "resourceMetadata");
    out->is_dry_run = ae_choice_setting(&in, "mode", MODES) == 1;
}

void ae_policy_free(ae_policy *policy) {
    ae_requirement_free(policy->requirement);
    for (size_t i = 0; i < policy->scope_count; i++) {
        free(policy->scopes[i]);
    }
    free(policy->scopes);
    free(policy->scope);
    free(policy->realm);
    free(policy->resource_metadata);
    free(policy->name);
}
