public import JWTCore

/// The requirements for a signed document.
public struct DocumentPolicy: Hashable, Sendable {
    /// Which signatures have to hold.
    public var requirement: SignatureRequirement
    /// The `kid` of each key of which a signature has to hold, whatever else is required. Empty: not checked. Whoever hands a document on
    /// can take signatures away, so ``SignatureRequirement/all`` alone says nothing about who has signed.
    public var signers: Set<String>
    /// The allowed values of `typ`, which has to be protected, compared without case and without `application/`; an empty string allows its
    /// absence. Nil: anything. Set it if the same keys sign tokens, so that no token is taken for a document (RFC 8725 section 3.11).
    public var types: [String]?
    /// The allowed values of `alg`. HMAC is never allowed unless listed.
    public var algorithms: AlgorithmSet = .asymmetric
    /// Whether `alg` may stand in the unprotected header, where everybody can change it (RFC 7515 section 10.7). Give each key its `alg`
    /// then.
    public var allowsUnprotectedAlgorithm = false

    /// - Parameters:
    ///   - requirement: which signatures have to hold.
    ///   - signers: the `kid` of each key of which a signature has to hold.
    ///   - types: the allowed values of `typ`.
    public init(requirement: SignatureRequirement, signers: Set<String> = [], types: [String]? = nil) {
        self.requirement = requirement
        self.signers = signers
        self.types = types
    }

    /// The same as a policy for the header of each signature.
    var header: ClaimsPolicy {
        var policy = ClaimsPolicy()
        policy.algorithms = algorithms
        policy.types = types
        return policy
    }
}

/// Which signatures of a document have to hold (RFC 7515 section 5.2 leaves it to the application).
public enum SignatureRequirement: Hashable, Sendable {
    /// Exactly one. The others are of parties whose keys the verifier does not have.
    case one
    /// All that are there.
    case all
}
