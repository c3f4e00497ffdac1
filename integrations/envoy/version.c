/* Refuses another Envoy than the one that abi.h describes. Envoy itself only warns. */
#include <stdio.h>

#include "text.h"

#define CALLED(name) {#name, (void (*)(void))CALLBACK(name)}

/* Everything that the module calls. A test compares the list with the module's symbols. */
static const struct { const char *name; void (*function)(void); } CALLBACKS[] = {
    CALLED(log), CALLED(is_validation_mode), CALLED(http_get_headers_size), CALLED(http_get_headers),
    CALLED(http_filter_get_attribute_string),
    CALLED(http_add_header), CALLED(http_set_header), CALLED(http_send_response),
    CALLED(http_set_dynamic_metadata_string), CALLED(http_set_dynamic_metadata_struct), CALLED(http_clear_route_cache),
    CALLED(get_most_specific_route_config), CALLED(http_filter_continue_decoding), CALLED(http_filter_scheduler_new),
    CALLED(http_filter_scheduler_commit), CALLED(http_filter_scheduler_delete),
    CALLED(http_filter_config_define_counter), CALLED(http_filter_config_define_gauge),
    CALLED(http_filter_config_define_histogram), CALLED(http_filter_config_set_gauge),
    CALLED(http_filter_config_record_histogram_value), CALLED(http_filter_increment_counter),
    CALLED(http_filter_record_histogram_value), CALLED(bootstrap_extension_config_signal_init_complete),
    CALLED(bootstrap_extension_config_scheduler_new), CALLED(bootstrap_extension_config_scheduler_delete),
    CALLED(bootstrap_extension_config_scheduler_commit), CALLED(bootstrap_extension_timer_new),
    CALLED(bootstrap_extension_timer_enable), CALLED(bootstrap_extension_timer_delete),
    CALLED(bootstrap_extension_http_callout),
};

static void refuse(const char *name) {
    static const char SENTENCE[] =
        "assay: this Envoy has no callback `%s`. The module is for Envoy " ENVOY_VERSION ": install or build the one for this Envoy.";
    if (CALLBACK(log)) {
        ae_log(ENVOY_LOG_ERROR, SENTENCE, name);
    } else {
        fprintf(stderr, SENTENCE, name);
        fputc('\n', stderr);
    }
}

/* Envoy compares the version with its own, and warns in its log if they differ. It refuses a module that returns NULL. */
HOOK const char *envoy_dynamic_module_on_program_init(void) {
    for (size_t i = 0; i < sizeof CALLBACKS / sizeof *CALLBACKS; i++) {
        if (!CALLBACKS[i].function) {
            refuse(CALLBACKS[i].name);
            return NULL;
        }
    }
    return ENVOY_ABI_VERSION;
}
