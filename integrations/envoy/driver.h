/* Who fetches keys: on Envoy's main thread, with one timer, for all filters. Everything but ae_driver_exists belongs to that thread. */
#ifndef ASSAY_ENVOY_DRIVER_H
#define ASSAY_ENVOY_DRIVER_H

#include "source.h"

typedef struct ae_driver {
    void *envoy, *timer, *scheduler;
    bool is_running, is_holding; /* the start waits for keys */
    int64_t hold_until, hold_milliseconds;
} ae_driver;

/* Whether there is one, so that fetched keys can be had. */
bool ae_driver_exists(void);

/* From here on sources can wake it. False if there is another one. */
bool ae_driver_open(ae_driver *driver);
/* Clusters can be asked now. */
void ae_driver_start(ae_driver *driver);
/* Starts what is due, and sets the timer. */
void ae_drive(ae_driver *driver);
void ae_driver_stop(ae_driver *driver);
void ae_driver_close(ae_driver *driver);

#endif
