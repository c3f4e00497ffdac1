internal import COpenSSL

/// SHA-256 (FIPS 180-4).
public enum Digest256 {
    /// The digest of `bytes`: 32 bytes.
    public static func of(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        let message = Array(bytes)
        var digest = [UInt8](repeating: 0, count: 32)
        // A digest fails only when memory is exhausted; no caller may receive an invalid digest.
        let isGood = unsafe cossl_digest_bytes(&digest, COSSL_DIGEST_SHA256, message, message.count)
        guard isGood == 1 else { fatalError("no memory for SHA-256") }
        return digest
    }
}

/// True where the two are the same bytes. The time depends only on their lengths.
public func equalInConstantTime(_ a: [UInt8], _ b: [UInt8]) -> Bool {
    unsafe a.count == b.count && cossl_equal_constant_time(a, b, a.count) == 1
}
