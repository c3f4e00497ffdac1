// What a run needs from outside: a socket, and the requests.

#include "openloop.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>

void fail(const char *what) {
    perror(what);
    exit(1);
}

int connected_socket(const char *place) {
    struct sockaddr_un local = {.sun_family = AF_UNIX};
    struct sockaddr_in internet = {.sin_family = AF_INET};
    bool is_local = strncmp(place, "unix:", 5) == 0;
    if (is_local) {
        snprintf(local.sun_path, sizeof local.sun_path, "%s", place + 5);
    } else {
        char host[64] = "";
        unsigned port = 0;
        if (sscanf(place, "%63[^:]:%u", host, &port) != 2 || inet_pton(AF_INET, host, &internet.sin_addr) != 1) {
            fputs("an address is HOST:PORT or unix:PATH\n", stderr);
            exit(2);
        }
        internet.sin_port = htons((uint16_t)port);
    }
    int descriptor = socket(is_local ? AF_UNIX : AF_INET, SOCK_STREAM, 0), one = 1;
    if (descriptor < 0) { fail("socket"); }
    const struct sockaddr *address = is_local ? (const void *)&local : (const void *)&internet;
    if (connect(descriptor, address, is_local ? sizeof local : sizeof internet) != 0) { fail("connect"); }
    if (!is_local) { setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one); }
    if (fcntl(descriptor, F_SETFL, O_NONBLOCK) != 0) { fail("fcntl"); }
    return descriptor;
}

request *read_requests(const char *path, size_t *count) {
    request *requests = NULL;
    *count = 0;
    FILE *file = fopen(path, "rb");
    if (file == NULL) { fail(path); }
    uint8_t length[4];
    while (fread(length, 1, 4, file) == 4) {
        size_t size = (size_t)length[0] | (size_t)length[1] << 8 | (size_t)length[2] << 16;
        uint8_t *bytes = malloc(size);
        requests = realloc(requests, (*count + 1) * sizeof *requests);
        if (bytes == NULL || requests == NULL || size > 16000 || fread(bytes, 1, size, file) != size) { fail(path); }
        requests[(*count)++] = (request){bytes, size};
    }
    fclose(file);
    if (*count == 0) { fail(path); }
    return requests;
}
