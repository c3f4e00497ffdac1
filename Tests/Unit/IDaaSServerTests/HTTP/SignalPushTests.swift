import AssayTesting
import HTTPGuard
import IDaaSServer
import IDaaSTestSupport
import Testing

/// A push over HTTP (RFC 8935).
struct SignalPushTests {
    private static func push() throws -> SignalPush {
        var configuration = GuardedClient.Configuration()
        configuration.limits = RequestLimits(total: .seconds(60), connect: .seconds(10), bodyBytes: 16_384, redirects: 0)
        configuration.allowsLoopbackHTTP = true
        return SignalPush(client: try GuardedClient(configuration))
    }

    @Test(arguments: [nil, "a-secret-of-the-receiver"])
    func aTokenIsTheBodyOfAPost(_ secret: String?) async throws {
        let receiver = try LoopbackServer { _ in .status(202) }
        #expect(try await Self.push().take("a.b.c", at: receiver.url("/events"), secret: secret) == .taken)
        let request = try #require(receiver.requests.first)
        #expect(receiver.requests.count == 1 && request.method == "POST" && request.path == "/events")
        #expect(request.field("Content-Type") == "application/secevent+jwt" && request.field("Accept") == "application/json")
        #expect(request.field("Authorization") == secret.map { "Bearer \($0)" } && request.body == Array("a.b.c".utf8))
    }

    /// An answer, as a status and a body, and what it means.
    private static let answers: [(Int, String, SignalReceipt)] = [
        (400, "{\"err\":\"invalid_request\"}", .refused("invalid_request")),
        (400, "{\"err\":\"invalid_key\",\"description\":\"x\"}", .refused("invalid_key")),
        (400, "{\"err\":\"invalid_issuer\"}", .refused("invalid_issuer")),
        (400, "{\"err\":\"invalid_audience\"}", .refused("invalid_audience")),
        (400, "{\"err\":\"jtiExists\"}", .refused("other")), (400, "{\"err\":\"a\\nline\"}", .refused("other")),
        (400, "{\"err\":\"authentication_failed\"}", .failed("authentication_failed")),
        (400, "{\"err\":\"access_denied\"}", .failed("access_denied")),
        (400, "", .failed("status_400")), (400, "[\"err\"]", .failed("status_400")), (400, "{\"err\":1}", .failed("status_400")),
        (200, "", .failed("status_200")), (204, "", .failed("status_204")), (401, "{\"err\":\"invalid_key\"}", .failed("status_401")),
        (404, "", .failed("status_404")), (500, "", .failed("status_500")), (503, "", .failed("status_503")),
    ]

    @Test(arguments: answers.indices)
    func anAnswerSaysWhetherToTryAgain(place: Int) async throws {
        let (status, body, receipt) = Self.answers[place]
        let receiver = try LoopbackServer { _ in .status(status, body: Array(body.utf8)) }
        #expect(try await Self.push().take("a.b.c", at: receiver.url(), secret: nil) == receipt)
        #expect(receiver.requests.count == 1)
    }

    @Test
    func aRedirectIsNotFollowedAndAReceiverThatIsNotThereIsAFailure() async throws {
        let receiver = try LoopbackServer { _ in .redirect(307, to: "/other") }
        #expect(try await Self.push().take("a.b.c", at: receiver.url(), secret: "x").isTaken == false)
        #expect(receiver.requests.count == 1)
        let nobody = "http://127.0.0.1:\(try LoopbackServer.closedPort())/"
        #expect(try await Self.push().take("a.b.c", at: nobody, secret: nil) == .failed("connection"))
    }

    /// What the operator's network holds is not the receiver's to reach.
    @Test(arguments: ["https://169.254.169.254/", "https://10.0.0.1/", "https://[fd00::1]/", "https://127.0.0.1/", "https://localhost/"])
    func anAddressOfAPrivateNetworkIsNotDialled(_ url: String) async throws {
        #expect(try await Self.push().take("a.b.c", at: url, secret: nil) == .failed("forbidden_address"))
    }
}

extension SignalReceipt {
    fileprivate var isTaken: Bool { self == .taken }
}
