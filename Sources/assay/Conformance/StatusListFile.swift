import CommandProgram
import JWTCore

/// A file of status lists: `"kind": "statuslists"`. A case gives a Status List Token and asks for the status at an index, or gives a token
/// and asks where its status is.
struct StatusListFile {
    struct Case: Decodable {
        let id: String
        let expect: String
        let severity: String
        /// A Status List Token; nil in a case about a referenced token.
        let list: String?
        /// A token with the claim `status`.
        let referencedToken: String?
        /// Where the list was asked for, or where the referenced token says that its list is.
        let uri: String?
        let index: Int?
        let status: Int?

        private enum CodingKeys: String, CodingKey {
            case id, expect, severity, list, uri, index, status
            case referencedToken = "referenced_token"
        }

        /// What has to be read if the case is valid.
        var content: String { list == nil ? Self.place(uri, index) : Self.text(status) }

        static func text(_ status: Int?) -> String { status.map { "status \($0)" } ?? "no status" }

        static func place(_ uri: String?, _ index: Int?) -> String {
            guard let uri, let index else { return "no list" }
            return "index \(index) of \(uri)"
        }
    }

    struct Policy: Decodable {
        let issuer: StringOrArray?
        let algorithms: [String]?
        let leeway: Int64?
        let maximumBytes: Int?

        private enum CodingKeys: String, CodingKey {
            case issuer, algorithms, leeway
            case maximumBytes = "maximum_bytes"
        }

        /// `policy` with what the file's policy says.
        func applied(to policy: ClaimsPolicy) -> ClaimsPolicy {
            var policy = policy
            policy.issuers = issuer?.values ?? policy.issuers
            if let algorithms { policy.algorithms = AlgorithmSet(algorithms.compactMap(SignatureAlgorithm.init(name:))) }
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
    private let policy: Policy
    private let now: NumericDate
    /// `keys`, `policy` and `now` of the file, for another implementation.
    let shared: [String: JSONTree]

    /// Nil if the file has another format.
    ///
    /// - Throws: a usage error if the file has this format but is invalid.
    init?(_ path: String, _ data: [UInt8]) throws {
        guard VectorKind(data) == .statuslists else { return nil }
        let contents = try VectorKind.contents(Contents.self, path, data)
        (self.path, cases, policy, now) = (path, contents.cases, contents.policy, contents.now)
        shared = VectorKind.shared(data)
    }

    func run(_ report: inout ConformanceReport) {
        let judge = StatusListJudge(keys: VectorKeys(shared["keys"]), policy: policy, now: now)
        for vector in cases {
            report.note(path, vector.id, vector.severity, expected: vector.expect, vector.content, got: judge.answer(to: vector))
        }
    }
}
