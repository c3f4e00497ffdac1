import CommandProgram
import DPoP
import JWTCore

/// A file of requests with DPoP proofs: `"kind": "dpop"`.
struct ProofFile {
    struct Case: Decodable {
        let id: String
        let expect: String
        let severity: String
        let method: String
        let url: String
        /// The field `Authorization`: a scheme and an access token. Nil for a request to a token endpoint.
        let authorization: String?
        /// The values of the fields `DPoP`.
        let proofs: [String]
        /// Proofs that were taken before, for the same request.
        let earlier: [String]?
    }

    /// What is asked of access tokens, and of proofs.
    struct Policy: Decodable {
        let claims: ClaimsPolicy
        let proofs: ProofPolicy

        private enum CodingKeys: String, CodingKey {
            case algorithms = "proof_algorithms"
            case secret = "nonce_secret"
            case label = "nonce_label"
            case period = "nonce_period"
        }

        init(from decoder: any Decoder) throws {
            claims = try VectorPolicy(from: decoder).claimsPolicy
            let container = try decoder.container(keyedBy: CodingKeys.self)
            var policy = ProofPolicy()
            let names = try container.decode([String].self, forKey: .algorithms)
            policy.algorithms = AlgorithmSet(names.compactMap(SignatureAlgorithm.init(name:)))
            if let secret = try container.decodeIfPresent(String.self, forKey: .secret) {
                let bytes = try Base64URL.bytes(secret.utf8.span)
                let label = try container.decode(String.self, forKey: .label)
                let period = Duration.seconds(try container.decode(Int64.self, forKey: .period))
                policy.nonces = ProofNonces(secrets: [bytes], label: label, period: period)
            }
            proofs = policy
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
        guard VectorKind(data) == .dpop else { return nil }
        let contents = try VectorKind.contents(Contents.self, path, data)
        (self.path, cases, policy, now) = (path, contents.cases, contents.policy, contents.now)
        shared = VectorKind.shared(data)
    }

    func run(_ report: inout ConformanceReport) {
        let judge = ProofJudge(keys: VectorKeys(shared["keys"]), policy: policy, now: now)
        for vector in cases {
            report.note(path, vector.id, severity: vector.severity, expected: vector.expect, got: judge.verdict(on: vector))
        }
    }
}
