package import JWKSCache
package import TokenStatus

/// The result of one fetch of a list.
package enum ListResult: Sendable {
    case list(VerifiedStatusList, CacheDirectives)
    /// The source confirms its last list (304).
    case notModified(CacheDirectives)
    case failed(StatusListFailure, retryAfter: Duration?)
}
