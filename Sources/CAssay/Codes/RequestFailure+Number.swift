internal import CAssayInterface
package import JWKSCache

extension RequestFailure.Reason {
    /// Nil for a number that is no ASSAY_FAILURE_….
    init?(number: UInt32) {
        guard let row = Self.numbers.first(where: { UInt32($0.number) == number }) else { return nil }
        self = row.reason
    }

    /// The ASSAY_FAILURE_… that a host is told. What has none is a failure before the request has reached its server.
    package var number: UInt32 {
        let reason: Self = self == .invalidField ? .invalidURL : self
        return UInt32(Self.numbers.first { $0.reason == reason }?.number ?? ASSAY_FAILURE_CONNECTION)
    }

    private static let numbers: [(number: Int, reason: Self)] = [
        (ASSAY_FAILURE_CONNECTION, .connection), (ASSAY_FAILURE_TLS, .tls), (ASSAY_FAILURE_TIMED_OUT, .timedOut),
        (ASSAY_FAILURE_TOO_LARGE, .tooLarge), (ASSAY_FAILURE_REDIRECT, .redirect), (ASSAY_FAILURE_MALFORMED, .malformed),
        (ASSAY_FAILURE_FORBIDDEN, .forbiddenAddress), (ASSAY_FAILURE_CANCELLED, .cancelled), (ASSAY_FAILURE_UNRESOLVED, .unresolvedName),
        (ASSAY_FAILURE_PIN, .pinMismatch), (ASSAY_FAILURE_URL, .invalidURL),
    ]
}
