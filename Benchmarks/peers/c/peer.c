// PROGRAM FOLDER ALGORITHM SECONDS: prints one line of JSON. ../README.md describes the folder and the output.

#include "peer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { TOKENS_PER_LOOK_AT_THE_CLOCK = 100 };

typedef struct {
    peer_token *items;
    size_t count;
} token_list;

static const char *folder;

static void fail(const char *what, const char *which) {
    fprintf(stderr, "%s: %s\n", what, which);
    exit(1);
}

// A file of the folder with a zero byte after it; NULL if it does not exist.
static char *read_file(const char *directory, const char *name, size_t *length) {
    char path[1024];
    snprintf(path, sizeof path, "%s/%s/%s", folder, directory, name);
    FILE *file = fopen(path, "rb");
    if (file == NULL) { return NULL; }
    fseek(file, 0, SEEK_END);
    *length = (size_t)ftell(file);
    rewind(file);
    char *bytes = malloc(*length + 1);
    if (bytes == NULL || fread(bytes, 1, *length, file) != *length) { fail("cannot read", path); }
    bytes[*length] = 0;
    fclose(file);
    return bytes;
}

static char *need_file(const char *directory, const char *name, size_t *length) {
    char *bytes = read_file(directory, name, length);
    if (bytes == NULL) { fail("missing file", name); }
    return bytes;
}

static const char *read_line(const char *directory, const char *name) {
    size_t length;
    char *line = need_file(directory, name, &length);
    line[strcspn(line, "\n")] = 0;
    return line;
}

static token_list read_tokens(const char *directory, const char *name) {
    size_t length;
    char *text = need_file(directory, name, &length);
    token_list list = {.count = 0};
    for (size_t i = 0; i < length; i++) { list.count += text[i] == '\n'; }
    list.items = calloc(list.count, sizeof *list.items);
    if (list.items == NULL) { fail("no memory for", name); }
    for (size_t i = 0; i < list.count; i++) {
        size_t line = strcspn(text, "\n");
        text[line] = 0;
        list.items[i] = (peer_token){.text = text, .length = line};
        text += line + 1;
    }
    return list;
}

static bool refuses(const char *algorithm, const char *name) {
    token_list list = read_tokens(algorithm, name);
    for (size_t i = 0; i < list.count; i++) {
        if (peer_accepts(&list.items[i])) { return false; }
    }
    return list.count > 0;
}

// By the clock that PEERS_CLOCK chooses.
static double now(void) {
    const char *chosen = getenv("PEERS_CLOCK");
    struct timespec time;
    clock_gettime(chosen && strcmp(chosen, "processor") == 0 ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void verify_next(token_list list, size_t *done, size_t how_many) {
    for (size_t end = *done + how_many; *done < end; (*done)++) {
        if (!peer_accepts(&list.items[*done % list.count])) { fail("stopped", "refuses a good token"); }
    }
}

static double tokens_per_second(token_list list, double seconds) {
    size_t done = 0;
    verify_next(list, &done, list.count); // the first pass is not timed: it warms caches and checks each token
    done = 0;
    double start = now(), elapsed;
    do {
        verify_next(list, &done, TOKENS_PER_LOOK_AT_THE_CLOCK);
        elapsed = now() - start;
    } while (elapsed < seconds);
    return (double)done / elapsed;
}

// Prints whether each kind of bad token is refused. Ends the program if a tampered token is accepted: that peer gets no speed.
static void print_verdicts(const char *algorithm) {
    if (!refuses(algorithm, "tampered")) {
        puts("{\"tampered\": \"accepted\"}");
        exit(0);
    }
    printf("{\"tampered\": \"refused\"");
    static const char *const claims[] = {"expired", "other-issuer", "other-audience"};
    for (size_t i = 0; i < sizeof claims / sizeof *claims; i++) {
        printf(", \"%s\": \"%s\"", claims[i], refuses(algorithm, claims[i]) ? "refused" : "accepted");
    }
}

int main(int argc, char **argv) {
    if (argc != 4) { fail("usage", "PROGRAM FOLDER ALGORITHM SECONDS"); }
    folder = argv[1];
    const char *algorithm = argv[2];
    const char *lacking = peer_lacks(algorithm);
    if (lacking != NULL) {
        printf("{\"skipped\": \"%s\"}\n", lacking);
        return 0;
    }
    peer_setting setting = {.algorithm = algorithm, .issuer = read_line(".", "issuer"), .audience = read_line(".", "audience")};
    setting.key = read_file(algorithm, "key.pem", &setting.key_length);
    if (setting.key == NULL) { setting.key = need_file(algorithm, "secret", &setting.key_length); }
    setting.jwk = need_file(algorithm, "key.jwk", &setting.jwk_length);
    if (!peer_prepare(&setting)) { fail("cannot use the key of", algorithm); }

    print_verdicts(algorithm);
    printf(", \"tokens_per_second\": %.1f}\n", tokens_per_second(read_tokens(algorithm, "tokens"), strtod(argv[3], NULL)));
    return 0;
}
