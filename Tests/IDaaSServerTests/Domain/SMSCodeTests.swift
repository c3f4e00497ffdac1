#if IDaaS
import Foundation
import IDaaSServer
import Secrets
import Testing

@Suite("SMS codes")
struct SMSCodeTests {
    @Test("A code is six digits, drawn from random bytes and nothing else")
    func shape() async throws {
        let domain = try await Domain(limits: .wide)
        for _ in 0..<30 { try await domain.send() }
        let codes = domain.gateway.messages.map(\.code)
        #expect(codes.allSatisfy { $0.wholeMatch(of: /[0-9]{6}/) != nil })
        #expect(Set(codes).count > 25)
    }

    @Test("A message names the client, the code and the host that it may be filled into")
    func message() async throws {
        let domain = try await Domain()
        try await domain.send()
        let message = try #require(domain.gateway.messages.first)
        #expect(message.mobile == Domain.mobile && message.type == "LOGIN_SMS" && message.client == "client-1")
        #expect(message.text.hasPrefix("【Example】") && message.text.hasSuffix("\n\n@id.example #\(message.code)"))
        #expect(message.text.contains("5 分钟"))
    }

    @Test("A code is over at 300 s, even the right one", arguments: [(299, true), (300, false), (301, false)])
    func lifetime(_ seconds: Int, _ works: Bool) async throws {
        let domain = try await Domain()
        try await domain.send()
        domain.clock.advance(seconds)
        let code = try #require(domain.gateway.code(to: Domain.mobile))
        #expect(try await refusal { try await domain.login(code) }?.code == (works ? nil : .smsCodeIncorrect))
    }

    @Test("No configuration makes a code last longer than 600 s")
    func longest() throws {
        var lifetimes = Lifetimes()
        lifetimes.code = 3_600
        #expect(lifetimes.code == 600)
        #expect(try JSONDecoder().decode(Lifetimes.self, from: Data("{\"code\":3600}".utf8)).code == 600)
    }

    @Test("A correct code succeeds once; the same request repeated answers SMS.1005 and counts nowhere")
    func once() async throws {
        let domain = try await Domain()
        try await domain.send()
        let code = try #require(domain.gateway.code(to: Domain.mobile))
        _ = try await domain.login(code)
        for _ in 0..<50 { #expect(try await refusal { try await domain.login(code) } == ServiceError(.smsCodeIncorrect)) }
        domain.clock.advance(60)
        _ = try await domain.login()
    }

    @Test("Of 64 logins with one code one succeeds, and the others lock nothing")
    func oneWinner() async throws {
        let domain = try await Domain()
        try await domain.send()
        let code = try #require(domain.gateway.code(to: Domain.mobile))
        let results = await concurrently(64) { _ in try await domain.login(code) }
        #expect(results.values().count == 1)
        #expect(results.codes() == [.smsCodeIncorrect])
        #expect(try await domain.store.read { try $0.failures(of: Domain.mobile) } == nil)
    }

    @Test("Five wrong tries destroy a code, and say how many are left")
    func tries() async throws {
        let domain = try await Domain()
        try await domain.send()
        for remaining in [4, 3, 2, 1, 0] {
            let refused = try await refusal { try await domain.login(domain.wrongCode()) }
            #expect(refused == ServiceError(.smsCodeIncorrect, remaining: remaining))
        }
        let code = try #require(domain.gateway.code(to: Domain.mobile))
        #expect(try await refusal { try await domain.login(code) } == ServiceError(.smsCodeIncorrect))
    }

    @Test("Four wrong tries leave the right one")
    func fewTries() async throws {
        let domain = try await Domain()
        try await domain.send()
        for _ in 0..<4 { _ = try await refusal { try await domain.login(domain.wrongCode()) } }
        let code = try #require(domain.gateway.code(to: Domain.mobile))
        #expect(try await refusal { try await domain.login(code) } == nil)
    }

    @Test("A new code voids the old one and has tries of its own; those of the number go on")
    func resend() async throws {
        let domain = try await Domain(limits: .wide)
        try await domain.send()
        let old = try #require(domain.gateway.code(to: Domain.mobile))
        for _ in 0..<3 { _ = try await refusal { try await domain.login(domain.wrongCode()) } }
        repeat { try await domain.send() } while domain.gateway.code(to: Domain.mobile) == old
        #expect(try await refusal { try await domain.login(old) } == ServiceError(.smsCodeIncorrect, remaining: 4))
        #expect(try await domain.store.read { try $0.failures(of: Domain.mobile)?.count } == 4)
    }

    @Test("Ten wrong tries in a row lock the number for 15 min, then twice as long, to 24 h at most; a success forgives them")
    func lock() async throws {
        var limits = LimitSettings.wide
        limits.captchaLockSeconds = 1
        let domain = try await Domain(limits: limits)
        for seconds in [900, 1_800, 3_600, 7_200, 14_400, 28_800, 57_600, 86_400, 86_400] {
            for attempt in 1...10 {
                if attempt % 5 == 1 { try await domain.send() }
                let refused = try await refusal { try await domain.login(domain.wrongCode()) }
                #expect(refused?.code == (attempt < 10 ? .smsCodeIncorrect : .locked))
            }
            let locked = ServiceError(.locked, "\(seconds / 60)", "0", retryAfter: seconds)
            #expect(try await refusal { try await domain.login("000000") } == locked)
            domain.clock.advance(seconds - 1)
            #expect(try await refusal { try await domain.send() } == ServiceError(.locked, "0", "1", retryAfter: 1))
            domain.clock.advance(1)
        }
        _ = try await domain.login()
        #expect(try await domain.store.read { try $0.failures(of: Domain.mobile) } == nil)
    }

    @Test("A day after a lock the next one is short again")
    func lockForgotten() async throws {
        let domain = try await Domain(limits: .wide)
        for pause in [900 + 86_399, 1_800 + 86_400, 0] {
            for attempt in 1...10 {
                if attempt % 5 == 1 { try await domain.send() }
                _ = try await refusal { try await domain.login(domain.wrongCode()) }
            }
            let expected = [900 + 86_399: 900, 1_800 + 86_400: 1_800, 0: 900][pause]
            #expect(try await refusal { try await domain.login("000000") }?.retryAfter == expected)
            domain.clock.advance(pause)
        }
    }

    @Test("Nobody locks a number from another device, or without a living code")
    func strangers() async throws {
        let domain = try await Domain(limits: .wide)
        for _ in 0..<20 { #expect(try await refusal { try await domain.login("000000") } == ServiceError(.smsCodeIncorrect)) }
        try await domain.send()
        for _ in 0..<20 {
            let refused = try await refusal { try await domain.login(domain.wrongCode(), domain.caller("D2")) }
            #expect(refused == ServiceError(.smsCodeIncorrect))
        }
        let code = try #require(domain.gateway.code(to: Domain.mobile))
        #expect(try await refusal { try await domain.login(code) } == nil)
    }

    @Test("A code belongs to the client and the device that asked for it")
    func owner() async throws {
        let domain = try await Domain()
        let other = Client(id: "client-2", name: "Other", settings: ClientSettings(), signatureKey: nil, created: domain.clock.now)
        try await domain.store.write { try $0.save(other) }
        try await domain.send()
        let code = try #require(domain.gateway.code(to: Domain.mobile))
        for caller in [domain.caller("D2"), domain.caller(client: other)] {
            #expect(try await refusal { try await domain.login(code, caller) } == ServiceError(.smsCodeIncorrect))
        }
        #expect(try await refusal { try await domain.login(code) } == nil)
    }

    @Test("A code of one type is none of another", arguments: SMSType.allCases)
    func types(_ type: SMSType) async throws {
        let domain = try await Domain()
        try await domain.send()
        let code = try #require(domain.gateway.code(to: Domain.mobile))
        // The code as it would lie there, had it been sent for `type`.
        try await domain.store.write { store in
            let sent = try #require(try store.singleUses(of: Domain.mobile).first { $0.purpose.rawValue == "code.LOGIN_SMS" })
            var (moved, spoiled) = (sent, sent)
            spoiled.content = []
            try store.save(spoiled)
            moved.purpose = SingleUse.Purpose(rawValue: "code.\(type.rawValue)")
            try store.save(moved)
        }
        #expect(try await refusal { try await domain.login(code) }?.code == (type == .login ? nil : .smsCodeIncorrect))
    }

    @Test("In the store there is no code, and no hash of one without the server's key")
    func atRest() async throws {
        let domain = try await Domain()
        try await domain.send()
        let code = try #require(domain.gateway.code(to: Domain.mobile))
        let kept = try await domain.store.read { try $0.singleUses(of: Domain.mobile) }
        let stored = try #require(kept.first { $0.purpose.rawValue == "code.LOGIN_SMS" }?.content)
        #expect(stored.count == 32 && stored != Digest256.of(Array(code.utf8)))
    }

    @Test("No code is no try")
    func empty() async throws {
        let domain = try await Domain()
        #expect(try await refusal { try await domain.login("") } == ServiceError(.missingParameter, "verify_code"))
    }
}
#endif
