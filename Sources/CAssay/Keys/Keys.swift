internal import JWKSCache
internal import JWTCore

/// Keys as C holds them.
package final class Keys: Sendable {
    let source: Source

    enum Source: Sendable {
        case fixed(KeySet)
        case hosted(HostedKeySet)
    }

    init(_ source: Source) { self.source = source }

    var hosted: HostedKeySet? { if case .hosted(let keys) = source { keys } else { nil } }

    /// The keys at hand, retained.
    var current: KeySet? {
        switch source {
        case .fixed(let keys): keys
        case .hosted(let keys): keys.current
        }
    }
}
