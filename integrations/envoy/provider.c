#include "provider.h"

#include <stdlib.h>
#include <string.h>

#include "field_name.h"

static const char *const NAMES[] = {
    "name", "issuer", "audiences", "anyAudience", "tokens", "algorithms", "leewaySeconds", "maximumAgeSeconds", "requiredClaims", "keys",
    "tokenFrom", "claims", "payloadHeader", "padPayload", "payloadMetadata", "headerMetadata", "spaceDelimitedClaims", "forwardToken",
    "clearRouteCache", "required", "refresh", "staleSeconds", NULL,
};
static const char *const PLACE_NAMES[] = {"authorization", "header", "prefix", "cookie", "query", NULL};
static const char *const CLAIM_NAMES[] = {"header", "claim", "path", "arrays", "separator", NULL};

static void add_place(ae_provider *provider, const ae_settings *in, ae_place place, ae_shared *shared) {
    ae_places *known = shared->places;
    size_t at = 0;
    while (at < known->count && !ae_place_equal(&known->places[at], &place)) {
        if (provider->places >> at & 1 && ae_place_repeats(&known->places[at], &place)) {
            ae_refuse(in, NULL, "repeats another place");
        }
        at++;
    }
    if (at < known->count || at == AE_MOST) {
        if (at == AE_MOST || provider->places >> at & 1) {
            ae_refuse(in, NULL, at == AE_MOST ? "at most 64 places are possible" : "repeats another place");
        }
        ae_place_free(&place);
    } else {
        known->places[known->count++] = place;
        if (place.kind == AE_HEADER) {
            ae_names_add(shared->sources, place.name);
        }
    }
    provider->places |= at < AE_MOST ? 1ull << at : 0;
}

static void read_places(ae_provider *provider, const ae_settings *in, ae_shared *shared) {
    size_t count = ae_count(in, "tokenFrom");
    if (!ae_has(in, "tokenFrom")) {
        add_place(provider, in, (ae_place){AE_AUTHORIZATION, ae_copy("bearer"), ae_copy("")}, shared);
    } else if (!count) {
        ae_refuse(in, "tokenFrom", "at least one place is needed");
    }
    for (size_t i = 0; i < count && !ae_is_faulty(in); i++) {
        ae_settings element = ae_element(in, "tokenFrom", i, PLACE_NAMES);
        ae_place place = ae_place_read(&element);
        if (ae_is_faulty(in)) {
            ae_place_free(&place);
            return;
        }
        add_place(provider, &element, place, shared);
    }
}

static void use_slot(ae_provider *provider, const ae_settings *in, size_t slot) {
    if (slot >= AE_MOST || provider->slots >> slot & 1) {
        ae_refuse(in, NULL, slot >= AE_MOST ? "at most 64 fields are possible" : "sets a field that another claim sets");
        return;
    }
    provider->slots |= 1ull << slot;
}

static void read_claims(ae_provider *provider, const ae_settings *in, ae_shared *shared) {
    size_t count = ae_count(in, "claims");
    provider->claims = ae_allocate(count, sizeof *provider->claims);
    while (provider->claim_count < count && !ae_is_faulty(in)) {
        ae_settings element = ae_element(in, "claims", provider->claim_count, CLAIM_NAMES);
        ae_claim claim = ae_claim_read(&element, shared->fields);
        provider->claims[provider->claim_count++] = claim;
        if (!ae_is_faulty(in)) {
            use_slot(provider, &element, claim.slot);
        }
    }
}

static void read_payload(ae_provider *provider, const ae_settings *in, ae_shared *shared) {
    const char *header = ae_text_setting(in, "payloadHeader");
    provider->payload_slot = -1;
    provider->pads_payload = ae_flag_setting(in, "padPayload", false);
    if (!header) {
        if (ae_has(in, "padPayload")) {
            ae_refuse(in, "padPayload", "is of no use without `payloadHeader`");
        }
        return;
    }
    char *name = ae_copy(header);
    for (char *byte = name; *byte; byte++) {
        *byte = ae_lower(*byte);
    }
    ae_check_field_name(in, "payloadHeader", name);
    if (!ae_is_faulty(in)) {
        ae_names_add(shared->fields, name);
        provider->payload_slot = ae_names_find(shared->fields, ae_text(name));
        use_slot(provider, in, (size_t)provider->payload_slot);
    }
    free(name);
}

static char *copied(const char *text) { return text ? ae_copy(text) : NULL; }

static void read_metadata(ae_provider *provider, const ae_settings *in) {
    provider->payload_metadata = copied(ae_text_setting(in, "payloadMetadata"));
    provider->header_metadata = copied(ae_text_setting(in, "headerMetadata"));
    size_t count = ae_count(in, "spaceDelimitedClaims");
    provider->spaced_claims = ae_allocate(count, sizeof *provider->spaced_claims);
    for (size_t i = 0; i < count; i++) {
        const char *claim = ae_text_element(in, "spaceDelimitedClaims", i);
        provider->spaced_claims[provider->spaced_count++] = ae_copy(claim ? claim : "");
    }
    if (count && !provider->payload_metadata) {
        ae_refuse(in, "spaceDelimitedClaims", "is of no use without `payloadMetadata`");
    }
}

/* A verifier of one issuer looks for the key before it compares the issuer, and an unknown key id makes a fetch due. A second issuer,
 * which no token may have, makes it compare the issuer first. ae_provider_verify refuses a token that names it. */
static const assay_text NO_ISSUER = {"urn:assay:no-issuer", 19};

static void make_verifier(ae_provider *provider, const ae_settings *in, const ae_shared *shared) {
    assay_policy *policy = ae_provider_rules(in, provider->issuer), *other = NULL;
    assay_issuer issuers[] = {{policy, provider->keys}, {NULL, provider->keys}};
    provider->checks_issuer = shared->provider_count > 1;
    if (!ae_is_faulty(in)) {
        assay_policy_new(&other);
        assay_policy_add(other, ASSAY_RULE_ISSUER, NO_ISSUER.bytes, NO_ISSUER.len);
        issuers[1].policy = other;
        assay_code code = assay_verifier_new(&provider->verifier, issuers, provider->checks_issuer ? 2 : 1, &shared->options);
        if (code != ASSAY_OK) {
            ae_refuse(in, NULL, "no verifier can be made of these settings: %s", assay_code_name(code));
        }
    }
    assay_policy_free(other);
    assay_policy_free(policy);
}

void ae_provider_read(ae_provider *out, const ae_settings *root, size_t index, ae_shared *shared) {
    ae_settings in = ae_element(root, "providers", index, NAMES);
    const char *name = ae_needed_text(&in, "name"), *issuer = ae_needed_text(&in, "issuer");
    if (!name || !issuer) {
        return;
    }
    if (!ae_is_printable(ae_text(name)) || strlen(name) > 128 || strpbrk(name, "\"\\")) {
        ae_refuse(&in, "name", "at most 128 printable ASCII characters without quotation marks and backslashes are expected");
    }
    out->name = ae_copy(name);
    out->issuer = ae_copy(issuer);
    out->forwards_token = ae_flag_setting(&in, "forwardToken", true);
    out->clears_route = ae_flag_setting(&in, "clearRouteCache", false);
    read_places(out, &in, shared);
    read_claims(out, &in, shared);
    read_payload(out, &in, shared);
    read_metadata(out, &in);
    ae_provider_read_keys(out, &in);
    make_verifier(out, &in, shared);
}

assay_code ae_provider_verify(assay_result *result, const ae_provider *provider, assay_text token) {
    assay_code code = assay_verify(result, provider->verifier, token.bytes, token.len, ASSAY_NOW);
    if (code != ASSAY_OK || !provider->checks_issuer) {
        return code;
    }
    assay_text issuer = {0};
    assay_result_issuer(&issuer.bytes, &issuer.len, result);
    return ae_equal(issuer, ae_text(provider->issuer)) ? code : ASSAY_ISSUER_MISMATCH;
}

void ae_provider_free(ae_provider *provider) {
    assay_verifier_free(provider->verifier);
    if (!provider->source) {
        assay_keys_free(provider->keys);
    }
    ae_source_release(provider->source);
    for (size_t i = 0; i < provider->claim_count; i++) {
        ae_claim_free(&provider->claims[i]);
    }
    for (size_t i = 0; i < provider->spaced_count; i++) {
        free(provider->spaced_claims[i]);
    }
    free(provider->claims);
    free(provider->spaced_claims);
    free(provider->payload_metadata);
    free(provider->header_metadata);
    free(provider->issuer);
    free(provider->name);
}
