#if Metrics
public import JWTCore
public import Metrics

/// Counts verdicts in swift-metrics: `assay_verifications_total`, with the label `verdict`, which is `valid` or the name of a code.
///
/// No label comes from a token, so the number of series is bounded. All of them begin at zero. Make one value for a verifier, and keep it.
public struct VerdictMetrics: Sendable {
    private let valid: Counter
    private let refused: [VerificationError.Code: Counter]

    public init(factory: any MetricsFactory = MetricsSystem.factory) {
        let counter = { verdict in Counter(label: "assay_verifications_total", dimensions: [("verdict", verdict)], factory: factory) }
        valid = counter("valid")
        refused = Dictionary(uniqueKeysWithValues: VerificationError.Code.all.map { ($0, counter($0.name)) })
    }

    /// Counts a token that was accepted.
    public func countValid() { valid.increment() }

    /// Counts a token that was refused.
    public func count(_ error: VerificationError) { refused[error.code]?.increment() }
}
#endif
