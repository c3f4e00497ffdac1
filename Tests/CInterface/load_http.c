/* Loads and unloads libassay-http, which fetches in each round: load_http LIBRARY ROUNDS URL. Certificates are not the subject: the fetch
 * fails at the first address that it may not reach. */

#include <assay_http.h>
#include <dlfcn.h>
#include <stdlib.h>
#include "check.h"

static void round_trip(const char *path, const char *url) {
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    CHECK(library != NULL);
    if (library == NULL) {
        puts(dlerror());
        return;
    }
    __typeof__(&assay_http_new_url) make = (__typeof__(make))dlsym(library, "assay_http_new_url");
    __typeof__(&assay_http_wait) wait = (__typeof__(wait))dlsym(library, "assay_http_wait");
    __typeof__(&assay_http_free) release = (__typeof__(release))dlsym(library, "assay_http_free");
    assay_http *http = NULL;
    CHECK_EQUAL(make(&http, url, strlen(url), NULL, NULL), ASSAY_OK);
    CHECK_EQUAL(wait(http, 10), ASSAY_KEYS_UNAVAILABLE);
    release(http);
    CHECK_EQUAL(dlclose(library), 0);
}

int main(int argc, char **argv) {
    if (argc != 4) { return 2; }
    for (int round = 0; round < atoi(argv[2]); round++) { round_trip(argv[1], argv[3]); }
    return report();
}
