internal import COpenSSL

/// A key for HMAC-SHA-256 (RFC 2104), wiped with its last copy.
public struct AuthenticationKey: Sendable {
    private let secret: SecretBytes

    /// - Parameter bytes: 32 or more, random; shorter ones are weak.
    public init(_ bytes: [UInt8]) { secret = SecretBytes(bytes) }

    /// The HMAC of `message`: 32 bytes. Compare it with ``equalInConstantTime(_:_:)``.
    public func code(for message: [UInt8]) -> [UInt8] {
        var code = [UInt8](repeating: 0, count: 32)
        let isGood = unsafe secret.read { unsafe cossl_hmac_bytes(&code, COSSL_DIGEST_SHA256, $0, $1, message, message.count) }
        // An HMAC fails only when memory is exhausted; no caller may receive an invalid HMAC.
        guard isGood == 1 else { fatalError("no memory for HMAC") }
        return code
    }
}
