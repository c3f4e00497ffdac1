#define _GNU_SOURCE
#include "reason.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void ae_reason_set(ae_reason *reason, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reason->text, sizeof reason->text, format, arguments);
    va_end(arguments);
    for (char *byte = reason->text; *byte; byte++) {
        *byte = *byte < 0x20 || *byte > 0x7e ? '?' : *byte;
    }
}

/* A cluster whose name is being resolved is not there either, so at the first attempt it is no fault yet. */
void ae_reason_no_cluster(ae_reason *reason, const ae_callout *callout) {
    reason->is_lasting = callout->before.failures > 0;
    ae_reason_set(reason, reason->is_lasting ? "there is no cluster `%.200s`" : "cluster `%.200s` is not ready, or does not exist",
                  callout->cluster);
}

static bool has(assay_text text, assay_text part) { return memmem(text.bytes, text.len, part.bytes, part.len) != NULL; }

/* Envoy answers in place of an upstream that it cannot reach. Only the text of such an answer tells it from one of the issuer. */
void ae_reason_of_status(ae_reason *reason, const ae_callout *callout, uint32_t status, assay_text body) {
    static const assay_text RESET = {"reset reason: ", 14};
    const char *found = body.len ? memmem(body.bytes, body.len, RESET.bytes, RESET.len) : NULL;
    if (status == 200) {
        return;
    }
    if (found && ae_begins(body, LITERAL("upstream connect error"))) {
        assay_text why = {found + RESET.len, body.len - (size_t)(found - body.bytes) - RESET.len};
        bool is_connected = !has(why, LITERAL("connection failure")) && !has(why, LITERAL("connection timeout"));
        ae_reason_set(reason, "cluster `%.200s` %s: %.*s", callout->cluster, is_connected ? "got no answer" : "did not connect",
                      (int)(why.len < 200 ? why.len : 200), why.bytes);
    } else if (status == 504 && ae_equal(body, LITERAL("upstream request timeout"))) {
        unsigned long long seconds = callout->provider->timeout / 1000;
        ae_reason_set(reason, "cluster `%.200s` got no answer within %llu s", callout->cluster, seconds);
    } else {
        ae_reason_set(reason, "the issuer answered %u for %.300s", status, assay_fetch_url(callout->fetch));
    }
}

/* Sentences of libassay, and what they mean here. */
void ae_reason_complete(ae_reason *reason, const char *failure) {
    static const char *const SENTENCES[][2] = {
        {"not a key set", "the answer is no key set"},
        {"holds no key", "no key of the answer is usable"},
        {"the issuer's metadata is not usable", "the issuer's metadata is not usable, or names an address that may not be asked"},
        {"fetch_too_large", "the answer is too large"},
    };
    for (size_t i = 0; i < sizeof SENTENCES / sizeof SENTENCES[0] && !reason->text[0]; i++) {
        if (ae_begins(ae_text(failure), ae_text(SENTENCES[i][0]))) {
            ae_reason_set(reason, "%s", SENTENCES[i][1]);
        }
    }
    if (!reason->text[0]) {
        ae_reason_set(reason, "%s", failure);
    }
}
