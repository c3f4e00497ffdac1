internal import IDaaSWire

/// How sessions get places in status lists, and how lists are published (draft-ietf-oauth-status-list-20).
package struct StatusListPolicy: Hashable, Sendable {
    /// Whether id_tokens name a place in a list, and lists are published.
    package var isEnabled = true
    /// `ttl`: how long a copy of a list may be used before the next is fetched.
    package var timeToLive = Duration.seconds(300)
    /// How long after its signature a list expires. A verifier that gets no other may use it until then: with this one for an outage of 55
    /// minutes at least. With more than an id_token's life a retired key would be published for longer.
    package var validity = Duration.seconds(7_200)
    /// The number of statuses of a new list, a multiple of eight: at one bit each, 128 KiB.
    package var size = 1 << 20
    /// How long a new list takes sessions at most. No longer than a session stays in the store after its last use, so that a place that was
    /// deleted with its session is not given again.
    package var opening = Duration.seconds(7 * 86_400)
    /// The documents that a server keeps, in bytes.
    package var keptBytes = 1 << 26

    package init() {}

    /// The time for which a server answers with the same document.
    var pause: Duration { max(.seconds(1), timeToLive / 10) }

    /// The age at which an unchanged document is signed again: half of its life is left for an outage, and a copy may be used for `ttl`.
    var renewal: Duration { max(.zero, min(validity / 2, validity - timeToLive * 2)) }
}

extension ServiceEnvironment {
    /// Where a list is published: on the issuer's origin.
    func statusListURI(_ id: String) -> String {
        let origin = issuer.hasSuffix(WirePath.issuer) ? String(issuer.dropLast(WirePath.issuer.count)) : issuer
        return origin + WirePath.statusList(id)
    }

    /// How long after it began a session's id_tokens are all expired, also for a verifier whose clock is slow.
    var statusMemory: Duration { lifetimes.sessionAbsolute + lifetimes.idToken + signing.leeway }
}
