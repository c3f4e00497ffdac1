/// The source of a verifier's keys: a fixed ``KeySet``, or a set that is refreshed.
public protocol KeySource: Sendable {
    /// Lends the current keys to `body`. Called once per verification, and once more before it if a ``VerifiedTokenCache`` is asked first;
    /// never waits.
    ///
    /// - Throws: ``VerificationError/keysUnavailable`` if there are no keys yet or no longer; errors of `body`.
    func withKeys<Result: ~Copyable>(
        _ body: (KeySet) throws(VerificationError) -> Result
    ) throws(VerificationError) -> Result

    /// The error for a token whose `kid` is not in the lent keys: `unknown_key`, or `keys_unavailable` from a source that will fetch again.
    ///
    /// - Parameters:
    ///   - keyID: the hash of the token's `kid`.
    ///   - keys: the set that was lent. If the source has replaced it since, it returns `keys_unavailable`.
    func refusal(ofUnknown keyID: KeyIDHash, in keys: KeySet) -> VerificationError
}

extension KeySource {
    public func refusal(ofUnknown keyID: KeyIDHash, in keys: KeySet) -> VerificationError { VerificationError(.unknownKey) }

    /// The current keys, retained.
    public func snapshot() throws(VerificationError) -> KeySet { try withKeys { $0 } }
}

extension KeySet: KeySource {
    public func withKeys<Result: ~Copyable>(
        _ body: (KeySet) throws(VerificationError) -> Result
    ) throws(VerificationError) -> Result {
        try body(self)
    }
}

/// The hash of a `kid` that no key has: the only part of a hostile text that may be stored. Each process uses its own secret, so that an
/// attacker cannot choose two texts with one hash.
public struct KeyIDHash: Hashable, Sendable {
    private let value: Int

    /// The longest text with an escape that is read without it, which takes far longer than hashing.
    private static let longestRead = 512

    /// The hash of a name's unescaped bytes. A longer text with an escape is hashed as it is written: each spelling of such a `kid` is missing
    /// by itself.
    package init(_ name: borrowing JSONString) {
        var hasher = Hasher()
        if name.isEscaped, name.raw.count <= Self.longestRead {
            var decoder = JSONStringDecoder()
            unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Self.longestRead) { text in
                var count = 0
                while let byte = decoder.next(in: name.raw) {
                    unsafe text[count] = byte
                    count += 1
                }
                unsafe hasher.combine(bytes: UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(text)[..<count]))
            }
        } else {
            unsafe name.raw.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
        }
        value = hasher.finalize()
    }

    /// The hash of a name.
    public init(_ keyID: String) { self.init(JSONString(keyID.utf8.span, isEscaped: false)) }
}
