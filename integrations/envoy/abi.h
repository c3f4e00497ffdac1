/* The part of Envoy's dynamic-module ABI that the module uses, as Envoy 1.40 has it.
 *
 * The declarations are this project's own. Names, order of arguments and values of constants are Envoy's, because they are the ABI. Envoy
 * looks hooks up by name when it loads the module, and the dynamic linker resolves callbacks at the same time (-z now). A callback that
 * Envoy lacks is then null, because all are weak, and version.c refuses that Envoy. A changed signature is not noticed by anyone, so the
 * module states the version of the ABI that it was written for, and is rebuilt for each minor version of Envoy.
 *
 * Bytes that Envoy passes stay where they are until the hook returns or a setter is called, whichever comes first. */
#ifndef ASSAY_ENVOY_ABI_H
#define ASSAY_ENVOY_ABI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* debian/rules reads the first. */
#define ENVOY_VERSION "1.40"
#define ENVOY_ABI_VERSION "v0.2.0"

/* Envoy's hooks, and what Envoy calls. */
#ifndef HOOK
#define HOOK __attribute__((visibility("default")))
#endif
/* An argument of a hook that the module does not need. */
#define IGNORED __attribute__((unused))
#define CALLBACK(name) envoy_dynamic_module_callback_##name
#define ENVOYS __attribute__((weak))

/* Bytes of either side. A setter takes NULL for "none". */
typedef struct envoy_bytes {
    const char *ptr;
    size_t length;
} envoy_bytes;

typedef struct envoy_header {
    const char *key;
    size_t key_length;
    const char *value;
    size_t value_length;
} envoy_header;

enum { ENVOY_REQUEST_HEADER = 0, ENVOY_REQUEST_TRAILER = 1, ENVOY_RESPONSE_HEADER = 2 };

/* The attribute connection.sha256_peer_certificate_digest: 64 hexadecimal digits of the client's own certificate. */
enum { ENVOY_PEER_CERTIFICATE_DIGEST = 38 };

/* Answers of hooks for a request's headers and of those that only let data pass. */
enum { ENVOY_CONTINUE = 0, ENVOY_STOP_ITERATION = 1, ENVOY_STOP_ALL = 4 };

enum { ENVOY_LOG_INFO = 2, ENVOY_LOG_WARN = 3, ENVOY_LOG_ERROR = 4 };

enum { ENVOY_CALLOUT_STARTED = 0, ENVOY_CALLOUT_NO_CLUSTER = 2 };
enum { ENVOY_CALLOUT_SUCCESS = 0, ENVOY_CALLOUT_RESET = 1, ENVOY_CALLOUT_TOO_LARGE = 2 };

/* Everywhere */
ENVOYS void CALLBACK(log)(int level, envoy_bytes text);
ENVOYS bool CALLBACK(is_validation_mode)(void);

/* A request, on its worker's thread */
ENVOYS size_t CALLBACK(http_get_headers_size)(void *filter, int type);
ENVOYS bool CALLBACK(http_get_headers)(void *filter, int type, envoy_header *out);
ENVOYS bool CALLBACK(http_filter_get_attribute_string)(void *filter, int attribute, envoy_bytes *out);
ENVOYS bool CALLBACK(http_add_header)(void *filter, int type, envoy_bytes name, envoy_bytes value);
ENVOYS bool CALLBACK(http_set_header)(void *filter, int type, envoy_bytes name, envoy_bytes value);
ENVOYS void CALLBACK(http_send_response)(void *filter, uint32_t status, envoy_header *fields, size_t count, envoy_bytes body,
                                         envoy_bytes details);
ENVOYS void CALLBACK(http_set_dynamic_metadata_string)(void *filter, envoy_bytes space, envoy_bytes key, envoy_bytes value);
ENVOYS void CALLBACK(http_set_dynamic_metadata_struct)(void *filter, envoy_bytes space, envoy_bytes serialized);
ENVOYS void CALLBACK(http_clear_route_cache)(void *filter);
ENVOYS const void *CALLBACK(get_most_specific_route_config)(void *filter);
ENVOYS void CALLBACK(http_filter_continue_decoding)(void *filter);
ENVOYS void *CALLBACK(http_filter_scheduler_new)(void *filter);
ENVOYS void CALLBACK(http_filter_scheduler_commit)(void *scheduler, uint64_t event); /* from any thread */
ENVOYS void CALLBACK(http_filter_scheduler_delete)(void *scheduler);

/* Stats of a filter's configuration. They can be defined only while the configuration is made. A result of 0 is success. */
ENVOYS int CALLBACK(http_filter_config_define_counter)(void *config, envoy_bytes name, envoy_bytes *labels, size_t count, size_t *out);
ENVOYS int CALLBACK(http_filter_config_define_gauge)(void *config, envoy_bytes name, envoy_bytes *labels, size_t count, size_t *out);
ENVOYS int CALLBACK(http_filter_config_define_histogram)(void *config, envoy_bytes name, envoy_bytes *labels, size_t count, size_t *out);
ENVOYS int CALLBACK(http_filter_config_set_gauge)(void *config, size_t id, envoy_bytes *labels, size_t count, uint64_t value);
ENVOYS int CALLBACK(http_filter_config_record_histogram_value)(void *config, size_t id, envoy_bytes *labels, size_t count, uint64_t value);
ENVOYS int CALLBACK(http_filter_increment_counter)(void *filter, size_t id, envoy_bytes *labels, size_t count, uint64_t value);
ENVOYS int CALLBACK(http_filter_record_histogram_value)(void *filter, size_t id, envoy_bytes *labels, size_t count, uint64_t value);

/* The bootstrap extension, on the main thread. A commit may come from any thread. */
ENVOYS void CALLBACK(bootstrap_extension_config_signal_init_complete)(void *config);
ENVOYS void *CALLBACK(bootstrap_extension_config_scheduler_new)(void *config);
ENVOYS void CALLBACK(bootstrap_extension_config_scheduler_delete)(void *scheduler);
ENVOYS void CALLBACK(bootstrap_extension_config_scheduler_commit)(void *scheduler, uint64_t event);
ENVOYS void *CALLBACK(bootstrap_extension_timer_new)(void *config);
ENVOYS void CALLBACK(bootstrap_extension_timer_enable)(void *timer, uint64_t milliseconds);
ENVOYS void CALLBACK(bootstrap_extension_timer_delete)(void *timer);
ENVOYS int CALLBACK(bootstrap_extension_http_callout)(void *config, uint64_t *out_id, envoy_bytes cluster, envoy_header *fields,
                                                      size_t count, envoy_bytes body, uint64_t timeout_milliseconds);

#endif
