internal import JWKSCache
package import StatusListCache

/// Where a provider's status lists may come from, and what becomes of a token without one (draft-ietf-oauth-status-list-20).
public struct StatusListTerms: Hashable, Sendable {
    /// URLs of the only origins that lists are requested from, such as `https://status.example`. A token that names another is refused.
    public var origins: [String]
    package var policy = StatusListPolicy.closedFirst
    package var limits = StatusListLimits()

    /// Bytes of the longest response with a list. A transport for lists has to permit as many.
    package static let responseBytes = StatusListIssuer.responseBytes

    /// - Parameter origins: at least one.
    public init(origins: [String]) { self.origins = origins }

    /// Whether `text` has an origin: https or, on this machine, http, with a host and perhaps a port. A path behind it is not looked at.
    public static func isOrigin(_ text: String) -> Bool { StatusListIssuer.isOrigin(text) }

    /// Lists of one issuer, at least one. 256 unless set; a token that names one more is refused.
    public var maximumLists: Int {
        get { limits.listsPerIssuer }
        set { limits.listsPerIssuer = max(1, newValue) }
    }

    /// Bytes of all lists, decompressed. 64 MiB unless set.
    public var maximumBytes: Int {
        get { limits.totalBytes }
        set { limits.totalBytes = max(0, newValue) }
    }

    /// How long tokens are admitted whose list was never fetched. Zero unless set; an hour at most.
    public var absentGrace: Duration {
        get { policy.absentGrace }
        set { policy.absentGrace = newValue }
    }

    /// How long a list that was refused counts as one that cannot be fetched. Zero unless set; an hour at most.
    public var refusedGrace: Duration {
        get { policy.refusedGrace }
        set { policy.refusedGrace = newValue }
    }

    /// How long the last list judges after its lifetime, while its source fails. An hour unless set.
    public var staleIfError: Duration {
        get { policy.refresh.staleIfError }
        set { policy.refresh.staleIfError = newValue }
    }
}
