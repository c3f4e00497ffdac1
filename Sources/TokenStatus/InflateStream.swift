internal import CZlib

/// A decompression of one zlib stream (RFC 1950) with zlib.
///
/// zlib keeps the address of its record, so the record has memory of its own and never moves.
@safe
struct InflateStream: ~Copyable {
    /// The bytes that one step writes at most.
    private static let pieceBytes = 1 << 14

    private let record: UnsafeMutablePointer<z_stream>

    /// - Throws: `list_too_large` if memory is exhausted.
    init() throws(StatusListError) {
        let record = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        unsafe record.initialize(to: z_stream())
        guard unsafe czlib_inflate_init(record) == Z_OK else {
            unsafe record.deallocate()
            throw StatusListError(.listTooLarge)
        }
        unsafe self.record = record
    }

    deinit {
        unsafe inflateEnd(record)
        unsafe record.deallocate()
    }

    /// The content of `compressed`, which is one stream and nothing else. Called once.
    ///
    /// - Throws: `list_too_large` as soon as the content has more than `limit` bytes; `invalid_compression`, `truncated_list`,
    ///   `trailing_bytes`.
    mutating func content(of compressed: [UInt8], limit: Int) throws(StatusListError) -> [UInt8] {
        guard let count = UInt32(exactly: compressed.count) else { throw StatusListError(.listTooLarge) }
        return try unsafe compressed.withUnsafeBufferPointer { input throws(StatusListError) in
            // SAFETY: the input is valid until the closure returns, and zlib reads no further than `avail_in`.
            unsafe record.pointee.next_in = input.baseAddress
            unsafe record.pointee.avail_in = count
            return try content(limit: limit)
        }
    }

    private mutating func content(limit: Int) throws(StatusListError) -> [UInt8] {
        var content: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: Self.pieceBytes)
        while true {
            // Room for one byte beyond the limit tells a list that ends there from one that goes on.
            let room = min(piece.count, limit - content.count + 1)
            let (result, written) = step(into: &piece, room)
            content.append(contentsOf: piece[..<written])
            guard content.count <= limit else { throw StatusListError(.listTooLarge) }
            if result == Z_OK { continue }
            try checkEnd(result)
            return content.span.withoutSpareCapacity
        }
    }

    /// Writes at most `room` bytes to the start of `piece`; returns zlib's result, and the number of bytes.
    private mutating func step(into piece: inout [UInt8], _ room: Int) -> (result: Int32, written: Int) {
        unsafe piece.withUnsafeMutableBufferPointer { output in
            // SAFETY: `room` is not more than the piece has.
            unsafe record.pointee.next_out = output.baseAddress
            unsafe record.pointee.avail_out = UInt32(room)
            let result = unsafe inflate(record, Z_NO_FLUSH)
            return (result, room - Int(unsafe record.pointee.avail_out))
        }
    }

    private func checkEnd(_ result: Int32) throws(StatusListError) {
        switch result {
        case Z_STREAM_END where unsafe record.pointee.avail_in == 0: return
        case Z_STREAM_END: throw StatusListError(.trailingBytes)
        // There is always room, so only input can be missing.
        case Z_BUF_ERROR: throw StatusListError(.truncatedList)
        case Z_MEM_ERROR: throw StatusListError(.listTooLarge)
        default: throw StatusListError(.invalidCompression)
        }
    }
}

extension Span<UInt8> {
    /// A copy that occupies no more memory than it needs: lists are kept for hours.
    fileprivate var withoutSpareCapacity: [UInt8] { unsafe withUnsafeBufferPointer { unsafe Array($0) } }
}
