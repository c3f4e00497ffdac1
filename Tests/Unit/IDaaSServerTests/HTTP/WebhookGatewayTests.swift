import AssayTesting
import Foundation
import IDaaSServer
import IDaaSTestSupport
import IDaaSWire
import Secrets
import Testing

struct WebhookGatewayTests {
    private static let secret = Array("a secret of 28 bytes or more".utf8)
    private static let message = SMSMessage(
        mobile: "+86-13800000000", code: "012345", type: "LOGIN_SMS", client: "demo", language: .english, requestID: "r-1",
        text: "Your code is 012345", made: Timestamp(seconds: 0))

    private static func gateway(_ url: String, budget: Duration = .seconds(60)) throws -> WebhookGateway {
        try WebhookGateway(url: url, secret: secret, clock: ManualServerClock(Timestamp(seconds: 1_700_000_000)), budget: budget)
    }

    @Test
    func aMessageIsPostedOnceWithASignatureOverItsTimeAndBody() async throws {
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

    /// A status, a lost connection after which the message may have arrived.
    private static let failures: [LoopbackAnswer] = [
        .reset, .redirect(301, to: "/other"), .redirect(307, to: "/other"), .status(400), .status(404), .status(500), .status(503),
    ]

    @Test(arguments: failures.indices)
    func anythingButA2xxIsAFailureAndIsNotTriedAgain(place: Int) async throws {
        let receiver = try LoopbackServer { _ in Self.failures[place] }
        await #expect(throws: (any Error).self) { try await Self.gateway(receiver.url()).deliver(Self.message) }
        #expect(receiver.requests.count == 1)
    }

    /// No answer at all, and an interim one.
    private static let silences: [LoopbackAnswer] = [.hang, .status(199)]

    @Test(arguments: silences.indices)
    func noAnswerInTimeIsAFailureAndIsNotTriedAgain(place: Int) async throws {
        let receiver = try LoopbackServer { _ in Self.silences[place] }
        await #expect(throws: (any Error).self) {
            try await Self.gateway(receiver.url(), budget: .seconds(2)).deliver(Self.message)
        }
        // On a busy machine the time may be up before the request is sent.
        #expect(receiver.requests.count <= 1)
    }

    @Test
    func whereNobodyListensItIsAFailureWhenTheTimeIsUp() async throws {
        let port = try LoopbackServer.closedPort()
        await #expect(throws: (any Error).self) {
            try await Self.gateway("http://127.0.0.1:\(port)/", budget: .milliseconds(500)).deliver(Self.message)
        }
    }

    @Test
    func whereNobodyListensItIsTriedAgainAndAgain() async throws {
        let (readings, report) = AsyncStream.makeStream(of: Void.self)
        let gateway = try WebhookGateway(
            url: "http://127.0.0.1:\(try LoopbackServer.closedPort())/", secret: Self.secret, clock: ReportingClock(report: report),
            budget: .seconds(600))
        let delivery = Task {
            defer { report.finish() }
            try await gateway.deliver(Self.message)
        }
        // Each attempt has its own signature with its own time.
        var attempts = 0
        for await _ in readings {
            attempts += 1
            if attempts == 3 { break }
        }
        delivery.cancel()
        await #expect(throws: (any Error).self) { try await delivery.value }
        #expect(attempts == 3)
    }

    @Test
    func plainHTTPToElsewhereAndAShortSecretAreRefused() async throws {
        for url in ["http://192.0.2.1/", "http://sms.example.com/", "sms.example.com", "https://", "ftp://127.0.0.1/", ""] {
            #expect(throws: ConfigurationError.self, "\(url)") { try Self.gateway(url) }
        }
        for url in ["https://sms.example.com/hook?key=1", "http://localhost:8080/", "http://127.0.0.2/", "http://[::1]:1/"] {
            _ = try Self.gateway(url)
        }
        #expect(throws: ConfigurationError.self) {
            try WebhookGateway(url: "https://sms.example.com", secret: Array("short".utf8), clock: SystemServerClock())
        }
    }

    /// An operator learns why a message was not taken, and nothing of its content or the URL.
    @Test
    func aFailedMessageHasItsReasonWithoutItsContent() async throws {
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

    @Test
    func theOutboxKeepsTheNewestMessagesUpToItsLimit() async {
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

/// Reports each reading.
private struct ReportingClock: ServerClock {
    let report: AsyncStream<Void>.Continuation

    var now: Timestamp {
        report.yield()
        return Timestamp(seconds: 1_700_000_000)
    }
}
