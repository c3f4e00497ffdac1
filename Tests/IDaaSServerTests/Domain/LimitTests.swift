#if IDaaS
import Foundation
import IDaaSServer
import Secrets
import Testing

@Suite("Limits")
struct LimitTests {
    /// Sends until a limit stops it, and holds the answer to its word: refused until then, allowed from then on.
    private func expectLimit(
        _ domain: Domain, of count: Int, retryAfter: Int, _ send: @Sendable (Int) async throws -> SMSReceipt
    ) async throws {
        for ordinal in 0..<count { _ = try await send(ordinal) }
        let sent = domain.gateway.messages.count
        #expect(try await refusal { try await send(count) } == ServiceError(.rateLimited, retryAfter: retryAfter))
        domain.clock.advance(retryAfter - 1)
        #expect(try await refusal { try await send(count) } == ServiceError(.rateLimited, retryAfter: 1))
        #expect(domain.gateway.messages.count == sent)
        domain.clock.advance(1)
        #expect(try await refusal { try await send(count) } == nil)
    }

    /// Limits without one, to see the others alone.
    private func limits(_ change: (inout LimitSettings) -> Void) -> LimitSettings {
        var limits = LimitSettings.wide
        change(&limits)
        return limits
    }

    @Test("A number gets one SMS a minute, five an hour, ten a day")
    func perNumber() async throws {
        let standard = LimitSettings()
        let pauses = [60, 60, 60, 60, 3_360, 60, 60, 60, 60, 82_560]
        let domain = try await Domain(limits: limits { $0.smsPerNumber = standard.smsPerNumber })
        for pause in pauses {
            #expect(try await refusal { try await domain.send() } == nil)
            #expect(try await refusal { try await domain.send() } == ServiceError(.rateLimited, retryAfter: pause))
            domain.clock.advance(pause)
        }
        #expect(try await refusal { try await domain.send() } == nil)
    }

    @Test("What a gateway does not take counts for the hour and the day of its number, and not for the minute")
    func perNumberUnsent() async throws {
        let domain = try await Domain(limits: limits { $0.smsPerNumber = LimitSettings().smsPerNumber })
        domain.gateway.refuse()
        for pause in [3_600, 82_800] {
            for _ in 0..<5 { #expect(try await refusal { try await domain.send() } == ServiceError(.sendingFailed)) }
            #expect(try await refusal { try await domain.send() } == ServiceError(.rateLimited, retryAfter: pause))
            domain.clock.advance(pause)
        }
        domain.gateway.refuse(false)
        #expect(try await refusal { try await domain.send() } == nil)
        #expect(try await refusal { try await domain.send() } == ServiceError(.rateLimited, retryAfter: 60))
    }

    @Test("A device gets ten an hour, whatever the numbers")
    func perDevice() async throws {
        let domain = try await Domain(limits: limits { $0.smsPerDevice = LimitSettings().smsPerDevice })
        try await expectLimit(domain, of: 10, retryAfter: 3_600) { try await domain.send(to: "+86-1380000\(1_000 + $0)") }
    }

    @Test("An address gets sixty an hour, whatever the devices; of IPv6 the network counts")
    func perAddress() async throws {
        for network in ["192.0.2.1", "2001:db8::"] {
            let domain = try await Domain(limits: limits { $0.smsPerAddress = LimitSettings().smsPerAddress })
            try await expectLimit(domain, of: 60, retryAfter: 3_600) { ordinal in
                let address = network.contains(":") ? "\(network)\(String(ordinal, radix: 16))" : network
                return try await domain.send(to: "+86-1380000\(1_000 + ordinal)", domain.caller("D\(ordinal)", address: address))
            }
        }
    }

    @Test("A client gets twenty a second")
    func perClient() async throws {
        let domain = try await Domain(limits: limits { $0.smsPerClient = LimitSettings().smsPerClient })
        for ordinal in 0..<20 { try await domain.send(to: "+86-1380000\(1_000 + ordinal)") }
        #expect(try await refusal { try await domain.send() } == ServiceError(.rateLimited, retryAfter: 1))
        domain.clock.advance(1)
        #expect(try await refusal { try await domain.send() } == nil)
    }

    @Test("A country gets 200 an hour, unless it is the preferred one")
    func perCountry() async throws {
        let domain = try await Domain(limits: limits { $0.smsPerForeignCountry = [Limit(2, per: 3_600)] })
        #expect(LimitSettings().smsPerForeignCountry == [Limit(200, per: 3_600)])
        for ordinal in 0..<3 { try await domain.send(to: "+86-1380000000\(ordinal)") }
        try await expectLimit(domain, of: 2, retryAfter: 3_600) { try await domain.send(to: "+852-9123456\($0)") }
    }

    @Test("A limit of none forbids: nothing goes abroad, and the reply names the window")
    func none() async throws {
        let domain = try await Domain(limits: limits { $0.smsPerForeignCountry = [Limit(0, per: 3_600)] })
        try await domain.send()
        for _ in 0..<2 {
            #expect(try await refusal { try await domain.send(to: "+852-91234567") } == ServiceError(.rateLimited, retryAfter: 3_600))
            domain.clock.advance(3_600)
        }
        #expect(domain.gateway.messages.map(\.mobile) == [Domain.mobile])
    }

    @Test("With no wrong solution allowed the first one locks the device")
    func noWrongSolution() async throws {
        let domain = try await Domain(limits: limits { $0.wrongCaptchaPerDevice = [Limit(0, per: 60)] })
        #expect(try await refusal { try await domain.services.captcha.challenge(for: domain.caller()) } == nil)
        let token = try await domain.services.captcha.challenge(for: domain.caller()).token
        let wrong = try await domain.point(token, off: (20, 0))
        _ = try await refusal {
            try await domain.services.captcha.verify(
                token: token, pointJSON: wrong, sender: Domain.mobile, track: nil, for: domain.caller())
        }
        let locked = try await refusal { try await domain.services.captcha.challenge(for: domain.caller()) }
        #expect(locked == ServiceError(.rateLimited, retryAfter: 300))
    }

    @Test("A refused request uses nothing up: neither the captcha token nor the living code")
    func undisturbed() async throws {
        let domain = try await Domain()
        try await domain.send()
        let token = try await domain.captchaToken()
        func send() async throws -> SMSReceipt {
            try await domain.services.sms.send(mobile: Domain.mobile, type: "LOGIN_SMS", captchaToken: token, for: domain.caller())
        }
        #expect(try await refusal { try await send() } == ServiceError(.rateLimited, retryAfter: 60))
        let code = try #require(domain.gateway.code(to: Domain.mobile))
        #expect(try await refusal { try await domain.login(code) } == nil)
        domain.clock.advance(60)
        #expect(try await refusal { try await send() } == nil)
    }

    @Test("Pictures are limited per device and per address", arguments: [(120, true), (600, false)])
    func pictures(_ count: Int, _ isDevice: Bool) async throws {
        let domain = try await Domain()
        let now = domain.clock.now
        // As if the others had been drawn already.
        let caller = domain.caller()
        _ = try await domain.services.captcha.challenge(for: caller)
        try await domain.store.write { store in
            let device = "client-1 \(caller.device.map { String(format: "%02x", $0) }.joined())"
            let (scope, key) = isDevice ? ("captcha.device", device) : ("captcha.address", caller.address)
            for _ in 1..<count { try store.record(Limit.Scope(rawValue: scope), key, at: now) }
        }
        let limited = ServiceError(.rateLimited, retryAfter: 60)
        #expect(try await refusal { try await domain.services.captcha.challenge(for: caller) } == limited)
        domain.clock.advance(60)
        #expect(try await refusal { try await domain.services.captcha.challenge(for: caller) } == nil)
    }

    @Test("An address gets 30 tries at logging in a minute, whatever the devices")
    func logins() async throws {
        let domain = try await Domain()
        for ordinal in 0..<30 {
            #expect(try await refusal { try await domain.login("000000", domain.caller("D\(ordinal)")) }?.code == .smsCodeIncorrect)
        }
        let limited = ServiceError(.rateLimited, retryAfter: 60)
        #expect(try await refusal { try await domain.login("000000", domain.caller("D31")) } == limited)
        #expect(
            try await refusal { try await domain.login("000000", domain.caller("D31", address: "192.0.2.2")) }?.code == .smsCodeIncorrect)
    }

    @Test("Of many at once exactly as many succeed as a limit allows")
    func exact() async throws {
        let domain = try await Domain(limits: limits { $0.smsPerDevice = LimitSettings().smsPerDevice })
        let results = await concurrently(40) { try await domain.send(to: "+86-1380000\(1_000 + $0)") }
        #expect(results.values().count == 10)
        #expect(results.codes() == [.rateLimited])
    }

    @Test("Settings that are absent have the numbers of the specification")
    func defaults() throws {
        let settings = try JSONDecoder().decode(LimitSettings.self, from: Data("{\"triesPerCode\":3,\"failuresPerNumber\":1000}".utf8))
        var expected = LimitSettings()
        expected.triesPerCode = 3
        expected.failuresPerNumber = 100
        #expect(settings == expected)
        #expect(settings.smsPerNumber == [Limit(1, per: 60), Limit(5, per: 3_600), Limit(10, per: 86_400)])
    }
}
#endif
