#if Metrics
public import JWTCore
public import Logging

/// A verifier whose verdicts are counted and logged.
///
/// ```swift
/// let verifier = RefreshingVerifier(keys: keys, policy: policy)
/// return ObservedVerifier(verifier, metrics: VerdictMetrics(factory: factory), logger: logger)
/// ```
///
/// A refusal is logged by its code, by its offset in the token, and by the reason that the library or a check of the program has for it. No
/// byte of a token reaches a log or a metric.
public struct ObservedVerifier<Verifier: TokenVerifying>: TokenVerifying {
    private let verifier: Verifier
    private let metrics: VerdictMetrics
    private let logger: Logger?
    private let level: Logger.Level

    /// - Parameters:
    ///   - verifier: gives the verdicts.
    ///   - metrics: counts them.
    ///   - logger: logs refusals; nil logs none.
    ///   - level: the level of refusals. `keys_unavailable` is a fault of this side and is logged as a warning at least.
    public init(_ verifier: Verifier, metrics: VerdictMetrics = VerdictMetrics(), logger: Logger? = nil, level: Logger.Level = .info) {
        self.verifier = verifier
        self.metrics = metrics
        self.logger = logger
        self.level = level
    }

    public func verify(_ token: String) async throws(VerificationError) -> VerifiedToken {
        try await observed { () async throws(VerificationError) in try await verifier.verify(token) }
    }

    public func verify(_ token: [UInt8]) async throws(VerificationError) -> VerifiedToken {
        try await observed { () async throws(VerificationError) in try await verifier.verify(token) }
    }

    private func observed(
        _ verify: () async throws(VerificationError) -> VerifiedToken
    ) async throws(VerificationError) -> VerifiedToken {
        do throws(VerificationError) {
            let token = try await verify()
            metrics.countValid()
            return token
        } catch {
            metrics.count(error)
            log(error)
            throw error
        }
    }

    private func log(_ error: VerificationError) {
        guard let logger else { return }
        var metadata: Logger.Metadata = ["code": "\(error.code.name)"]
        if let offset = error.offset { metadata["offset"] = "\(offset)" }
        if let reason = error.reason { metadata["reason"] = "\(reason)" }
        logger.log(level: error.code.isRetryable ? max(level, .warning) : level, "token refused", metadata: metadata)
    }
}
#endif
