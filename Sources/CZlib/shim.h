// zlib, which reads and writes RFC 1950. inflateInit is a macro, which Swift does not import.

#ifndef ASSAY_CZLIB_SHIM_H
#define ASSAY_CZLIB_SHIM_H

// Makes the input a pointer to const.
#define ZLIB_CONST
#include <zlib.h>

/// inflateInit.
static inline int czlib_inflate_init(z_stream *stream) { return inflateInit(stream); }

/// inflateInit2 for a stream without a header (RFC 1951).
static inline int czlib_inflate_init_raw(z_stream *stream) { return inflateInit2(stream, -MAX_WBITS); }

#endif
