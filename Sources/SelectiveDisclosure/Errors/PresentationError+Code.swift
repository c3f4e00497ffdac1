extension PresentationError {
    /// The kind of failure. Names and numbers are stable; more may be added. No other interface has numbers from 770 to 789.
    public struct Code: Hashable, Sendable {
        private let known: Known
        private init(_ known: Known) { self.known = known }

        public var number: UInt16 { known.rawValue }
        /// The name in logs, vectors and on the command line.
        public var name: String { "\(known)" }
        /// A one-sentence summary.
        public var summary: String { known.summary }

        /// The code with this name, if there is one.
        public init?(name: String) {
            guard let known = Known.allCases.first(where: { "\($0)" == name }) else { return nil }
            self.known = known
        }

        /// Every code, in order of number.
        public static var all: [Self] { Known.allCases.map(Self.init) }
    }
}

extension PresentationError.Code {
    /// The issuer's token was not verified, or the policy refuses the claims: ``PresentationError/cause`` says why.
    public static let issuerTokenRefused = Self(.issuer_token_refused)
    public static let malformedPresentation = Self(.malformed_presentation)
    public static let presentationTooLarge = Self(.presentation_too_large)
    public static let tooManyDisclosures = Self(.too_many_disclosures)
    public static let invalidDisclosure = Self(.invalid_disclosure)
    public static let duplicateDisclosure = Self(.duplicate_disclosure)
    public static let unusedDisclosure = Self(.unused_disclosure)
    public static let invalidDigests = Self(.invalid_digests)
    public static let duplicateDigest = Self(.duplicate_digest)
    public static let duplicateClaim = Self(.duplicate_claim)
    public static let forbiddenDisclosure = Self(.forbidden_disclosure)
    public static let unsupportedDigest = Self(.unsupported_digest)
    public static let missingKeyBinding = Self(.missing_key_binding)
    public static let unexpectedKeyBinding = Self(.unexpected_key_binding)
    public static let missingConfirmation = Self(.missing_confirmation)
    public static let unusableConfirmation = Self(.unusable_confirmation)
    /// The holder's token was not verified: ``PresentationError/cause`` says why.
    public static let keyBindingRefused = Self(.key_binding_refused)
    public static let presentationMismatch = Self(.presentation_mismatch)
}

/// The numbers. Case names are the public names, so that no second table can disagree.
private enum Known: UInt16, CaseIterable {
    case issuer_token_refused = 770
    case malformed_presentation = 771
    case presentation_too_large = 772
    case too_many_disclosures = 773
    case invalid_disclosure = 774
    case duplicate_disclosure = 775
    case unused_disclosure = 776
    case invalid_digests = 777
    case duplicate_digest = 778
    case duplicate_claim = 779
    case forbidden_disclosure = 780
    case unsupported_digest = 781
    case missing_key_binding = 782
    case unexpected_key_binding = 783
    case missing_confirmation = 784
    case unusable_confirmation = 785
    case key_binding_refused = 786
    case presentation_mismatch = 787

    var summary: String {
        switch self {
        case .issuer_token_refused: "the issuer's token is refused, or the policy refuses its claims"
        case .malformed_presentation: "not a token, disclosures and a key binding token with a tilde after each but the last"
        case .presentation_too_large: "the presentation, or a disclosure in it, is longer than the limits allow"
        case .too_many_disclosures: "more disclosures than the limits allow"
        case .invalid_disclosure: "a disclosure is not base64url of a JSON array of a salt, a name and a value, or does not fit its place"
        case .duplicate_disclosure: "a disclosure is there twice"
        case .unused_disclosure: "no digest belongs to a disclosure"
        case .invalid_digests: "_sd is not an array of strings, or _sd, _sd_alg or ... is where it must not be"
        case .duplicate_digest: "a digest is there twice"
        case .duplicate_claim: "a disclosure has the name of a claim that is there"
        case .forbidden_disclosure: "a disclosure has the name of a claim that must not be selectively disclosable"
        case .unsupported_digest: "_sd_alg names a digest that is unknown or that the policy does not allow"
        case .missing_key_binding: "the policy requires key binding and the presentation has none"
        case .unexpected_key_binding: "the presentation has a key binding token that the policy does not verify"
        case .missing_confirmation: "the issuer's token has no cnf, so no key of the holder"
        case .unusable_confirmation: "cnf has no usable public key in jwk"
        case .key_binding_refused: "the holder's key binding token is refused"
        case .presentation_mismatch: "the key binding token belongs to another presentation"
        }
    }
}
