internal import COpenSSL

/// A key that seals small data at rest: AES-256-GCM (NIST SP 800-38D), wiped with its last copy.
///
///     version (1) | nonce (12) | ciphertext | tag (16)
///
/// Nonces are random: seal at most 2^32 texts under one key.
public struct SealingKey: Sendable {
    private static let version: UInt8 = 1
    private static let nonceLength = Int(COSSL_GCM_NONCE)
    private static let tagLength = Int(COSSL_GCM_TAG)

    private let secret: SecretBytes

    /// Nil unless `bytes` has 32 bytes.
    public init?(_ bytes: [UInt8]) {
        guard bytes.count == Int(COSSL_GCM_KEY) else { return nil }
        secret = SecretBytes(bytes)
    }

    /// Encrypts `plaintext` and binds it to `context`, which opening must pass again.
    ///
    /// - Returns: nil only where memory is exhausted or the text is longer than 2 GiB.
    public func seal(_ plaintext: [UInt8], context: [UInt8], randomness: Randomness) -> [UInt8]? {
        let nonce = randomness.bytes(Self.nonceLength)
        precondition(nonce.count == Self.nonceLength, "the randomness gave another number of bytes than it was asked for")
        var ciphertext = [UInt8](repeating: 0, count: plaintext.count)
        var tag = [UInt8](repeating: 0, count: Self.tagLength)
        let isSealed = unsafe with(nonce, plaintext, context) { unsafe cossl_gcm_seal(&ciphertext, &tag, $0) == 1 }
        return isSealed ? [Self.version] + nonce + ciphertext + tag : nil
    }

    /// The text that was sealed under this key for `context`; nil for anything else.
    public func open(_ sealed: [UInt8], context: [UInt8]) -> [UInt8]? {
        guard sealed.count >= 1 + Self.nonceLength + Self.tagLength, sealed[0] == Self.version else { return nil }
        let nonce = Array(sealed[1..<1 + Self.nonceLength])
        let ciphertext = Array(sealed[(1 + Self.nonceLength)...].dropLast(Self.tagLength))
        let tag = Array(sealed.suffix(Self.tagLength))
        var plaintext = [UInt8](repeating: 0, count: ciphertext.count)
        let isOpen = unsafe with(nonce, ciphertext, context) { unsafe cossl_gcm_open(&plaintext, tag, $0) == 1 }
        return isOpen ? plaintext : nil
    }

    private func with(
        _ nonce: [UInt8], _ text: [UInt8], _ context: [UInt8], _ body: (UnsafePointer<cossl_gcm_input>) -> Bool
    ) -> Bool {
        unsafe secret.read { key, _ in
            unsafe nonce.withUnsafeBufferPointer { nonce in
                unsafe text.withUnsafeBufferPointer { text in
                    unsafe context.withUnsafeBufferPointer { context in
                        var input = unsafe cossl_gcm_input(
                            key: key, nonce: nonce.baseAddress, in: text.baseAddress, in_len: text.count, context: context.baseAddress,
                            context_len: context.count)
                        return unsafe body(&input)
                    }
                }
            }
        }
    }
}
