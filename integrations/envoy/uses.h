/* What passes once: the memory of uses of this process, which the gateways of all filters share, and what one request has used. */
#ifndef ASSAY_ENVOY_USES_H
#define ASSAY_ENVOY_USES_H

#include "settings.h"

/* Whether tokens of a configuration, or their proofs, pass once. */
bool ae_counts_uses(const ae_settings *root);
/* The memory, for a configuration that counts uses. It stays until the process ends: a configuration that comes later knows what was used
 * before. NULL after a fault. Only on the main thread. */
const assay_replay_memory *ae_replay_memory(const ae_settings *root, bool counts_uses);

/* Hands over what a request has used before, and takes over what a decision has used. */
void ae_uses_describe(assay_request *request, const ae_bytes *used);
void ae_uses_keep(ae_bytes *used, const assay_decision *decision);

#endif
