import Foundation
import IDaaSFlows
import IDaaSWire
import JWKSCache
import JWKSTestSupport
import JWTTestSupport
import Testing

@Suite struct WeChatLoginTests {
    static let mobile = "+86-13800000000"

    private func pass(_ stage: WeChatStage) async throws -> SliderPass {
        stage.sendsSMS()
        return try await stage.weChat.solveSlider(mobile: Self.mobile, presenter: ScriptedSlider(.point(SliderPoint(x: 9)))).get()
    }

    @Test
    func anAccountWithAUserIsLoggedInAndStored() async throws {
        let stage = try WeChatStage()
        let outcome = await stage.weChat.logIn(code: " c-1 ", nonce: "n-1")
        guard case .loggedIn(let session) = outcome else {
            Issue.record("the account is not logged in: \(outcome)")
            return
        }
        #expect(outcome.legacyCode == "0" && session.sessionToken == "s-1")
        #expect(try await stage.tenant.store.contents().session == session)
        let request = try #require(stage.tenant.server.requests(to: Path.weChatLogin).first)
        #expect(request.body("code") == "c-1" && request.body("nonce") == "n-1" && !request.url.contains("?"))
    }

    /// Contradictions 18, 19 and 20: a status with spaces, data as a string or an object, e-mail offered without a method for it.
    static let steps: [(String, BindingStep.Kind, [BindingStep.Verification])] = [
        (#""{\"socialBindOrRegisterFlow\":[\"VERIFY_PHONE\",\"VERIFY_EMAIL\"]}","status":"USER_REGISTER""#, .register, [.phone, .email]),
        (#""{\"socialBindOrRegisterFlow\":[\"VERIFY_PHONE\",\"VERIFY_EMAIL\"]}","status":" SOCIAL_BIND""#, .bind, [.phone, .email]),
        (#"{"socialBindOrRegisterFlow":["VERIFY_PHONE"]},"status":"SOCIAL_BIND ""#, .bind, [.phone]),
        (#"null,"status":"USER_REGISTER""#, .register, [.phone]), (#""{}","status":"USER_REGISTER""#, .register, [.phone]),
        (#""{\"socialBindOrRegisterFlow\":[\"VERIFY_FACE\"]}","status":"SOCIAL_BIND""#, .bind, []),
    ]

    @Test(arguments: steps)
    func anAccountWithoutAUserIs101WithTheServersChoice(
        _ data: String, kind: BindingStep.Kind, verifications: [BindingStep.Verification]
    ) async throws {
        let stage = try WeChatStage()
        stage.tenant.server.answer(Path.weChatLogin, .json(#"{"state_token":"st-1","data":\#(data)}"#))
        let outcome = await stage.weChat.logIn(code: "c-1")
        let step = try #require(outcome.step)
        #expect(outcome.legacyCode == "101" && step == BindingStep(kind, stateToken: "st-1", verifications: verifications))
        switch outcome {
        case .register: #expect(kind == .register)
        case .bind: #expect(kind == .bind)
        default: Issue.record("the outcome is neither a registration nor a binding")
        }
        #expect(try await stage.tenant.store.contents().session == nil)
        #expect(try JSONDecoder().decode(BindingStep.self, from: JSONEncoder().encode(step)) == step)
        #expect(!"\(step)".contains("st-1") && !String(reflecting: step).contains("st-1"))
    }

    static let failures: [(ScriptedTenant.Reply, FlowError.Reason?)] = [
        (.refusal("IDAAS.SDK.COMMON.1001"), nil), (.refusal("IDAAS.SDK.LOGIN.1001"), nil), (.refusal("IDAAS.SDK.LOGIN.1006"), nil),
        (.refusal("IDAAS.SDK.COMMON.1006"), nil), (.refusal("IDAAS.SDK.RATE.1001", status: 429), nil),
        (.unreachable, .transport(RequestFailure(.connection, "nothing listens"))), (.json("<html>"), .unexpectedAnswer(status: 200)),
        (.json("{}"), .unexpectedAnswer(status: 200)),
        (.json("<html>", status: 502), .unexpectedAnswer(status: 502)),
    ]

    /// The documents have no other number than 1 for a failure, whatever the server's code.
    @Test(arguments: failures.indices)
    func aLoginByCodeThatFailsIs1AndLeavesTheSessionThatIsThere(_ index: Int) async throws {
        let stage = try WeChatStage(), (reply, reason) = Self.failures[index]
        let session = try await stage.tenant.logIn()
        stage.tenant.server.answer(Path.weChatLogin, reply)
        let outcome = await stage.weChat.logIn(code: "c-1")
        #expect(outcome.legacyCode == "1")
        if let reason { #expect(outcome.failure?.reason == reason) }
        #expect(try await stage.tenant.store.contents().session == session)
    }

    /// A step without a state token is none.
    @Test(arguments: [("MFA_AUTH", "st"), ("ACCESS_DENIED", nil), ("PASSWORD_EXPIRED", "st"), ("USER_REGISTER", nil)])
    func anotherStatusIsNoSession(_ status: String, stateToken: String?) async throws {
        let stage = try WeChatStage()
        let member = stateToken.map { ",\"state_token\":\"\($0)\"" } ?? ""
        stage.tenant.server.answer(Path.weChatLogin, .json(#"{"status":"\#(status)"\#(member)}"#))
        let outcome = await stage.weChat.logIn(code: "c-1")
        guard case .other(status, stateToken) = outcome else {
            Issue.record("the status is not reported as another one: \(outcome)")
            return
        }
        #expect(outcome.legacyCode == "1")
    }

    @Test(arguments: ["", "  ", "c\n1", String(repeating: "c", count: 513)])
    func whatIsNoCodeIsNotSent(_ code: String) async throws {
        let stage = try WeChatStage()
        #expect(await stage.weChat.logIn(code: code).legacyCode == "1")
        #expect(stage.tenant.server.requests.isEmpty)
    }

    @Test
    func aLostReplyIsNotSentAgainByItself() async throws {
        let stage = try WeChatStage()
        stage.tenant.server.answer(Path.weChatLogin, inTurn: [.unreachable, Tenant.tokens()])
        #expect(await stage.weChat.logIn(code: "c-1").failure?.isRetryable == true)
        #expect(stage.tenant.server.requests(to: Path.weChatLogin).count == 1)
        #expect(await stage.weChat.logIn(code: "c-1").legacyCode == "0")
    }

    @Test
    func theSliderAloneSendsNoSMS() async throws {
        let stage = try WeChatStage()
        _ = try await pass(stage)
        #expect(stage.tenant.server.requests.map(\.path) == [Path.captcha, Path.verify])
        let closed = await stage.weChat.solveSlider(mobile: Self.mobile, presenter: ScriptedSlider(.closed))
        #expect(closed.legacyCode == "105" && closed.failure == nil)
    }

    @Test(arguments: [(BindingStep.Kind.register, "REGISTER_SMS", Path.register), (.bind, "BIND_MOBILE_SMS", Path.bind)])
    func anSMSHasThePurposeOfItsStepAndBothCarryTheStateToken(_ kind: BindingStep.Kind, type: String, path: String) async throws {
        let stage = try WeChatStage(), step = BindingStep(kind, stateToken: "st-1")
        let pending = try await stage.weChat.sendSMS(try await pass(stage), for: step).get()
        let sent = try #require(stage.tenant.server.requests(to: Path.send).first)
        #expect(sent.body("type") == type && sent.first("X-state-token") == "st-1" && pending.purpose.rawValue == type)
        stage.tenant.server.answer(path, Tenant.tokens(session: "s-9"))
        let session = try await stage.weChat.finish(step, mobile: pending.mobile, code: "123456", nonce: "n-1").get()
        let request = try #require(stage.tenant.server.requests(to: path).first)
        #expect(request.first("X-state-token") == "st-1" && request.body("verify_code") == "123456" && request.body("nonce") == "n-1")
        #expect(session.sessionToken == "s-9" && request.body("mobile") == Self.mobile)
        #expect(try await stage.tenant.store.contents().session == session)
    }

    static let refusals: [(ScriptedTenant.Reply, String)] = [
        (.refusal("IDAAS.SDK.COMMON.1005"), "IDAAS.SDK.COMMON.1005"), (.refusal("IDAAS.SDK.COMMON.1006"), "IDAAS.SDK.COMMON.1006"),
        (.refusal("IDAAS.SDK.SMS.1005"), "IDAAS.SDK.SMS.1005"), (.refusal("IDAAS.SDK.LOGIN.1003"), "IDAAS.SDK.LOGIN.1003"),
        (.refusal("IDAAS.SDK.COMMON.1013"), "IDAAS.SDK.COMMON.1013"), (.refusal("IDAAS.SDK.SOCIAL.1002"), "IDAAS.SDK.SOCIAL.1002"),
        (.refusal("IDAAS.SDK.SOCIAL.1003"), "IDAAS.SDK.SOCIAL.1003"), (.unreachable, "1"), (.json("{}"), "1"),
        (.json(#"{"status":"ACCESS_DENIED"}"#), "1"),
    ]

    @Test(arguments: refusals)
    func aBindingThatFailsHasTheServersCodeOr1(_ reply: ScriptedTenant.Reply, code: String) async throws {
        for kind in BindingStep.Kind.allCases {
            let stage = try WeChatStage()
            let session = try await stage.tenant.logIn()
            stage.tenant.server.answer(kind == .register ? Path.register : Path.bind, reply)
            let outcome = await stage.weChat.finish(BindingStep(kind, stateToken: "st-1"), mobile: Self.mobile, code: "1")
            #expect(outcome.legacyCode == code)
            #expect(try await stage.tenant.store.contents().session == session)
        }
    }

    @Test(arguments: [("", mobile, "1"), ("st", "", "1"), ("st", mobile, ""), ("st\n1", mobile, "1")])
    func whatIsEmptyOrNoLineIsNotSent(_ stateToken: String, mobile: String, code: String) async throws {
        let stage = try WeChatStage()
        let outcome = await stage.weChat.finish(BindingStep(.bind, stateToken: stateToken), mobile: mobile, code: code)
        #expect(outcome.legacyCode == "1" && stage.tenant.server.requests.isEmpty)
    }

    @Test
    func theLogHasNoCodeNoStateTokenAndNoWholeNumber() async throws {
        let lines = Guarded([String]())
        let tenant = try Tenant { $0.log = FlowLog { line in lines.withLock { $0.append(line) } } }
        tenant.server.answer(
            Path.weChatLogin, .json(#"{"state_token":"st-secret","status":"USER_REGISTER"}"#))
        tenant.server.answer(Path.register, Tenant.tokens(session: "s-secret"))
        let step = try #require(await tenant.flows.weChat.logIn(code: "c-secret").step)
        _ = try await tenant.flows.weChat.finish(step, mobile: Self.mobile, code: "123456").get()
        let log = lines.withLock { $0 }.joined(separator: "\n")
        #expect(log.contains(Path.weChatLogin) && log.contains(Path.register))
        for secret in ["13800000000", "123456", "st-secret", "s-secret", "c-secret"] { #expect(!log.contains(secret), "\(secret)") }
    }
}
