#include "reason.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void ae_reason_set(ae_reason *reason, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reason->text, sizeof reason->text, format, arguments);
    va_end(arguments);
    ae_make_printable(reason->text, true);
}

/* A cluster whose name is being resolved is not there either, so at the first attempt it is no fault yet. */
void ae_reason_no_cluster(ae_reason *reason, const ae_callout *callout) {
    reason->is_lasting = callout->before.failures > 0;
    ae_reason_set(reason, reason->is_lasting ? "there is no cluster `%.200s`" : "cluster `%.200s` is not ready, or does not exist",
                  callout->cluster);
}

static bool begins(const char *text, const char *prefix) { return strncmp(text, prefix, strlen(prefix)) == 0; }

/* Envoy answers in place of an upstream that it cannot reach. Only the text of such an answer tells it from one of the issuer. */
void ae_reason_of_status(ae_reason *reason, const ae_callout *callout, uint32_t status, const char *body) {
    static const char RESET[] = "reset reason: ";
    const char *why = begins(body, "upstream connect error") ? strstr(body, RESET) : NULL;
    if (status == 200) {
        return;
    }
    if (why) {
        bool is_connected = !strstr(why, "connection failure") && !strstr(why, "connection timeout");
        const char *what = is_connected ? "got no answer" : "did not connect";
        ae_reason_set(reason, "cluster `%.200s` %s: %.200s", callout->cluster, what, why + strlen(RESET));
    } else if (status == 504 && strcmp(body, "upstream request timeout") == 0) {
        unsigned long long seconds = callout->timeout / 1000;
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
        if (begins(failure, SENTENCES[i][0])) {
            ae_reason_set(reason, "%s", SENTENCES[i][1]);
        }
    }
    if (!reason->text[0]) {
        ae_reason_set(reason, "%s", failure);
    }
}
