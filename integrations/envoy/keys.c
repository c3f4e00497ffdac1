/* Reads `keys` of a provider: a document, a file, or a URL that is fetched through a cluster. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "provider.h"

#define MOST_BYTES 262144

static const char *const NAMES[] = {"inline", "file", "url", "cluster", "clusters", "timeoutSeconds", NULL};

static void make(ae_provider *provider, const ae_settings *keys, const char *setting, const char *document, size_t length) {
    assay_code code = assay_keys_new(&provider->keys, document, length);
    if (code != ASSAY_OK) {
        ae_refuse(keys, setting, "has no keys that can be read: %s", assay_code_name(code));
    }
}

static void read_file(ae_provider *provider, const ae_settings *keys) {
    const char *path = ae_text_setting(keys, "file");
    FILE *file = path ? fopen(path, "rb") : NULL;
    if (!file) {
        ae_refuse(keys, "file", "cannot be read: %s", strerror(errno));
        return;
    }
    char *document = ae_allocate(MOST_BYTES + 1, 1);
    size_t length = fread(document, 1, MOST_BYTES + 1, file);
    bool is_read = !ferror(file);
    fclose(file);
    if (!is_read || length > MOST_BYTES) {
        ae_refuse(keys, "file", is_read ? "has more than 262,144 bytes" : "cannot be read");
    } else {
        make(provider, keys, "file", document, length);
    }
    free(document);
}

/* A document as an object, or as a text: PEM is one. */
static void read_inline(ae_provider *provider, const ae_settings *keys) {
    const json_t *value = ae_value(keys, "inline");
    char *text = json_is_string(value) ? ae_copy(json_string_value(value)) : json_dumps(value, JSON_COMPACT);
    if (!text) {
        ae_refuse(keys, "inline", "a JWK Set, a JWK or PEM is expected");
        return;
    }
    make(provider, keys, "inline", text, strlen(text));
    free(text);
}

void ae_provider_read_keys(ae_provider *provider, const ae_settings *in) {
    ae_settings keys = ae_section(in, "keys", NAMES);
    if (ae_is_faulty(in)) {
        return;
    }
    if (!ae_has(&keys, "inline") && !ae_has(&keys, "file")) {
        provider->source = ae_source_acquire(in, &keys, provider->issuer);
        provider->keys = provider->source ? provider->source->keys : NULL;
        return;
    }
    for (const char *const *name = (const char *const[]){"refresh", "staleSeconds", "required", NULL}; *name; name++) {
        if (ae_has(in, *name)) {
            ae_refuse(in, *name, "is of no use with keys that are not fetched");
        }
    }
    const char *found = ae_one_of(&keys, (const char *const[]){"inline", "file", "url", "cluster", NULL});
    if (found && (ae_has(&keys, "clusters") || ae_has(&keys, "timeoutSeconds"))) {
        ae_refuse(&keys, NULL, "`%s` is not fetched, so no cluster and no time limit applies", found);
    } else if (found && strcmp(found, "file") == 0) {
        read_file(provider, &keys);
    } else if (found) {
        read_inline(provider, &keys);
    }
}
