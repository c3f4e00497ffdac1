/* Whether a path has one reading. */
#ifndef ASSAY_ENVOY_PATH_H
#define ASSAY_ENVOY_PATH_H

#include "settings.h"

typedef struct ae_path_rules {
    bool allows_all, allows_encoded_slashes, allows_empty_segments, allows_parameters;
} ae_path_rules;

/* Reads `paths`. */
ae_path_rules ae_path_rules_read(const ae_settings *root);

/* Envoy, this filter and the upstream must not read a path differently: then `/public/..;/admin` is public here and the administration
 * there. So a path with dot segments, encoded separators, empty segments, parameters, controls, segments that end with a space, double
 * encoding or text that is not UTF-8 has no reading. */
bool ae_path_has_one_reading(assay_text path, assay_text method, const ae_path_rules *rules, ae_bytes *memory);

#endif
