// known_names.h: the names of the registered claims, which are found while the tape is made.

#ifndef CJWT_KNOWN_NAMES_H
#define CJWT_KNOWN_NAMES_H

#include "names.h"

// The claims in the order of RegisteredClaim.
enum { kIss, kSub, kAud, kExp, kNbf, kIat, kJti, kAzp, kNonce, kAuthTime, kAcr, kAmr, kAtHash, kCHash, kSid, kClientID };

// The possible types of a claim, a bit for each kind.
enum { kText = 1 << kString, kDate = 1 << kNumber, kList = 1 << kArray };

enum { kMaxDateDigits = 11 };  // of an unsigned integer that is a date for any digits

typedef struct known_name {
    uint64_t key;   // zero: no claim has this hash
    uint8_t ninth;  // of a nine-byte name, of which the key is only the beginning; no name has eight bytes or more than nine
    uint8_t claim;
    uint8_t types;
} known_name;

// By name_hash.
static const known_name kKnownNames[64] = {
    [47] = {UINT64_C(0x7373690000000000), 0, kIss, kText},
    [37] = {UINT64_C(0x6275730000000000), 0, kSub, kText},
    [32] = {UINT64_C(0x6475610000000000), 0, kAud, kText | kList},
    [40] = {UINT64_C(0x7078650000000000), 0, kExp, kDate},
    [2] = {UINT64_C(0x66626e0000000000), 0, kNbf, kDate},
    [4] = {UINT64_C(0x7461690000000000), 0, kIat, kDate},
    [61] = {UINT64_C(0x69746a0000000000), 0, kJti, kText},
    [57] = {UINT64_C(0x707a610000000000), 0, kAzp, kText},
    [30] = {UINT64_C(0x65636e6f6e000000), 0, kNonce, kText},
    [9] = {UINT64_C(0x6d69745f68747561), 'e', kAuthTime, kDate},
    [29] = {UINT64_C(0x7263610000000000), 0, kAcr, kText},
    [44] = {UINT64_C(0x726d610000000000), 0, kAmr, kList},
    [46] = {UINT64_C(0x687361685f746100), 0, kAtHash, kText},
    [5] = {UINT64_C(0x687361685f630000), 0, kCHash, kText},
    [39] = {UINT64_C(0x6469730000000000), 0, kSid, kText},
    [11] = {UINT64_C(0x695f746e65696c63), 'd', kClientID, kText},
};

// known is the claim of the name with this key and hash, or NULL for another name.
INLINE const known_name *known(uint64_t key, unsigned hash, const uint8_t *in, size_t start, size_t name_len) {
    const known_name *name = &kKnownNames[hash];
    int is_known = name->key == key && key != 0 && (name_len < 8 || (name_len == 9 && in[start + 8] == name->ninth));
    return is_known ? name : NULL;
}

// note_claim notes that the value of `claim` is at record n.
INLINE void note_claim(cjwt_claims *claims, const known_name *claim, size_t n, int is_usual) {
    claims->places[claim->claim] = (int32_t)n;
    claims->present |= UINT32_C(1) << claim->claim;
    claims->are_usual &= is_usual;
}

// is_date says whether a number is an integer without a sign, of a date's digits.
static inline int is_date(const cjwt_json_node *number, const uint8_t *in) {
    return (number->description & kFlag) == 0 && number->length <= kMaxDateDigits && in[number->start] != '-';
}

// is_usual says whether the type of `value` is usual for `claim`; it does not check the elements of a list.
static inline int is_usual(const cjwt_json_node *value, const known_name *claim, const uint8_t *in) {
    unsigned kind = (uint8_t)value->description;
    return (claim->types >> kind & 1) != 0 && (kind != kNumber || is_date(value, in));
}

// is_text_or_texts says whether the value at record n is a text or a list of texts. Record 0 means no claim.
static inline int is_text_or_texts(const cjwt_json_node *tape, int32_t n) {
    if (n == 0 || (uint8_t)tape[n].description != kArray) {
        return 1;
    }
    for (size_t i = (size_t)n + 1; i < tape[n].next; i = tape[i].next) {
        if ((uint8_t)tape[i].description != kString) {
            return 0;
        }
    }
    return 1;
}

#endif
