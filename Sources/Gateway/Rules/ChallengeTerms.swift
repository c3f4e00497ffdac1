internal import JWTCore

/// The terms of a policy that its challenges repeat.
struct ChallengeTerms: Sendable {
    /// Each is a parameter as a challenge has it; empty if the policy has none.
    private let realm: [UInt8]
    private let scope: [UInt8]
    private let resourceMetadata: [UInt8]

    init(_ policy: GatewayPolicy) {
        realm = Self.parameters(BearerChallenge(realm: policy.realm))
        scope = Self.parameters(BearerChallenge(scope: policy.scopes.isEmpty ? nil : policy.scopes.joined(separator: " ")))
        resourceMetadata = policy.resourceMetadata.map { Array("resource_metadata=\"\($0)\"".utf8) } ?? []
    }

    private static func parameters(_ challenge: BearerChallenge) -> [UInt8] { Array(challenge.fieldValue.utf8.dropFirst("Bearer ".count)) }

    /// Appends the value of `WWW-Authenticate` for a refusal (RFC 6750 section 3, RFC 9728 section 5.1); nothing where no token is the cause.
    func append(for reason: DenialReason, to text: inout [UInt8]) {
        switch reason {
        case .token(let error):
            guard let failure = error.code.bearerFailure else { return }
            append(failure, reason.summary, withScope: false, to: &text)
        case .missingToken: append(nil, nil, withScope: true, to: &text)
        case .severalTokens: append(.invalidRequest, reason.summary, withScope: false, to: &text)
        case .insufficientScope: append(.insufficientScope, reason.summary, withScope: true, to: &text)
        // Another scope would not help.
        case .claimMismatch: append(.insufficientScope, reason.summary, withScope: false, to: &text)
        case .revoked, .suspended, .replayed: append(.invalidToken, reason.summary, withScope: false, to: &text)
        case .noRoute, .noPolicy, .ambiguousPath, .ambiguousField, .claimsTooLarge, .unhandledField, .malformedRequest, .statusUnavailable,
            .replayMemoryUnavailable:
            break
        }
    }

    /// - Parameter description: of printable ASCII without quotes and backslashes.
    private func append(_ failure: BearerChallenge.Failure?, _ description: String?, withScope: Bool, to text: inout [UInt8]) {
        let start = text.count + "Bearer ".utf8.count
        text.append("Bearer ")
        Self.append(realm, to: &text, start)
        if let failure { Self.append("error=\"", failure.rawValue, to: &text, start) }
        if let description { Self.append("error_description=\"", description, to: &text, start) }
        if withScope { Self.append(scope, to: &text, start) }
        Self.append(resourceMetadata, to: &text, start)
        if text.count == start { text.removeLast() }
    }

    private static func append(_ parameter: [UInt8], to text: inout [UInt8], _ start: Int) {
        guard !parameter.isEmpty else { return }
        if text.count > start { text.append(", ") }
        text += parameter
    }

    private static func append(_ name: String, _ value: String, to text: inout [UInt8], _ start: Int) {
        if text.count > start { text.append(", ") }
        text.append(name)
        text.append(value)
        text.append(UInt8(ascii: "\""))
    }
}
