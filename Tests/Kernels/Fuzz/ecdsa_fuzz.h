// ecdsa_fuzz.h: the fuzzer of ECDSA with tables, for any curve. Every kernel must give the verdict of ECDSA_do_verify, in each of its
// lanes; or "undecided", where points that it adds are equal or opposite.
//
// An input is a byte whose bits make lanes idle, then up to eight signatures: key, kind, the data of that kind, changes. The file of a curve
// defines `fuzz`, its families and curve, and start, which says whether their self tests hold.

#ifndef ASSAY_ECDSA_FUZZ_H
#define ASSAY_ECDSA_FUZZ_H

#include "ecdsa_case.h"

// Builds the tables of the key with these coordinates; returns one where each family, and each size, accepts the key.
static int build_tables(const ecdsa_fuzz *fuzz, ecdsa_key *key, int num_sizes, const uint8_t *x, const uint8_t *y) {
    int built = 0;
    for (int f = 0; f < fuzz->num_families; f++) {
        for (int size = 0; size < num_sizes; size++) {
            key->tables[f][size] = room(fuzz->families[f].table_bytes((cjwt_table_size)size));
            built += fuzz->families[f].build(key->tables[f][size], (cjwt_table_size)size, x, y);
        }
        if (num_sizes == 1) { key->tables[f][1] = key->tables[f][0]; }
    }
    must(built == 0 || built == num_sizes * fuzz->num_families, "the kernels do not agree whether this is a key");
    return built != 0;
}

static EC_KEY *judge_of(const ecdsa_fuzz *fuzz, const EC_POINT *point) {
    EC_KEY *key = EC_KEY_new();
    must(EC_KEY_set_group(key, fuzz->group) && EC_KEY_set_public_key(key, point), "libcrypto took no key");
    return key;
}

// G, -G, 2 G, -2 G, (n + 1) / 2 G, whose double is G, and two ordinary keys.
static void make_fixed_keys(ecdsa_fuzz *fuzz) {
    static const int multiples[kFixedKeys] = {1, -1, 2, -2, 0, 0x4a575421, 0x4a575431};
    for (int i = 0; i < kFixedKeys; i++) {
        uint8_t x[kMostBytes], y[kMostBytes];
        NUMBER d = BN_dup(fuzz->order);
        POINT point = EC_POINT_new(fuzz->group);
        if (multiples[i] < 0) { BN_sub_word(d, (BN_ULONG)-multiples[i]); }
        if (multiples[i] == 0) { BN_add_word(d, 1), BN_rshift1(d, d); }
        if (multiples[i] > 0) { BN_set_word(d, (BN_ULONG)multiples[i]); }
        if (i >= 5) { BN_mod_sqr(d, d, fuzz->order, fuzz->context), BN_mod_inverse(d, d, fuzz->order, fuzz->context); }
        EC_POINT_mul(fuzz->group, point, d, NULL, NULL, fuzz->context);
        fuzz->keys[i].judge = judge_of(fuzz, point);
        ecdsa_coordinates(fuzz->group, point, fuzz->bytes, x, y);
        must(build_tables(fuzz, &fuzz->keys[i], 2, x, y), "a fixed key is refused");
    }
}

static void ecdsa_fuzz_start(ecdsa_fuzz *fuzz) {
    fuzz->group = EC_GROUP_new_by_curve_name(fuzz->nid);
    fuzz->context = BN_CTX_new();
    fuzz->order = EC_GROUP_get0_order(fuzz->group);
    fuzz->prime = BN_new();
    EC_GROUP_get_curve(fuzz->group, fuzz->prime, NULL, NULL, fuzz->context);
    make_fixed_keys(fuzz);
}

static void free_key(const ecdsa_fuzz *fuzz, ecdsa_key *key) {
    EC_KEY_free(key->judge);
    for (int f = 0; f < fuzz->num_families; f++) { free(key->tables[f][0]); }
    memset(key, 0, sizeof *key);
}

// Makes a key of coordinates: x, and y from the input or computed from x. Where libcrypto rejects the point, every kernel must reject it. A
// table takes milliseconds, so only the small ones are built.
static void make_raw_key(const ecdsa_fuzz *fuzz, ecdsa_key *key, int kind, const uint8_t *x_bytes, const uint8_t *y_bytes) {
    uint8_t x[kMostBytes], y[kMostBytes];
    memcpy(x, x_bytes, fuzz->bytes), memcpy(y, y_bytes, fuzz->bytes);
    NUMBER bx = BN_bin2bn(x, (int)fuzz->bytes, NULL), *by = BN_bin2bn(y, (int)fuzz->bytes, NULL);
    POINT point = EC_POINT_new(fuzz->group);
    int is_point = kind % 4 == 0 ? EC_POINT_set_affine_coordinates(fuzz->group, point, bx, by, fuzz->context)
                                 : EC_POINT_set_compressed_coordinates(fuzz->group, point, bx, kind % 2, fuzz->context);
    // libcrypto reduces coordinates; a key's coordinates must be below p without reduction (SEC 1, 3.2.2.1).
    is_point = is_point == 1 && BN_cmp(bx, fuzz->prime) < 0 && (kind % 4 != 0 || BN_cmp(by, fuzz->prime) < 0);
    if (is_point) {
        key->judge = judge_of(fuzz, point);
        ecdsa_coordinates(fuzz->group, point, fuzz->bytes, x, y);
    }
    must(build_tables(fuzz, key, 1, x, y) == is_point, "a key of raw coordinates");
    if (!is_point) { free_key(fuzz, key); }
}

// A key from the input's coordinates, or NULL; a recently made one is reused. Two different keys of one input must not share a slot, or the
// later would free the earlier: then the input ends there.
static const ecdsa_key *take_raw_key(ecdsa_fuzz *fuzz, fuzz_input *input, const ecdsa_case *others, int num_others) {
    uint8_t choice[1 + 2 * kMostBytes] = {0};
    take(input, choice, 1 + 2 * fuzz->bytes);
    choice[0] %= 4;
    uint32_t place = 0;
    for (size_t i = 0; i < sizeof choice; i++) { place = place * 31 + choice[i]; }
    ecdsa_raw_key *raw = &fuzz->raw_keys[place % kKeptRawKeys];
    if (!raw->is_filled || memcmp(raw->choice, choice, sizeof choice) != 0) {
        for (int i = 0; i < num_others; i++) {
            if (others[i].key == &raw->key) { return NULL; }
        }
        if (raw->key.judge != NULL) { free_key(fuzz, &raw->key); }
        memcpy(raw->choice, choice, sizeof choice);
        raw->is_filled = 1;
        make_raw_key(fuzz, &raw->key, choice[0], choice + 1, choice + 1 + fuzz->bytes);
    }
    return raw->key.judge != NULL ? &raw->key : NULL;
}

// The valid signature with multipliers from the input; an invalid one of the hash zero where no hash is long enough for them.
static void sign_for(const ecdsa_fuzz *fuzz, fuzz_input *input, ecdsa_case *c) {
    const int len = (int)fuzz->bytes;
    uint8_t multipliers[2][kMostBytes];
    take(input, multipliers[0], fuzz->bytes);
    take(input, multipliers[1], fuzz->bytes);
    NUMBER u1 = BN_bin2bn(multipliers[0], len, NULL), *u2 = BN_bin2bn(multipliers[1], len, NULL);
    BN_nnmod(u1, u1, fuzz->order, fuzz->context);
    BN_nnmod(u2, u2, fuzz->order, fuzz->context);
    if (BN_is_zero(u2)) { BN_one(u2); }
    (void)ecdsa_craft(c->key->judge, fuzz->context, fuzz->bytes, fuzz->hash_bytes, u1, u2, c->hash, c->sig);
}

// The order or the prime, or half of either, and up to 128 more or less.
static void take_edge(const ecdsa_fuzz *fuzz, fuzz_input *input, uint8_t *out) {
    const int kind = take_byte(input), delta = (int8_t)take_byte(input);
    NUMBER n = BN_dup(kind % 2 ? fuzz->prime : fuzz->order);
    if (kind & 2) { BN_rshift1(n, n); }
    if (kind & 4) { BN_zero(n), BN_add_word(n, 128); }
    if (delta < 0) { BN_sub_word(n, (BN_ULONG)-delta); } else { BN_add_word(n, (BN_ULONG)delta); }
    BN_bn2binpad(n, out, (int)fuzz->bytes);
}

static void take_signature(const ecdsa_fuzz *fuzz, fuzz_input *input, ecdsa_case *c) {
    uint8_t edge[kMostBytes];
    switch (take_byte(input) % 4) {
    case 0:
        take(input, c->hash, fuzz->hash_bytes);
        take(input, c->sig, 2 * fuzz->bytes);
        break;
    case 1:
        take_edge(fuzz, input, edge);
        memcpy(c->hash, edge + fuzz->bytes - fuzz->hash_bytes, fuzz->hash_bytes);
        take_edge(fuzz, input, c->sig);
        take_edge(fuzz, input, c->sig + fuzz->bytes);
        break;
    default: sign_for(fuzz, input, c); break;
    }
    take_changes(input, c->hash, fuzz->hash_bytes);
    take_changes(input, c->sig, 2 * fuzz->bytes);
}

static cjwt_verdict libcrypto_verdict(const ecdsa_fuzz *fuzz, const ecdsa_case *c) {
    return ecdsa_is_valid(c->key->judge, fuzz->bytes, fuzz->hash_bytes, c->hash, c->sig) ? CJWT_ACCEPTED : CJWT_REFUSED;
}

// Reads one signature from the input; zero where its key is invalid.
static int take_case(ecdsa_fuzz *fuzz, fuzz_input *input, ecdsa_case *cases, int count) {
    ecdsa_case *c = &cases[count];
    const int key = take_byte(input) % (kFixedKeys + 1);
    memset(c, 0, sizeof *c);
    c->key = key == kRawKey ? take_raw_key(fuzz, input, cases, count) : &fuzz->keys[key];
    if (c->key == NULL) { return 0; }
    take_signature(fuzz, input, c);
    c->expected = libcrypto_verdict(fuzz, c);
    return 1;
}

static void judge_singly(const ecdsa_fuzz *fuzz, const ecdsa_case *c) {
    uint8_t *hash = exact_copy(c->hash, fuzz->hash_bytes), *sig = exact_copy(c->sig, 2 * fuzz->bytes);
    for (int f = 0; f < fuzz->num_families; f++) {
        for (int size = 0; size < 2; size++) {
            const void *table = c->key->tables[f][size];
            must(is_right(fuzz, f, c, table, 0, fuzz->families[f].judge(table, hash, sig)), "a verdict and libcrypto's");
        }
    }
    free(hash), free(sig);
}

// Lane i has case i, cyclically, with a table of either size; idle lanes get invalid pointers.
static void judge_in_lanes(const ecdsa_fuzz *fuzz, int f, const ecdsa_case *cases, int count, int idle, int sizes) {
    const ecdsa_family *family = &fuzz->families[f];
    const void *tables[kLanes] = {NULL};
    const uint8_t *hashes[kLanes] = {NULL}, *sigs[kLanes] = {NULL};
    cjwt_verdict verdicts[kLanes];
    for (int i = 0; i < kLanes; i++) {
        const ecdsa_case *c = &cases[i % count];
        if (idle >> i & 1) { continue; }
        tables[i] = c->key->tables[f][sizes >> i & 1], hashes[i] = c->hash, sigs[i] = c->sig;
    }
    family->judge8(verdicts, tables, hashes, sigs);
    for (int i = 0; i < kLanes; i++) {
        if (idle >> i & 1) {
            must(verdicts[i] == CJWT_UNDECIDED, "the verdict of an idle lane");
        } else {
            must(is_right(fuzz, f, &cases[i % count], tables[i], 1, verdicts[i]), "a lane's verdict and libcrypto's");
        }
    }
}

static void ecdsa_fuzz_input(ecdsa_fuzz *fuzz, const uint8_t *bytes, size_t len) {
    fuzz_input input = {bytes, len};
    const int idle = take_byte(&input), sizes = take_byte(&input);
    ecdsa_case cases[kLanes];
    int count = 0;
    while (count < kLanes && (count == 0 || input.left > 0) && take_case(fuzz, &input, cases, count)) { count++; }
    for (int i = 0; i < count; i++) { judge_singly(fuzz, &cases[i]); }
    for (int f = 0; f < fuzz->num_families && count > 0; f++) {
        if (fuzz->families[f].judge8 != NULL) { judge_in_lanes(fuzz, f, cases, count, idle, sizes); }
    }
}

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc, (void)argv;
    must(start(), "self test");
    ecdsa_fuzz_start(&fuzz);
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len) {
    ecdsa_fuzz_input(&fuzz, bytes, len);
    return 0;
}

#endif
