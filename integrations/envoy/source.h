/* Keys that are fetched. A filter of a new listener shares the keys of the old one, if it names the same source: updates of listeners
 * fetch nothing. Functions take any thread; what is marked so belongs to the main thread. */
#ifndef ASSAY_ENVOY_SOURCE_H
#define ASSAY_ENVOY_SOURCE_H

#include "settings.h"

typedef struct ae_route {
    char *authority, *cluster;
} ae_route;

typedef struct ae_source {
    assay_keys *keys;
    char *identity;       /* the settings, as text: what has the same is the same source */
    char *name;           /* the URL or the issuer, for the log */
    bool is_https;
    ae_route *routes;     /* the first one is that of the name's own authority */
    size_t route_count;
    uint64_t timeout;     /* milliseconds */
    bool is_required;     /* the start waits for its keys. Under the lock of all sources. */
    size_t users;         /* likewise */
    struct ae_source *next;
    /* Of the main thread: */
    assay_fetch *fetch;   /* handed out, and under way as `callout` */
    uint64_t callout;
    const char *cluster;  /* that the last request was for; NULL: no route names one */
    bool lacks_cluster;   /* Envoy had no such cluster */
    bool is_current;      /* the last fetch succeeded */
    int64_t began;        /* milliseconds of the monotonic clock */
    uint64_t fetches, failures, last_duration;
} ae_source;

/* Finds or makes the source of a provider, whose settings are `provider` and `keys`. NULL after a fault. */
ae_source *ae_source_acquire(const ae_settings *provider, const ae_settings *keys, const char *issuer);
void ae_source_retain(ae_source *source);
void ae_source_release(ae_source *source);

/* All sources, each retained for the caller. The caller frees the array. */
ae_source **ae_sources(size_t *out_count);
/* How many required sources have no keys yet. */
size_t ae_sources_awaited(void);

/* The object that looks at the sources on the main thread; NULL if there is none. */
void ae_sources_wake(void (*wake)(void));
/* Orders such a look, from any thread. */
void ae_sources_look(void);

#endif
