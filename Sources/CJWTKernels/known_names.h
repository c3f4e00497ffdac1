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
    uint64_t key;   // zero where no claim has this hash
    uint8_t ninth;  // of a nine-byte name, of which the key is only the beginning; no name has more
    uint8_t fewer;  // than nine bytes: so a row without a name, whose key is zero, is not that of the empty name
    uint8_t claim;
    uint8_t types;
} known_name;

// By name_hash.
static const known_name kKnownNames[64] = {
    [53] = {UINT64_C(0x737369), 0, 6, kIss, kText},
    [52] = {UINT64_C(0x627573), 0, 6, kSub, kText},
    [55] = {UINT64_C(0x647561), 0, 6, kAud, kText | kList},
    [36] = {UINT64_C(0x707865), 0, 6, kExp, kDate},
    [14] = {UINT64_C(0x66626e), 0, 6, kNbf, kDate},
    [6] = {UINT64_C(0x746169), 0, 6, kIat, kDate},
    [21] = {UINT64_C(0x69746a), 0, 6, kJti, kText},
    [2] = {UINT64_C(0x707a61), 0, 6, kAzp, kText},
    [42] = {UINT64_C(0x65636e6f6e), 0, 4, kNonce, kText},
    [12] = {UINT64_C(0x6d69745f68747561), 'e', 0, kAuthTime, kDate},
    [40] = {UINT64_C(0x726361), 0, 6, kAcr, kText},
    [48] = {UINT64_C(0x726d61), 0, 6, kAmr, kList},
    [46] = {UINT64_C(0x687361685f7461), 0, 2, kAtHash, kText},
    [19] = {UINT64_C(0x687361685f63), 0, 3, kCHash, kText},
    [54] = {UINT64_C(0x646973), 0, 6, kSid, kText},
    [20] = {UINT64_C(0x695f746e65696c63), 'd', 0, kClientID, kText},
};

// known is the claim of the name with this key and hash, or NULL for another name.
INLINE const known_name *known(uint64_t key, unsigned hash, const uint8_t *in, size_t start, size_t name_len) {
    const known_name *name = &kKnownNames[hash];
    int is_known = name->key == key && name_len + name->fewer == 9 && (name->fewer > 0 || in[start + 8] == name->ninth);
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
