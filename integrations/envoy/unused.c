/* Hooks that Envoy 1.40 requires of every module, whether it uses them or not. Those with a status let everything pass. */
#include "abi.h"

#define UNUSED(name) \
    HOOK int envoy_dynamic_module_on_##name(void); \
    int envoy_dynamic_module_on_##name(void) { return ENVOY_CONTINUE; }

UNUSED(http_filter_request_body)
UNUSED(http_filter_response_headers)
UNUSED(http_filter_response_body)
UNUSED(http_filter_response_trailers)
UNUSED(http_filter_stream_complete)
UNUSED(http_filter_http_callout_done)
UNUSED(http_filter_http_stream_headers)
UNUSED(http_filter_http_stream_data)
UNUSED(http_filter_http_stream_trailers)
UNUSED(http_filter_http_stream_complete)
UNUSED(http_filter_http_stream_reset)
UNUSED(http_filter_downstream_above_write_buffer_high_watermark)
UNUSED(http_filter_downstream_below_write_buffer_low_watermark)
UNUSED(http_filter_config_scheduled)
UNUSED(http_filter_config_http_callout_done)
UNUSED(http_filter_config_http_stream_headers)
UNUSED(http_filter_config_http_stream_data)
UNUSED(http_filter_config_http_stream_trailers)
UNUSED(http_filter_config_http_stream_complete)
UNUSED(http_filter_config_http_stream_reset)

UNUSED(bootstrap_extension_worker_thread_initialized)
UNUSED(bootstrap_extension_drain_started)
UNUSED(bootstrap_extension_file_changed)
UNUSED(bootstrap_extension_admin_request)
UNUSED(bootstrap_extension_cluster_add_or_update)
UNUSED(bootstrap_extension_cluster_removal)
UNUSED(bootstrap_extension_listener_add_or_update)
UNUSED(bootstrap_extension_listener_removal)
