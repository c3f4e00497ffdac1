internal import JWTCore

/// The terms of a policy that its challenges repeat.
struct ChallengeTerms: Sendable {
    /// Each is a parameter as a challenge has it; empty if the policy has none.
    private let realm: [UInt8]
    private let scope: [UInt8]
    private let resourceMetadata: [UInt8]
    /// What the policy asks of the user's authentication (RFC 9470 section 3).
    private let authentication: [UInt8]
    /// Whether clients find out by the challenge what to ask for: then each refusal of a token has the scope too.
    private let isOfResource: Bool
    private let proofs: ProofChallengeTerms?

    /// - Parameter proofs: nil for a policy without terms for DPoP.
    init(_ policy: GatewayPolicy, _ proofs: ProofChallengeTerms?) {
        self.proofs = proofs
        realm = Self.parameters(BearerChallenge(realm: policy.realm))
        scope = Self.parameters(BearerChallenge(scope: policy.scopes.isEmpty ? nil : policy.scopes.joined(separator: " ")))
        let metadata = policy.resource.flatMap { ResourceLocation($0)?.url } ?? policy.resourceMetadata
        resourceMetadata = metadata.map { Array("resource_metadata=\"\($0)\"".utf8) } ?? []
        isOfResource = policy.resource != nil
        authentication = Array(Self.authentication(policy).joined(separator: ", ").utf8)
    }

    private static func authentication(_ policy: GatewayPolicy) -> [String] {
        let classes = policy.contextClasses.isEmpty ? nil : "acr_values=\"\(policy.contextClasses.joined(separator: " "))\""
        let age = policy.maximumAuthenticationAge.map { "max_age=\"\($0.components.seconds)\"" }
        return [classes, age].compactMap(\.self)
    }

    private static func parameters(_ challenge: BearerChallenge) -> [UInt8] { Array(challenge.fieldValue.utf8.dropFirst("Bearer ".count)) }

    /// Appends the value of `WWW-Authenticate` for a refusal (RFC 6750 section 3, RFC 9728 section 5.1,
    /// RFC 9470 section 3); nothing where no token is the
    /// cause.
    ///
    /// Where clients may send proofs, the scheme `DPoP` is named too (RFC 9449 section 7.1): alone if a proof or a binding is the cause, or
    /// if the policy takes no bearer tokens.
    func append(for reason: DenialReason, to text: inout [UInt8]) {
        guard let proofs else { return append(for: reason, "Bearer ", [], to: &text) }
        guard !proofs.isOnlyScheme, !reason.isOfBinding else { return append(for: reason, "DPoP ", proofs.algorithms, to: &text) }
        let start = text.count
        append(for: reason, "Bearer ", [], to: &text)
        guard text.count > start else { return }
        text.append(", DPoP ")
        text += proofs.algorithms
    }

    private func append(for reason: DenialReason, _ scheme: String, _ more: [UInt8], to text: inout [UInt8]) {
        switch reason {
        case .token(let error):
            guard let failure = error.code.bearerFailure else { return }
            // Who logs in again asks for the same scope.
            let isOfUser = failure == .insufficientUserAuthentication
            append(scheme, more, failure, reason.summary, withScope: isOfUser || isOfResource, to: &text)
        case .missingToken: append(scheme, more, nil, nil, withScope: true, to: &text)
        case .severalTokens: append(scheme, more, .invalidRequest, reason.summary, withScope: false, to: &text)
        case .insufficientScope: append(scheme, more, .insufficientScope, reason.summary, withScope: true, to: &text)
        // Another scope would not help.
        case .claimMismatch: append(scheme, more, .insufficientScope, reason.summary, withScope: false, to: &text)
        case .revoked, .suspended, .replayed, .inactiveToken:
            append(scheme, more, .invalidToken, reason.summary, withScope: isOfResource, to: &text)
        case .noRoute, .noPolicy, .ambiguousPath, .ambiguousField, .claimsTooLarge, .unhandledField, .malformedRequest, .statusUnavailable,
            .replayMemoryUnavailable, .introspectionUnavailable, .invalidIntrospection:
            break
        }
    }

    /// - Parameters:
    ///   - more: further parameters of the scheme.
    ///   - description: of printable ASCII without quotes and backslashes.
    private func append(
        _ scheme: String, _ more: [UInt8], _ failure: BearerChallenge.Failure?, _ description: String?, withScope: Bool,
        to text: inout [UInt8]
    ) {
        let start = text.count + scheme.utf8.count
        text.append(scheme)
        Self.append(realm, to: &text, start)
        if let failure { Self.append("error=\"", failure.rawValue, to: &text, start) }
        if let description { Self.append("error_description=\"", description, to: &text, start) }
        if failure == .insufficientUserAuthentication { Self.append(authentication, to: &text, start) }
        if withScope { Self.append(self.scope, to: &text, start) }
        Self.append(more, to: &text, start)
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
