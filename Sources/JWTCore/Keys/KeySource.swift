/// Where a verifier's keys come from: a fixed ``KeySet``, or something that renews them.
public protocol KeySource: Sendable {
    /// The keys of this moment. Called once per verification; never waits.
    ///
    /// - Throws: ``VerificationError/keysUnavailable`` where there are none yet or any more.
    func snapshot() throws(VerificationError) -> KeySet
}

extension KeySet: KeySource {
    public func snapshot() -> KeySet { self }
}
