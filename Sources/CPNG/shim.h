// libpng's simplified interface, which returns errors instead of using longjmp, with formats that Swift can import.

#ifndef ASSAY_CPNG_SHIM_H
#define ASSAY_CPNG_SHIM_H

#include <png.h>

/// Red, green, blue and opacity, eight bits each, not premultiplied.
static const png_uint_32 cpng_rgba = PNG_FORMAT_RGBA;
/// One byte a pixel, an index into a table of red, green and blue.
static const png_uint_32 cpng_indexed_rgb = PNG_FORMAT_RGB_COLORMAP;

/// The maximum size of the encoded picture, in bytes.
static inline size_t cpng_maximum_size(png_image image) { return PNG_IMAGE_PNG_SIZE_MAX(image); }

#endif
