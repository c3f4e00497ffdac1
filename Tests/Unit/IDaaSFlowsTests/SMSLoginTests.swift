import Foundation
import IDaaSFlows
import IDaaSWire
import JWKSCache
import JWKSTestSupport
import JWTTestSupport
import Testing

@Suite struct SMSLoginTests {
    private let tenant: Tenant

    init() throws { tenant = try Tenant() }

    static let mobile = "+86-13800000000"

    private func pass(_ tenant: Tenant) async throws -> SliderPass {
        tenant.server.answer(Path.captcha, .json(SliderTests.picture.replacing("KEY", with: "null")))
        tenant.server.answer(Path.verify, .json(#"{"captcha_token":"c-1"}"#))
        return try await tenant.flows.sms.solveSlider(mobile: Self.mobile, presenter: ScriptedSlider(.point(SliderPoint(x: 9)))).get()
    }

    static let sendReplies: [(String, Int64, Int64)] = [
        ("", 300, 60), ("\"ok\"", 300, 60), ("{}", 300, 60), (#"{"expire":120,"interval":"30"}"#, 120, 30), (#"{"expire":-1}"#, 300, 60),
        ("true", 300, 60),
    ]

    @Test(arguments: sendReplies)
    func sendingSucceedsWithAnyBody(_ body: String, lifetime: Int64, interval: Int64) async throws {
        tenant.server.answer(Path.send, .json(body))
        let pending = try await tenant.flows.sms.sendSMS(try await pass(tenant)).get()
        #expect(pending.lifetime == .seconds(lifetime) && pending.interval == .seconds(interval) && pending.sentAt == Tenant.start)
        let request = try #require(tenant.server.requests(to: Path.send).first)
        #expect(request.body("mobile") == Self.mobile && request.body("type") == "LOGIN_SMS" && request.body("captcha_token") == "c-1")
        #expect(request.first("Prefer") == "return=representation")
    }

    @Test
    func theCompositeIsTheSliderAndTheSendingAndNothingBesides() async throws {
        _ = try await pass(tenant)
        tenant.server.answer(Path.send, .json(""))
        let outcome = await tenant.flows.sms.requestCode(mobile: Self.mobile, slider: ScriptedSlider(.point(SliderPoint(x: 9))))
        #expect(outcome.legacyCode == "0")
        #expect(tenant.server.requests.map(\.path).suffix(3) == [Path.captcha, Path.verify, Path.send])
    }

    @Test
    func aRefusedSendingHasTheServersCode() async throws {
        tenant.server.answer(Path.send, .refusal("IDAAS.SDK.SMS.1004"))
        #expect(await tenant.flows.sms.sendSMS(try await pass(tenant)).legacyCode == "IDAAS.SDK.SMS.1004")
    }

    @Test
    func aPendingSMSAndAPassOutliveTheApp() async throws {
        tenant.server.answer(Path.send, .json(""))
        let pass = try await pass(tenant)
        let pending = try await tenant.flows.sms.sendSMS(pass).get()
        #expect(try JSONDecoder().decode(PendingSMS.self, from: JSONEncoder().encode(pending)) == pending)
        #expect(try JSONDecoder().decode(SliderPass.self, from: JSONEncoder().encode(pass)) == pass)
        #expect(!pending.isExpired(at: Tenant.start + 299) && pending.isExpired(at: Tenant.start + 300))
        #expect([0, 59, 60, 61, -1_000].map { pending.resendDelay(at: Tenant.start + $0).components.seconds } == [60, 1, 0, 0, 60])
    }

    @Test
    func theCountdownTellsEverySecondAndEndsWithZero() async throws {
        tenant.server.answer(Path.send, .json(#"{"interval":3}"#))
        let pending = try await tenant.flows.sms.sendSMS(try await pass(tenant)).get()
        let clock = tenant.clock, told = Guarded([Int64]())
        let task = Task {
            for await left in tenant.flows.sms.resendCountdown(pending) { told.withLock { $0.append(left.components.seconds) } }
        }
        for expected in [Int64(3), 2, 1] {
            #expect(await settles { told.withLock { $0.last } == expected && clock.sleeperCount == 1 })
            clock.advance(by: .seconds(1))
        }
        await task.value
        #expect(told.withLock { $0 } == [3, 2, 1, 0])
    }

    @Test(arguments: ["604800", "\"604800\""])
    func aLoginIsStoredWhateverExpireIsWrittenAs(_ expire: String) async throws {
        let token = Tenant.idToken()
        tenant.server.answer(
            Path.login, .json(#"{"session_token":"s-1","expire":\#(expire),"status":" SUCCESS","id_token":"\#(token)"}"#))
        let outcome = await tenant.flows.sms.logIn(mobile: " \(Self.mobile) ", code: "123456", nonce: "n-1")
        let session = try outcome.get()
        #expect(outcome.legacyCode == "0" && session.sessionToken == "s-1" && session.idToken == token)
        #expect(session.expiresAt == Tenant.start + 604_800 && session.idTokenExpiresAt == Tenant.start + 3_600)
        #expect(try await tenant.store.contents().session == session)
        let request = try #require(tenant.server.requests(to: Path.login).first)
        #expect(request.body("mobile") == Self.mobile && request.body("verify_code") == "123456" && request.body("nonce") == "n-1")
    }

    @Test
    func aSessionPrintsNeitherOfItsTokens() async throws {
        let session = try await Tenant().logIn(session: "secret-session")
        for text in ["\(session)", String(reflecting: session)] {
            #expect(!text.contains("secret-session") && !text.contains(session.idToken))
        }
    }

    static let others: [(String, String, String?)] = [
        (#"{"status":"MFA_AUTH","state_token":"st","data":"{\"mfa\":[\"SMS\"]}"}"#, "MFA_AUTH", "st"),
        (#"{"status":"ACCESS_DENIED"}"#, "ACCESS_DENIED", nil), (#"{"status":" SOCIAL_BIND","state_token":"st"}"#, "SOCIAL_BIND", "st"),
    ]

    @Test(arguments: others)
    func anotherStatusIsNoSession(_ body: String, status: String, stateToken: String?) async throws {
        tenant.server.answer(Path.login, .json(body))
        let outcome = await tenant.flows.sms.logIn(mobile: Self.mobile, code: "1")
        guard case .other(status, stateToken) = outcome else {
            Issue.record("the status is not reported as another one")
            return
        }
        #expect(outcome.legacyCode == "1")
        #expect(try await tenant.store.contents().session == nil)
    }

    static let failures: [(ScriptedTenant.Reply, String)] = [
        (.refusal("IDAAS.SDK.SMS.1005"), "IDAAS.SDK.SMS.1005"), (.refusal("IDAAS.SDK.COMMON.1005"), "IDAAS.SDK.COMMON.1005"),
        (.unreachable, "1"), (.json("<html>", status: 200), "1"), (.json("{}"), "1"), (.json("<html>", status: 503), "1"),
    ]

    @Test(arguments: failures)
    func aLoginThatFailsLeavesTheSessionThatIsThere(_ reply: ScriptedTenant.Reply, code: String) async throws {
        let session = try await tenant.logIn()
        tenant.server.answer(Path.login, reply)
        #expect(await tenant.flows.sms.logIn(mobile: Self.mobile, code: "1").legacyCode == code)
        #expect(try await tenant.store.contents().session == session)
    }

    @Test(arguments: [("", "1"), (mobile, ""), (mobile, " \n"), ("1\n2", "1")])
    func whatIsEmptyOrNoLineIsNotSent(_ mobile: String, code: String) async throws {
        #expect(await tenant.flows.sms.logIn(mobile: mobile, code: code).legacyCode == "1")
        #expect(tenant.server.requests.isEmpty)
    }

    @Test
    func theLogOfALoginHasNoCodeNoTokenAndNoWholeNumber() async throws {
        let lines = Guarded([String]())
        let tenant = try Tenant { $0.log = FlowLog { line in lines.withLock { $0.append(line) } } }
        tenant.server.answer(Path.send, .json(""))
        _ = try await tenant.flows.sms.sendSMS(try await pass(tenant)).get()
        let session = try await tenant.logIn(session: "s-secret")
        _ = await tenant.flows.identity.verify(session.idToken)
        tenant.server.answer(Path.refresh, Tenant.tokens(session: "s-other"))
        _ = await tenant.flows.sessions.renew()
        let log = lines.withLock { $0 }.joined(separator: "\n")
        #expect(log.contains("+86-138****0000") && log.contains(Path.login))
        let fingerprint = try #require(tenant.server.requests.first?.first("X-device-fingerprint"))
        for secret in ["13800000000", "123456", "s-secret", "s-other", "c-1", session.idToken, fingerprint] {
            #expect(!log.contains(secret), "\(secret)")
        }
    }
}
