import CommandProgram
import JWTCore

/// A file of access tokens with the certificates of their clients: `"kind": "certificates"`.
struct CertificateFile {
    struct Case: Decodable {
        let id: String
        let expect: String
        let severity: String
        let accessToken: String
        /// The certificate of the connection: DER in standard base64. Nil: the client showed none.
        let certificate: String?

        private enum CodingKeys: String, CodingKey {
            case id, expect, severity, certificate
            case accessToken = "access_token"
        }
    }

    private struct Policy: Decodable {
        let claims: ClaimsPolicy
        /// Whether each token has to be bound to a certificate.
        let isBindingRequired: Bool

        private enum CodingKeys: String, CodingKey {
            case binding
        }

        init(from decoder: any Decoder) throws {
            claims = try VectorPolicy(from: decoder).claimsPolicy
            isBindingRequired = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .binding) == "required"
        }
    }

    private struct Contents: Decodable {
        let policy: Policy
        let now: NumericDate
        let cases: [Case]
    }

    let path: String
    let cases: [Case]
    private let policy: Policy
    private let now: NumericDate
    /// `keys`, `policy` and `now` of the file, for another implementation.
    let shared: [String: JSONTree]

    /// Nil if the file has another format.
    ///
    /// - Throws: a usage error if the file has this format but is invalid.
    init?(_ path: String, _ data: [UInt8]) throws {
        guard VectorKind(data) == .certificates else { return nil }
        let contents = try VectorKind.contents(Contents.self, path, data)
        (self.path, cases, policy, now) = (path, contents.cases, contents.policy, contents.now)
        shared = VectorKind.shared(data)
    }

    func run(_ report: inout ConformanceReport) {
        let verifier = TokenVerifier(keys: VectorKeys(shared["keys"]), policy: policy.claims)
        for vector in cases {
            report.note(path, vector.id, severity: vector.severity, expected: vector.expect, got: verdict(on: vector, verifier))
        }
    }

    /// "valid" or the error code, in the order in which a gateway judges.
    private func verdict(on vector: Case, _ verifier: TokenVerifier<VectorKeys>) -> String {
        do throws(VerificationError) {
            let read = try verifier.withVerified(vector.accessToken.utf8.span, now: now) { claims in
                Result { () throws(VerificationError) in try claims.confirmation }
            }
            try check(try read.get(), vector.certificate)
            return "valid"
        } catch {
            return error.code.name
        }
    }

    private func check(_ confirmation: ConfirmationClaim, _ certificate: String?) throws(VerificationError) {
        guard confirmation != .otherMethod, confirmation.keyThumbprint == nil else { throw VerificationError(.unsupportedConfirmation) }
        guard let bound = confirmation.certificateThumbprint else {
            guard !policy.isBindingRequired else { throw VerificationError(.notCertificateBound) }
            return
        }
        guard let certificate else { throw VerificationError(.missingCertificate) }
        guard let der = Base64.bytes(certificate) else { throw VerificationError(.malformedCertificate) }
        guard try CertificateThumbprint(ofCertificate: der.span) == bound else { throw VerificationError(.certificateMismatch) }
    }
}
