package import JWKSCache

/// Who fetches status lists.
package enum ListFetching: Sendable {
    /// Tasks, through a transport.
    case tasks(any DocumentTransport, any ElapsedClock)
    /// The host of a library. The seed is for the jitter.
    case host(any KeySetHost, seed: UInt64)

    /// The same for a provider, which may have a transport of its own.
    func of(_ provider: Provider) -> Self {
        guard case .tasks(_, let clock) = self, let transport = provider.issuer.transport else { return self }
        return .tasks(transport, clock)
    }

    /// Whether lists that `other` fetches may continue.
    func isSame(as other: Self) -> Bool {
        switch (self, other) {
        case (.tasks(let transport, _), .tasks(let other, _)): transport as AnyObject === other as AnyObject
        case (.host(let host, _), .host(let other, _)): host as AnyObject === other as AnyObject
        case (.tasks, .host), (.host, .tasks): false
        }
    }
}
