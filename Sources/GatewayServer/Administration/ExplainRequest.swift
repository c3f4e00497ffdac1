#if Gateway
internal import Gateway
internal import HTTPTypes
internal import HummingbirdCore
internal import JWTCore
internal import NIOCore

/// The body of `POST /explain`: a client's request, as the core sees it.
struct ExplainRequest: Decodable {
    let method: String
    let host: String
    let target: String
    let scheme: String?
    /// Each field as a name and a value; a name may come several times.
    let fields: [[String]]?
    let context: [String: String]?

    var facts: RequestFacts? {
        let fields = fields ?? []
        guard fields.allSatisfy({ $0.count == 2 }) else { return nil }
        return RequestFacts(
            method: method, scheme: scheme, host: host, target: target, fields: fields.map { Field($0[0], $0[1]) }, context: context ?? [:])
    }
}

/// What `POST /explain` answers. It has no token.
struct ExplainAnswer: Encodable {
    let outcome: String
    let code: String?
    let status: Int
    let policy: String?
    let explanation: String

    init(_ explanation: Explanation) {
        self.explanation = explanation.description
        switch explanation.decision {
        case .allowed(let admission):
            outcome = admission.waived == nil ? "allowed" : "waived"
            code = admission.waived?.reason.code
            status = 200
            policy = admission.policy
        case .denied(let denial):
            outcome = "denied"
            code = denial.reason.code
            status = denial.status
            policy = denial.policy
        }
    }
}

extension AdministrationResponder {
    /// A browser sends `application/json` to another site only after it has asked, and is not answered.
    func explanation(_ request: Request) async -> AdministrationAnswer {
        guard request.headers[.contentType] == "application/json" else {
            return .text("application/json is expected\n", status: 415)
        }
        guard let body = try? await request.body.collect(upTo: Self.mostExplainedBytes),
            let asked = try? JSONTree.decode(ExplainRequest.self, from: Array(body.readableBytesView)), let facts = asked.facts
        else {
            return .text("an object is expected with method, host, target, and fields as pairs of a name and a value\n", status: 400)
        }
        return .json(ExplainAnswer(observations.gateway.inForce.core.explain(facts)))
    }

    private static let mostExplainedBytes = 65_536
}
#endif
