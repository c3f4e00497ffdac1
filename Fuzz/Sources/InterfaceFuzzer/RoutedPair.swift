import CAssayInterface
import FuzzInput
import JWTCore

/// A verifier of two issuers, in both interfaces.
struct RoutedPair {
    let c: OpaquePointer
    private let swift: Router

    init() {
        var policies: [OpaquePointer?] = [nil, nil], keys: OpaquePointer?, verifier: OpaquePointer?
        let document = #"{"keys":[\#(Keys.hs256JWK)]}"#
        precondition(assay_keys_new(&keys, document, document.utf8.count) == ASSAY_OK)
        for (place, issuer) in Router.issuers.enumerated() {
            precondition(assay_policy_new_id_token(&policies[place], issuer, issuer.utf8.count, "client-1", 8) == ASSAY_OK)
            precondition(assay_policy_add(policies[place], UInt32(ASSAY_RULE_ALGORITHM), "HS256", 5) == ASSAY_OK)
        }
        precondition(assay_policy_add(policies[1], UInt32(ASSAY_RULE_TYPE), "JWT", 3) == ASSAY_OK)
        precondition(assay_policy_add(policies[1], UInt32(ASSAY_RULE_ALGORITHM), "none", 4) == ASSAY_UNSUPPORTED_ALGORITHM)
        precondition(assay_policy_set(policies[1], UInt32(ASSAY_RULE_LEEWAY), -1) == ASSAY_INVALID_ARGUMENT)
        let issuers = policies.map { assay_issuer(policy: $0, keys: keys) }
        precondition(assay_verifier_new(&verifier, issuers, issuers.count, nil) == ASSAY_OK)
        for policy in policies { assay_policy_free(policy) }
        assay_keys_free(keys)
        guard let verifier else { preconditionFailure("no verifier") }
        c = verifier
        swift = Router()
    }

    /// What the Swift library says of a token.
    func code(_ token: [UInt8]) -> assay_code {
        do throws(VerificationError) {
            _ = try swift.verify(token.span, now: now)
            return assay_code(ASSAY_OK)
        } catch {
            return assay_code(error.code.number)
        }
    }
}

private struct Router: TokenRouter {
    static let issuers = [VerifierPair.issuer, "https://b.example"]
    private let routes = issuers.map { issuer in
        var policy = ClaimsPolicy.idToken(issuer: issuer, clientID: "client-1")
        policy.algorithms = [.hs256]
        if issuer != VerifierPair.issuer { policy.types = ["JWT"] }
        return TokenRoute(policy: policy, keys: FuzzInput.Keys.set([FuzzInput.Keys.hs256JWK]))
    }

    func withRoute<Result>(
        _ issuer: borrowing JSONString, _ body: (TokenRoute<KeySet>) throws(VerificationError) -> Result
    ) throws(VerificationError) -> Result {
        let name = issuer.utf8
        guard let place = Self.issuers.firstIndex(where: { Array($0.utf8) == name }) else {
            throw VerificationError(.issuerMismatch, claim: .issuer)
        }
        return try body(routes[place])
    }
}
