#include "driver.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "callout.h"
#include "stats.h"
#include "waiting.h"

/* How often gauges are written at least. */
#define MOST_DELAY 5000

/* Envoy begins to listen when required issuers have keys, or after the time to hold. */
static void release_start(ae_driver *driver) {
    if (!driver->is_holding) {
        return;
    }
    size_t awaited = ae_sources_awaited();
    if (awaited && ae_now() < driver->hold_until) {
        return;
    }
    if (awaited) {
        ae_log(ENVOY_LOG_WARN, "assay: Envoy starts without the keys of %zu required issuers", awaited);
    }
    driver->is_holding = false;
    CALLBACK(bootstrap_extension_config_signal_init_complete)(driver->envoy);
}

static int64_t delay_of(const ae_source *source, int64_t delay) {
    int64_t due = source->fetch ? -1 : assay_keys_next_due(source->keys);
    return due >= 0 && due < delay ? due : delay;
}

void ae_drive(ae_driver *driver) {
    if (!driver->is_running) {
        return;
    }
    int64_t delay = driver->is_holding ? 200 : MOST_DELAY;
    size_t count;
    ae_source **sources = ae_sources(&count);
    for (size_t i = 0; i < count; i++) {
        ae_callout_start(driver->envoy, sources[i]);
        delay = delay_of(sources[i], delay);
        ae_source_release(sources[i]);
    }
    free(sources);
    ae_gauges_write();
    release_start(driver);
    delay = ae_waits_expire(delay);
    /* A timer of zero would come again at once, while a fetch is due that another thread has just ordered. */
    CALLBACK(bootstrap_extension_timer_enable)(driver->timer, (uint64_t)(delay < 1 ? 1 : delay));
}

/* Only one is possible: a second one would fetch everything twice. */
static _Atomic(ae_driver *) the_driver;

bool ae_driver_exists(void) { return atomic_load(&the_driver) != NULL; }

/* Runs under the lock that ae_sources_wake takes, so the scheduler is there. */
static void wake(void) { CALLBACK(bootstrap_extension_config_scheduler_commit)(atomic_load(&the_driver)->scheduler, 0); }

bool ae_driver_open(ae_driver *driver) {
    ae_driver *none = NULL;
    if (!atomic_compare_exchange_strong(&the_driver, &none, driver)) {
        return false;
    }
    driver->scheduler = CALLBACK(bootstrap_extension_config_scheduler_new)(driver->envoy);
    ae_sources_wake(wake);
    return true;
}

void ae_driver_start(ae_driver *driver) {
    driver->timer = CALLBACK(bootstrap_extension_timer_new)(driver->envoy);
    driver->is_running = driver->is_holding = true;
    driver->hold_until = ae_now() + driver->hold_milliseconds;
    ae_drive(driver);
}

void ae_driver_stop(ae_driver *driver) {
    driver->is_running = false;
    if (driver->timer) {
        CALLBACK(bootstrap_extension_timer_delete)(driver->timer);
        driver->timer = NULL;
    }
}

/* Envoy has cancelled what was under way. */
static void forget_callouts(void) {
    size_t count;
    ae_source **sources = ae_sources(&count);
    for (size_t i = 0; i < count; i++) {
        assay_fetch_free(sources[i]->fetch);
        sources[i]->fetch = NULL;
        ae_source_release(sources[i]);
    }
    free(sources);
}

void ae_driver_close(ae_driver *driver) {
    ae_sources_wake(NULL);
    atomic_store(&the_driver, NULL);
    ae_driver_stop(driver);
    CALLBACK(bootstrap_extension_config_scheduler_delete)(driver->scheduler);
    forget_callouts();
}
