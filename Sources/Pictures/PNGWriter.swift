internal import CPNG

/// Writes PNG pictures (ISO/IEC 15948) with libpng: the required chunks, and libpng's constant sRGB chunks.
///
/// Throws ``PNGFailure/outOfMemory`` alone.
package enum PNGWriter {
    /// A PNG in true colour with an alpha channel.
    package static func png(_ picture: Picture) throws(PNGFailure) -> [UInt8] {
        try encoded(picture.pixels, width: picture.width, height: picture.height, format: cpng_rgba, table: [])
    }

    /// A PNG of one byte a pixel, line by line from the top.
    ///
    /// - Parameter table: the palette: red, green and blue of each colour; one to 256 colours.
    package static func png(width: Int, height: Int, indices: [UInt8], table: [UInt8]) throws(PNGFailure) -> [UInt8] {
        precondition(indices.count == width * height && table.count % 3 == 0 && 3...768 ~= table.count, "a byte a pixel, three a colour")
        return try encoded(indices, width: width, height: height, format: cpng_indexed_rgb, table: table)
    }

    // SAFETY: `pixels` and `table` have the sizes that libpng reads for the dimensions and the format, which the callers pass; `png` has
    // room for the size that is passed.
    private static func encoded(
        _ pixels: [UInt8], width: Int, height: Int, format: UInt32, table: [UInt8]
    ) throws(PNGFailure) -> [UInt8] {
        var image = unsafe png_image()
        unsafe image.version = png_uint_32(PNG_IMAGE_VERSION)
        unsafe (image.width, image.height) = (png_uint_32(width), png_uint_32(height))
        unsafe image.format = format
        unsafe image.colormap_entries = png_uint_32(table.count / 3)
        // A texture compresses badly: a higher level only costs time.
        unsafe image.flags = png_uint_32(PNG_IMAGE_FLAG_FAST)
        let room = unsafe cpng_maximum_size(image)
        let png = unsafe [UInt8](unsafeUninitializedCapacity: room) { png, count in
            count = room
            if unsafe png_image_write_to_memory(&image, png.baseAddress, &count, 0, pixels, 0, table) != 1 { count = 0 }
        }
        // The arguments are valid, so only exhausted memory makes libpng fail.
        guard !png.isEmpty else { throw .outOfMemory }
        return png
    }
}
