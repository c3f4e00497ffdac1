// Runs the pool's signatures through every kernel: one at a time, and eight at a time in changing combinations.

#include "ed25519_pool.h"

static void check_alone(ed25519_run *run, const ed25519_pool *pool) {
    for (size_t i = 0; i < pool->count; i++) {
        const pool_entry *entry = &pool->entries[i];
        const void *table = entry->key->tables[next_random(&run->random) % 2];
        ed25519_expect_verdict(run, kPortable, cjwt_ed25519_verify(table, entry->h, entry->sig) == entry->verdict, "signature", i);
        if (!cjwt_ifma_available()) { continue; }
        int holds = cjwt_ed25519_ifma_verify(table, entry->h, entry->sig) == entry->verdict;
        ed25519_expect_verdict(run, kOverLanes, holds, "signature over lanes", i);
    }
}

static void check_in_lanes(ed25519_run *run, const ed25519_pool *pool, uint64_t number) {
    const void *tables[kLanes];
    const uint8_t *h[kLanes], *sigs[kLanes];
    cjwt_verdict expected[kLanes], verdicts[kLanes];
    const uint64_t idle = next_random(&run->random) % 4 == 0 ? next_random(&run->random) : 0;
    for (int lane = 0; lane < kLanes; lane++) {
        const uint64_t choice = next_random(&run->random);
        const pool_entry *entry = &pool->entries[(choice >> 8) % pool->count];
        const int works = !(idle >> lane & 1);
        tables[lane] = works ? entry->key->tables[choice & 1] : NULL;
        h[lane] = works ? entry->h : NULL;
        sigs[lane] = works ? entry->sig : NULL;
        expected[lane] = works ? entry->verdict : CJWT_UNDECIDED;
    }
    cjwt_ed25519_ifma_verify8(verdicts, tables, h, sigs);
    for (int lane = 0; lane < kLanes; lane++) {
        ed25519_expect_verdict(run, kInLanes, verdicts[lane] == expected[lane], "signature in a lane", number);
    }
}

// libcrypto takes some 150 microseconds for each signature of the pool, which is why there are at most 120,000.
void ed25519_check_signatures(ed25519_run *run, uint64_t cases) {
    static ed25519_pool pool;
    ed25519_pool_fill(run, &pool, 2000 + (size_t)(cases < 6000000 ? cases / 50 : 120000));
    check_alone(run, &pool);
    for (uint64_t i = 0; cjwt_ifma_available() && i < cases / kLanes; i++) { check_in_lanes(run, &pool, i); }
    ed25519_pool_free(&pool);
}
