import CommandProgram
import JWTCore
import SelectiveDisclosure

/// A file of presentations of SD-JWTs: `"kind": "selective"`.
struct PresentationFile {
    struct Case: Decodable {
        let id: String
        let expect: String
        let severity: String
        let presentation: String
        /// Whose token is refused: `issuer` or `holder`; nil if the presentation itself is at fault.
        let refused: String?
        /// What comes out of a valid presentation.
        var claims: JSONTree?

        private enum CodingKeys: String, CodingKey {
            case id, expect, severity, presentation, refused
        }

        /// The verdict that is expected, with whose token is refused.
        var verdict: String { refused.map { "\($0): \(expect)" } ?? expect }

        /// What has to be read if the case is valid.
        var content: String { Self.text(claims) }

        /// The claims, with their members in order of their names.
        static func text(_ claims: JSONTree?) -> String {
            claims.map { "claims \(String(decoding: $0.json, as: UTF8.self))" } ?? "no claims"
        }
    }

    /// What is asked of the claims, of digests, and of the proof.
    private struct Policy: Decodable {
        let presentations: PresentationPolicy

        private enum CodingKeys: String, CodingKey {
            case digests
            case keyBinding = "key_binding"
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            let binding = try container.decodeIfPresent(KeyBinding.self, forKey: .keyBinding)
            var policy = PresentationPolicy(
                claims: try VectorPolicy(from: decoder).claimsPolicy, keyBinding: binding.map { .required($0.policy) } ?? .absent)
            if let names = try container.decodeIfPresent([String].self, forKey: .digests) {
                policy.digests = Set(names.compactMap(DisclosureDigest.init(rawValue:)))
            }
            presentations = policy
        }
    }

    private struct KeyBinding: Decodable {
        let audience: String
        let nonce: String
        let maximumAge: Int64?
        let leeway: Int64?

        private enum CodingKeys: String, CodingKey {
            case audience, nonce, leeway
            case maximumAge = "maximum_age"
        }

        var policy: KeyBindingPolicy {
            var policy = KeyBindingPolicy(audience: audience, nonce: nonce)
            if let maximumAge { policy.maximumAge = .seconds(maximumAge) }
            if let leeway { policy.leeway = .seconds(leeway) }
            return policy
        }
    }

    private struct Contents: Decodable {
        let policy: Policy
        let now: NumericDate
        let cases: [Case]
    }

    let path: String
    let cases: [Case]
    private let policy: PresentationPolicy
    private let now: NumericDate
    /// `keys`, `policy` and `now` of the file, for another implementation.
    let shared: [String: JSONTree]

    /// Nil if the file has another format.
    ///
    /// - Throws: a usage error if the file has this format but is invalid.
    init?(_ path: String, _ data: [UInt8]) throws {
        guard VectorKind(data) == .selective else { return nil }
        let contents = try VectorKind.contents(Contents.self, path, data)
        (self.path, policy, now) = (path, contents.policy.presentations, contents.now)
        let claims = (try? JSONTree(parsing: data))?["cases"]?.elements?.map { $0["claims"] } ?? []
        cases = zip(contents.cases, claims).map { vector, claims in
            var vector = vector
            vector.claims = claims
            return vector
        }
        shared = VectorKind.shared(data)
    }

    func run(_ report: inout ConformanceReport) {
        let verifier = PresentationVerifier(keys: VectorKeys(shared["keys"]), policy: policy)
        for vector in cases {
            let answer: VectorAnswer
            do throws(PresentationError) {
                let claims = try verifier.verify(vector.presentation, now: now).payload
                answer = .valid(Case.text(try? JSONTree(parsing: claims)))
            } catch {
                answer = .refused(error.vectorName)
            }
            report.note(path, vector.id, vector.severity, expected: vector.verdict, vector.content, got: answer)
        }
    }
}

extension PresentationError {
    /// The code; where one of the two tokens is refused, whose and why.
    fileprivate var vectorName: String {
        switch code {
        case .issuerTokenRefused: cause.map { "issuer: \($0.code.name)" } ?? code.name
        case .keyBindingRefused: cause.map { "holder: \($0.code.name)" } ?? code.name
        default: code.name
        }
    }
}
