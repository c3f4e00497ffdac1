/// Where a verifier's keys come from: a fixed ``KeySet``, or something that renews them.
public protocol KeySource: Sendable {
    /// Lends the keys of this moment to `body`. Called once per verification, and once before it where a
    /// ``VerifiedTokenCache`` is asked first; never waits.
    ///
    /// - Throws: ``VerificationError/keysUnavailable`` where there are none yet or any more; what `body` throws.
    func withKeys<Result: ~Copyable>(
        _ body: (KeySet) throws(VerificationError) -> Result
    ) throws(VerificationError) -> Result

    /// What a token is answered whose `kid` the lent keys do not have: `unknown_key`, or `keys_unavailable` from a source that is
    /// about to look again.
    ///
    /// - Parameter keys: the set that was lent. A source that has replaced it since says `keys_unavailable`.
    func refusal(ofUnknown keyID: KeyIDHash, in keys: KeySet) -> VerificationError
}

extension KeySource {
    public func refusal(ofUnknown keyID: KeyIDHash, in keys: KeySet) -> VerificationError { VerificationError(.unknownKey) }

    /// The keys of this moment, kept.
    public func snapshot() throws(VerificationError) -> KeySet { try withKeys { $0 } }
}

extension KeySet: KeySource {
    public func withKeys<Result: ~Copyable>(
        _ body: (KeySet) throws(VerificationError) -> Result
    ) throws(VerificationError) -> Result {
        try body(self)
    }
}

/// A `kid` that no key has, as a number: what of a hostile text may be remembered. Keyed anew in every process, so that nobody can
/// choose two texts of one number.
public struct KeyIDHash: Hashable, Sendable {
    private let value: Int

    /// The hash of a name's bytes, unescaped.
    package init(_ name: borrowing JSONString) {
        var hasher = Hasher()
        if name.isEscaped {
            var decoder = JSONStringDecoder()
            while let byte = decoder.next(in: name.raw) { hasher.combine(byte) }
        } else {
            for index in 0..<name.raw.count { hasher.combine(name.raw[index]) }
        }
        value = hasher.finalize()
    }

    /// The hash of a name.
    public init(_ keyID: String) { self.init(JSONString(keyID.utf8.span, isEscaped: false)) }
}
