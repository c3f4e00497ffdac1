// Content codings (RFC 9110 section 8.4.1). libcurl would take a body that ends early for a whole one.

#include "CCurl.h"

#include <limits.h>
#include <zlib.h>

enum { MORE = -1, MALFORMED = -2, NO_MEMORY = -3 };

/// The length of the decoded body; `window` says which format is expected (zlib.h).
static int64_t inflate_all(uint8_t *out, size_t max_out, const uint8_t *bytes, size_t count, int window) {
    z_stream stream = {0};
    if (count > UINT_MAX || max_out > UINT_MAX - 1) { return MORE; }
    if (inflateInit2(&stream, window) != Z_OK) { return NO_MEMORY; }
    stream.next_in = (Bytef *)bytes;
    stream.avail_in = (uInt)count;
    stream.next_out = out;
    stream.avail_out = (uInt)max_out;
    int result = inflate(&stream, Z_FINISH);
    int64_t length = (int64_t)stream.total_out;
    if (result != Z_STREAM_END) {
        length = result == Z_MEM_ERROR ? NO_MEMORY : stream.avail_out == 0 && result == Z_BUF_ERROR ? MORE : MALFORMED;
    } else if (stream.avail_in > 0) {
        length = MALFORMED;
    }
    inflateEnd(&stream);
    return length;
}

int64_t ccurl_inflate(uint8_t *out, size_t max_out, const uint8_t *bytes, size_t count, bool is_gzip) {
    enum { ZLIB = 15, GZIP = 15 + 16, RAW = -15 };
    if (is_gzip) { return inflate_all(out, max_out, bytes, count, GZIP); }
    int64_t length = inflate_all(out, max_out, bytes, count, ZLIB);
    // Some servers send the bare format.
    return length == MALFORMED ? inflate_all(out, max_out, bytes, count, RAW) : length;
}
