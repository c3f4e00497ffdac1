internal import CJWTKernels
internal import COpenSSL

/// Identifies a token in a cache and says where to look for it. The hash only gives the place. All of the token's bytes, or a 256-bit
/// digest of them, decide whether a cached token is the same.
struct TokenIdentity: Sendable {
    let retention: VerifiedTokenCache.Retention
    private let hashSecret = TokenIdentity.hashSecret()
    /// All ones; tests use fewer: zero gives every token the same hash.
    private let hashMask: UInt64
    /// A SHA-256 block in front of the token. Without this secret, a digest does not reveal whether the cache has seen a given token.
    private let digestSecret = TokenIdentity.digestSecret()

    init(_ retention: VerifiedTokenCache.Retention, hashMask: UInt64) {
        self.retention = retention
        self.hashMask = hashMask
    }

    /// The hash of `token` under the policy with the number `context`.
    func hash(_ token: Span<UInt8>, context: UInt64) -> UInt64 { token.keyedHash(hashSecret, tweak: context) & hashMask }

    /// The bytes stored for a token of `count` bytes.
    func byteCount(_ count: Int) -> Int { retention == .tokens ? count : Self.digestBytes }

    /// Whether the stored `identity` belongs to exactly this `token`.
    @inline(__always)
    func matches(_ identity: Span<UInt8>, _ token: Span<UInt8>) -> Bool {
        retention == .tokens ? identity.equals(token) : hasDigest(identity, token)
    }

    /// A separate function, so that the secret is not copied for the usual path.
    @inline(never)
    private func hasDigest(_ identity: Span<UInt8>, _ token: Span<UInt8>) -> Bool {
        guard let digest = digest(token) else { return false }
        return identity.equals(digest.span)
    }

    /// Lends the bytes to store for `token` to `body`; nil if libcrypto fails.
    func withBytes<Result>(of token: Span<UInt8>, _ body: (Span<UInt8>) -> Result) -> Result? {
        if retention == .tokens { return body(token) }
        guard let digest = digest(token) else { return nil }
        return body(digest.span)
    }

    /// SHA-256 of the secret and the token. Length extension is no danger here: the digest never leaves the cache.
    private func digest(_ token: Span<UInt8>) -> InlineArray<32, UInt8>? {
        var digest = InlineArray<32, UInt8>(repeating: 0)
        var output = digest.mutableSpan
        let secret = digestSecret.span
        // SAFETY: the output has the 32 bytes of a SHA-256 digest.
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
