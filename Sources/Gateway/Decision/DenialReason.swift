public import JWTCore

/// Why a request is refused. ``code`` is stable.
public enum DenialReason: Hashable, Sendable {
    /// The verifier's reason.
    case token(VerificationError)
    /// The request has no token where one is required.
    case missingToken
    /// The request has more than one token, or one twice.
    case severalTokens
    /// The token lacks a scope.
    case insufficientScope
    /// A claim breaks a rule of the policy.
    case claimMismatch
    /// A revocation applies to the token, or its status list says that it is invalid.
    case revoked
    /// The token's status list says that it is suspended, or has another status.
    case suspended
    /// The token's status list is not there, and the terms of its provider admit no token without it.
    case statusUnavailable
    /// The token passes once, and was used before.
    case replayed
    /// The token passes once, and nothing can say whether it was used before: the memory of uses is full or not available.
    case replayMemoryUnavailable
    /// No route matches the request.
    case noRoute
    /// The host names a policy that the configuration does not have.
    case noPolicy
    /// The path can be read in more than one way: dot segments, encoded slashes, empty segments, controls.
    case ambiguousPath
    /// A field can be read as one that the gateway sets (`x_user_id` as `x-user-id`), makes a proxy drop one (`Connection: x-user-id`), or
    /// asks for another method than the one that a route looked at.
    case ambiguousField
    /// The token's claims do not fit into the fields for the upstream.
    case claimsTooLarge
    /// A claim is sent in a field that the gateway's own file does not handle: the client's field of that name would reach the upstream.
    case unhandledField
    /// The gateway's message is malformed: a needed field is missing, repeated or impossible.
    case malformedRequest

    /// The name in logs, counters and the answer's `x-assay-code`.
    public var code: String {
        switch self {
        case .token(let error): error.code.name
        case .missingToken: "missing_token"
        case .severalTokens: "several_tokens"
        case .insufficientScope: "insufficient_scope"
        case .claimMismatch: "claim_mismatch"
        case .revoked: "revoked"
        case .suspended: "suspended"
        case .statusUnavailable: "status_unavailable"
        case .replayed: "replayed"
        case .replayMemoryUnavailable: "replay_memory_unavailable"
        case .noRoute: "no_route"
        case .noPolicy: "no_policy"
        case .ambiguousPath: "ambiguous_path"
        case .ambiguousField: "ambiguous_field"
        case .claimsTooLarge: "claims_too_large"
        case .unhandledField: "unhandled_field"
        case .malformedRequest: "malformed_request"
        }
    }

    /// ``code`` with a sentence for logs. It has no byte of a token.
    package var sentence: String {
        if case .token(let error) = self { return error.description }
        return "\(code): \(summary)"
    }

    /// The sentence without the code: printable ASCII without quotation marks and backslashes, as a challenge repeats it.
    var summary: String {
        switch self {
        case .token(let error): error.code.summary
        case .missingToken: "the request has no token"
        case .severalTokens: "more than one token"
        case .insufficientScope: "the token lacks a scope"
        case .claimMismatch: "a claim does not have the value that is required"
        case .revoked: VerificationError.Code.revoked.summary
        case .suspended: "the token is suspended"
        case .statusUnavailable: "the status list of the token is not available"
        case .replayed: "the token was used before"
        case .replayMemoryUnavailable: "the memory of used tokens is full or not available"
        case .noRoute: "no route matches the request"
        case .noPolicy: "there is no policy of this name"
        case .ambiguousPath: "the target has more than one reading"
        case .ambiguousField: "a field can be read as one that the gateway sets or removes"
        case .claimsTooLarge: "the claims do not fit into the fields"
        case .unhandledField: "the gateway's file does not handle the field of a claim"
        case .malformedRequest: "the request is malformed"
        }
    }

    /// 503 where keys, a status list or the memory of uses are missing, 400 for what the client must change in its request, 403 for
    /// what it may not do, 401 for its token.
    public var status: Int {
        switch self {
        case .token(let error): error.code.httpStatus
        case .missingToken, .revoked, .suspended, .replayed: 401
        case .severalTokens, .ambiguousPath, .ambiguousField, .malformedRequest: 400
        case .insufficientScope, .claimMismatch, .noRoute, .noPolicy, .claimsTooLarge: 403
        case .unhandledField, .statusUnavailable, .replayMemoryUnavailable: 503
        }
    }
}
