import IDaaSServer
import IDaaSTestSupport
import IDaaSWire
import Secrets
import Testing

struct SMSSendingTests {
    private func send(
        _ domain: Domain, _ token: String, to mobile: String = Domain.mobile, type: String = "LOGIN_SMS", _ caller: Caller? = nil
    ) async throws -> SMSReceipt {
        try await domain.services.sms.send(mobile: mobile, type: type, captchaToken: token, for: caller ?? domain.caller())
    }

    /// A failing gateway answers SMS.1008: the captcha token is consumed, the pause is not.
    @Test
    func aFailingGatewayConsumesTheCaptchaToken() async throws {
        let domain = try await Domain()
        domain.gateway.refuse()
        let token = try await domain.captchaToken()
        for _ in 0..<2 { #expect(try await refusal { try await send(domain, token) } == ServiceError(.sendingFailed)) }
        domain.gateway.refuse(false)
        domain.clock.advance(by: 30)
        #expect(try await refusal { try await send(domain, token) } == ServiceError(.captchaIncorrect))
        #expect(try await refusal { try await domain.send() } == nil)
    }

    @Test
    func aNumberOutsideTheListIsRefusedBeforeAnythingIsLookedUp() async throws {
        let domain = try await Domain()
        let token = try await domain.captchaToken()
        _ = domain.statements.take()
        #expect(try await refusal { try await send(domain, token, to: "+1-9005550100") } == ServiceError(.invalidFormat, "mobile"))
        #expect(domain.statements.take().isEmpty && domain.gateway.messages.isEmpty)
    }

    @Test
    func aMessageNamesClientCodeAndHost() async throws {
        let domain = try await Domain()
        try await domain.send()
        let message = try #require(domain.gateway.messages.first)
        #expect(message.mobile == Domain.mobile && message.type == "LOGIN_SMS" && message.client == "client-1")
        #expect(message.text.hasPrefix("【Example】") && message.text.hasSuffix("\n\n@id.example #\(message.code)"))
        #expect(message.text.contains("5 分钟"))
    }

    /// Numbers with and without a user get the same answers by the same steps if the client creates no user for a number.
    @Test
    func knownAndUnknownNumbersAreAnsweredAlike() async throws {
        let domain = try await Domain(settings: { $0.registersUnknownNumbers = false })
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

    /// The visible results and the executed steps when a code is sent to a number and a wrong one is typed.
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

    @Test(arguments: [true, false])
    func whoProvesAnUnknownNumberIsToldSoOnlyWhereTheClientWantsIt(_ reveals: Bool) async throws {
        let domain = try await Domain(settings: {
            $0.registersUnknownNumbers = false
            $0.revealsUnknownNumbers = reveals
        })
        try await domain.send()
        let code = try #require((reveals ? domain.gateway : domain.sink).code(to: Domain.mobile))
        #expect(try await refusal { try await domain.login(code) } == ServiceError(reveals ? .unknownUser : .smsCodeIncorrect))
        #expect(try await domain.store.read { try $0.user(mobile: Domain.mobile) } == nil)
    }

    /// A test number has its code without a message and without limits, only in development.
    @Test(arguments: [true, false])
    func aTestNumberNeedsNoMessageInDevelopment(_ isDevelopment: Bool) async throws {
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
