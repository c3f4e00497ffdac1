#include "judgement.h"

#include <string.h>

typedef struct permission {
    uint64_t accepted, waived;
    ae_refusal refusal; /* of the waived ones */
} permission;

static bool evaluate(permission *out, ae_refusal *refusal, ae_judgement *judgement, const ae_requirement *requirement);

static uint64_t places_of(const ae_judgement *judgement, uint64_t providers) {
    uint64_t places = 0;
    for (uint64_t rest = providers; rest; rest &= rest - 1) {
        places |= judgement->configuration->providers[__builtin_ctzll(rest)].places;
    }
    return places;
}

static bool has_several(uint64_t bits) { return bits & (bits - 1); }

/* Appends a value to those of the request; false if it is too long. */
static bool note_value(ae_judgement *judgement, size_t provider, size_t slot, size_t start, size_t *total) {
    ae_scratch *scratch = judgement->scratch;
    ae_field_value value = {provider, slot, start, scratch->values.len - start};
    ae_append(&scratch->fields, &value, sizeof value);
    *total += value.len;
    return *total <= judgement->configuration->total_bytes;
}

/* The payload as the token has it: base64url is strict, so it is the only encoding. */
static void append_payload(ae_bytes *to, assay_text token, bool is_padded) {
    ae_part(&token, '.');
    assay_text payload = ae_part(&token, '.');
    ae_append_text(to, payload);
    for (size_t length = payload.len; is_padded && length % 4; length++) {
        ae_append_byte(to, '=');
    }
}

/* Writes the fields of a verified token; false if they are too large. Values that do not count are not used. */
static bool write_fields(ae_judgement *judgement, size_t position, assay_text token, const assay_result *result) {
    const ae_provider *provider = &judgement->configuration->providers[position];
    ae_bytes *values = &judgement->scratch->values;
    size_t total = 0;
    for (size_t i = 0; i < provider->claim_count; i++) {
        size_t start = values->len;
        ae_claim_append(values, &provider->claims[i], result);
        bool is_short = values->len - start <= judgement->configuration->value_bytes;
        if (!note_value(judgement, position, provider->claims[i].slot, start, &total) || !is_short) {
            return false;
        }
    }
    if (provider->payload_slot >= 0) {
        size_t start = values->len;
        append_payload(values, token, provider->pads_payload);
        return note_value(judgement, position, (size_t)provider->payload_slot, start, &total);
    }
    return true;
}

static uint32_t verify(ae_judgement *judgement, size_t position) {
    const ae_provider *provider = &judgement->configuration->providers[position];
    uint64_t places = provider->places & judgement->held;
    if (!places) {
        return AE_MISSING_TOKEN;
    }
    assay_text token = judgement->tokens[__builtin_ctzll(places)].token;
    assay_result *result = ae_scratch_result(judgement->scratch, position, judgement->configuration->token_bytes);
    uint32_t code = ae_provider_verify(result, provider, token);
    if (code != ASSAY_OK) {
        return code;
    }
    if (!ae_has_scopes(result, judgement->policy->scopes, judgement->policy->scope_count)) {
        judgement->unscoped |= 1ull << position;
    }
    return write_fields(judgement, position, token, result) ? ASSAY_OK : AE_CLAIMS_TOO_LARGE;
}

/* A provider that a requirement names twice is asked once. */
static uint32_t code_of(ae_judgement *judgement, size_t position) {
    if (!(judgement->verified >> position & 1)) {
        judgement->verified |= 1ull << position;
        judgement->codes[position] = verify(judgement, position);
    }
    return judgement->codes[position];
}

static bool evaluate_any(permission *out, ae_refusal *refusal, ae_judgement *judgement, const ae_requirement *any) {
    ae_refusal worst = {AE_MISSING_TOKEN, AE_NO_PROVIDER}, found;
    for (size_t i = 0; i < any->count; i++) {
        if (evaluate(out, &found, judgement, &any->members[i])) {
            return true;
        }
        if (ae_code_rank(found.code) > ae_code_rank(worst.code)) {
            worst = found;
        }
    }
    bool has_token = places_of(judgement, any->providers) & judgement->held;
    if (any->allowance == AE_ALLOW_NOTHING || (any->allowance == AE_ALLOW_MISSING && has_token)) {
        *refusal = worst;
        return false;
    }
    *out = (permission){.waived = has_token ? any->providers : 0, .refusal = worst};
    return true;
}

static bool evaluate_all(permission *out, ae_refusal *refusal, ae_judgement *judgement, const ae_requirement *all) {
    permission sum = {0}, part;
    for (size_t i = 0; i < all->count; i++) {
        if (!evaluate(&part, refusal, judgement, &all->members[i])) {
            return false;
        }
        sum.refusal = sum.waived ? sum.refusal : part.refusal;
        sum.accepted |= part.accepted;
        sum.waived |= part.waived;
    }
    *out = sum;
    return true;
}

static bool evaluate(permission *out, ae_refusal *refusal, ae_judgement *judgement, const ae_requirement *requirement) {
    switch (requirement->kind) {
    case AE_ANY: return evaluate_any(out, refusal, judgement, requirement);
    case AE_ALL: return evaluate_all(out, refusal, judgement, requirement);
    default: break;
    }
    uint32_t code = code_of(judgement, requirement->provider);
    *out = (permission){.accepted = 1ull << requirement->provider};
    *refusal = (ae_refusal){code, requirement->provider};
    return code == ASSAY_OK;
}

/* RFC 6750 section 2: a client uses one method to send a token. A sender of several hopes that two readers take different ones. */
static bool presents_several(ae_judgement *judgement, const ae_request *request) {
    bool several = false;
    for (uint64_t rest = judgement->policy->places; rest; rest &= rest - 1) {
        size_t place = (size_t)__builtin_ctzll(rest);
        judgement->tokens[place] = ae_present(&judgement->configuration->places.places[place], request);
        several |= judgement->tokens[place].kind == AE_SEVERAL;
        judgement->held |= judgement->tokens[place].kind == AE_NONE ? 0 : 1ull << place;
    }
    for (uint64_t rest = judgement->policy->providers; rest; rest &= rest - 1) {
        several |= has_several(judgement->configuration->providers[__builtin_ctzll(rest)].places & judgement->held);
    }
    return several;
}

static void decide(ae_judgement *out) {
    permission permission;
    if (!evaluate(&permission, &out->refusal, out, out->policy->requirement)) {
        return;
    }
    /* A token beside those that count was not verified, and must not reach the upstream as if it had been. */
    if (out->held & ~places_of(out, permission.accepted | permission.waived)) {
        out->refusal = (ae_refusal){AE_SEVERAL_TOKENS, AE_NO_PROVIDER};
    } else if (permission.accepted & out->unscoped) {
        out->refusal = (ae_refusal){AE_INSUFFICIENT_SCOPE, (size_t)__builtin_ctzll(permission.accepted & out->unscoped)};
    } else {
        out->holds = true;
        out->accepted = permission.accepted;
        out->waived = permission.waived;
        out->waived_refusal = permission.refusal;
    }
}

void ae_judge(ae_judgement *out, const ae_configuration *configuration, const ae_policy *policy, const ae_request *request,
              ae_scratch *scratch) {
    out->configuration = configuration;
    out->policy = policy;
    out->scratch = scratch;
    out->holds = !policy->requirement;
    out->refusal = (ae_refusal){AE_SEVERAL_TOKENS, AE_NO_PROVIDER};
    out->accepted = out->waived = out->held = out->verified = out->unscoped = 0;
    scratch->values.len = scratch->fields.len = 0;
    if (policy->requirement && !presents_several(out, request)) {
        decide(out);
    }
}
