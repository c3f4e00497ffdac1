/* Who fetches keys: on Envoy's main thread, with one timer, for all gateways. */
#ifndef ASSAY_ENVOY_DRIVER_H
#define ASSAY_ENVOY_DRIVER_H

#include "gateway.h"

typedef struct ae_driver {
    void *envoy, *timer, *scheduler;
    ae_gateway *gateway;         /* of the sources that the bootstrap extension itself names; NULL without any */
    bool is_running, is_holding; /* the start waits for keys */
    int64_t hold_until, hold_milliseconds;
    int64_t gauges_due;
} ae_driver;

/* From any thread: whether there is one, so that fetched keys can be had. */
bool ae_driver_exists(void);
/* From any thread: lets the driver look at what is due. Without a driver it does nothing. */
void ae_driver_wake(void);
/* The same as libassay's `wake`: a decision has ordered a fetch. */
void ae_driver_order(void *context);

/* The others belong to the main thread. From here on it can be woken. False if there is another one. */
bool ae_driver_open(ae_driver *driver);
/* Clusters can be asked now. */
void ae_driver_start(ae_driver *driver);
/* Starts what is due, and sets the timer. `has_ended` says that a fetch has ended, which gauges show. */
void ae_drive(ae_driver *driver, bool has_ended);
void ae_driver_stop(ae_driver *driver);
void ae_driver_close(ae_driver *driver);

#endif
