/* The bootstrap extension: it fetches keys on Envoy's main thread, through Envoy's own clusters. */
#ifndef ASSAY_ENVOY_BOOTSTRAP_H
#define ASSAY_ENVOY_BOOTSTRAP_H

#include <stdbool.h>

/* Whether the extension is configured, so that fetched keys can be had. */
bool ae_driver_exists(void);

#endif
