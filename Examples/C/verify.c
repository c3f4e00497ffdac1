/* Verifies id_tokens in C: verify JWKS ISSUER AUDIENCE [NOW] < tokens, one in a line. NOW is in seconds since 1970.
 *
 *     cc -o verify verify.c $(pkg-config --cflags --libs assay)
 *
 * Prints the subject, the roles and the expiry of a valid token; for a refused one the status and the challenge that a gateway sends. */

#include <assay.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *read_file(const char *path, size_t *len) {
    FILE *file = fopen(path, "rb");
    char *text = malloc(262144);
    *len = 0;
    if (file != NULL && text != NULL) { *len = fread(text, 1, 262144, file); }
    if (file != NULL) { fclose(file); }
    return text;
}

static void print_valid(const assay_result *result) {
    const char *subject = "";
    size_t len = 0;
    int64_t expiration = 0;
    assay_value roles, role;
    assay_result_subject(&subject, &len, result);
    assay_result_expiration(&expiration, result);
    printf("valid: subject %.*s, expires %lld", (int)len, subject, (long long)expiration);
    if (assay_result_claim_at(&roles, result, "/realm_access/roles", 19) == ASSAY_OK) {
        for (size_t i = 0; assay_value_element(&role, &roles, i) == ASSAY_OK; i++) {
            const char *name;
            if (assay_value_string(&name, &len, &role) == ASSAY_OK) { printf(", role %.*s", (int)len, name); }
        }
    }
    putchar('\n');
}

static void print_refused(const assay_result *result) {
    char challenge[512];
    printf("%s: reply %u\n", assay_code_name(assay_result_code(result)), assay_result_http_status(result));
    if (assay_result_challenge(challenge, sizeof challenge, result, "example", 7, NULL, 0) > 0) {
        printf("  WWW-Authenticate: %s\n", challenge);
    }
}

int main(int argc, char **argv) {
    if (argc < 4) {
        fputs("usage: verify JWKS ISSUER AUDIENCE [NOW] < tokens\n", stderr);
        return 2;
    }
    size_t len = 0;
    char *jwks = read_file(argv[1], &len);
    double now = argc > 4 ? strtod(argv[4], NULL) : ASSAY_NOW;
    assay_verifier *verifier = NULL;
    assay_code code = assay_verifier_new_jwks(&verifier, jwks, len, argv[2], strlen(argv[2]), argv[3], strlen(argv[3]));
    free(jwks);
    if (code != ASSAY_OK) {
        fprintf(stderr, "cannot read the keys: %s\n", assay_code_name(code));
        return 2;
    }
    static char line[20000];
    size_t verified = 0, refused = 0;
    /* One result serves all tokens. ASSAY_RESULT_SIZE is enough for each. */
    assay_result *result = assay_result_init(malloc(ASSAY_RESULT_SIZE), ASSAY_RESULT_SIZE);
    while (result != NULL && fgets(line, sizeof line, stdin) != NULL) {
        code = assay_verify(result, verifier, line, strcspn(line, "\r\n"), now);
        if (code == ASSAY_OK) { print_valid(result); } else { print_refused(result); }
        verified += code == ASSAY_OK;
        refused += code != ASSAY_OK;
    }
    /* Without memory, tokens, or a place for the answers, nothing was verified. */
    int is_told = result != NULL && !ferror(stdin) && verified + refused > 0 && fflush(stdout) == 0 && !ferror(stdout);
    free(result);
    assay_verifier_free(verifier);
    if (!is_told) { fputs("no token could be read, or no answer written\n", stderr); }
    return !is_told ? 2 : refused > 0;
}
