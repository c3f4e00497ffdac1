/// What Concat KDF hashes behind the shared secret (RFC 7518 section 4.6.2, NIST SP 800-56A section 5.8.1).
package enum ConcatKDF {
    /// - Parameters:
    ///   - name: `enc` for a key that is the CEK, otherwise `alg`.
    ///   - senderInfo: `apu`, decoded.
    ///   - recipientInfo: `apv`, decoded.
    ///   - keyBytes: the length of the derived key.
    package static func information(name: String, senderInfo: [UInt8], recipientInfo: [UInt8], keyBytes: Int) -> [UInt8] {
        var information: [UInt8] = []
        information.reserveCapacity(16 + name.utf8.count + senderInfo.count + recipientInfo.count)
        append(name.utf8, to: &information)
        append(senderInfo, to: &information)
        append(recipientInfo, to: &information)
        appendNumber(8 * keyBytes, to: &information)
        return information
    }

    /// Four bytes of length, and the bytes.
    private static func append(_ bytes: some Collection<UInt8>, to information: inout [UInt8]) {
        appendNumber(bytes.count, to: &information)
        information += bytes
    }

    private static func appendNumber(_ number: Int, to information: inout [UInt8]) {
        for shift in [24, 16, 8, 0] { information.append(UInt8(truncatingIfNeeded: number >> shift)) }
    }
}
