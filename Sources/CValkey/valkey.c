#include "CValkey.h"

#include <errno.h>
#include <fcntl.h>
#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <openssl/err.h>
#include <openssl/ssl.h>

struct cvalkey_tls {
    SSL_CTX *context;
};

struct cvalkey_connection {
    int descriptor;
    SSL *ssl;
    redisReader *reader;
};

int64_t cvalkey_now(void) {
    struct timespec now;
    if (clock_gettime(CLOCK_MONOTONIC, &now) != 0) return INT64_MAX;
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void say(char message[CVALKEY_MESSAGE], const char *text) { snprintf(message, CVALKEY_MESSAGE, "%s", text); }

static void say_tls(char message[CVALKEY_MESSAGE], const char *otherwise) {
    unsigned long error = ERR_peek_last_error();
    const char *reason = error != 0 ? ERR_reason_error_string(error) : NULL;
    say(message, reason != NULL ? reason : otherwise);
    ERR_clear_error();
}

cvalkey_tls *cvalkey_tls_make(const char *ca_file, char message[CVALKEY_MESSAGE]) {
    cvalkey_tls *tls = calloc(1, sizeof *tls);
    if (tls == NULL || (tls->context = SSL_CTX_new(TLS_client_method())) == NULL) {
        say(message, "out of memory");
        free(tls);
        return NULL;
    }
    SSL_CTX_set_verify(tls->context, SSL_VERIFY_PEER, NULL);
    SSL_CTX_set_mode(tls->context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
    int is_good = SSL_CTX_set_min_proto_version(tls->context, TLS1_2_VERSION);
    is_good &= ca_file != NULL ? SSL_CTX_load_verify_locations(tls->context, ca_file, NULL)
                               : SSL_CTX_set_default_verify_paths(tls->context);
    if (is_good == 1) return tls;
    say_tls(message, "the certificates cannot be read");
    cvalkey_tls_free(tls);
    return NULL;
}

void cvalkey_tls_free(cvalkey_tls *tls) {
    if (tls == NULL) return;
    SSL_CTX_free(tls->context);
    free(tls);
}

// Zero at the deadline.
static int wait_for(int descriptor, short events, int64_t deadline, char message[CVALKEY_MESSAGE]) {
    for (;;) {
        int64_t left = deadline - cvalkey_now();
        if (left <= 0) break;
        struct pollfd entry = {.fd = descriptor, .events = events};
        int count = poll(&entry, 1, left > 1000000 ? 1000000 : (int)left);
        if (count > 0) return 1;
        if (count < 0 && errno != EINTR) {
            say(message, strerror(errno));
            return 0;
        }
    }
    say(message, "no answer in time");
    return 0;
}

// What an operation of TLS waits for; zero if it has failed.
static short awaited(SSL *ssl, int result) {
    switch (SSL_get_error(ssl, result)) {
    case SSL_ERROR_WANT_READ: return POLLIN;
    case SSL_ERROR_WANT_WRITE: return POLLOUT;
    default: return 0;
    }
}

static int shake_hands(cvalkey_connection *connection, const char *host, const cvalkey_tls *tls, int64_t deadline,
                       char message[CVALKEY_MESSAGE]) {
    if (tls == NULL) return 1;
    SSL *ssl = connection->ssl = SSL_new(tls->context);
    // An address is no name of RFC 6066, and certificates have it elsewhere.
    unsigned char address[sizeof(struct in6_addr)];
    int is_address = inet_pton(AF_INET, host, address) == 1 || inet_pton(AF_INET6, host, address) == 1;
    int is_named = ssl != NULL && (is_address ? X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(ssl), host)
                                              : SSL_set1_host(ssl, host) && SSL_set_tlsext_host_name(ssl, host));
    if (!is_named || SSL_set_fd(ssl, connection->descriptor) != 1) {
        say_tls(message, "out of memory");
        return 0;
    }
    for (;;) {
        ERR_clear_error();
        int result = SSL_connect(ssl);
        if (result == 1) return 1;
        short events = awaited(ssl, result);
        if (events == 0) {
            say_tls(message, "the server ended the connection");
            return 0;
        }
        if (!wait_for(connection->descriptor, events, deadline, message)) return 0;
    }
}

// A connected socket that does not block, or -1.
static int open_socket(const struct addrinfo *address, int64_t deadline, char message[CVALKEY_MESSAGE]) {
    int descriptor = socket(address->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (descriptor < 0) {
        say(message, strerror(errno));
        return -1;
    }
    int one = 1, error = 0;
    socklen_t size = sizeof error;
    setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    setsockopt(descriptor, SOL_SOCKET, SO_KEEPALIVE, &one, sizeof one);
    if (connect(descriptor, address->ai_addr, address->ai_addrlen) != 0) {
        error = errno;
        if (error == EINPROGRESS) {
            if (!wait_for(descriptor, POLLOUT, deadline, message)) goto failed;
            if (getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &error, &size) != 0) error = errno;
        }
    }
    if (error == 0) return descriptor;
    say(message, strerror(error));
failed:
    close(descriptor);
    return -1;
}

cvalkey_connection *cvalkey_connect(const char *host, const char *port, const cvalkey_tls *tls, int64_t deadline,
                                    char message[CVALKEY_MESSAGE]) {
    struct addrinfo *addresses = NULL, hints = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM, .ai_flags = AI_ADDRCONFIG};
    int fault = getaddrinfo(host, port, &hints, &addresses);
    if (fault != 0) {
        say(message, gai_strerror(fault));
        return NULL;
    }
    int descriptor = -1, left = 0;
    for (const struct addrinfo *address = addresses; address != NULL; address = address->ai_next) left += 1;
    // An address that does not answer leaves time for the others.
    for (const struct addrinfo *address = addresses; address != NULL && descriptor < 0; address = address->ai_next, left -= 1) {
        int64_t now = cvalkey_now();
        descriptor = open_socket(address, now + (deadline - now) / left, message);
    }
    freeaddrinfo(addresses);
    if (descriptor < 0) return NULL;
    cvalkey_connection *connection = calloc(1, sizeof *connection);
    if (connection == NULL || (connection->reader = redisReaderCreate()) == NULL) {
        say(message, "out of memory");
        close(descriptor);
        free(connection);
        return NULL;
    }
    connection->descriptor = descriptor;
    if (shake_hands(connection, host, tls, deadline, message)) return connection;
    cvalkey_close(connection);
    return NULL;
}

void cvalkey_close(cvalkey_connection *connection) {
    if (connection == NULL) return;
    SSL_free(connection->ssl);
    redisReaderFree(connection->reader);
    close(connection->descriptor);
    free(connection);
}

// One step of reading or writing: bytes, zero to try again, or -1.
static int step(cvalkey_connection *connection, char *in, const char *out, size_t count, int64_t deadline, char message[CVALKEY_MESSAGE]) {
    int size = count > 16384 ? 16384 : (int)count, result;
    short events;
    if (connection->ssl != NULL) {
        ERR_clear_error();
        result = in != NULL ? SSL_read(connection->ssl, in, size) : SSL_write(connection->ssl, out, size);
        events = result > 0 ? 0 : awaited(connection->ssl, result);
    } else {
        result = (int)(in != NULL ? read(connection->descriptor, in, (size_t)size) : write(connection->descriptor, out, (size_t)size));
        events = result < 0 && (errno == EAGAIN || errno == EINTR) ? (in != NULL ? POLLIN : POLLOUT) : 0;
    }
    if (result > 0) return result;
    if (events == 0) {
        say(message, connection->ssl == NULL && result < 0 ? strerror(errno) : "the server ended the connection");
        ERR_clear_error();
        return -1;
    }
    return wait_for(connection->descriptor, events, deadline, message) ? 0 : -1;
}

static redisReply *read_reply(cvalkey_connection *connection, int64_t deadline, char message[CVALKEY_MESSAGE]) {
    size_t total = 0;
    char bytes[4096];
    for (;;) {
        void *reply = NULL;
        if (redisReaderGetReply(connection->reader, &reply) != REDIS_OK) {
            say(message, "a reply that is no RESP");
            return NULL;
        }
        if (reply != NULL) return reply;
        if (total > CVALKEY_MOST_REPLY) {
            say(message, "a reply that is too large");
            return NULL;
        }
        int count = step(connection, bytes, NULL, sizeof bytes, deadline, message);
        if (count < 0) return NULL;
        if (count > 0 && redisReaderFeed(connection->reader, bytes, (size_t)count) != REDIS_OK) {
            say(message, "out of memory");
            return NULL;
        }
        total += (size_t)count;
    }
}

redisReply *cvalkey_command(cvalkey_connection *connection, int count, const char *const *words, const size_t *lengths, int64_t deadline,
                            char message[CVALKEY_MESSAGE]) {
    char *command = NULL;
    // The words are only read; the function has no const.
    int length = redisFormatCommandArgv(&command, count, (const char **)(uintptr_t)words, lengths);
    if (length < 0) {
        say(message, "out of memory");
        return NULL;
    }
    int sent = 0, result = 0;
    while (sent < length && result >= 0) {
        result = step(connection, NULL, command + sent, (size_t)(length - sent), deadline, message);
        if (result > 0) sent += result;
    }
    redisFreeCommand(command);
    return result < 0 ? NULL : read_reply(connection, deadline, message);
}

int cvalkey_is_over(const cvalkey_connection *connection) {
    struct pollfd entry = {.fd = connection->descriptor, .events = POLLIN};
    if (poll(&entry, 1, 0) == 0) return 0;
    if (connection->ssl == NULL) return 1;
    // A message of TLS itself, such as a ticket, is no end.
    char byte;
    ERR_clear_error();
    int result = SSL_peek(connection->ssl, &byte, 1);
    return result > 0 || awaited(connection->ssl, result) == 0;
}
