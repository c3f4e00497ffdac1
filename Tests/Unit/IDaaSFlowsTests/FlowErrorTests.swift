import IDaaSFlows
import IDaaSWire
import JWKSCache
import Testing

@Suite struct FlowErrorTests {
    private func refusal(_ reply: ScriptedTenant.Reply) async throws -> FlowError {
        let tenant = try Tenant()
        tenant.server.answer(Path.areaCodes, reply)
        return try #require(await tenant.flows.areaCodes.list().failure)
    }

    /// The server's text is used for its own language, the catalogue's text for the other, with the arguments.
    @Test
    func textsAreOfTheLanguageAskedFor() async throws {
        let error = try await refusal(
            .refusal(
                "IDAAS.SDK.LOGIN.1003", "locked for 2 minutes and 5 seconds",
                details: #"{"args":["2","5"],"retry_after":125,"remaining":0}"#))
        #expect(error.text(in: .english) == "locked for 2 minutes and 5 seconds")
        #expect(error.text(in: .chinese) == "由于多次登录失败,用户已被锁定。 它将在 2 分钟和 5 秒内解锁")
        #expect(error.retryAfter == .seconds(125) && error.legacyCode == "IDAAS.SDK.LOGIN.1003")
        guard case .service(let refusal) = error.reason else {
            Issue.record("the error has no refusal of the server")
            return
        }
        #expect(refusal.code == .locked && refusal.remaining == 0)
    }

    static let retryable: [(ScriptedTenant.Reply, Bool)] = [
        (.refusal("IDAAS.SDK.COMMON.1001"), false), (.refusal("IDAAS.SDK.COMMON.1008", status: 500), true),
        (.refusal("IDAAS.SDK.RATE.1001", status: 429), true), (.json("<html>", status: 403), false), (.json("<html>", status: 503), true),
        (.unreachable, true), (.failure(RequestFailure(.timedOut)), true), (.failure(RequestFailure(.tls)), false),
        (.failure(RequestFailure(.cancelled)), false),
    ]

    @Test(arguments: retryable)
    func anErrorSaysWhetherTryingAgainMayHelp(_ reply: ScriptedTenant.Reply, isRetryable: Bool) async throws {
        #expect(try await refusal(reply).isRetryable == isRetryable)
    }

    @Test
    func theWaitIsReadFromTheFieldWhereTheBodyHasNone() async throws {
        let reply = ScriptedTenant.Reply.json(
            #"{"error_code":"IDAAS.SDK.RATE.1001","error_msg":""}"#, status: 429, fields: [HeaderField("retry-after", "7")])
        #expect(try await refusal(reply).retryAfter == .seconds(7))
    }

    @Test
    func anErrorNamesItsRequestByTheServersOrOurId() async throws {
        let named = try await refusal(.json("no", status: 500, fields: [HeaderField("X-Request-Id", "theirs")]))
        #expect(named.requestID == "theirs" && named.description.contains("theirs"))
        let tenant = try Tenant()
        tenant.server.answer(Path.areaCodes, .unreachable)
        let error = try #require(await tenant.flows.areaCodes.list().failure)
        #expect(error.requestID != nil && error.requestID == tenant.server.requests.first?.first("x-request-id"))
    }

    @Test
    func aRefusalUnderStatus200IsOne() async throws {
        guard case .service(let refusal) = try await refusal(.refusal("SDK.COMMON.1011", status: 200)).reason else {
            Issue.record("a refusal under status 200 is not seen as one")
            return
        }
        #expect(refusal.code == .areaCodeConfiguration)
    }
}
