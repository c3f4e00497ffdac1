internal import JWKSCache
internal import JWTCore

/// Reads the responses of an introspection endpoint: plain ones (RFC 7662 section 2.2), or signed ones (RFC 9701 section 5).
struct IntrospectionReader: Sendable {
    private let isSigned: Bool
    private let keys: ProviderKeys
    private let verifier: TokenVerifier<ProviderKeys>

    /// - Parameters:
    ///   - issuer: whose keys sign, and whose algorithms and leeway apply.
    ///   - keys: of this issuer.
    init(_ terms: IntrospectionTerms, issuer: IssuerConfiguration, keys: ProviderKeys) {
        isSigned = terms.isSigned
        self.keys = keys
        var limits = TokenLimits.standard
        limits.tokenBytes = Self.signedBytes
        verifier = TokenVerifier(keys: keys, policy: Self.policy(terms, issuer), limits: limits)
    }

    /// Bytes of a signed answer: those of an answer in base64url, with a header and a signature.
    private static let signedBytes = 2 * IntrospectedToken.mostBytes

    /// How old a signed answer may be, beside the leeway: the longest time of a request.
    private static let longestAge = Duration.seconds(10)

    private static func policy(_ terms: IntrospectionTerms, _ issuer: IssuerConfiguration) -> ClaimsPolicy {
        var policy = ClaimsPolicy(issuer: issuer.issuer, audience: terms.clientID)
        policy.types = ["token-introspection+jwt"]
        policy.algorithms = issuer.policy.algorithms
        policy.leeway = issuer.policy.leeway
        policy.requiresExpiration = false
        policy.requiredClaims = ["iss", "aud", "iat", "token_introspection"]
        // An answer is made for its question. An older one comes from somebody who has kept it.
        policy.maximumAge = longestAge
        return policy
    }

    /// - Parameter now: the time that a signed answer is judged for.
    func read(_ response: ReceivedResponse, now: NumericDate) async throws(IntrospectionFailure) -> IntrospectionAnswer {
        guard response.status == 200 else {
            let mayReturn = [429, 503].contains(response.status)
            throw IntrospectionFailure(.status(response.status), pause: mayReturn ? response.retryAfter : nil)
        }
        do throws(VerificationError) {
            guard isSigned else {
                guard response.isJSON else { throw VerificationError(.typeMismatch) }
                return try Self.answer(response.body)
            }
            return try Self.answer(try await claims(of: response.body, now))
        } catch {
            if error.code == .keysUnavailable { throw IntrospectionFailure(.keysUnavailable) }
            throw IntrospectionFailure(error.code == .typeMismatch && !isSigned ? .mediaType : .answer(error))
        }
    }

    private static func answer(_ text: [UInt8]) throws(VerificationError) -> IntrospectionAnswer {
        try IntrospectedToken.read(text).map { .active($0) } ?? .inactive
    }

    /// The claim `token_introspection` of a signed answer.
    private func claims(of token: [UInt8], _ now: NumericDate) async throws(VerificationError) -> [UInt8] {
        let claims = try await keys.retrying { () throws(VerificationError) in
            try verifier.withVerified(token.span, now: now) { claims -> [UInt8]? in
                guard let answer = claims["token_introspection"], answer.isObject else { return nil }
                return Array(copying: answer.raw)
            }
        }
        guard let claims else { throw VerificationError(.invalidClaim) }
        return claims
    }
}

extension ReceivedResponse {
    /// Of the media type of JSON, whatever its parameters.
    fileprivate var isJSON: Bool {
        let type = field("Content-Type")?.split(separator: ";", omittingEmptySubsequences: false).first
        return type.map { $0.lowercased().filter { $0 != " " && $0 != "\t" } == IntrospectionRequest.plainType } ?? false
    }

    /// `Retry-After` in seconds (RFC 9110 section 10.2.3); nil for a date.
    fileprivate var retryAfter: Duration? {
        first("Retry-After").flatMap { Int64($0) }.flatMap { $0 >= 0 ? .seconds(min($0, 3_600)) : nil }
    }
}
