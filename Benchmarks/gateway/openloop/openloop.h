// The parts of the open-loop client share these declarations.
//
// The client asks at a constant rate, whether or not earlier answers have come. The latency of a request counts from the time at which the
// rate demands it, not from the time at which a connection became free for it. A server that stands still for a second therefore shows a
// second in the latencies of all requests of that second. A client that waits for an answer before it asks again would show it once.
//
// One thread does everything. Its own delay is measured too: how long after its intended time it noticed that a request was due.

#ifndef OPENLOOP_H
#define OPENLOOP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    MAX_STREAMS = 256,      // requests at once on a connection
    INPUT_BYTES = 65536,    // the largest answer of HTTP/1.1, or frame of HTTP/2
    OUTPUT_BYTES = 262144,  // bytes that the kernel has not taken
};

typedef struct {
    const uint8_t *bytes;
    size_t length;
} request;

// A request under way. Times are nanoseconds of CLOCK_MONOTONIC.
typedef struct {
    int64_t intended;
    bool is_active;
    uint8_t body[9];  // gRPC: the beginning of the answer's message
    uint8_t body_length;
} exchange;

typedef struct connection {
    int descriptor;
    size_t input_length, output_length;
    uint32_t active;  // requests under way
    bool wants_output;
    exchange exchanges[MAX_STREAMS];
    // HTTP/2
    uint32_t next_stream, max_streams;
    int64_t send_window, received;
    uint8_t input[INPUT_BYTES], output[OUTPUT_BYTES];
} connection;

typedef enum { RIGHT, WRONG } verdict;

typedef enum { OPEN, CLOSED } channel_state;

// What differs between HTTP/1.1 and gRPC.
typedef struct {
    void (*opened)(connection *c);
    bool (*is_ready)(const connection *c);
    void (*send)(connection *c, const request *r, int64_t intended);
    // Reads complete answers from the input and removes them. CLOSED if the server ends the connection or breaks the protocol.
    channel_state (*receive)(connection *c);
} protocol;

extern const protocol http1, grpc;

// Requests at once on a connection of gRPC.
extern uint32_t streams;

// Appends bytes to the connection's output. The caller of the protocol writes them to the socket.
void put(connection *c, const void *bytes, size_t length);

// Removes bytes from the beginning of the input.
void consume(connection *c, size_t length);

// Records the answer of an exchange, and makes the exchange free.
void answered(connection *c, exchange *e, verdict v);

// Says which call failed and why, and ends the program.
void fail(const char *what);

// A connected socket that does not block. `place` is HOST:PORT or unix:PATH.
int connected_socket(const char *place);

// The requests of a file; main.c has its format.
request *read_requests(const char *path, size_t *count);

// Latencies or delays, in nanoseconds.
typedef struct {
    uint32_t *values;
    size_t count, capacity;
} samples;

void add(samples *s, int64_t nanoseconds);
void sort(samples *s);
// Prints `"name": {"p50": …}` in microseconds. The samples are sorted.
void print_samples(const char *name, const samples *s);

#endif
