import IDaaSFlows
import IDaaSWire
import JWKSCache
import JWKSTestSupport
import JWTTestSupport
import Testing

@Suite struct OneClickLoginTests {
    private func logIn(_ tenant: Tenant, _ carrier: ScriptedCarrier) async -> OneClickOutcome {
        await tenant.flows.oneClick.logIn(via: CarrierLogin(carrier, clock: tenant.clock), on: ScriptedOneClickPage(), nonce: "n-1")
    }

    @Test
    func aTokenIsExchangedByTheServerAndTheSessionStored() async throws {
        let tenant = try Tenant()
        tenant.server.answer(Path.oneClickLogin, Tenant.tokens())
        let outcome = await logIn(tenant, .agreeing())
        guard case .loggedIn(let session) = outcome else {
            Issue.record("the login failed: \(outcome)")
            return
        }
        #expect(outcome.legacyCode == "0" && outcome.fallback == nil)
        #expect(try await tenant.store.contents().session == session)
        let request = try #require(tenant.server.requests.first)
        #expect(request.path == Path.oneClickLogin && request.body("access_token") == "t-1" && request.body("nonce") == "n-1")
        #expect(tenant.server.requests.count == 1 && !request.url.contains("t-1"))
    }

    static let refusals: [(ScriptedTenant.Reply, String)] = [
        (.refusal("IDAAS.SDK.COMMON.1005"), "IDAAS.SDK.COMMON.1005"), (.refusal("IDAAS.SDK.LOGIN.1001"), "IDAAS.SDK.LOGIN.1001"),
        (.refusal("IDAAS.SDK.LOGIN.1008"), "IDAAS.SDK.LOGIN.1008"), (.refusal("IDAAS.SDK.COMMON.1013"), "IDAAS.SDK.COMMON.1013"),
        (.refusal("IDAAS.SDK.RATE.1001", status: 429), "IDAAS.SDK.RATE.1001"), (.unreachable, "1"), (.json("<html>"), "1"),
        (.json("{}"), "1"),
        (.json(#"{"status":"ACCESS_DENIED"}"#), "1"),
    ]

    @Test(arguments: refusals)
    func aFailedExchangeHasTheServersCode(_ reply: ScriptedTenant.Reply, code: String) async throws {
        let tenant = try Tenant()
        let session = try await tenant.logIn()
        tenant.server.answer(Path.oneClickLogin, reply)
        let outcome = await logIn(tenant, .agreeing())
        #expect(outcome.legacyCode == code && outcome.fallback == .sms)
        #expect(tenant.server.requests(to: Path.oneClickLogin).count == 1)
        #expect(try await tenant.store.contents().session == session)
    }

    static let carriers: [(ScriptedCarrier, String)] = [
        (ScriptedCarrier(obstacle: .noSIM), "1111"), (ScriptedCarrier(obstacle: .noCellular), "2222"),
        (ScriptedCarrier(prefetched: [.reply(CarrierReply(.timedOut))]), "5555"), (ScriptedCarrier(CarrierReply(.back)), "6667"),
        (ScriptedCarrier(CarrierReply(.switchMethod)), "6669"), (ScriptedCarrier(CarrierReply(.tokenFailed)), "4444"),
        (ScriptedCarrier(CarrierReply(.success, token: "t-1")), "4444"),
    ]

    /// Sentence 27.
    @Test(arguments: carriers.indices)
    func whatTheCarrierRefusesSendsNothingAndNamesSMSAsAnotherWay(_ index: Int) async throws {
        let tenant = try Tenant(), (carrier, code) = Self.carriers[index]
        let outcome = await logIn(tenant, carrier)
        #expect(outcome.legacyCode == code && outcome.fallback == .sms)
        #expect(tenant.server.requests.isEmpty)
    }

    @Test(arguments: [Int64(3_600), -3_600])
    func aClockThatIsWrongByAnHourHindersNoLogin(_ error: Int64) async throws {
        let tenant = try Tenant()
        tenant.clock.setDate(Tenant.start + error)
        tenant.server.answer(Path.oneClickLogin, Tenant.tokens())
        #expect(await logIn(tenant, .agreeing()).legacyCode == "0")
    }

    @Test(arguments: ["", " ", "t\n1", String(repeating: "t", count: 4_097)])
    func whatIsNoTokenIsNotSent(_ token: String) async throws {
        let tenant = try Tenant()
        #expect(await tenant.flows.oneClick.logIn(CarrierToken(token, consentedAt: 0)).legacyCode == "1")
        #expect(tenant.server.requests.isEmpty)
    }

    /// Many times: the page once ended as fast as the login, which then said that the user had gone back.
    @Test(arguments: 0..<200)
    func aCancelledLoginEnds(_: Int) async throws {
        let tenant = try Tenant(), gate = Gate()
        let carrier = CarrierLogin(ScriptedCarrier(visits: [[.reply(CarrierReply(.pageShown)), .wait(gate)]]), clock: tenant.clock)
        let task = Task { await tenant.flows.oneClick.logIn(via: carrier, on: ScriptedOneClickPage()) }
        #expect(await settles { gate.waitingCount == 1 })
        task.cancel()
        #expect(await task.value.failure?.reason == .cancelled)
        gate.open()
    }

    @Test
    func theLogHasNoTokenAndNoNumber() async throws {
        let lines = Guarded([String]())
        let tenant = try Tenant { $0.log = FlowLog { line in lines.withLock { $0.append(line) } } }
        tenant.server.answer(Path.oneClickLogin, Tenant.tokens(session: "s-secret"))
        let carrier = CarrierLogin(ScriptedCarrier.agreeing("t-secret"), clock: tenant.clock, log: tenant.flows.configuration.log)
        #expect(await tenant.flows.oneClick.logIn(via: carrier, on: ScriptedOneClickPage()).legacyCode == "0")
        let log = lines.withLock { $0 }.joined(separator: "\n")
        #expect(log.contains("consent given") && log.contains("6668"))
        for secret in ["t-secret", "s-secret", Tenant.usualToken] { #expect(!log.contains(secret)) }
    }
}
