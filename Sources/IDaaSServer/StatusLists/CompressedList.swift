internal import CZlib
internal import JWTCore

/// `lst`: a list as a zlib stream (RFC 1950) in base64url (draft-ietf-oauth-status-list-20 section 4.2).
struct CompressedList {
    let text: String

    /// Level 9 saves a fifth of a sparse list's bytes, and takes ten times as long.
    private static let level: Int32 = 6

    /// - Throws: `RequestRefusal` 503 if memory is exhausted.
    init(_ bits: StatusBits) throws {
        var count = compressBound(UInt(bits.bytes.count))
        var stream = [UInt8](repeating: 0, count: Int(count))
        // SAFETY: `count` is the stream's capacity before the call, and what zlib wrote after it; zlib reads `bytes` alone.
        let result = unsafe compress2(&stream, &count, bits.bytes, UInt(bits.bytes.count), Self.level)
        guard result == Z_OK else { throw RequestRefusal.unavailable }
        text = String(decoding: Base64URL.encode(stream[..<Int(count)]), as: UTF8.self)
    }
}
