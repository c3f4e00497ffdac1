internal import JWKSCache
internal import JWTCore

/// Why a request to an introspection endpoint has no answer that counts.
struct IntrospectionFailure: Error, Hashable, Sendable {
    let reason: Reason
    /// How long the endpoint wants to be left alone (RFC 9110 section 10.2.3), cut to ``longestPause``.
    let pause: Duration?

    enum Reason: Hashable, Sendable {
        // Nobody has answered.
        case request(RequestFailure)
        case status(Int)
        /// The file with the client's secret cannot be read, or has none.
        case secretUnavailable
        /// The issuer's metadata names no endpoint that may be asked.
        case noEndpoint
        /// The keys for a signed answer are missing.
        case keysUnavailable
        // There is an answer, which is refused.
        /// Not of the media type that was asked for.
        case mediaType
        /// Malformed, too large, or of a signature that does not hold.
        case answer(VerificationError)
    }

    private static let longestPause = Duration.seconds(30)

    init(_ reason: Reason, pause: Duration? = nil) {
        self.reason = reason
        self.pause = pause.map { min($0, Self.longestPause) }
    }

    /// Whether there was an answer. An answer that is refused is no outage: the last one counts no longer.
    var isAnswer: Bool {
        switch reason {
        case .request(let failure): failure.reason == .tooLarge
        case .mediaType, .answer: true
        case .status, .secretUnavailable, .noEndpoint, .keysUnavailable: false
        }
    }

    /// The name in metrics and on the status page.
    var name: String {
        switch reason {
        case .request(let failure): failure.reason.rawValue
        case .status(let status): "status_\(status)"
        case .secretUnavailable: "secret_unavailable"
        case .noEndpoint: "no_endpoint"
        case .keysUnavailable: "keys_unavailable"
        case .mediaType: "media_type"
        case .answer(let error): error.code.name
        }
    }
}
