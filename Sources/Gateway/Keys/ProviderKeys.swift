package import JWKSCache
package import JWTCore

/// The keys of an issuer. A task fetches them, or the host of a library does, or they never change.
package enum ProviderKeys: KeySource {
    /// In the settings. The first case: its reference has no tag, so a leak checker finds the set, which nothing else refers to.
    case fixed(KeySet)
    /// Fetched by a task of their own.
    case remote(RemoteKeySet)
    /// Fetched by the host of a library.
    case hosted(HostedKeySet)

    package var hosted: HostedKeySet? { if case .hosted(let keys) = self { keys } else { nil } }

    /// Whether these are the same keys, also in times to come.
    func isSame(as other: Self) -> Bool {
        switch (self, other) {
        case (.fixed(let keys), .fixed(let other)): keys === other
        case (.remote(let keys), .remote(let other)): keys === other
        case (.hosted(let keys), .hosted(let other)): keys === other
        case (.fixed, _), (.remote, _), (.hosted, _): false
        }
    }

    /// The accepted set, retained.
    package var current: KeySet? { try? withKeys { $0 } }

    @specialized(where Result == Void)
    package func withKeys<Result: ~Copyable>(
        _ body: (KeySet) throws(VerificationError) -> Result
    ) throws(VerificationError) -> Result {
        switch self {
        case .remote(let keys): try keys.withKeys(body)
        case .hosted(let keys): try keys.withKeys(body)
        case .fixed(let keys): try body(keys)
        }
    }

    package func refusal(ofUnknown keyID: KeyIDHash, in keys: KeySet) -> VerificationError {
        switch self {
        case .remote(let source): source.refusal(ofUnknown: keyID, in: keys)
        case .hosted(let source): source.refusal(ofUnknown: keyID, in: keys)
        case .fixed(let source): source.refusal(ofUnknown: keyID, in: keys)
        }
    }

    package var status: KeySetStatus {
        switch self {
        case .remote(let keys): keys.status
        case .hosted(let keys): keys.status
        case .fixed(let keys): KeySetStatus(fixed: keys)
        }
    }

    /// Calls `body` again each time that a fetch ends, while it refuses for want of keys, at most for the wait budget of the keys' policy.
    /// Hosted keys cannot be waited for here.
    func retrying<Result>(_ body: () throws(VerificationError) -> Result) async throws(VerificationError) -> Result {
        guard case .remote(let keys) = self else { return try body() }
        return try await keys.retrying(body)
    }
}
