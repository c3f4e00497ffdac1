#if IDaaS
import Foundation
import IDaaSServer
import IDaaSTestSupport
import LoopbackServer
import Secrets
import Testing

@Suite("The webhook gateway")
struct WebhookGatewayTests {
    private static let secret = Array("a secret of 28 bytes or more".utf8)
    private static let message = SMSMessage(
        mobile: "+86-13800000000", code: "012345", type: "LOGIN_SMS", client: "demo", language: .english, requestID: "r-1",
        text: "Your code is 012345")

    private static func gateway(_ url: String, budget: Duration = .seconds(60)) throws -> WebhookGateway {
        try WebhookGateway(url: url, secret: secret, clock: ManualClock(Timestamp(seconds: 1_700_000_000)), budget: budget)
    }

    @Test("A message is posted once, with a signature over its time and body")
    func delivery() async throws {
        let receiver = try LoopbackServer { _ in .status(204) }
        try await Self.gateway(receiver.url("/sms")).deliver(Self.message)
        #expect(receiver.requests.count == 1)
        let request = try #require(receiver.requests.first)
        #expect(request.method == "POST" && request.path == "/sms")
        let body = try #require(try JSONSerialization.jsonObject(with: Data(request.body)) as? [String: String])
        #expect(
            body == [
                "mobile": "+86-13800000000", "code": "012345", "type": "LOGIN_SMS", "client": "demo", "language": "en", "request_id": "r-1",
            ])
        let code = AuthenticationKey(Self.secret).code(for: Array("1700000000.".utf8) + request.body)
        let digits = code.map { String(format: "%02x", $0) }.joined()
        #expect(request.field("X-Assay-Signature") == "t=1700000000,v1=\(digits)")
    }

    @Test("The signature is HMAC-SHA-256 as RFC 4231 has it")
    func signature() {
        // RFC 4231 section 4.3 over "what do ya want for nothing?", which begins with no time: so the same over a body that is known.
        let field = WebhookSignature(secret: Array("Jefe".utf8)).field(at: 0, body: [])
        #expect(
            field == "t=0,v1="
                + AuthenticationKey(Array("Jefe".utf8)).code(for: Array("0.".utf8)).map { String(format: "%02x", $0) }.joined())
        let known = AuthenticationKey(Array("Jefe".utf8)).code(for: Array("what do ya want for nothing?".utf8))
        #expect(known.map { String(format: "%02x", $0) }.joined() == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
    }

    @Test("Anything but a 2xx is a failure, and is not tried again", arguments: [301, 307, 400, 404, 500, 503])
    func refusal(status: Int) async throws {
        let receiver = try LoopbackServer { _ in .status(status, status == 301 || status == 307 ? [("Location", "/other")] : []) }
        await #expect(throws: (any Error).self) { try await Self.gateway(receiver.url()).deliver(Self.message) }
        #expect(receiver.requests.count == 1)
    }

    @Test("A message that may have arrived is not sent again")
    func lostAnswer() async throws {
        let receiver = try LoopbackServer { _ in .reset }
        await #expect(throws: (any Error).self) { try await Self.gateway(receiver.url()).deliver(Self.message) }
        #expect(receiver.requests.count == 1)
    }

    @Test("No answer, or none but an interim one, is a failure when the time is up", arguments: [nil, 199])
    func silence(interim status: Int?) async throws {
        let receiver = try LoopbackServer { _ in status.map { .status($0) } ?? .hang }
        await #expect(throws: (any Error).self) {
            try await Self.gateway(receiver.url(), budget: .seconds(2)).deliver(Self.message)
        }
        #expect(receiver.requests.count == 1)
    }

    @Test("Where nobody listens it is a failure when the time is up")
    func nobody() async throws {
        let port = try LoopbackServer.closedPort()
        await #expect(throws: (any Error).self) {
            try await Self.gateway("http://127.0.0.1:\(port)/", budget: .milliseconds(500)).deliver(Self.message)
        }
    }

    @Test("Where nobody listens it is tried again and again")
    func persistence() async throws {
        let (readings, report) = AsyncStream.makeStream(of: Void.self)
        let gateway = try WebhookGateway(
            url: "http://127.0.0.1:\(try LoopbackServer.closedPort())/", secret: Self.secret, clock: ReportingClock(report: report),
            budget: .seconds(600))
        let delivery = Task {
            defer { report.finish() }
            try await gateway.deliver(Self.message)
        }
        // Each attempt has a signature of its own, with its own time.
        var attempts = 0
        for await _ in readings {
            attempts += 1
            if attempts == 3 { break }
        }
        delivery.cancel()
        await #expect(throws: (any Error).self) { try await delivery.value }
        #expect(attempts == 3)
    }

    @Test("Plain HTTP to elsewhere and a short secret are refused")
    func refusedConfiguration() async throws {
        for url in ["http://192.0.2.1/", "http://sms.example.com/", "sms.example.com", "https://", "ftp://127.0.0.1/", ""] {
            #expect(throws: ConfigurationError.self, "\(url)") { try Self.gateway(url) }
        }
        for url in ["https://sms.example.com/hook?key=1", "http://localhost:8080/", "http://127.0.0.2/", "http://[::1]:1/"] {
            _ = try Self.gateway(url)
        }
        #expect(throws: ConfigurationError.self) {
            try WebhookGateway(url: "https://sms.example.com", secret: Array("short".utf8), clock: SystemClock())
        }
    }

    @Test("An operator is told why a message was not taken, and nothing that was in it or in the URL")
    func reasons() async throws {
        let refusing = try LoopbackServer { _ in .status(503) }
        let silent = try LoopbackServer { _ in .reset }
        let port = try LoopbackServer.closedPort()
        let cases = [
            (refusing.url("/secret"), "status 503"), (silent.url("/secret"), "connection"),
            ("https://127.0.0.1:\(port)/secret", "forbidden_address"),
        ]
        for (url, reason) in cases {
            let error = await #expect(throws: (any Error).self) { try await Self.gateway(url).deliver(Self.message) }
            #expect(DeliveryFailure.reason(of: try #require(error)) == reason)
        }
        struct Refusal: Error { let code = "012345" }
        #expect(DeliveryFailure.reason(of: Refusal()) == "Refusal")
    }

    @Test("The outbox keeps what it is given, the newest first, and no more than it holds")
    func outbox() async {
        let outbox = DevelopmentOutbox(capacity: 2)
        for number in 1...3 {
            var message = Self.message
            message.mobile = "+86-1380000000\(number)"
            await outbox.deliver(message)
        }
        #expect(await outbox.messages().map(\.mobile) == ["+86-13800000003", "+86-13800000002"])
        #expect(await outbox.messages(for: "+86-13800000002").count == 1)
        #expect(await outbox.messages(for: "+86-13800000001").isEmpty)
    }
}

/// Says each time that it is read.
private struct ReportingClock: ServerClock {
    let report: AsyncStream<Void>.Continuation

    var now: Timestamp {
        report.yield()
        return Timestamp(seconds: 1_700_000_000)
    }
}
#endif
