// HTTP/1.1 without pipelining: one request at a time on a connection, as gateways ask.

#define _GNU_SOURCE
#include "openloop.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static void opened(connection *c) { (void)c; }

static bool is_ready(const connection *c) { return c->active == 0; }

static void send_request(connection *c, const request *r, int64_t intended) {
    c->exchanges[0] = (exchange){.intended = intended, .is_active = true};
    c->active = 1;
    put(c, r->bytes, r->length);
}

// The value of a field of a head that ends in an empty line; NULL if there is none. `name` has the colon.
static const char *field(const char *head, size_t length, const char *name) {
    size_t size = strlen(name);
    for (const char *line = head, *end; (end = memmem(line, length - (size_t)(line - head), "\r\n", 2)) != NULL; line = end + 2) {
        if ((size_t)(end - line) > size && strncasecmp(line, name, size) == 0) {
            for (line += size; *line == ' '; line++) {}
            return line;
        }
    }
    return NULL;
}

static channel_state receive(connection *c) {
    const char *text = (const char *)c->input, *end;
    while ((end = memmem(text, c->input_length, "\r\n\r\n", 4)) != NULL) {
        size_t head = (size_t)(end - text) + 4;
        const char *length = field(text, head, "content-length:"), *closing = field(text, head, "connection:");
        if (length == NULL || head < 16 || c->active == 0) {
            fprintf(stderr, "an answer without Content-Length, or without a request: %.60s\n", text);
            return CLOSED;
        }
        size_t whole = head + strtoul(length, NULL, 10);
        if (whole > INPUT_BYTES) { return CLOSED; }
        if (c->input_length < whole) { break; }
        bool ends = closing != NULL && strncasecmp(closing, "close", 5) == 0;
        verdict v = memcmp(text + 9, "200", 3) == 0 ? RIGHT : WRONG;
        consume(c, whole);
        answered(c, &c->exchanges[0], v);
        if (ends) { return CLOSED; }
    }
    return c->input_length == INPUT_BYTES ? CLOSED : OPEN;
}

const protocol http1 = {opened, is_ready, send_request, receive};
