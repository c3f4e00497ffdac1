internal import JWKSCache

/// What libassay-http fetches for: the keys of an issuer, or all keys and status lists of a gateway.
package protocol FetchSource: AnyObject, Sendable {
    /// The requests that are due, at most one for each issuer and one for each list. Files on this machine are read here.
    func dueFetches(atMost limit: Int) -> [HostedFetch]
    /// The time until ``dueFetches(atMost:)`` has work.
    var nextDue: Duration { get }
    /// Whether there are keys; of a gateway, those of every required issuer.
    var isReady: Bool { get }
    /// Makes fetches due that bypass caches, where none is under way.
    func refresh()
    /// In a forked child: begins the fetches that are under way again.
    func beginAgain()
    /// Who knows when a fetch becomes due or ends.
    var hosts: [SharedHost] { get }
}

extension HostedGateway: FetchSource {}

extension Keys: FetchSource {
    package func dueFetches(atMost limit: Int) -> [HostedFetch] {
        guard limit > 0, let hosted, let request = hosted.nextRequest() else { return [] }
        return [HostedFetch(hosted, request)]
    }

    package var nextDue: Duration { hosted?.nextDue ?? .seconds(3_600) }
    package var isReady: Bool { hosted?.isReady ?? true }
    package func refresh() { hosted?.refresh() }
    package func beginAgain() { hosted?.beginAgain() }
    package var hosts: [SharedHost] { hosted?.sharedHost.map { [$0] } ?? [] }
}
