import IDaaSFlows
import Testing

@Suite struct FlowErrorTests {
    static let spellings: [(String, ServiceCode?)] = [
        ("IDAAS.SDK.COMMON.1005", .expired), ("SDK.COMMON.1005", .expired), ("IDAAS.SDK.PARAM.0023", .expired), ("COM.0217", .expired),
        ("IDAAS.SDK.PARAM.0001", .incompleteDevice), ("SDK.PARAM.0001", .incompleteDevice), ("IDAAS.SDK.CAPTCHA.0002", .captchaIncorrect),
        ("IDAAS.SDK.CAPTCHA.0006", .sendingFailed), ("IDAAS.SDK.CAPTCHA.0007", .smsCodeIncorrect), ("IDAAS.SDK.COMMON.9999", nil),
        ("1005", nil),
    ]

    @Test("A code is known under each of its names", arguments: spellings)
    func codeIsKnown(_ wire: String, code: ServiceCode?) { #expect(ServiceCode(wire: wire) == code) }

    @Test("The catalogue has the table's 43 codes and 8 of ours, each with a text of its own in both languages")
    func catalogueIsWhole() {
        #expect(ServiceCode.allCases.count == 51)
        for language in FlowLanguage.allCases { #expect(Set(ServiceCode.allCases.map { $0.template(in: language) }).count == 51) }
        #expect(ServiceCode.allCases.allSatisfy { $0.template(in: .english).unicodeScalars.allSatisfy(\.isASCII) })
        #expect(ServiceCode.allCases.allSatisfy { !$0.template(in: .chinese).unicodeScalars.allSatisfy(\.isASCII) })
    }

    @Test("Both languages have the same placeholders", arguments: ServiceCode.allCases)
    func placeholdersAgree(_ code: ServiceCode) {
        for placeholder in ["{0}", "{1}"] {
            #expect(code.template(in: .english).contains(placeholder) == code.template(in: .chinese).contains(placeholder))
        }
    }

    private func refusal(_ reply: ScriptedTenant.Reply) async throws -> FlowError {
        let tenant = try Tenant()
        tenant.server.answer(Path.areaCodes, reply)
        return try #require(await tenant.flows.areaCodes.list().failure)
    }

    @Test("The server's text stands in its own language, the catalogue's in the other, with the arguments")
    func textsAreOfTheLanguageAskedFor() async throws {
        let error = try await refusal(
            .refusal(
                "IDAAS.SDK.LOGIN.1003", "locked for 2 minutes and 5 seconds",
                details: #"{"args":["2","5"],"retry_after":125,"remaining":0}"#))
        #expect(error.text(in: .english) == "locked for 2 minutes and 5 seconds")
        #expect(error.text(in: .chinese) == "由于多次登录失败,用户已被锁定。 它将在 2 分钟和 5 秒内解锁")
        #expect(error.retryAfter == .seconds(125) && error.legacyCode == "IDAAS.SDK.LOGIN.1003")
        guard case .service(let refusal) = error.reason else { return #expect(Bool(false)) }
        #expect(refusal.code == .locked && refusal.remaining == 0)
    }

    static let retryable: [(ScriptedTenant.Reply, Bool)] = [
        (.refusal("IDAAS.SDK.COMMON.1001"), false), (.refusal("IDAAS.SDK.COMMON.1008", status: 500), true),
        (.refusal("IDAAS.SDK.RATE.1001", status: 429), true), (.json("<html>", status: 403), false), (.json("<html>", status: 503), true),
        (.unreachable, true), (.failure(TransportFailure(.timedOut)), true), (.failure(TransportFailure(.tls)), false),
        (.failure(TransportFailure(.cancelled)), false),
    ]

    @Test("An error says whether trying again may help", arguments: retryable)
    func errorIsRetryable(_ reply: ScriptedTenant.Reply, isRetryable: Bool) async throws {
        #expect(try await refusal(reply).isRetryable == isRetryable)
    }

    @Test("The wait is read from the field where the body has none")
    func retryAfterField() async throws {
        let reply = ScriptedTenant.Reply.json(
            #"{"error_code":"IDAAS.SDK.RATE.1001","error_msg":""}"#, status: 429, [WireField("retry-after", "7")])
        #expect(try await refusal(reply).retryAfter == .seconds(7))
    }

    @Test("An error names its request: by the server's id, or by ours where it was not reached")
    func errorNamesItsRequest() async throws {
        let named = try await refusal(.json("no", status: 500, [WireField("X-Request-Id", "theirs")]))
        #expect(named.requestID == "theirs" && named.description.contains("theirs"))
        let tenant = try Tenant()
        tenant.server.answer(Path.areaCodes, .unreachable)
        let error = try #require(await tenant.flows.areaCodes.list().failure)
        #expect(error.requestID != nil && error.requestID == tenant.server.requests.first?.field("x-request-id"))
    }

    @Test("A refusal under status 200 is one")
    func refusalOfStatus200() async throws {
        guard case .service(let refusal) = try await refusal(.refusal("SDK.COMMON.1011", status: 200)).reason else {
            return #expect(Bool(false))
        }
        #expect(refusal.code == .areaCodeConfiguration)
    }
}
