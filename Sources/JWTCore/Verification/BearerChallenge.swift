/// A gateway's reply to a request with a refused bearer token: an HTTP status and the value of `WWW-Authenticate` (RFC 6750 section 3).
///
/// ```swift
/// do {
///     return try verifier.verify(token)
/// } catch {
///     reply.status = error.code.httpStatus
///     reply.fields["WWW-Authenticate"] = BearerChallenge(refusing: error, realm: "api")?.fieldValue
///     return nil
/// }
/// ```
public struct BearerChallenge: Hashable, Sendable {
    /// The value of `error` (RFC 6750 section 3.1, RFC 9470 section 3, RFC 9449 sections 7.1 and 9).
    public enum Failure: String, CaseIterable, Sendable {
        /// The request is malformed: it has more than one token, or sends one in two ways. The gateway detects this, not the verifier.
        case invalidRequest = "invalid_request"
        /// The token is malformed, expired, revoked or refused for another reason.
        case invalidToken = "invalid_token"
        /// The token is valid, and its scope does not suffice.
        case insufficientScope = "insufficient_scope"
        /// The user authenticated too long ago or in too weak a way.
        case insufficientUserAuthentication = "insufficient_user_authentication"
        /// The request needs a DPoP proof, and has none that is valid.
        case invalidProof = "invalid_dpop_proof"
        /// The DPoP proof needs the nonce that the reply brings.
        case useProofNonce = "use_dpop_nonce"

        /// The HTTP status for this failure.
        public var httpStatus: Int {
            switch self {
            case .invalidRequest: 400
            case .invalidToken, .insufficientUserAuthentication, .invalidProof, .useProofNonce: 401
            case .insufficientScope: 403
            }
        }
    }

    /// Nil if the request has no token: the challenge then only says how to authenticate (RFC 6750 section 3.1).
    public let failure: Failure?
    /// For developers; not shown to users.
    public let description: String?
    public let realm: String?
    /// The scopes that the request needs, separated by spaces.
    public let scope: String?

    /// - Parameters:
    ///   - failure: nil if the request has no token.
    ///   - description: a sentence for the client's developer, without secrets.
    ///   - realm: the name of the protected resource.
    ///   - scope: the scopes that the request needs, separated by spaces.
    public init(_ failure: Failure? = nil, description: String? = nil, realm: String? = nil, scope: String? = nil) {
        self.failure = failure
        self.description = description
        self.realm = realm
        self.scope = scope
    }

    /// The challenge for a refused token; nil if the token is not the cause (`keys_unavailable`).
    public init?(refusing error: VerificationError, realm: String? = nil, scope: String? = nil) {
        guard let failure = error.code.bearerFailure else { return nil }
        self.init(failure, description: error.code.summary, realm: realm, scope: scope)
    }

    /// 401 if the request has no token.
    public var httpStatus: Int { failure?.httpStatus ?? 401 }

    /// The value of the field `WWW-Authenticate`. Characters not allowed there become question marks, so that no text can end the field.
    public var fieldValue: String {
        let parameters = [
            ("realm", realm.map(Self.quotedText)), ("error", failure?.rawValue), ("error_description", description.map(Self.plainText)),
            ("scope", scope.map(Self.plainText)),
        ]
        let given = parameters.compactMap { name, value in value.map { "\(name)=\"\($0)\"" } }
        return given.isEmpty ? "Bearer" : "Bearer " + given.joined(separator: ", ")
    }

    /// The inside of a quoted string (RFC 9110 section 5.6.4), only printable ASCII.
    private static func quotedText(_ text: String) -> String {
        text.unicodeScalars.reduce(into: "") { quoted, scalar in
            if scalar == "\"" || scalar == "\\" { quoted.unicodeScalars.append("\\") }
            quoted.unicodeScalars.append(" "..."~" ~= scalar ? scalar : "?")
        }
    }

    /// The characters allowed in descriptions and scopes: neither quotes nor backslashes, not even escaped (RFC 6750 section 3).
    private static func plainText(_ text: String) -> String {
        text.unicodeScalars.reduce(into: "") { plain, scalar in
            let isPlain = " "..."~" ~= scalar && scalar != "\"" && scalar != "\\"
            plain.unicodeScalars.append(isPlain ? scalar : "?")
        }
    }
}

extension VerificationError.Code {
    /// The status of a reply to a request whose token was refused with this code: 503 for `keys_unavailable`, 403 for
    /// `insufficient_scope`, 401 for all others.
    public var httpStatus: Int { bearerFailure?.httpStatus ?? 503 }

    /// The `error` of a challenge for this code; nil for `keys_unavailable`, which the token did not cause.
    public var bearerFailure: BearerChallenge.Failure? {
        switch self {
        case .keysUnavailable: nil
        case .authenticationTooOld, .contextClassMismatch: .insufficientUserAuthentication
        case .insufficientScope: .insufficientScope
        case .missingProofNonce, .proofNonceMismatch: .useProofNonce
        default: isOfProof ? .invalidProof : .invalidToken
        }
    }
}

extension VerificationError.Code {
    /// Whether a DPoP proof was refused, or is missing. The access token may be valid.
    public var isOfProof: Bool { (Self.missingProof.number...Self.replayedProof.number).contains(number) }
}
