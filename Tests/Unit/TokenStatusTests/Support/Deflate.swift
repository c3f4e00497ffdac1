import CZlib
import JWTCore

/// zlib's compression, for lists of tests.
enum Deflate {
    /// One zlib stream with `bytes`.
    ///
    /// - Parameter level: 0 stores, 9 is what the draft recommends.
    static func stream(_ bytes: [UInt8], level: Int32 = 9) -> [UInt8] {
        var count = compressBound(UInt(bytes.count))
        var compressed = [UInt8](repeating: 0, count: Int(count))
        // SAFETY: `count` is the capacity before the call, and what was written after it.
        let result = unsafe compress2(&compressed, &count, bytes, UInt(bytes.count), level)
        precondition(result == Z_OK, "zlib refuses the test's own list")
        return Array(compressed.prefix(Int(count)))
    }

    /// `lst` for a list of `bytes`.
    static func text(_ bytes: [UInt8], level: Int32 = 9) -> String { base64url(stream(bytes, level: level)) }
}

/// The base64url text of `bytes`.
func base64url(_ bytes: some Sequence<UInt8>) -> String { String(decoding: Base64URL.encode(bytes), as: UTF8.self) }
