internal import CAssayInterface
internal import JWTCore

/// A policy that C builds rule by rule. Verifiers copy it.
final class Policy {
    private var policy: ClaimsPolicy
    // A list is set only once, because each change of the policy indexes it again.
    private var revokedTokenIDs: [String] = []
    private var hasOwnTypes = false
    private var hasOwnAlgorithms = false

    init(_ policy: ClaimsPolicy = ClaimsPolicy()) { self.policy = policy }

    /// The policy as it is now.
    var claimsPolicy: ClaimsPolicy {
        var policy = policy
        policy.revokedTokenIDs = revokedTokenIDs
        return policy
    }

    func add(_ rule: UInt32, _ text: String) throws(InterfaceFailure) {
        switch Int(rule) {
        case ASSAY_RULE_ISSUER: policy.issuers.append(text)
        case ASSAY_RULE_AUDIENCE: policy.audiences.append(text)
        case ASSAY_RULE_TRUSTED_AUDIENCE: policy.trustedAudiences.append(text)
        case ASSAY_RULE_AUTHORIZED_PARTY: policy.authorizedParty = text
        case ASSAY_RULE_ALGORITHM: try addAlgorithm(text)
        case ASSAY_RULE_TYPE: addType(text)
        case ASSAY_RULE_REQUIRED_CLAIM: policy.requiredClaims.append(text)
        case ASSAY_RULE_CONTEXT_CLASS: policy.contextClasses.append(text)
        case ASSAY_RULE_AUTHENTICATION_METHOD: policy.authenticationMethods.append(text)
        case ASSAY_RULE_REVOKED_TOKEN_ID: revokedTokenIDs.append(text)
        case ASSAY_RULE_NONCE: policy.nonce = text
        case ASSAY_RULE_ACCESS_TOKEN: policy.accessToken = text
        case ASSAY_RULE_AUTHORIZATION_CODE: policy.code = text
        case ASSAY_RULE_SUBJECT: policy.subject = text
        case ASSAY_RULE_SCOPE: policy.scopes.append(text)
        default: throw InterfaceFailure(.invalidArgument)
        }
    }

    func set(_ rule: UInt32, _ number: Int64) throws(InterfaceFailure) {
        guard (0...1_000_000_000_000).contains(number) else { throw InterfaceFailure(.invalidArgument) }
        switch Int(rule) {
        case ASSAY_RULE_LEEWAY: policy.leeway = .seconds(number)
        case ASSAY_RULE_MAXIMUM_AGE: policy.maximumAge = .seconds(number)
        case ASSAY_RULE_MAXIMUM_AUTHENTICATION_AGE: policy.maximumAuthenticationAge = .seconds(number)
        case ASSAY_RULE_EXPIRATION_REQUIRED where number <= 1: policy.requiresExpiration = number == 1
        case ASSAY_RULE_TRUSTED_AUDIENCES_ONLY where number <= 1: policy.requiresTrustedAudiences = number == 1
        default: throw InterfaceFailure(.invalidArgument)
        }
    }

    private func addAlgorithm(_ name: String) throws(InterfaceFailure) {
        guard let algorithm = SignatureAlgorithm(name: name) else { throw InterfaceFailure(VerificationError(.unsupportedAlgorithm)) }
        if !hasOwnAlgorithms { policy.algorithms = [] }
        hasOwnAlgorithms = true
        policy.algorithms.insert(algorithm)
    }

    private func addType(_ type: String) {
        policy.types = (hasOwnTypes ? policy.types ?? [] : []) + [type]
        hasOwnTypes = true
    }
}
