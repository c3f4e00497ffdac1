// sha_blocks.h: the part of check_sha that knows no messages.

#ifndef ASSAY_DIFFERENTIAL_SHA_BLOCKS_H
#define ASSAY_DIFFERENTIAL_SHA_BLOCKS_H

#include "differential.h"

#if defined(__x86_64__)
/// Adds about `cases` cases to what `result` has: each kernel that this CPU can run.
void sha_check_blocks(differential_random *random, differential_result *result, uint64_t cases);
#endif

#endif
