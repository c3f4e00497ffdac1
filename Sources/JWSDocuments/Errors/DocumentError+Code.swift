extension DocumentError {
    /// The kind of failure. Names and numbers are stable; more may be added. No other interface has numbers from 790 to 799.
    public struct Code: Hashable, Sendable {
        private let known: Known
        private init(_ known: Known) { self.known = known }

        public var number: UInt16 { known.rawValue }
        /// The name in logs and vectors.
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

extension DocumentError.Code {
    public static let malformedDocument = Self(.malformed_document)
    public static let documentTooLarge = Self(.document_too_large)
    public static let noSignatures = Self(.no_signatures)
    public static let tooManySignatures = Self(.too_many_signatures)
    public static let headerOverlap = Self(.header_overlap)
    public static let unprotectedParameter = Self(.unprotected_parameter)
    public static let mixedEncodings = Self(.mixed_encodings)
    public static let payloadMismatch = Self(.payload_mismatch)
    /// Too few signatures hold: ``DocumentError/cause`` says why one of the others does not.
    public static let signatureRefused = Self(.signature_refused)
    public static let signerMismatch = Self(.signer_mismatch)
}

/// The numbers. Case names are the public names, so that no second table can disagree.
private enum Known: UInt16, CaseIterable {
    case malformed_document = 790
    case document_too_large = 791
    case no_signatures = 792
    case too_many_signatures = 793
    case header_overlap = 794
    case unprotected_parameter = 795
    case mixed_encodings = 796
    case payload_mismatch = 797
    case signature_refused = 798
    case signer_mismatch = 799

    var summary: String {
        switch self {
        case .malformed_document: "not a JWS in flattened or general JSON serialization"
        case .document_too_large: "the document is longer than the limits allow"
        case .no_signatures: "the document has no signature"
        case .too_many_signatures: "more signatures than the limits allow"
        case .header_overlap: "a parameter is in the protected and in the unprotected header"
        case .unprotected_parameter: "crit or b64 is in the unprotected header"
        case .mixed_encodings: "b64 is not the same for all signatures"
        case .payload_mismatch: "the document has a payload and is to have none, or the other way round"
        case .signature_refused: "not as many signatures hold as the policy requires"
        case .signer_mismatch: "more than one signature holds where one has to, or a required signer's is missing"
        }
    }
}
