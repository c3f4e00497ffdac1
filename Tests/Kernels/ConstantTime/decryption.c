// Whether decrypting tells where it failed: decryption count | decryption time [SAMPLES]
//
// `count` counts the executed instructions for every place of the first wrong byte of a tag; they must be equal, in every content
// encryption. `time` measures three ways in which a token for an RSA key can fail: padding that is not OAEP, a CEK of another length, and a
// right CEK with a wrong tag. It prints the difference of their means with Welch's t; blinding makes the times of RSA random, so this is a
// measurement and no check.

#include "CInstructionCount.h"
#include "../../../Sources/COpenSSL/internal.h"

#include <math.h>
#include <openssl/rand.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const uint8_t context[] = "eyJhbGciOiJSU0EtT0FFUC0yNTYiLCJlbmMiOiJBMTI4Q0JDLUhTMjU2In0";
enum { text_len = 496, most_tag = 32 };

typedef struct opening {
    cossl_content_input input;
    uint8_t tag[most_tag];
    int verdict;
} opening;

static uint8_t key[COSSL_CEK_MAX], nonce[16], text[text_len], sealed[text_len + 16], opened[text_len + 16];

static void open_content(void *argument) {
    opening *o = argument;
    size_t length = 0;
    o->verdict = cossl_content_open(opened, &length, &o->input, o->tag);
}

static cossl_content_input input_of(cossl_content content, const uint8_t *in, size_t in_len) {
    return (cossl_content_input){content, key, nonce, in, in_len, context, sizeof context};
}

/// Seals the text, and makes `o` an opening of it with the right tag.
static int prepare(opening *o, cossl_content content) {
    size_t length = 0;
    cossl_content_input input = input_of(content, text, text_len);
    if (!cossl_content_seal(sealed, &length, o->tag, &input)) { return 0; }
    o->input = input_of(content, sealed, length);
    open_content(o);
    return o->verdict;
}

static uint64_t instructions(opening *o) {
    cinstruction_counts counts;
    for (int i = 0; i < 4; i++) { open_content(o); }
    return cinstruction_count(&counts, open_content, o) ? counts.ours.instructions + counts.libcrypto.instructions : 0;
}

/// One where every place of a wrong byte costs the same; -1 for a wrong verdict, -2 where the machine cannot count.
static int is_even(cossl_content content) {
    opening o;
    uint64_t least = UINT64_MAX, most = 0;
    if (!prepare(&o, content)) { return -1; }
    for (size_t place = 0; place < cossl_content_tag_length(content); place++) {
        o.tag[place] ^= 0x55;
        uint64_t count = instructions(&o);
        o.tag[place] ^= 0x55;
        if (o.verdict) { return -1; }
        least = count < least ? count : least;
        most = count > most ? count : most;
    }
    if (most == 0) { return -2; }
    printf("content %d, tag of %zu bytes: %llu to %llu instructions\n", content, cossl_content_tag_length(content),
           (unsigned long long)least, (unsigned long long)most);
    return least == most;
}

static int count(void) {
    int failed = 0;
    for (int c = COSSL_CONTENT_A128GCM; c <= COSSL_CONTENT_A256CBC_HS512; c++) {
        int even = is_even((cossl_content)c);
        if (even == -2) {
            printf("0 passed, 0 failed, 1 skipped\n");
            return 0;
        }
        failed += even != 1;
    }
    printf("%d passed, %d failed\n", 4 - failed, failed);
    return failed != 0;
}

// Times

enum { WAYS = 3 };
static const char *const names[WAYS] = {"padding that is not OAEP", "a CEK of another length", "a right CEK, a wrong tag"};

typedef struct moments {
    double count, mean, squares;
} moments;

static void add(moments *m, double value) {
    double delta = value - m->mean;
    m->count++;
    m->mean += delta / m->count;
    m->squares += delta * (value - m->mean);
}

static double nanoseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return 1e9 * (double)now.tv_sec + (double)now.tv_nsec;
}

/// One failing token: the whole path that depends on the private key.
static double attempt(const cossl_decryption_key *recipient, const uint8_t *encrypted, size_t encrypted_len, opening *o) {
    uint8_t cek[32];
    double start = nanoseconds();
    int ok = cossl_decrypt_cek(cek, sizeof cek, recipient, 0, encrypted, encrypted_len);
    o->input.key = cek;
    open_content(o);
    double end = nanoseconds();
    if (!ok || o->verdict) { exit(2); }
    return end - start;
}

static int by_value(const void *a, const void *b) {
    double first = *(const double *)a, second = *(const double *)b;
    return (first > second) - (first < second);
}

static int measure(size_t samples) {
    cossl_decryption_key *recipient;
    opening o;
    uint8_t encrypted[WAYS][COSSL_OAEP_MAX];
    size_t len = 0;
    double *times[WAYS];
    if (!cossl_decryption_key_generate(&recipient, COSSL_RECIPIENT_RSA, 2048) || !prepare(&o, COSSL_CONTENT_A128CBC_HS256)) { return 2; }
    o.tag[0] ^= 1;
    for (int way = 0; way < WAYS; way++) { times[way] = calloc(samples, sizeof *times[way]); }
    for (size_t i = 0; i < samples; i++) {
        // New ciphertexts each time, or one could be slow by itself.
        if (!cossl_encrypt_cek(encrypted[0], &len, recipient, 0, key, 32)) { return 2; }
        encrypted[0][len - 1] ^= 1;
        if (!cossl_encrypt_cek(encrypted[1], &len, recipient, 0, key, 16)) { return 2; }
        if (!cossl_encrypt_cek(encrypted[2], &len, recipient, 0, key, 32)) { return 2; }
        uint8_t first = 0;
        RAND_bytes(&first, 1);
        for (int step = 0; step < WAYS; step++) {
            int way = (first + step) % WAYS;
            times[way][i] = attempt(recipient, encrypted[way], len, &o);
        }
    }
    moments all[WAYS] = {0};
    for (int way = 0; way < WAYS; way++) {
        // The slowest tenth is other programs.
        qsort(times[way], samples, sizeof(double), by_value);
        for (size_t i = 0; i < samples * 9 / 10; i++) { add(&all[way], times[way][i]); }
        printf("%-26s median %.0f ns, mean %.0f ns\n", names[way], times[way][samples / 2], all[way].mean);
    }
    for (int way = 0; way < WAYS - 1; way++) {
        moments a = all[way], b = all[WAYS - 1];
        double error = sqrt(a.squares / (a.count - 1) / a.count + b.squares / (b.count - 1) / b.count);
        printf("%s: %+.0f ns, t = %.2f\n", names[way], a.mean - b.mean, (a.mean - b.mean) / error);
    }
    cossl_decryption_key_free(recipient);
    return 0;
}

int main(int argc, char **argv) {
    if (argc > 1 && strcmp(argv[1], "time") == 0) { return measure(argc > 2 ? strtoul(argv[2], NULL, 10) : 5000); }
    return count();
}
