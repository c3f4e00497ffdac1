// Fuzzes RSA's public operation for moduli of 2048, 3072 and 4096 bits, with IFMA one token at a time and eight, with 64-bit products, and
// in lanes of AVX-512F, of AVX2 and of 256-bit IFMA: against BN_mod_exp.
//
// An input is a byte that chooses the length, two for the lanes, then up to eight cases: a modulus, a number, changes of both.

#include "CJWTKernelsRSA.h"
#include "CJWTKernelsRSALanes.h"

#include "../Cases/scoped_numbers.h"
#include "../Cases/seeded_random.h"
#include "CJWTKernelsVerdict.h"
#include "fuzz_input.h"

enum { kMostBytes = 512, kFixedModuli = 4, kRawModulus = kFixedModuli, kUntouched = 0xa5 };

typedef struct rsa_modulus {
    uint8_t bytes[kMostBytes];
    void *key, *lanes_key, *ifma256_key, *scalar_key;  // the last is NULL where the machine lacks ADX
} rsa_modulus;

typedef struct rsa_case {
    const rsa_modulus *modulus;
    rsa_modulus raw;
    uint8_t *sig;                  // exactly as long as the modulus
    uint8_t expected[kMostBytes];  // unchanged where the number is not below the modulus
    int is_below;
} rsa_case;

static rsa_modulus moduli[3][kFixedModuli];
static BN_CTX *context;
static BIGNUM *exponent;

static void build_key(rsa_modulus *modulus, size_t len) {
    modulus->bytes[0] |= 0x80;
    modulus->bytes[len - 1] |= 1;
    modulus->key = room(cjwt_rsa_ifma_key_bytes(len));
    must(cjwt_rsa_ifma_key_build(modulus->key, modulus->bytes, len) == 1, "a modulus is refused");
    modulus->lanes_key = room(cjwt_rsa_lanes_key_bytes(len));
    must(cjwt_rsa_lanes_key_build(modulus->lanes_key, modulus->bytes, len) == 1, "a modulus is refused by the lanes without IFMA");
    modulus->ifma256_key = room(cjwt_rsa_ifma256_key_bytes(len));
    must(cjwt_rsa_ifma256_key_build(modulus->ifma256_key, modulus->bytes, len) == 1, "a modulus is refused by the lanes with IFMA");
    modulus->scalar_key = room(cjwt_rsa_scalar_key_bytes(len));
    if (cjwt_rsa_scalar_key_build(modulus->scalar_key, modulus->bytes, len) != 1) {
        free(modulus->scalar_key);
        modulus->scalar_key = NULL;
    }
    must((modulus->scalar_key != NULL) == cjwt_adx_available(), "a modulus is refused by the kernel with 64-bit products");
}

static void free_keys(rsa_modulus *modulus) {
    free(modulus->key);
    free(modulus->lanes_key);
    free(modulus->ifma256_key);
    free(modulus->scalar_key);
}

// 2^bits - 1, 2^(bits - 1) + 1, and two ordinary ones.
static void make_fixed_moduli(rsa_modulus *fixed, size_t len) {
    uint64_t state = len;
    memset(fixed[0].bytes, 0xff, len);
    for (int i = 2; i < kFixedModuli; i++) { random_fill(&state, fixed[i].bytes, len); }
    for (int i = 0; i < kFixedModuli; i++) { build_key(&fixed[i], len); }
}

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc, (void)argv;
    if (!cjwt_ifma_available()) {
        fprintf(stderr, "this machine lacks the instructions: nothing is fuzzed\n");
        exit(0);
    }
    must(cjwt_rsa_ifma_self_test(), "self test");
    context = BN_CTX_new();
    BN_dec2bn(&exponent, "65537");
    for (size_t i = 0; i < 3; i++) { make_fixed_moduli(moduli[i], 256 + 128 * i); }
    return 0;
}

// Bytes from the input at both ends; between them one repeated byte, or bytes from a seed.
static void take_number(fuzz_input *input, uint8_t *out, size_t len) {
    const uint8_t kind = take_byte(input);
    if (kind % 2) {
        uint8_t seed[8];
        uint64_t state;
        take(input, seed, sizeof seed);
        memcpy(&state, seed, sizeof state);
        random_fill(&state, out, len);
    } else {
        memset(out, take_byte(input), len);
    }
    take(input, out, kind >> 1 & 0x1f);
    take(input, out + len - 32, kind >> 3 & 0x1f);
    take_changes(input, out, len);
}

// A number for a modulus: any, or the modulus plus or minus a small number.
static void take_sig(fuzz_input *input, uint8_t *out, const rsa_modulus *modulus, size_t len) {
    const int kind = take_byte(input), delta = (int8_t)take_byte(input);
    take_number(input, out, len);
    if (kind % 4 != 0) { return; }
    NUMBER n = BN_bin2bn(modulus->bytes, (int)len, NULL);
    if (delta < 0) { BN_sub_word(n, (BN_ULONG)-delta); } else { BN_add_word(n, (BN_ULONG)delta); }
    if (BN_bn2binpad(n, out, (int)len) < 0) { memset(out, 0xff, len); }
}

static void take_case(fuzz_input *input, rsa_case *c, int size, size_t len) {
    const int choice = take_byte(input) % (kFixedModuli + 1);
    c->modulus = choice == kRawModulus ? &c->raw : &moduli[size][choice];
    if (choice == kRawModulus) {
        take_number(input, c->raw.bytes, len);
        build_key(&c->raw, len);
    }
    c->sig = room(len);
    take_sig(input, c->sig, c->modulus, len);
    NUMBER n = BN_bin2bn(c->modulus->bytes, (int)len, NULL), *x = BN_bin2bn(c->sig, (int)len, NULL);
    c->is_below = BN_cmp(x, n) < 0;
    memset(c->expected, kUntouched, len);
    if (c->is_below) {
        must(BN_mod_exp(x, x, exponent, n, context) && BN_bn2binpad(x, c->expected, (int)len) == (int)len, "BN_mod_exp");
    }
}

static void raise_singly(const rsa_case *c, size_t len) {
    uint8_t *em = memset(room(len), kUntouched, len);
    must(cjwt_rsa_ifma_power(c->modulus->key, em, c->sig) == c->is_below, "whether the number is below the modulus");
    must(memcmp(em, c->expected, len) == 0, "the power and BN_mod_exp's");
    if (c->modulus->scalar_key != NULL) {
        memset(em, kUntouched, len);
        must(cjwt_rsa_scalar_power(c->modulus->scalar_key, em, c->sig) == c->is_below, "whether the number is below the modulus, scalar");
        must(memcmp(em, c->expected, len) == 0, "the scalar power and BN_mod_exp's");
    }
    free(em);
}

typedef struct lanes_kernel {
    void (*power)(int *results, const void *const *keys, uint8_t *const *ems, const uint8_t *const *sigs);
    int lanes;
    size_t key;  // the offset in rsa_modulus
} lanes_kernel;

static const lanes_kernel kKernels[] = {
    {cjwt_rsa_ifma_power8, 8, offsetof(rsa_modulus, key)},
    {cjwt_rsa_avx512f_power8, 8, offsetof(rsa_modulus, lanes_key)},
    {cjwt_rsa_avx2_power4, 4, offsetof(rsa_modulus, lanes_key)},
    {cjwt_rsa_ifma256_power4, 4, offsetof(rsa_modulus, ifma256_key)},
};

static const void *key_for(const lanes_kernel *kernel, const rsa_modulus *modulus) {
    return *(void *const *)((const uint8_t *)modulus + kernel->key);
}

// Lane i has case i, cyclically. Idle lanes have no key, or one of another length.
static void raise_in_lanes(const lanes_kernel *kernel, const rsa_case *cases, int count, int idle, int strangers, int size, size_t len) {
    const void *keys[kLanes] = {NULL};
    uint8_t *ems[kLanes] = {NULL};
    const uint8_t *sigs[kLanes] = {NULL};
    int results[kLanes], has_first = 0;
    for (int i = 0; i < kernel->lanes; i++) {
        if (idle >> i & 1) {
            // The first key determines the length, so a key of another length may only follow it.
            if (has_first && strangers >> i & 1) { keys[i] = key_for(kernel, &moduli[(size + 1) % 3][i % kFixedModuli]); }
            continue;
        }
        has_first = 1;
        keys[i] = key_for(kernel, cases[i % count].modulus), sigs[i] = cases[i % count].sig;
        ems[i] = memset(room(len), kUntouched, len);
    }
    kernel->power(results, keys, ems, sigs);
    for (int i = 0; i < kernel->lanes; i++) {
        const rsa_case *c = &cases[i % count];
        must(results[i] == (!(idle >> i & 1) && c->is_below), "a lane's result");
        must(ems[i] == NULL || memcmp(ems[i], c->expected, len) == 0, "a lane's power and BN_mod_exp's");
        free(ems[i]);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len) {
    fuzz_input input = {bytes, len};
    const int size = take_byte(&input) % 3, idle = take_byte(&input), strangers = take_byte(&input);
    const size_t modulus_len = 256 + 128 * (size_t)size;
    static rsa_case cases[kLanes];
    int count = 0;
    do { take_case(&input, &cases[count], size, modulus_len); } while (++count < kLanes && input.left > 0);
    for (int i = 0; i < count; i++) { raise_singly(&cases[i], modulus_len); }
    for (size_t i = 0; i < sizeof kKernels / sizeof kKernels[0]; i++) {
        raise_in_lanes(&kKernels[i], cases, count, idle, strangers, size, modulus_len);
    }
    for (int i = 0; i < count; i++) {
        if (cases[i].modulus == &cases[i].raw) { free_keys(&cases[i].raw); }
        free(cases[i].sig);
    }
    return 0;
}
