public import JWTCore

/// Verifies tokens: what a server needs to know of its verifier. `TokenVerifier`, ``RefreshingVerifier``, ``TrustedIssuers`` and
/// ``OpportunisticBatcher`` conform.
///
/// A server that takes `any TokenVerifying` can be tested without a network:
///
/// ```swift
/// func subject(of text: String, by verifier: any TokenVerifying) async throws(VerificationError) -> String? {
///     try await verifier.verify(text).subject
/// }
/// ```
///
/// Only a verification makes a `VerifiedToken`, so a fake cannot invent one. Its place is taken by a real `TokenVerifier` over a key that
/// the test makes, with a `UnixClock` that the test sets: the test signs the tokens that the server shall accept, and those that it shall
/// refuse.
public protocol TokenVerifying: Sendable {
    /// Verifies `token`, a compact JWS, for the time of the verifier's clock, and returns a copy of its content.
    ///
    /// - Throws: why it is refused.
    func verify(_ token: String) async throws(VerificationError) -> VerifiedToken

    /// Verifies a token in an array of bytes.
    ///
    /// - Throws: why it is refused.
    func verify(_ token: [UInt8]) async throws(VerificationError) -> VerifiedToken
}

extension OpportunisticBatcher: TokenVerifying {}

extension TokenVerifier: TokenVerifying {
    /// Verifies a token in a `String` for the time of the clock. Never waits.
    public func verify(_ token: String) throws(VerificationError) -> VerifiedToken { try verify(token, now: nil) }

    /// Verifies a token in an array of bytes for the time of the clock. Never waits.
    public func verify(_ token: [UInt8]) throws(VerificationError) -> VerifiedToken { try verify(token, now: nil) }
}

extension TrustedIssuers: TokenVerifying {
    /// Verifies a token in a `String` for the time of the clock. Never waits; a ``RefreshingVerifier`` of these issuers does.
    public func verify(_ token: String) throws(VerificationError) -> VerifiedToken { try verify(token, now: nil) }

    /// Verifies a token in an array of bytes for the time of the clock. Never waits; a ``RefreshingVerifier`` of these issuers does.
    public func verify(_ token: [UInt8]) throws(VerificationError) -> VerifiedToken { try verify(token, now: nil) }
}

extension RefreshingVerifier: TokenVerifying {
    /// Verifies `token` for the time of the clock, and waits for its key as ``verify(_:now:)-(String,_)`` does.
    public func verify(_ token: String) async throws(VerificationError) -> VerifiedToken { try await verify(token, now: nil) }

    /// Verifies `token` for the time of the clock, and waits for its key as ``verify(_:now:)-([UInt8],_)`` does.
    public func verify(_ token: [UInt8]) async throws(VerificationError) -> VerifiedToken { try await verify(token, now: nil) }
}
