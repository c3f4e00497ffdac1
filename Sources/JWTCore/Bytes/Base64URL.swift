internal import CJWTKernels

/// Strict base64url without padding (RFC 7515 section 2): each value has exactly one encoding.
package enum Base64URL {
    /// The number of bytes that `length` characters decode to.
    package static func decodedCount(_ length: Int) -> Int { length / 4 * 3 + length % 4 * 3 / 4 }

    /// Decodes `text` into the start of `out`, which has at least ``decodedCount(_:)`` bytes; returns the number of bytes written.
    ///
    /// - Throws: `invalid_base64url` with the offset in `text`.
    package static func decode(_ text: Span<UInt8>, into out: inout MutableSpan<UInt8>) throws(VerificationError) -> Int {
        precondition(out.count >= decodedCount(text.count))
        var written = 0
        let isGood = unsafe out.withUnsafeMutableBufferPointer { out in
            unsafe text.withUnsafeBufferPointer { text in
                unsafe cjwt_kernels_best().pointee.base64url_decode(out.baseAddress, &written, text.baseAddress, text.count)
            }
        }
        guard isGood == 1 else { throw VerificationError(.invalidBase64URL, at: written) }
        return written
    }

    /// Decodes into a new array: for keys and other documents that are read once.
    package static func bytes(_ text: Span<UInt8>) throws(VerificationError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: decodedCount(text.count))
        var span = bytes.mutableSpan
        _ = try decode(text, into: &span)
        return bytes
    }

    /// The offset, in the base64url text, of the character with the first bits of decoded byte `offset`.
    static func textOffset(of offset: Int) -> Int { offset / 3 * 4 + offset % 3 }
}

extension Base64URL {
    private static let alphabet: [UInt8] = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    /// The base64url text of `bytes`: for thumbprints, hashes and new tokens.
    package static func encode(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        var text: [UInt8] = []
        var bits: UInt32 = 0
        var pending = 0
        for byte in bytes {
            bits = bits << 8 | UInt32(byte)
            pending += 8
            while pending >= 6 {
                pending -= 6
                text.append(alphabet[Int(bits >> UInt32(pending) & 63)])
            }
        }
        if pending > 0 { text.append(alphabet[Int(bits << UInt32(6 - pending) & 63)]) }
        return text
    }
}
