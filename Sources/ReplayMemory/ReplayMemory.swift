public import JWTCore

/// Remembers what was used, so that a second use is seen: the `jti` of a token that passes once (RFC 7519 section 4.1.7) or of a DPoP proof
/// (RFC 9449 section 11.1), an authorization code (RFC 6749 section 4.1.2).
///
/// A memory fails closed: only ``ReplayUse/first`` admits. An error is a refusal, because the caller then does not know whether the thing was
/// used.
public protocol ReplayMemory: Sendable {
    /// Uses `identifier`. Of any number of uses at once, one is the first.
    ///
    /// - Parameters:
    ///   - identifier: what is used.
    ///   - end: from this date on the caller refuses the thing for its age, and the memory may forget it. A fraction of a second counts as a
    ///     whole one. The same identifier needs the same end at each use.
    ///   - now: the caller's date.
    /// - Returns: whether this is the first use.
    /// - Throws: ``ReplayMemoryError``: `full`, `unavailable` or `ended`.
    func use(_ identifier: ReplayIdentifier, until end: NumericDate, now: NumericDate) async throws(ReplayMemoryError) -> ReplayUse
}

/// A memory's answer.
public enum ReplayUse: String, Hashable, Sendable {
    /// Nobody has used it before.
    case first
    /// It was used before.
    case replayed
}
