// openloop --address unix:PATH|HOST:PORT --requests FILE [--grpc] [--connections N] [--streams N] [--rate R] [--warmup S] [--seconds S]
//
// Asks at R requests a second and prints a line of JSON. Without --rate it asks again as soon as an answer is there ("closed loop"), which
// measures the maximum. FILE has requests one after another, each with its length as four bytes, least significant first: whole requests
// of HTTP/1.1, or messages of gRPC with their prefix. The client takes them in turn, again and again.

#define _GNU_SOURCE
#include "openloop.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static const int64_t second = 1000000000, patience = 5000000000;

static struct {
    const char *address, *file;
    const protocol *protocol;
    int connections;
    double rate, warmup, seconds;
} options = {.protocol = &http1, .connections = 32, .warmup = 0.5, .seconds = 5};

static connection *connections;
static request *requests;
static size_t request_count, next_request;
static int epoll, turn;
// Times of the run; answers to requests that were due before `measured` are not counted.
static int64_t begin, measured, finish;
// Arrivals of an open loop: how many were due so far, and how many were sent.
static int64_t due, sent;
static uint64_t right, wrong, failed, waited, reconnections, answers, answers_in_time;
static samples latencies, delays;

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * second + time.tv_nsec;
}

static int64_t intended(int64_t arrival) { return begin + (int64_t)((double)arrival * 1e9 / options.rate); }

// Connections

void put(connection *c, const void *bytes, size_t length) {
    if (length > OUTPUT_BYTES - c->output_length) {
        fputs("the server does not take the requests\n", stderr);
        exit(1);
    }
    memcpy(c->output + c->output_length, bytes, length);
    c->output_length += length;
}

void consume(connection *c, size_t length) {
    memmove(c->input, c->input + length, c->input_length - length);
    c->input_length -= length;
}

static void watch(connection *c, int operation) {
    struct epoll_event event = {.events = EPOLLIN | (c->wants_output ? EPOLLOUT : 0), .data.ptr = c};
    if (epoll_ctl(epoll, operation, c->descriptor, &event) != 0) { fail("epoll_ctl"); }
}

static bool flush(connection *c) {
    while (c->output_length > 0) {
        ssize_t written = send(c->descriptor, c->output, c->output_length, MSG_NOSIGNAL);
        if (written < 0 && errno == EINTR) { continue; }
        if (written < 0 && errno != EAGAIN) { return false; }
        if (written < 0) { break; }
        memmove(c->output, c->output + written, c->output_length - (size_t)written);
        c->output_length -= (size_t)written;
    }
    if (c->wants_output != (c->output_length > 0)) {
        c->wants_output = !c->wants_output;
        watch(c, EPOLL_CTL_MOD);
    }
    return true;
}

static void open_connection(connection *c) {
    memset(c, 0, offsetof(connection, input));
    c->descriptor = connected_socket(options.address);
    watch(c, EPOLL_CTL_ADD);
    options.protocol->opened(c);
    flush(c);
}

// Requests under way on a connection that the server closed have failed.
static void reopen(connection *c) {
    for (int i = 0; i < MAX_STREAMS; i++) { failed += c->exchanges[i].is_active && c->exchanges[i].intended >= measured; }
    close(c->descriptor);
    reconnections++;
    open_connection(c);
}

static void receive(connection *c) {
    channel_state state = OPEN;
    ssize_t count = read(c->descriptor, c->input + c->input_length, INPUT_BYTES - c->input_length);
    if (count < 0 && (errno == EAGAIN || errno == EINTR)) { return; }
    if (count <= 0) {
        state = CLOSED;
    } else {
        c->input_length += (size_t)count;
        state = options.protocol->receive(c);
    }
    if (state == CLOSED || !flush(c)) { reopen(c); }
}

// Requests

void answered(connection *c, exchange *e, verdict v) {
    int64_t time = now();
    e->is_active = false;
    c->active--;
    answers++;
    answers_in_time += time >= measured && time < finish;
    if (e->intended < measured) { return; }
    if (v == RIGHT) { right++; } else { wrong++; }
    add(&latencies, time - e->intended);
}

// A connection that may take a request; each gets its turn.
static connection *ready(void) {
    for (int i = 0; i < options.connections; i++) {
        turn = (turn + 1) % options.connections;
        if (options.protocol->is_ready(&connections[turn])) { return &connections[turn]; }
    }
    return NULL;
}

static void ask(connection *c, int64_t time) {
    options.protocol->send(c, &requests[next_request], time);
    next_request = (next_request + 1) % request_count;
    if (!flush(c)) { reopen(c); }
}

// Notices the arrivals that are due, and sends what connections can take. The others wait, and their latency runs.
static void ask_what_is_due(void) {
    int64_t noticed = due;
    for (int64_t time = now(); intended(due) <= time && intended(due) < finish; due++) {
        if (intended(due) >= measured) { add(&delays, time - intended(due)); }
    }
    for (connection *c; sent < due && (c = ready()) != NULL; sent++) { ask(c, intended(sent)); }
    waited += (uint64_t)(due - (sent > noticed ? sent : noticed));
}

static void ask_again(void) {
    int64_t time = now();
    if (time >= finish) { return; }
    for (connection *c; (c = ready()) != NULL;) { ask(c, time); }
}

static bool is_over(int64_t time) {
    if (time < finish || (options.rate > 0 && sent < due)) { return false; }
    for (int i = 0; i < options.connections; i++) {
        if (connections[i].active > 0) { return false; }
    }
    return true;
}

// Until the next arrival, or the end.
static struct timespec time_to_sleep(void) {
    int64_t time = now(), wake = time < finish ? finish : finish + patience;
    if (options.rate > 0 && intended(due) < finish) { wake = intended(due); }
    int64_t wait = wake > time ? wake - time : 0;
    return (struct timespec){.tv_sec = wait / second, .tv_nsec = wait % second};
}

static void run(void) {
    struct epoll_event events[64];
    for (int64_t time = now(); !is_over(time) && time < finish + patience; time = now()) {
        if (options.rate > 0) { ask_what_is_due(); } else { ask_again(); }
        struct timespec timeout = time_to_sleep();
        int count = epoll_pwait2(epoll, events, 64, &timeout, NULL);
        if (count < 0 && errno != EINTR) { fail("epoll_pwait2"); }
        for (int i = 0; i < count; i++) {
            connection *c = events[i].data.ptr;
            if (events[i].events & EPOLLOUT && !flush(c)) {
                reopen(c);
            } else if (events[i].events & ~(uint32_t)EPOLLOUT) {
                receive(c);
            }
        }
    }
    for (int i = 0; i < options.connections; i++) { failed += connections[i].active; }
    failed += (uint64_t)(due - sent);
}

// Options and output

static double processor_seconds(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) + (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

static void print(double processor) {
    sort(&latencies);
    sort(&delays);
    printf("{\"right\": %lu, \"wrong\": %lu, \"failed\": %lu, \"answers\": %lu, ", right, wrong, failed, answers);
    printf("\"waited\": %lu, \"reconnections\": %lu, ", waited, reconnections);
    double seconds = options.warmup + options.seconds;
    printf("\"per_second\": %.1f, \"client_core\": %.3f, ", (double)answers_in_time / options.seconds, processor / seconds);
    print_samples("latency_us", &latencies);
    fputs(", ", stdout);
    print_samples("client_delay_us", &delays);
    puts("}");
}

static void read_options(int count, char **words) {
    static const struct option names[] = {
        {"address", 1, 0, 'a'}, {"requests", 1, 0, 'f'}, {"grpc", 0, 0, 'g'},   {"connections", 1, 0, 'c'}, {"streams", 1, 0, 'm'},
        {"rate", 1, 0, 'r'},    {"warmup", 1, 0, 'w'},   {"seconds", 1, 0, 's'}, {0},
    };
    for (int name; (name = getopt_long(count, words, "", names, NULL)) != -1;) {
        switch (name) {
        case 'a': options.address = optarg; break;
        case 'f': options.file = optarg; break;
        case 'g': options.protocol = &grpc; break;
        case 'c': options.connections = atoi(optarg); break;
        case 'm': streams = (uint32_t)atoi(optarg); break;
        case 'r': options.rate = atof(optarg); break;
        case 'w': options.warmup = atof(optarg); break;
        case 's': options.seconds = atof(optarg); break;
        default: exit(2);
        }
    }
    if (options.address == NULL || options.file == NULL || options.connections < 1 || streams < 1 || streams > MAX_STREAMS) {
        fputs("openloop --address unix:PATH|HOST:PORT --requests FILE [--grpc] [--connections N] [--streams N] [--rate R] [--warmup S] "
              "[--seconds S]\n",
              stderr);
        exit(2);
    }
}

int main(int count, char **words) {
    read_options(count, words);
    requests = read_requests(options.file, &request_count);
    // Without it the kernel may wake a sleeping thread 50 µs late.
    prctl(PR_SET_TIMERSLACK, 1UL);
    epoll = epoll_create1(0);
    connections = calloc((size_t)options.connections, sizeof *connections);
    if (epoll < 0 || connections == NULL) { fail("epoll_create1"); }
    for (int i = 0; i < options.connections; i++) { open_connection(&connections[i]); }
    begin = now() + second / 100;
    measured = begin + (int64_t)(options.warmup * 1e9);
    finish = measured + (int64_t)(options.seconds * 1e9);
    double processor = processor_seconds();
    run();
    print(processor_seconds() - processor);
    return 0;
}
