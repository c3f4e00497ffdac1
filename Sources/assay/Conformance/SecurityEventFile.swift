import CommandProgram
import JWTCore
import SharedSignals

/// A file of security event tokens: `"kind": "events"`.
struct SecurityEventFile {
    struct Case: Decodable {
        let id: String
        let expect: String
        let severity: String
        /// The token.
        let event: String
        /// The names of the events in a valid token.
        let events: [String]?

        /// What has to be read if the case is valid.
        var content: String { Self.text(events ?? []) }

        static func text(_ names: [String]) -> String { "events " + names.joined(separator: " ") }
    }

    private struct Policy: Decodable {
        let issuer: String
        let audience: String
        let maximumAge: Int64?
        let leeway: Int64?

        private enum CodingKeys: String, CodingKey {
            case issuer, audience, leeway
            case maximumAge = "maximum_age"
        }

        var claimsPolicy: ClaimsPolicy {
            var policy = ClaimsPolicy.securityEvents(issuer: issuer, audience: audience)
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
    private let policy: Policy
    private let now: NumericDate
    /// `keys`, `policy` and `now` of the file, for another implementation.
    let shared: [String: JSONTree]

    /// Nil if the file has another format.
    ///
    /// - Throws: a usage error if the file has this format but is invalid.
    init?(_ path: String, _ data: [UInt8]) throws {
        guard VectorKind(data) == .events else { return nil }
        let contents = try VectorKind.contents(Contents.self, path, data)
        (self.path, cases, policy, now) = (path, contents.cases, contents.policy, contents.now)
        shared = VectorKind.shared(data)
    }

    func run(_ report: inout ConformanceReport) {
        let verifier = SecurityEventVerifier(keys: VectorKeys(shared["keys"]), policy: policy.claimsPolicy)
        for vector in cases {
            let answer: VectorAnswer
            do throws(SecurityEventError) {
                answer = .valid(Case.text(try verifier.verify(vector.event, now: now).events.map(\.vectorName)))
            } catch {
                answer = .refused(error.name)
            }
            report.note(path, vector.id, vector.severity, expected: vector.expect, vector.content, got: answer)
        }
    }
}

extension SecurityEvent {
    fileprivate var vectorName: String {
        switch self {
        case .sessionRevoked: Name.sessionRevoked.rawValue
        case .sessionsRevoked: Name.sessionsRevoked.rawValue
        case .credentialChange: Name.credentialChange.rawValue
        case .verification: Name.verification.rawValue
        case .streamUpdated: Name.streamUpdated.rawValue
        case .unknown(let name): name
        }
    }
}
