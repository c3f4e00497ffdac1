// Any number of transfers on one thread: libcurl's multi interface.

#include "internal.h"

ccurl_loop *ccurl_loop_new(void) {
    // Safe from several threads since libcurl 7.84.
    if (curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) { return NULL; }
    return (ccurl_loop *)curl_multi_init();
}

int ccurl_loop_add(ccurl_loop *loop, ccurl_transfer *transfer) {
    return curl_multi_add_handle((CURLM *)loop, transfer->easy) == CURLM_OK;
}

void ccurl_loop_remove(ccurl_loop *loop, ccurl_transfer *transfer) { curl_multi_remove_handle((CURLM *)loop, transfer->easy); }

void *ccurl_loop_next(ccurl_loop *loop) {
    CURLM *multi = (CURLM *)loop;
    int running = 0, left = 0;
    curl_multi_perform(multi, &running);
    for (CURLMsg *message; (message = curl_multi_info_read(multi, &left)) != NULL;) {
        if (message->msg != CURLMSG_DONE) { continue; }
        CURL *easy = message->easy_handle;
        CURLcode code = message->data.result;
        ccurl_transfer *transfer = NULL;
        curl_easy_getinfo(easy, CURLINFO_PRIVATE, (char **)&transfer);
        transfer->code = code;
        // The message is gone after this.
        curl_multi_remove_handle(multi, easy);
        return transfer->functions.context;
    }
    return NULL;
}

void ccurl_loop_wait(ccurl_loop *loop, int milliseconds) { curl_multi_poll((CURLM *)loop, NULL, 0, milliseconds, NULL); }

void ccurl_loop_wake(ccurl_loop *loop) { curl_multi_wakeup((CURLM *)loop); }
