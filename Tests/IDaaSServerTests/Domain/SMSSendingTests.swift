#if IDaaS
import IDaaSServer
import Secrets
import Testing

@Suite("Sending SMS")
struct SMSSendingTests {
    private func send(
        _ domain: Domain, _ token: String, to mobile: String = Domain.mobile, type: String = "LOGIN_SMS", _ caller: Caller? = nil
    ) async throws -> SMSReceipt {
        try await domain.services.sms.send(mobile: mobile, type: type, captchaToken: token, for: caller ?? domain.caller())
    }

    @Test("A captcha token is for its number, its device and its client; a made-up one is none")
    func captchaToken() async throws {
        let domain = try await Domain()
        let token = try await domain.captchaToken()
        let incorrect = ServiceError(.captchaIncorrect)
        #expect(try await refusal { try await send(domain, token, to: "13900000000") } == incorrect)
        #expect(try await refusal { try await send(domain, token, domain.caller("D2")) } == incorrect)
        let madeUp = String(repeating: "0", count: 32) + "---{\"x\":237.0,\"y\":5.0}"
        #expect(try await refusal { try await send(domain, madeUp) } == incorrect)
        #expect(domain.gateway.messages.isEmpty)
        #expect(try await refusal { try await send(domain, token, to: "13800000000") } == nil)
    }

    @Test("A captcha token is over at 180 s", arguments: [(179, true), (180, false), (181, false)])
    func lifetime(_ seconds: Int, _ works: Bool) async throws {
        let domain = try await Domain()
        let token = try await domain.captchaToken()
        domain.clock.advance(seconds)
        #expect(try await refusal { try await send(domain, token) }?.code == (works ? nil : .captchaIncorrect))
    }

    @Test("The same request within 30 s is answered the same without a second SMS", arguments: [(0, true), (29, true), (30, false)])
    func repetition(_ seconds: Int, _ works: Bool) async throws {
        let domain = try await Domain()
        let token = try await domain.captchaToken()
        let receipt = try await send(domain, token)
        domain.clock.advance(seconds)
        if works {
            #expect(try await send(domain, token) == receipt)
        } else {
            #expect(try await refusal { try await send(domain, token) } == ServiceError(.captchaIncorrect))
        }
        #expect(domain.gateway.messages.count == 1)
    }

    @Test("Of 64 uses of one captcha token one sends")
    func oneWinner() async throws {
        let domain = try await Domain()
        let token = try await domain.captchaToken()
        let results = await concurrently(64) { _ in try await send(domain, token) }
        #expect(domain.gateway.messages.count == 1)
        #expect(Set(results.values()).count == 1 && results.values().count == 64)
    }

    @Test("A gateway that fails answers SMS.1008: the captcha token is used, the pause is not")
    func failure() async throws {
        let domain = try await Domain()
        domain.gateway.refuse()
        let token = try await domain.captchaToken()
        for _ in 0..<2 { #expect(try await refusal { try await send(domain, token) } == ServiceError(.sendingFailed)) }
        domain.gateway.refuse(false)
        domain.clock.advance(30)
        #expect(try await refusal { try await send(domain, token) } == ServiceError(.captchaIncorrect))
        #expect(try await refusal { try await domain.send() } == nil)
    }

    @Test("Types that no endpoint serves do not exist", arguments: SMSType.allCases.map(\.rawValue) + ["login_sms", "X"])
    func types(_ type: String) async throws {
        let domain = try await Domain()
        let token = try await domain.captchaToken()
        let refused = try await refusal { try await send(domain, token, type: type) }
        #expect(refused == (type == "LOGIN_SMS" ? nil : ServiceError(.unknownScenario)))
    }

    @Test("A number outside the list is refused before anything is looked up")
    func tollFraud() async throws {
        let domain = try await Domain()
        let token = try await domain.captchaToken()
        _ = domain.statements.take()
        #expect(try await refusal { try await send(domain, token, to: "+1-9005550100") } == ServiceError(.invalidFormat, "mobile"))
        #expect(domain.statements.take().isEmpty && domain.gateway.messages.isEmpty)
    }

    @Test("What is missing is named")
    func missing() async throws {
        let domain = try await Domain()
        #expect(try await refusal { try await send(domain, "") } == ServiceError(.missingParameter, "captcha_token"))
        #expect(try await refusal { try await send(domain, "t", type: "") } == ServiceError(.missingParameter, "type"))
        #expect(try await refusal { try await send(domain, "t", to: "") } == ServiceError(.missingParameter, "mobile"))
    }

    @Test("A client without SMS login neither sends nor logs in")
    func switchedOff() async throws {
        var settings = ClientSettings()
        settings.sms = false
        let domain = try await Domain(settings: settings)
        #expect(try await refusal { try await domain.send() } == ServiceError(.unknownConfiguration))
        #expect(try await refusal { try await domain.login("123456") } == ServiceError(.unknownConfiguration))
    }

    @Test("Numbers with and without a user get the same answers by the same steps, where none is made of a number")
    func unknownNumbers() async throws {
        var settings = ClientSettings()
        settings.registersUnknownNumbers = false
        let domain = try await Domain(settings: settings)
        _ = try await domain.services.administration.addUser(mobile: "13800000001")
        _ = try await domain.services.administration.addUser(mobile: "13800000002")
        try await domain.services.administration.lockUser("13800000002")
        var runs: [Run] = []
        for (ordinal, mobile) in ["13800000001", "13800000002", "13800000003"].enumerated() {
            let caller = domain.caller("D\(ordinal)", address: "192.0.2.\(ordinal)")
            let token = try await domain.captchaToken(for: mobile, caller)
            runs.append(try await Run(domain, mobile, token, caller))
        }
        #expect(Set(runs).count == 1)
        #expect(domain.gateway.messages.map(\.mobile) == ["+86-13800000001"])
        #expect(domain.sink.messages.map(\.mobile) == ["+86-13800000002", "+86-13800000003"])
    }

    /// What is seen, and done, when a code is sent to a number and a wrong one is typed.
    private struct Run: Hashable {
        let receipt: SMSReceipt
        let refused: ServiceError?
        let statements: [String]
        let hashes: Int
        let deliveries: Int

        init(_ domain: Domain, _ mobile: String, _ token: String, _ caller: Caller) async throws {
            _ = domain.statements.take()
            let (hashesBefore, deliveriesBefore) = (domain.hash.count, domain.gateway.messages.count + domain.sink.messages.count)
            receipt = try await domain.services.sms.send(mobile: mobile, type: "LOGIN_SMS", captchaToken: token, for: caller)
            let sent = (domain.gateway.messages + domain.sink.messages).last { $0.mobile.hasSuffix(mobile) }?.code
            let wrong = sent == "000000" ? "000001" : "000000"
            refused = try await refusal { try await domain.login(wrong, mobile: mobile, caller) }
            statements = domain.statements.take()
            hashes = domain.hash.count - hashesBefore
            deliveries = domain.gateway.messages.count + domain.sink.messages.count - deliveriesBefore
        }
    }

    @Test("Who proves an unknown number is told so only where the client wants it", arguments: [true, false])
    func reveals(_ reveals: Bool) async throws {
        var settings = ClientSettings()
        settings.registersUnknownNumbers = false
        settings.revealsUnknownNumbers = reveals
        let domain = try await Domain(settings: settings)
        try await domain.send()
        let code = try #require((reveals ? domain.gateway : domain.sink).code(to: Domain.mobile))
        #expect(try await refusal { try await domain.login(code) } == ServiceError(reveals ? .unknownUser : .smsCodeIncorrect))
        #expect(try await domain.store.read { try $0.user(mobile: Domain.mobile) } == nil)
    }

    @Test("A test number has its code without a message and without limits, in development alone", arguments: [true, false])
    func testNumbers(_ isDevelopment: Bool) async throws {
        let domain = try await Domain(isDevelopment: isDevelopment)
        _ = try await domain.services.administration.addUser(mobile: Domain.mobile, testCode: "424242")
        guard isDevelopment else {
            try await domain.send()
            #expect(domain.gateway.messages.count == 1)
            #expect(try await refusal { try await domain.send() }?.code == .rateLimited)
            return
        }
        for _ in 0..<12 {
            try await domain.send()
            _ = try await domain.login("424242")
        }
        #expect(domain.gateway.messages.isEmpty)
    }
}
#endif
