/* A process may end by exit() at any moment: threads of libassay-http that work then do not disturb it. */

#define _GNU_SOURCE
#include "issuer.h"

/* In a child: libcrypto's handler of the exit runs while the threads begin, fetch, verify certificates or read keys. */
static int end_during_a_fetch(void *context) {
    const int *microseconds = context;
    new_http("/keys");
    usleep((useconds_t)*microseconds);
    exit(failed > 0);
}

static assay_http *held;

static void free_at_exit(void) { assay_http_free(held); }

/* In a child: the host's handler is older than libcrypto's, runs after it, and still frees. */
static int free_at_the_end(void *context) {
    const int *microseconds = context;
    atexit(free_at_exit);
    held = new_http("/keys");
    usleep((useconds_t)*microseconds);
    exit(failed > 0);
}

int main(int argc, char **argv) {
    if (argc != 4) { return 2; }
    read_issuer(argv);
    publish(JWKS);
    int rounds = atoi(argv[3]) * 5;
    for (int round = 0; round < rounds; round++) {
        int microseconds = round * 397 % 20000;
        in_child(end_during_a_fetch, &microseconds);
        in_child(free_at_the_end, &microseconds);
    }
    return report();
}
