// Calls of envoy.service.auth.v3.Authorization/Check over HTTP/2 without TLS (RFC 9113). Fields are never put into a table of HPACK, and
// the server is told not to use one, so no field of an answer has to be decoded: the message says whether the call was admitted.

#include "openloop.h"

#include <stdio.h>
#include <string.h>

enum { DATA = 0, HEADERS = 1, RST_STREAM = 3, SETTINGS = 4, PING = 6, GOAWAY = 7, WINDOW_UPDATE = 8 };
enum { END_STREAM = 1, ACK = 1, END_HEADERS = 4 };
enum { SETTINGS_HEADER_TABLE_SIZE = 1, SETTINGS_MAX_CONCURRENT_STREAMS = 3, SETTINGS_INITIAL_WINDOW_SIZE = 4 };
enum { FRAME_HEAD = 9, INITIAL_WINDOW = 65535, WINDOW = 1 << 30 };

uint32_t streams = 64;

// HPACK (RFC 7541): indexed fields of the static table, and literal fields without indexing.
static const char fields[] =
    "\x83\x86"
    "\x04\x2a/envoy.service.auth.v3.Authorization/Check"
    "\x01\x05"
    "assay"
    "\x0f\x10\x10"
    "application/grpc"
    "\x00\x02te\x08trailers";

static void put32(uint8_t *out, uint32_t value) {
    for (int i = 0; i < 4; i++) { out[i] = (uint8_t)(value >> (24 - 8 * i)); }
}

static uint32_t get32(const uint8_t *in) { return (uint32_t)in[0] << 24 | (uint32_t)in[1] << 16 | (uint32_t)in[2] << 8 | in[3]; }

static void put_frame(connection *c, uint8_t type, uint8_t flags, uint32_t stream, const void *payload, size_t length) {
    uint8_t head[FRAME_HEAD] = {(uint8_t)(length >> 16), (uint8_t)(length >> 8), (uint8_t)length, type, flags};
    put32(head + 5, stream);
    put(c, head, sizeof head);
    put(c, payload, length);
}

static void widen(connection *c, uint32_t by) {
    uint8_t payload[4];
    put32(payload, by);
    put_frame(c, WINDOW_UPDATE, 0, 0, payload, sizeof payload);
}

static void opened(connection *c) {
    static const char preface[] = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
    static const uint8_t settings[] = {0, SETTINGS_HEADER_TABLE_SIZE, 0, 0, 0, 0, 0, SETTINGS_INITIAL_WINDOW_SIZE, 0x40, 0, 0, 0};
    c->next_stream = 1;
    c->max_streams = streams;
    c->send_window = INITIAL_WINDOW;
    c->received = 0;
    put(c, preface, sizeof preface - 1);
    put_frame(c, SETTINGS, 0, 0, settings, sizeof settings);
    widen(c, WINDOW - INITIAL_WINDOW);
}

static exchange *exchange_of(connection *c, uint32_t stream) { return &c->exchanges[stream / 2 % MAX_STREAMS]; }

// A stream's own window is never used up: a request is smaller than the smallest window that servers give.
static bool is_ready(const connection *c) {
    return c->active < c->max_streams && c->send_window >= 16384 && !c->exchanges[c->next_stream / 2 % MAX_STREAMS].is_active;
}

static void send_request(connection *c, const request *r, int64_t intended) {
    uint32_t stream = c->next_stream;
    c->next_stream += 2;
    *exchange_of(c, stream) = (exchange){.intended = intended, .is_active = true};
    c->active++;
    c->send_window -= (int64_t)r->length;
    put_frame(c, HEADERS, END_HEADERS, stream, fields, sizeof fields - 1);
    put_frame(c, DATA, END_STREAM, stream, r->bytes, r->length);
}

static void set(connection *c, const uint8_t *payload, size_t length) {
    for (size_t i = 0; i + 6 <= length; i += 6) {
        uint32_t value = get32(payload + i + 2);
        if (payload[i + 1] == SETTINGS_MAX_CONCURRENT_STREAMS && value < c->max_streams) { c->max_streams = value; }
    }
    put_frame(c, SETTINGS, ACK, 0, "", 0);
}

// Collects the beginning of the message: five bytes of gRPC's prefix, then the status, which is empty in an admission, then `ok_response`.
static void collect(connection *c, uint32_t stream, const uint8_t *payload, size_t length) {
    exchange *e = exchange_of(c, stream);
    size_t room = sizeof e->body - e->body_length, taken = length < room ? length : room;
    memcpy(e->body + e->body_length, payload, taken);
    e->body_length += (uint8_t)taken;
    c->received += (int64_t)length;
    if (c->received > WINDOW / 2) {
        widen(c, (uint32_t)c->received);
        c->received = 0;
    }
}

static void end(connection *c, uint32_t stream) {
    exchange *e = exchange_of(c, stream);
    if (!e->is_active) { return; }
    bool is_admitted = e->body_length >= 8 && memcmp(e->body + 5, "\x0a\x00\x1a", 3) == 0;
    answered(c, e, is_admitted ? RIGHT : WRONG);
}

static channel_state receive_frame(connection *c, uint8_t type, uint8_t flags, uint32_t stream, const uint8_t *payload, size_t length) {
    switch (type) {
    case DATA:
        collect(c, stream, payload, length);
        if (flags & END_STREAM) { end(c, stream); }
        break;
    case HEADERS:
        if (flags & END_STREAM) { end(c, stream); }
        break;
    case RST_STREAM: end(c, stream); break;
    case SETTINGS:
        if (!(flags & ACK)) { set(c, payload, length); }
        break;
    case PING:
        if (!(flags & ACK)) { put_frame(c, PING, ACK, 0, payload, length); }
        break;
    case WINDOW_UPDATE:
        if (stream == 0 && length == 4) { c->send_window += get32(payload); }
        break;
    case GOAWAY: fprintf(stderr, "GOAWAY, error %u\n", length >= 8 ? get32(payload + 4) : 0); return CLOSED;
    default: break;
    }
    return OPEN;
}

static channel_state receive(connection *c) {
    size_t at = 0;
    channel_state state = OPEN;
    while (state == OPEN && c->input_length - at >= FRAME_HEAD) {
        const uint8_t *head = c->input + at;
        size_t length = (size_t)head[0] << 16 | (size_t)head[1] << 8 | head[2];
        if (length > INPUT_BYTES - FRAME_HEAD) { return CLOSED; }
        if (c->input_length - at < FRAME_HEAD + length) { break; }
        state = receive_frame(c, head[3], head[4], get32(head + 5) & 0x7fffffff, head + FRAME_HEAD, length);
        at += FRAME_HEAD + length;
    }
    consume(c, at);
    return state;
}

const protocol grpc = {opened, is_ready, send_request, receive};
