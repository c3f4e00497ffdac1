import CommandProgram
import JWSDocuments
import JWTCore

/// A file of documents in JWS JSON serialization: `"kind": "documents"`.
struct SignedDocumentFile {
    struct Case: Decodable {
        let id: String
        let expect: String
        let severity: String
        let document: String
        /// The payload in base64url, if it is not in the document.
        let detached: String?
        /// The place of the signature that is refused; nil if the document itself is at fault.
        let refused: Int?
        /// What a valid document has signed, in base64url.
        let payload: String?
        /// The places of the signatures that hold.
        let signatures: [Int]?

        /// The verdict that is expected, with the place of the signature that is refused.
        var verdict: String { refused.map { "\($0): \(expect)" } ?? expect }

        /// What has to be read if the case is valid.
        var content: String { Self.text(payload, signatures) }

        static func text(_ payload: String?, _ signatures: [Int]?) -> String {
            "payload \(payload ?? "unknown"), signed by \((signatures ?? []).map { "\($0)" }.joined(separator: " and "))"
        }
    }

    private struct Policy: Decodable {
        let documents: DocumentPolicy

        private enum CodingKeys: String, CodingKey {
            case requirement, signers, types, algorithms
            case unprotectedAlgorithm = "unprotected_algorithm"
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            let isOne = try container.decode(String.self, forKey: .requirement) == "one"
            var policy = DocumentPolicy(requirement: isOne ? .one : .all)
            policy.signers = Set(try container.decodeIfPresent([String].self, forKey: .signers) ?? [])
            policy.types = try container.decodeIfPresent([String].self, forKey: .types)
            if let names = try container.decodeIfPresent([String].self, forKey: .algorithms) {
                policy.algorithms = AlgorithmSet(names.compactMap(SignatureAlgorithm.init(name:)))
            }
            policy.allowsUnprotectedAlgorithm = try container.decodeIfPresent(Bool.self, forKey: .unprotectedAlgorithm) ?? false
            documents = policy
        }
    }

    private struct Contents: Decodable {
        let policy: Policy
        let cases: [Case]
    }

    let path: String
    let cases: [Case]
    private let policy: DocumentPolicy
    /// `keys`, `policy` and `now` of the file, for another implementation.
    let shared: [String: JSONTree]

    /// Nil if the file has another format.
    ///
    /// - Throws: a usage error if the file has this format but is invalid.
    init?(_ path: String, _ data: [UInt8]) throws {
        guard VectorKind(data) == .documents else { return nil }
        let contents = try VectorKind.contents(Contents.self, path, data)
        (self.path, cases, policy) = (path, contents.cases, contents.policy.documents)
        shared = VectorKind.shared(data)
    }

    func run(_ report: inout ConformanceReport) {
        let verifier = DocumentVerifier(keys: VectorKeys(shared["keys"]), policy: policy)
        for vector in cases {
            report.note(path, vector.id, vector.severity, expected: vector.verdict, vector.content, got: Self.answer(verifier, to: vector))
        }
    }

    private static func answer(_ verifier: DocumentVerifier<VectorKeys>, to vector: Case) -> VectorAnswer {
        do throws(DocumentError) {
            let document = try verified(verifier, vector)
            let payload = String(decoding: Base64URL.encode(document.payload), as: UTF8.self)
            return .valid(Case.text(payload, document.signatures.map(\.position)))
        } catch {
            return .refused(error.vectorName)
        }
    }

    private static func verified(_ verifier: DocumentVerifier<VectorKeys>, _ vector: Case) throws(DocumentError) -> VerifiedDocument {
        guard let detached = vector.detached else { return try verifier.verify(vector.document) }
        return try verifier.verify(vector.document, detached: (try? Base64URL.bytes(detached.utf8.span)) ?? [])
    }
}

extension DocumentError {
    /// The code; where signatures are refused, the place and the reason of one of them.
    fileprivate var vectorName: String {
        guard code == .signatureRefused, let cause else { return code.name }
        return signature.map { "\($0): \(cause.code.name)" } ?? cause.code.name
    }
}
