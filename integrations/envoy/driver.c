#include "driver.h"

#include <pthread.h>
#include <stdatomic.h>

#include "callout.h"
#include "clock.h"
#include "stats.h"
#include "status.h"
#include "waiting.h"

/* How often gauges are written at least. */
#define MOST_DELAY 5000

/* A lock of its own: libassay wakes the driver from a worker's thread, perhaps while another thread holds another lock of the module. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
/* Only one is possible: a second one would fetch everything twice. It changes under the lock. */
static ae_driver *_Atomic the_driver;
/* A decision has ordered a fetch since the driver has looked. */
static atomic_bool is_ordered;

bool ae_driver_exists(void) { return the_driver != NULL; }

void ae_driver_wake(void) {
    pthread_mutex_lock(&lock);
    if (the_driver) {
        CALLBACK(bootstrap_extension_config_scheduler_commit)(the_driver->scheduler, 0);
    }
    pthread_mutex_unlock(&lock);
}

void ae_driver_order(void *context) {
    (void)context;
    atomic_store(&is_ordered, true);
    ae_driver_wake();
}

bool ae_driver_open(ae_driver *driver) {
    pthread_mutex_lock(&lock);
    bool is_first = !the_driver;
    if (is_first) {
        driver->scheduler = CALLBACK(bootstrap_extension_config_scheduler_new)(driver->envoy);
        the_driver = driver;
    }
    pthread_mutex_unlock(&lock);
    return is_first;
}

/* Envoy begins to listen when required issuers have keys, or after the time to hold. */
static void release_start(ae_driver *driver, ae_gateways gateways) {
    size_t awaited = driver->is_holding ? ae_status_awaited(gateways) : 0;
    if (!driver->is_holding || (awaited && ae_milliseconds() < driver->hold_until)) {
        return;
    }
    if (awaited) {
        ae_log(ENVOY_LOG_WARN, "assay: Envoy starts without the keys of %zu required issuers", awaited);
    }
    driver->is_holding = false;
    CALLBACK(bootstrap_extension_config_signal_init_complete)(driver->envoy);
}

static void write_gauges(ae_driver *driver, bool has_ended) {
    if (has_ended || ae_milliseconds() >= driver->gauges_due) {
        driver->gauges_due = ae_milliseconds() + MOST_DELAY;
        ae_gauges_write();
    }
}

void ae_drive(ae_driver *driver, bool has_ended) {
    if (!driver->is_running) {
        return;
    }
    int64_t delay = driver->is_holding ? 200 : MOST_DELAY;
    bool was_ordered = atomic_exchange(&is_ordered, false);
    ae_gateways gateways = ae_gateways_retained();
    ae_fetching_begin();
    for (size_t i = 0; i < gateways.count; i++) {
        ae_callouts_start(driver->envoy, gateways.all[i]);
        int64_t due = assay_gateway_next_due(gateways.all[i]->core);
        delay = due < delay ? due : delay;
    }
    /* If keys in a file were ordered, they have been read, and no callout says so. */
    ae_fetching_end(was_ordered);
    release_start(driver, gateways);
    ae_gateways_release(gateways);
    write_gauges(driver, has_ended);
    delay = ae_waits_expire(delay);
    /* A timer of zero would come again at once, while a fetch is due that another thread has just ordered. */
    CALLBACK(bootstrap_extension_timer_enable)(driver->timer, (uint64_t)(delay < 1 ? 1 : delay));
}

void ae_driver_start(ae_driver *driver) {
    driver->timer = CALLBACK(bootstrap_extension_timer_new)(driver->envoy);
    driver->is_running = driver->is_holding = true;
    driver->hold_until = ae_milliseconds() + driver->hold_milliseconds;
    ae_drive(driver, false);
}

void ae_driver_stop(ae_driver *driver) {
    driver->is_running = false;
    if (driver->timer) {
        CALLBACK(bootstrap_extension_timer_delete)(driver->timer);
        driver->timer = NULL;
    }
}

void ae_driver_close(ae_driver *driver) {
    pthread_mutex_lock(&lock);
    the_driver = NULL;
    pthread_mutex_unlock(&lock);
    ae_driver_stop(driver);
    CALLBACK(bootstrap_extension_config_scheduler_delete)(driver->scheduler);
    ae_callouts_forget();
}
