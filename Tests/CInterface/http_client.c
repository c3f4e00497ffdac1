/* Single requests by libassay-http: answers and failures, one request for a URL at a time, permissions, a fork. */

#define _GNU_SOURCE
#include <stdatomic.h>
#include <sys/wait.h>
#include "fixtures.h"
#include "issuer.h"

static atomic_int wakes;

static void note_wake(void *context) { atomic_fetch_add((atomic_int *)context, 1); }

static assay_http_client *new_client(assay_http_options options) {
    assay_http_client *client = NULL;
    CHECK_EQUAL(assay_http_client_new(&client, &options, note_wake, &wakes), ASSAY_OK);
    return client;
}

static assay_code send_to(assay_http_client *client, const char *path, const assay_field *fields, size_t count) {
    char url[256];
    snprintf(url, sizeof url, "%s%s", base, path);
    return assay_http_client_send(client, url, strlen(url), fields, count);
}

/* Takes an answer that is awaited. */
static assay_http_answer take(assay_http_client *client) {
    assay_http_answer answer = {.size = sizeof answer};
    assay_code code = ASSAY_NO_VALUE;
    CHECK_BECOMES(code == ASSAY_OK || (code = assay_http_client_take(&answer, client)) == ASSAY_OK);
    return answer;
}

static const assay_field *field_of(const assay_http_answer *answer, const char *name) {
    for (size_t i = 0; i < answer->field_count; i++) {
        if (is_text(answer->fields[i].name.bytes, answer->fields[i].name.len, name)) { return &answer->fields[i]; }
    }
    return NULL;
}

/* The response, and with its entity tag a 304. */
static void responses(void) {
    assay_http_client *client = new_client(trusting());
    int before = wakes;
    publish(JWKS);
    CHECK_EQUAL(send_to(client, "/keys", NULL, 0), ASSAY_OK);
    assay_http_answer answer = take(client);
    CHECK(wakes == before + 1);
    CHECK(answer.failure == 0 && answer.status == 200 && answer.reason.len == 0);
    CHECK(answer.url.len == strlen(base) + 5 && memcmp(answer.url.bytes + strlen(base), "/keys", 5) == 0);
    CHECK(is_text(answer.body.bytes, answer.body.len, JWKS));
    const assay_field *tag = field_of(&answer, "ETag");
    CHECK(tag != NULL);
    if (tag == NULL) { return; }
    assay_field fields[] = {{{TEXT("If-None-Match")}, tag->value}, {{TEXT("Cache-Control")}, {TEXT("no-cache")}}};
    CHECK_EQUAL(send_to(client, "/keys", fields, 2), ASSAY_OK);
    answer = take(client);
    CHECK(answer.failure == 0 && answer.status == 304 && answer.body.len == 0);
    CHECK(count_requests("no-cache") > 0);
    CHECK_EQUAL(send_to(client, "/absent", NULL, 0), ASSAY_OK);
    answer = take(client);
    CHECK(answer.failure == 0 && answer.status == 404);
    assay_http_client_free(client);
}

/* A failure has a reason that can be logged, also that of a URL. */
static void failures(void) {
    const struct { const char *path; uint32_t failure; } rows[] = {
        {"/large", ASSAY_FAILURE_TOO_LARGE}, {"/redirect", ASSAY_FAILURE_REDIRECT}, {"/close", ASSAY_FAILURE_CONNECTION},
        {"/keys#x", ASSAY_FAILURE_URL}, {"/ke ys", ASSAY_FAILURE_URL},
    };
    assay_http_client *client = new_client(trusting());
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        CHECK_EQUAL(send_to(client, rows[i].path, NULL, 0), ASSAY_OK);
        assay_http_answer answer = take(client);
        CHECK_EQUAL(answer.failure, rows[i].failure);
        CHECK(answer.status == 0 && answer.field_count == 0 && answer.body.len == 0 && answer.reason.len > 0);
    }
    assay_field field = {{TEXT("X")}, {TEXT("a\r\nb: c")}};
    CHECK_EQUAL(send_to(client, "/keys", &field, 1), ASSAY_OK);
    CHECK_EQUAL(take(client).failure, ASSAY_FAILURE_URL);
    assay_http_client_free(client);

    assay_http_options options = trusting();
    options.roots.len = 0, options.roots_only = 0;
    client = new_client(options);
    CHECK_EQUAL(send_to(client, "/keys", NULL, 0), ASSAY_OK);
    assay_http_answer answer = take(client);
    CHECK_EQUAL(answer.failure, ASSAY_FAILURE_TLS);
    CHECK(memmem(answer.reason.bytes, answer.reason.len, "certificate", 11) != NULL);
    assay_http_client_free(client);

    options = trusting();
    options.addresses = 0;
    client = new_client(options);
    CHECK_EQUAL(send_to(client, "/keys?secret=1", NULL, 0), ASSAY_OK);
    answer = take(client);
    CHECK_EQUAL(answer.failure, ASSAY_FAILURE_FORBIDDEN);
    CHECK(memmem(answer.reason.bytes, answer.reason.len, "secret", 6) == NULL);
    assay_http_client_free(client);
}

/* What a request accepts says how long its answer may be. */
static void lengths(void) {
    const assay_field list = {{TEXT("Accept")}, {TEXT("application/statuslist+jwt")}}, keys = {{TEXT("Accept")}, {TEXT("application/json")}};
    const struct { size_t bytes; assay_field field; uint32_t failure; } rows[] = {
        {262144, keys, 0}, {262145, keys, ASSAY_FAILURE_TOO_LARGE}, {1887916, list, 0}, {1887917, list, ASSAY_FAILURE_TOO_LARGE},
    };
    assay_http_client *client = new_client(trusting());
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char path[32];
        snprintf(path, sizeof path, "/sized?%zu", rows[i].bytes);
        CHECK_EQUAL(send_to(client, path, &rows[i].field, 1), ASSAY_OK);
        assay_http_answer answer = take(client);
        CHECK_EQUAL(answer.failure, rows[i].failure);
        CHECK_EQUAL(answer.body.len, rows[i].failure == 0 ? rows[i].bytes : 0);
    }
    assay_http_client_free(client);
}

/* A URL is asked for again when the host has taken its answer; another URL is not delayed. A client that is freed no longer calls its host. */
static void one_at_a_time(void) {
    assay_http_client *client = new_client(trusting());
    close_gate();
    CHECK_EQUAL(send_to(client, "/gated", NULL, 0), ASSAY_OK);
    CHECK_EQUAL(send_to(client, "/gated", NULL, 0), ASSAY_NOT_DUE);
    CHECK_EQUAL(send_to(client, "/keys", NULL, 0), ASSAY_OK);
    CHECK_EQUAL(take(client).status, 200);
    CHECK_EQUAL(send_to(client, "/gated", NULL, 0), ASSAY_NOT_DUE);
    int before = wakes;
    write_file("gate", "");
    CHECK_BECOMES(wakes > before);
    CHECK_EQUAL(send_to(client, "/gated", NULL, 0), ASSAY_NOT_DUE);
    CHECK_EQUAL(take(client).status, 200);
    CHECK_EQUAL(send_to(client, "/gated", NULL, 0), ASSAY_OK);
    CHECK_EQUAL(take(client).status, 200);
    CHECK_EQUAL(send_to(client, "/slow", NULL, 0), ASSAY_OK);
    before = wakes;
    double start = seconds();
    assay_http_client_free(client);
    CHECK(seconds() - start < 20);
    CHECK_EQUAL(wakes, before);
}

/* 1,024 answers are awaited or kept, and no more. */
static void many(void) {
    assay_http_client *client = new_client(trusting());
    char path[64];
    close_gate();
    for (int i = 0; i <= 1024; i++) {
        snprintf(path, sizeof path, "/gated?%d", i);
        CHECK_EQUAL(send_to(client, path, NULL, 0), i < 1024 ? ASSAY_OK : ASSAY_NOT_DUE);
    }
    assay_http_client_free(client);
    write_file("gate", "");
}

/* The child has no thread of the parent's: it makes the request again. */
static void forks(void) {
    assay_http_client *client = new_client(trusting());
    close_gate();
    CHECK_EQUAL(send_to(client, "/gated", NULL, 0), ASSAY_OK);
    pid_t child = fork();
    if (child == 0) {
        assay_http_answer answer = {.size = sizeof answer};
        double end = seconds() + 60;
        assay_http_client_take(&answer, client);
        write_file("gate", "");
        while (assay_http_client_take(&answer, client) != ASSAY_OK && seconds() < end) { usleep(1000); }
        _exit(answer.status == 200 ? 0 : 1);
    }
    int status = -1;
    CHECK(child > 0 && waitpid(child, &status, 0) == child && status == 0);
    CHECK_EQUAL(take(client).status, 200);
    assay_http_client_free(client);
}

/* With no address, this machine's, private ones, link-local ones, and plain http to this machine. */
static void permissions(void) {
    const uint32_t sets[] = {0, ASSAY_HTTP_LOOPBACK, ASSAY_HTTP_PRIVATE, ASSAY_HTTP_LINK_LOCAL, ASSAY_HTTP_PLAIN_LOOPBACK};
    const struct { const char *url, *permitted; } rows[] = {
        {"https://idp.example/keys", "11111"}, {"https://8.8.8.8/", "11111"}, {"https://[2606:4700::1]/", "11111"},
        {"https://localhost/", "01000"}, {"https://127.0.0.1/", "01000"}, {"https://127.1/", "01000"}, {"https://2130706433/", "01000"},
        {"https://[::1]:8443/", "01000"}, {"https://[::ffff:127.0.0.1]/", "01000"}, {"https://10.0.0.1/", "00100"},
        {"https://172.16.0.1/", "00100"}, {"https://192.168.0.1/", "00100"}, {"https://100.64.0.1/", "00100"}, {"https://[fd00::1]/", "00100"},
        {"https://169.254.169.254/", "00010"}, {"https://168.63.129.16/", "00010"}, {"https://100.100.100.200/", "00010"},
        {"https://[fe80::1]/", "00010"}, {"https://0.0.0.0/", "00000"}, {"https://224.0.0.1/", "00000"}, {"https://192.0.2.1/", "00000"},
        {"https://[2002:7f00:1::]/", "01000"}, {"http://localhost/", "00001"}, {"http://127.0.0.1:9400", "00001"},
        {"http://10.0.0.1/", "00000"}, {"http://idp.example/", "00000"}, {"ftp://idp.example/", "00000"}, {"idp.example", "00000"},
        {"", "00000"}, {"https://user@idp.example/", "00000"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char found[6] = "";
        for (size_t j = 0; j < 5; j++) { found[j] = assay_http_permits(rows[i].url, strlen(rows[i].url), sets[j]) == 1 ? '1' : '0'; }
        if (strcmp(found, rows[i].permitted) != 0) { printf("%s: %s\n", rows[i].url, found); }
        CHECK(strcmp(found, rows[i].permitted) == 0);
    }
    CHECK_EQUAL(assay_http_permits(TEXT("https://idp.example/"), 16), 0);
    CHECK_EQUAL(assay_http_permits(NULL, 1, 0), 0);
}

static void arguments(void) {
    assay_http_options options = trusting();
    assay_http_client *client = NULL;
    assay_http_answer answer = {.size = 8};
    assay_field field = {{NULL, 1}, {NULL, 0}};
    CHECK_EQUAL(assay_http_client_new(NULL, &options, NULL, NULL), ASSAY_INVALID_ARGUMENT);
    options.addresses = 16;
    CHECK_EQUAL(assay_http_client_new(&client, &options, NULL, NULL), ASSAY_INVALID_ARGUMENT);
    CHECK(client == NULL);
    CHECK_EQUAL(assay_http_client_new(&client, NULL, NULL, NULL), ASSAY_OK);
    CHECK_EQUAL(assay_http_client_send(NULL, TEXT("https://x.example/"), NULL, 0), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_http_client_send(client, NULL, 0, NULL, 0), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_http_client_send(client, TEXT("https://x.example/"), NULL, 1), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_http_client_send(client, TEXT("https://x.example/"), &field, 1), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_http_client_send(client, TEXT("https://x.example/"), &field, 65), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_http_client_take(&answer, client), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_http_client_take(NULL, client), ASSAY_INVALID_ARGUMENT);
    answer.size = sizeof answer;
    CHECK_EQUAL(assay_http_client_take(&answer, NULL), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_http_client_take(&answer, client), ASSAY_NO_VALUE);
    assay_http_client_free(client);
    assay_http_client_free(NULL);
}

int main(int argc, char **argv) {
    if (argc != 3) { return 2; }
    read_issuer(argv);
    arguments();
    permissions();
    responses();
    failures();
    lengths();
    one_at_a_time();
    many();
    forks();
    return report();
}
