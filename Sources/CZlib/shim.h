// zlib, which reads and writes RFC 1950. inflateInit is a macro, which Swift does not import.

#ifndef ASSAY_CZLIB_SHIM_H
#define ASSAY_CZLIB_SHIM_H

// Makes the input a pointer to const.
#define ZLIB_CONST
#include <zlib.h>

/// inflateInit.
static inline int czlib_inflate_init(z_stream *stream) { return inflateInit(stream); }

#endif
