extension VerificationError {
    /// The kind of failure. Names and numbers are stable; more may be added.
    public struct Code: Hashable, Sendable {
        private let known: Known
        private init(_ known: Known) { self.known = known }

        /// The number, the same in every interface; the hundreds give the stage.
        public var number: UInt16 { known.rawValue }
        /// The name in logs, vectors and on the command line.
        public var name: String { "\(known)" }
        /// A one-sentence summary.
        public var summary: String { known.summary }

        /// Whether the same token may pass later, once keys have been fetched: answer 503 or retry. Only `keys_unavailable` is retryable.
        /// With `unknown_key` the keys are current and do not include the token's key: answer 401.
        public var isRetryable: Bool { self == .keysUnavailable }

        /// The code with this name, if there is one.
        public init?(name: String) {
            guard let known = Known.allCases.first(where: { "\($0)" == name }) else { return nil }
            self.known = known
        }

        /// Every code, in order of number.
        public static var all: [Self] { Known.allCases.map(Self.init) }
    }
}

extension VerificationError.Code {
    // Form: the bytes of the token.
    public static let tokenTooLarge = Self(.token_too_large)
    public static let malformedToken = Self(.malformed_token)
    public static let encryptedToken = Self(.encrypted_token)
    public static let invalidBase64URL = Self(.invalid_base64url)
    public static let invalidJSON = Self(.invalid_json)
    public static let invalidUTF8 = Self(.invalid_utf8)
    public static let duplicateMember = Self(.duplicate_member)
    public static let nestingTooDeep = Self(.nesting_too_deep)
    public static let tooManyMembers = Self(.too_many_members)
    // Header
    public static let invalidHeader = Self(.invalid_header)
    public static let missingAlgorithm = Self(.missing_algorithm)
    public static let unsecuredToken = Self(.unsecured_token)
    public static let unsupportedAlgorithm = Self(.unsupported_algorithm)
    public static let algorithmNotAllowed = Self(.algorithm_not_allowed)
    public static let unsupportedCritical = Self(.unsupported_critical)
    public static let typeMismatch = Self(.type_mismatch)
    // Key
    public static let unknownKey = Self(.unknown_key)
    public static let ambiguousKey = Self(.ambiguous_key)
    public static let keyAlgorithmMismatch = Self(.key_algorithm_mismatch)
    public static let keyUseMismatch = Self(.key_use_mismatch)
    public static let weakKey = Self(.weak_key)
    public static let invalidKey = Self(.invalid_key)
    public static let keysUnavailable = Self(.keys_unavailable)
    // Signature
    public static let signatureInvalid = Self(.signature_invalid)
    // Claims
    public static let missingClaim = Self(.missing_claim)
    public static let invalidClaim = Self(.invalid_claim)
    public static let expired = Self(.expired)
    public static let notYetValid = Self(.not_yet_valid)
    public static let issuedInFuture = Self(.issued_in_future)
    public static let tooOld = Self(.too_old)
    public static let issuerMismatch = Self(.issuer_mismatch)
    public static let audienceMismatch = Self(.audience_mismatch)
    public static let authorizedPartyMismatch = Self(.authorized_party_mismatch)
    public static let nonceMismatch = Self(.nonce_mismatch)
    public static let tokenHashMismatch = Self(.token_hash_mismatch)
    public static let authenticationTooOld = Self(.authentication_too_old)
    public static let contextClassMismatch = Self(.context_class_mismatch)
    public static let revoked = Self(.revoked)
    public static let subjectMismatch = Self(.subject_mismatch)
    public static let insufficientScope = Self(.insufficient_scope)
    public static let invalidStatus = Self(.invalid_status)
    // A proof of possession (RFC 9449), and the token that it is for
    public static let missingProof = Self(.missing_proof)
    public static let severalProofs = Self(.several_proofs)
    public static let proofTooLarge = Self(.proof_too_large)
    public static let malformedProof = Self(.malformed_proof)
    public static let proofTypeMismatch = Self(.proof_type_mismatch)
    public static let proofAlgorithmNotAllowed = Self(.proof_algorithm_not_allowed)
    public static let invalidProofKey = Self(.invalid_proof_key)
    public static let missingProofClaim = Self(.missing_proof_claim)
    public static let invalidProofClaim = Self(.invalid_proof_claim)
    public static let proofMethodMismatch = Self(.proof_method_mismatch)
    public static let proofURLMismatch = Self(.proof_url_mismatch)
    public static let proofTooOld = Self(.proof_too_old)
    public static let proofIssuedInFuture = Self(.proof_issued_in_future)
    public static let proofTokenMismatch = Self(.proof_token_mismatch)
    public static let proofKeyMismatch = Self(.proof_key_mismatch)
    public static let missingProofNonce = Self(.missing_proof_nonce)
    public static let proofNonceMismatch = Self(.proof_nonce_mismatch)
    public static let proofSignatureInvalid = Self(.proof_signature_invalid)
    public static let replayedProof = Self(.replayed_proof)
    public static let unboundToken = Self(.unbound_token)
    public static let boundTokenWithoutProof = Self(.bound_token_without_proof)
    public static let invalidConfirmation = Self(.invalid_confirmation)
    // Encryption: only JWTDecryption throws these.
    public static let decryptionFailed = Self(.decryption_failed)
    public static let unsupportedEncryption = Self(.unsupported_encryption)
    public static let encryptionNotAllowed = Self(.encryption_not_allowed)
    public static let compressedToken = Self(.compressed_token)
    public static let invalidEphemeralKey = Self(.invalid_ephemeral_key)
    public static let unknownDecryptionKey = Self(.unknown_decryption_key)
    public static let ambiguousDecryptionKey = Self(.ambiguous_decryption_key)
    public static let notNested = Self(.not_nested)
    public static let unencryptedToken = Self(.unencrypted_token)
    // The client's certificate (RFC 8705), and the token that is bound to it
    public static let missingCertificate = Self(.missing_certificate)
    public static let malformedCertificate = Self(.malformed_certificate)
    public static let certificateTooLarge = Self(.certificate_too_large)
    public static let certificateMismatch = Self(.certificate_mismatch)
    public static let notCertificateBound = Self(.not_certificate_bound)
    public static let unsupportedConfirmation = Self(.unsupported_confirmation)
}

/// The numbers. Case names are the public names, so that no second table can disagree.
private enum Known: UInt16, CaseIterable {
    case token_too_large = 100
    case malformed_token = 101
    case encrypted_token = 102
    case invalid_base64url = 103
    case invalid_json = 104
    case invalid_utf8 = 105
    case duplicate_member = 106
    case nesting_too_deep = 107
    case too_many_members = 108
    case invalid_header = 200
    case missing_algorithm = 201
    case unsecured_token = 202
    case unsupported_algorithm = 203
    case algorithm_not_allowed = 204
    case unsupported_critical = 205
    case type_mismatch = 206
    case unknown_key = 300
    case ambiguous_key = 301
    case key_algorithm_mismatch = 302
    case key_use_mismatch = 303
    case weak_key = 304
    case invalid_key = 305
    case keys_unavailable = 306
    case signature_invalid = 400
    case missing_claim = 500
    case invalid_claim = 501
    case expired = 502
    case not_yet_valid = 503
    case issued_in_future = 504
    case too_old = 505
    case issuer_mismatch = 506
    case audience_mismatch = 507
    case authorized_party_mismatch = 508
    case nonce_mismatch = 509
    case token_hash_mismatch = 510
    case authentication_too_old = 511
    case context_class_mismatch = 512
    case revoked = 513
    case subject_mismatch = 514
    case insufficient_scope = 515
    case invalid_status = 516
    case missing_proof = 710
    case several_proofs = 711
    case proof_too_large = 712
    case malformed_proof = 713
    case proof_type_mismatch = 714
    case proof_algorithm_not_allowed = 715
    case invalid_proof_key = 716
    case missing_proof_claim = 717
    case invalid_proof_claim = 718
    case proof_method_mismatch = 719
    case proof_url_mismatch = 720
    case proof_too_old = 721
    case proof_issued_in_future = 722
    case proof_token_mismatch = 723
    case proof_key_mismatch = 724
    case missing_proof_nonce = 725
    case proof_nonce_mismatch = 726
    case proof_signature_invalid = 727
    case replayed_proof = 728
    case unbound_token = 729
    case bound_token_without_proof = 730
    case invalid_confirmation = 731
    case decryption_failed = 740
    case unsupported_encryption = 741
    case encryption_not_allowed = 742
    case compressed_token = 743
    case invalid_ephemeral_key = 744
    case unknown_decryption_key = 745
    case ambiguous_decryption_key = 746
    case not_nested = 747
    case unencrypted_token = 748
    case missing_certificate = 750
    case malformed_certificate = 751
    case certificate_too_large = 752
    case certificate_mismatch = 753
    case not_certificate_bound = 754
    case unsupported_confirmation = 755

    var summary: String {
        switch self {
        case .token_too_large: "something in it is longer than the limits allow"
        case .malformed_token: "not a compact JWS of three parts"
        case .encrypted_token: "an encrypted token (JWE), which is not verified here"
        case .invalid_base64url: "not strict base64url: a character, padding, length or unused bit is wrong"
        case .invalid_json: "not JSON as RFC 8259 has it"
        case .invalid_utf8: "not well-formed UTF-8"
        case .duplicate_member: "an object has two members of the same name"
        case .nesting_too_deep: "objects or arrays are nested deeper than the limits allow"
        case .too_many_members: "more members or values than the limits allow"
        case .invalid_header: "a header parameter has the wrong type or an impossible value"
        case .missing_algorithm: "the header names no algorithm"
        case .unsecured_token: "an unsecured token (alg none)"
        case .unsupported_algorithm: "the header names an algorithm that is unknown or not available here"
        case .algorithm_not_allowed: "the policy does not allow the token's algorithm"
        case .unsupported_critical: "the header marks as critical what is not understood here"
        case .type_mismatch: "the token is of another type than the policy allows"
        case .unknown_key: "no key of the set fits the token's key id"
        case .ambiguous_key: "the token names no key and too many would fit"
        case .key_algorithm_mismatch: "the key is not for the token's algorithm"
        case .key_use_mismatch: "the key is not for verifying signatures"
        case .weak_key: "the key is too small"
        case .invalid_key: "the key is malformed or out of range"
        case .keys_unavailable: "there are no keys to verify with at the moment"
        case .signature_invalid: "the signature does not verify"
        case .missing_claim: "a required claim is missing"
        case .invalid_claim: "a claim has the wrong type or an impossible value"
        case .expired: "the token has expired"
        case .not_yet_valid: "the token is not valid yet"
        case .issued_in_future: "the token was issued in the future"
        case .too_old: "the token was issued too long ago"
        case .issuer_mismatch: "the token is from another issuer"
        case .audience_mismatch: "the token is for another audience"
        case .authorized_party_mismatch: "the token was issued to another party"
        case .nonce_mismatch: "the nonce is not that of this login"
        case .token_hash_mismatch: "at_hash or c_hash is not that of the accompanying token or code"
        case .authentication_too_old: "the user authenticated too long ago"
        case .context_class_mismatch: "the user did not authenticate in a required way"
        case .revoked: "the token has been revoked"
        case .subject_mismatch: "the token is about another subject"
        case .insufficient_scope: "the token lacks a required scope"
        case .invalid_status: "the claim status is not a reference to a status"
        case .missing_proof: "the request has no DPoP proof"
        case .several_proofs: "the request has more than one DPoP proof"
        case .proof_too_large: "the DPoP proof, or something in it, is longer than the limits allow"
        case .malformed_proof: "the DPoP proof is not a JWT with a well-formed header and payload"
        case .proof_type_mismatch: "the typ of the DPoP proof is not dpop+jwt"
        case .proof_algorithm_not_allowed: "the algorithm of the DPoP proof is not allowed"
        case .invalid_proof_key: "the DPoP proof has no public key that can verify it"
        case .missing_proof_claim: "a claim of the DPoP proof is missing"
        case .invalid_proof_claim: "a claim of the DPoP proof has the wrong type or an impossible value"
        case .proof_method_mismatch: "the DPoP proof is for another method"
        case .proof_url_mismatch: "the DPoP proof is for another URL"
        case .proof_too_old: "the DPoP proof was made too long ago, or has expired"
        case .proof_issued_in_future: "the DPoP proof was made in the future"
        case .proof_token_mismatch: "the DPoP proof is for another access token"
        case .proof_key_mismatch: "the access token is bound to another key than that of the DPoP proof"
        case .missing_proof_nonce: "the DPoP proof has no nonce"
        case .proof_nonce_mismatch: "the nonce of the DPoP proof is not current"
        case .proof_signature_invalid: "the signature of the DPoP proof does not verify"
        case .replayed_proof: "the DPoP proof has been used before"
        case .unbound_token: "the access token is not bound to a key"
        case .bound_token_without_proof: "the access token is bound to a key, and was sent as one that is not"
        case .invalid_confirmation: "the claim cnf is not a confirmation of a key"
        case .decryption_failed: "the token does not decrypt with the key that it names"
        case .unsupported_encryption: "the header names a content encryption that is unknown here"
        case .encryption_not_allowed: "the recipient does not allow the token's content encryption"
        case .compressed_token: "the content is compressed, and no bound for it is set or it is beyond it"
        case .invalid_ephemeral_key: "the sender's key (epk) is malformed or is not on the curve of the recipient's key"
        case .unknown_decryption_key: "no decryption key fits the token's key id"
        case .ambiguous_decryption_key: "the token names no key and too many decryption keys would fit"
        case .not_nested: "the encrypted content is not a signed token"
        case .unencrypted_token: "the token is not encrypted, and an encrypted one is expected"
        case .missing_certificate: "the access token is bound to a certificate, and the connection of its sender has none"
        case .malformed_certificate: "what the gateway says about the certificate of the client is not one certificate"
        case .certificate_too_large: "the certificate of the client is longer than the limit allows"
        case .certificate_mismatch: "the access token is bound to another certificate than that of the client"
        case .not_certificate_bound: "the access token is not bound to a certificate"
        case .unsupported_confirmation: "the access token is bound by a method that is not checked here"
        }
    }
}
