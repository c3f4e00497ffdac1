// References in Location fields (RFC 9110 section 10.2.2).

#include "CCurl.h"

#include <curl/curl.h>
#include <string.h>

static int resolve(char *out, size_t max_out, CURLU *url, const char *base, const char *reference) {
    char *text = NULL;
    if (curl_url_set(url, CURLUPART_URL, base, 0) != CURLUE_OK || curl_url_set(url, CURLUPART_URL, reference, 0) != CURLUE_OK
        || curl_url_get(url, CURLUPART_URL, &text, 0) != CURLUE_OK) {
        return 0;
    }
    int fits = strlen(text) < max_out;
    if (fits) { strcpy(out, text); }
    curl_free(text);
    return fits;
}

int ccurl_resolve(char *out, size_t max_out, const char *base, const char *reference) {
    CURLU *url = curl_url();
    if (url == NULL) { return 0; }
    int is_resolved = resolve(out, max_out, url, base, reference);
    curl_url_cleanup(url);
    return is_resolved;
}
