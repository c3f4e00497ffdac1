internal import CJWTKernels
internal import COpenSSL

/// What tells one token from all others in a cache, and where it is looked for. The hash says where and nothing more: whether a token is
/// the one that was kept is said by all its bytes, or by 256 bits over them.
struct TokenIdentity: Sendable {
    let retention: VerifiedTokenCache.Retention
    private let hashSecret = TokenIdentity.hashSecret()
    /// All ones, or in tests fewer: zero gives every token the same hash.
    private let hashMask: UInt64
    /// A block of SHA-256, before the token: a digest alone, without this secret, tells nobody whether a token they have was here.
    private let digestSecret = TokenIdentity.digestSecret()

    init(_ retention: VerifiedTokenCache.Retention, hashMask: UInt64) {
        self.retention = retention
        self.hashMask = hashMask
    }

    /// Where `token`, under the policy called `context`, is looked for.
    func hash(_ token: Span<UInt8>, context: UInt64) -> UInt64 { token.keyedHash(hashSecret, tweak: context) & hashMask }

    /// The bytes that are kept of a token of `count` bytes.
    func byteCount(_ count: Int) -> Int { retention == .tokens ? count : Self.digestBytes }

    /// Whether what is kept as `identity` is `token`, all of it.
    func matches(_ identity: Span<UInt8>, _ token: Span<UInt8>) -> Bool {
        if retention == .tokens { return identity.equals(token) }
        guard let digest = digest(token) else { return false }
        return identity.equals(digest.span)
    }

    /// Hands what is to be kept of `token` to `body`; nil where libcrypto fails.
    func withBytes<Result>(of token: Span<UInt8>, _ body: (Span<UInt8>) -> Result) -> Result? {
        if retention == .tokens { return body(token) }
        guard let digest = digest(token) else { return nil }
        return body(digest.span)
    }

    /// SHA-256 of the secret and the token. Nobody sees it, so that it could be extended would help nobody.
    private func digest(_ token: Span<UInt8>) -> InlineArray<32, UInt8>? {
        var digest = InlineArray<32, UInt8>(repeating: 0)
        var output = digest.mutableSpan
        let secret = digestSecret.span
        // SAFETY: a SHA-256 digest has the 32 bytes of the output.
        let isGood = unsafe output.withUnsafeMutableBufferPointer { output in
            unsafe secret.withUnsafeBufferPointer { secret in
                unsafe token.withUnsafeBufferPointer { token in
                    unsafe cossl_digest_pieces(
                        output.baseAddress, COSSL_DIGEST_SHA256, secret.baseAddress, secret.count, token.baseAddress, token.count)
                }
            }
        }
        return isGood == 1 ? digest : nil
    }

    private static let digestBytes = 32

    private static func hashSecret() -> cjwt_hash_secret {
        var generator = SystemRandomNumberGenerator()
        return cjwt_hash_secret(words: (generator.next(), generator.next(), generator.next(), generator.next()))
    }

    private static func digestSecret() -> InlineArray<64, UInt8> {
        var generator = SystemRandomNumberGenerator()
        return InlineArray { _ in generator.next() }
    }
}
