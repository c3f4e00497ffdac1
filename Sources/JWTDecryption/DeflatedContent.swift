internal import CZlib

/// A content that `zip: DEF` compressed: one stream of DEFLATE (RFC 1951) without a header.
struct DeflatedContent {
    private let compressed: [UInt8]

    init(_ compressed: [UInt8]) { self.compressed = compressed }

    /// The content; nil for anything but one whole stream, and as soon as the content has more than `limit` bytes.
    func inflated(limit: Int) -> [UInt8]? {
        guard limit >= 0, limit < 1 << 30, let count = UInt32(exactly: compressed.count) else { return nil }
        // zlib keeps the address of its record.
        let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        defer { unsafe stream.deallocate() }
        unsafe stream.initialize(to: z_stream())
        guard unsafe czlib_inflate_init_raw(stream) == Z_OK else { return nil }
        defer { unsafe inflateEnd(stream) }
        var isWhole = false
        // Room for one byte beyond the limit tells a content that ends there from one that goes on.
        let content = unsafe [UInt8](unsafeUninitializedCapacity: limit + 1) { content, written in
            unsafe compressed.withUnsafeBufferPointer { input in
                // SAFETY: zlib reads `avail_in` bytes and writes `avail_out` bytes, which both exist until the closure returns.
                unsafe stream.pointee.next_in = input.baseAddress
                unsafe stream.pointee.avail_in = count
                unsafe stream.pointee.next_out = content.baseAddress
                unsafe stream.pointee.avail_out = UInt32(limit + 1)
                let result = unsafe inflate(stream, Z_FINISH)
                isWhole = unsafe result == Z_STREAM_END && stream.pointee.avail_in == 0
            }
            written = unsafe limit + 1 - Int(stream.pointee.avail_out)
        }
        return isWhole && content.count <= limit ? content : nil
    }
}
