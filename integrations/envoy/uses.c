#include "uses.h"

#define MOST_ENTRIES (INT64_C(1) << 30)
#define USUAL_ENTRIES 262144

/* Of the main thread. */
static assay_replay_memory *memory;
static int64_t entries;

bool ae_counts_uses(const ae_settings *root) {
    size_t index;
    json_t *provider;
    json_array_foreach(json_object_get(root->object, "providers"), index, provider) {
        if (json_is_true(json_object_get(provider, "once")) || json_object_get(provider, "dpop")) {
            return true;
        }
    }
    return false;
}

const assay_replay_memory *ae_replay_memory(const ae_settings *root, bool counts_uses) {
    ae_settings replay = ae_section(root, "replay", (const char *const[]){"entries", NULL});
    int64_t wanted = ae_integer_setting(&replay, "entries", 1, MOST_ENTRIES, entries ? entries : USUAL_ENTRIES);
    if (replay.object && !counts_uses) {
        ae_refuse(root, "replay", "is of no use without `once` or `dpop`");
    }
    if (!counts_uses || ae_is_faulty(root)) {
        return NULL;
    }
    if (entries && wanted != entries) {
        /* Another memory would know of no use. */
        ae_refuse(&replay, "entries", "this process remembers %lld uses; another number needs a restart", (long long)entries);
        return NULL;
    }
    if (!memory && assay_replay_memory_new(&memory, (uint64_t)wanted) == ASSAY_OK) {
        entries = wanted;
    }
    if (!memory) {
        ae_refuse(&replay, "entries", "there is no memory for so many uses");
    }
    return memory;
}

void ae_uses_describe(assay_request *request, const ae_bytes *used) {
    request->used = (const assay_use *)(const void *)used->bytes;
    request->used_count = used->len / sizeof(assay_use);
}

/* The first of them are those that were handed over. */
void ae_uses_keep(ae_bytes *used, const assay_decision *decision) {
    assay_use use;
    for (size_t i = used->len / sizeof use; assay_decision_use(&use, decision, i) == ASSAY_OK; i++) {
        ae_append(used, &use, sizeof use);
    }
}
