public import JWTCore

extension RemoteKeySet {
    /// The error for a token whose key id is not in the set, and the fetch that this causes: see "Unknown key ids" in the documentation.
    ///
    /// - Parameters:
    ///   - keyID: the token's key id.
    ///   - keys: the set that lacks it. If another set has been accepted since, the token should be tried again.
    /// - Returns: `unknown_key` or `keys_unavailable`.
    public func refusal(ofUnknown keyID: KeyIDHash, in keys: KeySet) -> VerificationError {
        defer { start() }
        return transact { shared, now in
            guard shared.core.keys === keys else { return (Self.notThisKeyYet, nil) }
            let (answer, order) = shared.core.keyMissing(keyID, now: now)
            return (answer == .unknownKey ? VerificationError(.unknownKey) : Self.notThisKeyYet, order)
        }
    }

    private static let notThisKeyYet = VerificationError(
        .keysUnavailable, because: "there are keys, but not yet the one that the token names; a fetch may bring it")
}
