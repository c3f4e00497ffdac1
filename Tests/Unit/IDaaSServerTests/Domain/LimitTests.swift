import Foundation
import IDaaSServer
import IDaaSTestSupport
import IDaaSWire
import Secrets
import Testing

struct LimitTests {
    /// A message that the gateway does not take counts for the hour and the day of its number, and not for the minute.
    @Test
    func anUnsentMessageCountsForTheHourAndTheDay() async throws {
        let domain = try await Domain(limits: .without { $0.smsPerNumber = LimitSettings().smsPerNumber })
        domain.gateway.refuse()
        for pause in [3_600, 82_800] {
            for _ in 0..<5 { #expect(try await refusal { try await domain.send() } == ServiceError(.sendingFailed)) }
            #expect(try await refusal { try await domain.send() } == ServiceError(.rateLimited, retryAfter: .seconds(pause)))
            domain.clock.advance(by: pause)
        }
        domain.gateway.refuse(false)
        #expect(try await refusal { try await domain.send() } == nil)
        #expect(try await refusal { try await domain.send() } == ServiceError(.rateLimited, retryAfter: .seconds(60)))
    }

    @Test
    func ofIPv6TheNetworkCountsAsTheAddress() async throws {
        let domain = try await Domain(limits: .without { $0.smsPerAddress = LimitSettings().smsPerAddress })
        for host in 0..<60 {
            try await domain.send(to: "+86-1380000\(1_000 + host)", domain.caller("D\(host)", address: "2001:db8::\(host)"))
        }
        let refused = try await refusal { try await domain.send(domain.caller("D60", address: "2001:db8::60")) }
        #expect(refused == ServiceError(.rateLimited, retryAfter: .seconds(3_600)))
        #expect(try await refusal { try await domain.send(domain.caller("D61", address: "2001:db8:0:1::1")) } == nil)
    }

    @Test
    func aLimitOfZeroForbidsSMSAbroadAndNamesItsWindow() async throws {
        let domain = try await Domain(limits: .without { $0.smsPerForeignCountry = [Limit(0, per: .seconds(3_600))] })
        try await domain.send()
        for _ in 0..<2 {
            let refused = try await refusal { try await domain.send(to: "+852-91234567") }
            #expect(refused == ServiceError(.rateLimited, retryAfter: .seconds(3_600)))
            domain.clock.advance(by: 3_600)
        }
        #expect(domain.gateway.messages.map(\.mobile) == [Domain.mobile])
    }

    @Test
    func withNoWrongSolutionAllowedTheFirstOneLocksTheDevice() async throws {
        let domain = try await Domain(limits: .without { $0.wrongCaptchaPerDevice = [Limit(0, per: .seconds(60))] })
        #expect(try await refusal { try await domain.services.captcha.challenge(for: domain.caller()) } == nil)
        let token = try await domain.services.captcha.challenge(for: domain.caller()).token
        let wrong = try await domain.point(token, off: (20, 0))
        _ = try await refusal {
            try await domain.services.captcha.verify(
                token: token, pointJSON: wrong, sender: Domain.mobile, track: nil, for: domain.caller())
        }
        let locked = try await refusal { try await domain.services.captcha.challenge(for: domain.caller()) }
        #expect(locked == ServiceError(.rateLimited, retryAfter: .seconds(300)))
    }

    @Test
    func anAddressGets600PicturesAMinute() async throws {
        let domain = try await Domain()
        let (caller, now) = (domain.caller(), domain.clock.now)
        _ = try await domain.services.captcha.challenge(for: caller)
        // As if the other challenges had been drawn already.
        try await domain.store.write { store in
            for _ in 1..<600 { try store.record(Limit.Scope(rawValue: "captcha.address"), caller.address, at: now) }
        }
        let limited = ServiceError(.rateLimited, retryAfter: .seconds(60))
        #expect(try await refusal { try await domain.services.captcha.challenge(for: caller) } == limited)
        domain.clock.advance(by: 60)
        #expect(try await refusal { try await domain.services.captcha.challenge(for: caller) } == nil)
    }

    @Test
    func ofManyAtOnceExactlyAsManySucceedAsALimitAllows() async throws {
        let domain = try await Domain(limits: .without { $0.smsPerDevice = LimitSettings().smsPerDevice })
        let results = await concurrently(40) { try await domain.send(to: "+86-1380000\(1_000 + $0)") }
        #expect(results.values().count == 10)
        #expect(results.codes() == [.rateLimited])
    }
}
