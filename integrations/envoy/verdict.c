#include "verdict.h"

static const char *const NAMES[] = {
    "missing_token", "several_tokens", "insufficient_scope", "claims_too_large", "ambiguous_field", "ambiguous_path", "no_policy",
};
static const uint16_t STATUSES[] = {401, 400, 403, 403, 400, 400, 403};

static bool is_own(uint32_t code) { return code >= AE_MISSING_TOKEN && code < AE_END; }

const char *ae_code_name(uint32_t code) { return is_own(code) ? NAMES[code - AE_MISSING_TOKEN] : assay_code_name(code); }

uint32_t ae_code_status(uint32_t code) { return is_own(code) ? STATUSES[code - AE_MISSING_TOKEN] : assay_code_http_status(code); }

int ae_code_rank(uint32_t code) {
    switch (code) {
    case AE_MISSING_TOKEN: return 0;
    case ASSAY_ISSUER_MISMATCH: return 1;
    case ASSAY_KEYS_UNAVAILABLE: return 3;
    default: return 2;
    }
}

static const struct range {
    uint32_t first, last;
} RANGES[] = {
    {0, 0}, {ASSAY_TOKEN_TOO_LARGE, ASSAY_TOO_MANY_MEMBERS}, {ASSAY_INVALID_HEADER, ASSAY_TYPE_MISMATCH},
    {ASSAY_UNKNOWN_KEY, ASSAY_KEYS_UNAVAILABLE}, {ASSAY_SIGNATURE_INVALID, ASSAY_SIGNATURE_INVALID},
    {ASSAY_MISSING_CLAIM, ASSAY_REVOKED}, {AE_MISSING_TOKEN, AE_END - 1},
};
#define RANGE_COUNT (sizeof RANGES / sizeof RANGES[0])

/* Position 0 is that of codes that are no verdicts. */
size_t ae_code_position(uint32_t code) {
    size_t before = 0;
    for (size_t i = 0; i < RANGE_COUNT; i++) {
        if (code >= RANGES[i].first && code <= RANGES[i].last) {
            return before + (code - RANGES[i].first);
        }
        before += RANGES[i].last - RANGES[i].first + 1;
    }
    return 0;
}

uint32_t ae_code_at(size_t position) {
    for (size_t i = 0; i < RANGE_COUNT; i++) {
        size_t size = RANGES[i].last - RANGES[i].first + 1;
        if (position < size) {
            return RANGES[i].first + (uint32_t)position;
        }
        position -= size;
    }
    return 0;
}
