import AssayTesting
import Foundation
import FuzzInput
import Gateway
import JWKSCache
import JWTCore

/// A gateway before an introspection endpoint that answers what an input says.
final class Endpoint {
    static let now: Int64 = 1_700_000_000
    private static let url = "https://idp.example/introspect"

    private let core: DecisionCore
    private let transport = Transport()
    private let clock = ManualClock(date: now)
    private let isSigned: Bool
    private var asked = 0

    init(isSigned: Bool) {
        self.isSigned = isSigned
        do {
            core = try DecisionCore(Self.configuration(isSigned), transport: transport, clock: clock, date: clock)
        } catch {
            preconditionFailure("a fuzzer's own settings are refused: \(error)")
        }
        while !core.issuers.isReady { usleep(1_000) }
    }

    /// Whether a request with an opaque token that nobody has shown before is admitted after this answer.
    func admits(_ answer: [UInt8]) -> Bool {
        asked += 1
        // No question is refused because of those before it.
        clock.advance(by: .seconds(1))
        clock.setDate(Self.now)
        let type = isSigned ? "application/token-introspection+jwt" : "application/json"
        transport.answer = ReceivedResponse(status: 200, fields: [HeaderField("Content-Type", type)], body: answer)
        let facts = RequestFacts(
            method: "GET", host: "h", target: "/", fields: [Field("Authorization", "Bearer opaque-\(asked)")])
        let core = core
        let decision = Waiting.value { await core.decide(facts) }
        guard case .denied(let denial) = decision else {
            ReachedCodes.note("allowed")
            return true
        }
        ReachedCodes.note(denial.reason.code)
        return false
    }

    private static func configuration(_ isSigned: Bool) -> GatewayConfiguration {
        let policy = ClaimsPolicy(issuer: "https://idp.example", audience: "orders")
        let issuer = IssuerConfiguration("https://idp.example", source: .jwks(url: "https://idp.example/jwks"), policy: policy)
        var provider = Provider("main", issuer: issuer)
        var terms = IntrospectionTerms(clientID: "gateway", secretFile: secretFile())
        (terms.endpoint, terms.isSigned) = (url, isSigned)
        provider.introspection = terms
        return GatewayConfiguration(
            providers: [provider], policies: [GatewayPolicy("main", requirement: .provider("main"))], routes: [Route(policy: "main")])
    }

    private static func secretFile() -> String {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("introspection-\(getpid())").path
        precondition(FileManager.default.createFile(atPath: path, contents: Data("secret".utf8), attributes: [.posixPermissions: 0o600]))
        return path
    }
}

/// Answers with the keys, or with what the input says. One request after the other is made.
private final class Transport: DocumentTransport {
    nonisolated(unsafe) var answer = ReceivedResponse(status: 503)
    private let keys = Array(#"{"keys":[\#(Keys.jwk(Keys.ed25519))]}"#.utf8)

    func fetch(_ request: OutgoingRequest) async throws(RequestFailure) -> ReceivedResponse {
        request.url.hasSuffix("/jwks") ? ReceivedResponse(status: 200, body: keys) : answer
    }
}
