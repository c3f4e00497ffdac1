#include "CErrorQueue.h"

#include <openssl/err.h>

enum { kReason = 123 };

void cerror_queue_clear(void) { ERR_clear_error(); }

void cerror_queue_begin(void) {
    ERR_clear_error();
    ERR_raise(ERR_LIB_USER, kReason);
}

int cerror_queue_is_as_begun(void) {
    unsigned long first = ERR_get_error(), second = ERR_get_error();
    ERR_clear_error();
    return ERR_GET_LIB(first) == ERR_LIB_USER && ERR_GET_REASON(first) == kReason && second == 0;
}
