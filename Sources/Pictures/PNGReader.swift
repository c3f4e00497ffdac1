internal import CPNG

/// Reads PNG pictures (ISO/IEC 15948) with libpng. They come from servers, so sizes are limited before decoding.
public enum PNGReader {
    /// The maximum size in memory: a million pixels of four bytes.
    public static let maximumPixels = 1 << 20
    /// The maximum file length.
    public static let maximumBytes = 1 << 22

    private static let signature: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
    /// IEND has no data, so its checksum is constant. libpng stops reading before it.
    private static let end: [UInt8] = [0, 0, 0, 0, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82]

    /// Decodes `bytes`, of any colour type and depth, to eight bits a channel.
    public static func picture(_ bytes: [UInt8]) throws(PNGFailure) -> Picture {
        guard bytes.starts(with: signature) else { throw .notPNG }
        guard bytes.count <= maximumBytes else { throw .size }
        guard bytes.suffix(end.count).elementsEqual(end) else { throw .truncated }
        return try unsafe bytes.withUnsafeBufferPointer { file throws(PNGFailure) in try unsafe decoded(file) }
    }

    // SAFETY: libpng reads from `file` while this function runs, and not after `png_image_free`. `pixels` has four bytes a pixel, as the
    // format and the dimensions that libpng reports require.
    private static func decoded(_ file: UnsafeBufferPointer<UInt8>) throws(PNGFailure) -> Picture {
        var image = unsafe png_image()
        unsafe image.version = png_uint_32(PNG_IMAGE_VERSION)
        defer { unsafe png_image_free(&image) }
        guard unsafe png_image_begin_read_from_memory(&image, file.baseAddress, file.count) == 1 else { throw .badData }
        // Each is at most 2^31 - 1: libpng refuses larger values.
        let (width, height) = unsafe (Int(image.width), Int(image.height))
        guard width * height <= maximumPixels else { throw .size }
        unsafe image.format = cpng_rgba
        var pixels = [UInt8](repeating: 0, count: 4 * width * height)
        guard unsafe png_image_finish_read(&image, nil, &pixels, 0, nil) == 1, unsafe image.warning_or_error == 0 else { throw .badData }
        return Picture(width: width, height: height, pixels: pixels)
    }
}
