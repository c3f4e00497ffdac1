#if IDaaS
import IDaaSServer
import Secrets
import Testing

@Suite("The slider captcha")
struct SliderCaptchaTests {
    private func verify(
        _ domain: Domain, off: (x: Double, y: Double) = (0, 0), after seconds: Int = 0, by device: String = "D1", token: String? = nil
    ) async throws -> String {
        let challenge = try await domain.services.captcha.challenge(for: domain.caller())
        let point = try await domain.point(challenge.token, off: off)
        domain.clock.advance(seconds)
        return try await domain.services.captcha.verify(
            token: token ?? challenge.token, pointJSON: point, sender: Domain.mobile, track: nil, for: domain.caller(device))
    }

    @Test("A challenge has the sizes and the lifetime of the wire, and a token of 32 hexadecimal digits")
    func challenge() async throws {
        let domain = try await Domain()
        let challenge = try await domain.services.captcha.challenge(for: domain.caller())
        #expect(challenge.token.wholeMatch(of: /[0-9a-f]{32}/) != nil)
        #expect([challenge.expire, challenge.width, challenge.height, challenge.blockWidth] == [120, 310, 155, 47])
        #expect(try await domain.place(challenge.token).y == 5)
    }

    @Test(
        "A piece fits within 5 px of its place, on its line alone",
        arguments: [(0.0, 0.0, true), (5, 0, true), (-5, 0, true), (5.1, 0, false), (-5.1, 0, false), (0, 1, false), (0, -5, false)])
    func tolerance(_ x: Double, _ y: Double, _ fits: Bool) async throws {
        let domain = try await Domain()
        let refused = try await refusal { try await verify(domain, off: (x, y)) }
        #expect(refused == (fits ? nil : ServiceError(.sliderMismatch, "blockPuzzle")))
    }

    @Test("A challenge is over at 120 s", arguments: [(119, true), (120, false), (121, false)])
    func lifetime(_ seconds: Int, _ works: Bool) async throws {
        let domain = try await Domain()
        #expect(try await refusal { try await verify(domain, after: seconds) }?.code == (works ? nil : .sliderMismatch))
    }

    @Test("A challenge is judged once, rightly or wrongly", arguments: [0.0, 50.0])
    func once(_ first: Double) async throws {
        let domain = try await Domain()
        let challenge = try await domain.services.captcha.challenge(for: domain.caller())
        let right = try await domain.point(challenge.token)
        let wrong = try await domain.point(challenge.token, off: (first, 0))
        for (point, works) in [(wrong, first == 0), (right, false)] {
            let refused = try await refusal {
                try await domain.services.captcha.verify(
                    token: challenge.token, pointJSON: point, sender: Domain.mobile, track: nil, for: domain.caller())
            }
            #expect(refused?.code == (works ? nil : .sliderMismatch))
        }
    }

    @Test("A challenge of another device or client, or of nobody, is none")
    func strangers() async throws {
        let domain = try await Domain()
        #expect(try await refusal { try await verify(domain, by: "D2") }?.code == .sliderMismatch)
        let madeUp = String(repeating: "0", count: 32)
        #expect(try await refusal { try await verify(domain, token: madeUp) }?.code == .sliderMismatch)
    }

    @Test("Of 64 solutions of one challenge one is worth a token")
    func oneWinner() async throws {
        let domain = try await Domain(limits: .wide)
        let challenge = try await domain.services.captcha.challenge(for: domain.caller())
        let point = try await domain.point(challenge.token)
        let results = await concurrently(64) { _ in
            try await domain.services.captcha.verify(
                token: challenge.token, pointJSON: point, sender: Domain.mobile, track: nil, for: domain.caller())
        }
        #expect(results.values().count == 1)
        #expect(results.codes() == [.sliderMismatch])
    }

    @Test(
        "What is no point answers SMS.1002 and uses nothing up",
        arguments: ["{}", "[]", "x", "{\"x\":\"1\",\"y\":5}", "{\"x\":1}", "{\"x\":1,\"x\":2,\"y\":5}", String(repeating: " ", count: 300)])
    func unreadable(_ point: String) async throws {
        let domain = try await Domain()
        let challenge = try await domain.services.captcha.challenge(for: domain.caller())
        for (text, code) in [(point, ErrorCode.sliderUnreadable), (try await domain.point(challenge.token), nil)] {
            let refused = try await refusal {
                try await domain.services.captcha.verify(
                    token: challenge.token, pointJSON: text, sender: Domain.mobile, track: nil, for: domain.caller())
            }
            #expect(refused?.code == code)
        }
    }

    @Test("The sixth wrong solution in a minute locks the device for 300 s, and no other")
    func lock() async throws {
        let domain = try await Domain()
        for _ in 0..<6 { #expect(try await refusal { try await verify(domain, off: (40, 0)) }?.code == .sliderMismatch) }
        let locked = ServiceError(.rateLimited, retryAfter: 300)
        #expect(try await refusal { try await domain.services.captcha.challenge(for: domain.caller()) } == locked)
        #expect(try await refusal { try await domain.services.captcha.challenge(for: domain.caller("D2")) } == nil)
        domain.clock.advance(299)
        #expect(try await refusal { try await verify(domain) }?.retryAfter == 1)
        domain.clock.advance(1)
        #expect(try await refusal { try await verify(domain) } == nil)
    }

    @Test("Five wrong solutions a minute lock nothing")
    func belowLock() async throws {
        var limits = LimitSettings()
        limits.wrongCaptchaPerSender = []
        let domain = try await Domain(limits: limits)
        for _ in 0..<2 {
            for _ in 0..<5 { #expect(try await refusal { try await verify(domain, off: (40, 0)) }?.code == .sliderMismatch) }
            domain.clock.advance(60)
        }
        #expect(try await refusal { try await verify(domain) } == nil)
    }

    @Test("Wrong solutions count for the number whatever device sends them")
    func perSender() async throws {
        let domain = try await Domain()
        for ordinal in 0..<10 {
            let caller = domain.caller("D\(ordinal)", address: "192.0.2.\(ordinal)")
            let challenge = try await domain.services.captcha.challenge(for: caller)
            let point = try await domain.point(challenge.token, off: (40, 0))
            #expect(
                try await refusal {
                    try await domain.services.captcha.verify(
                        token: challenge.token, pointJSON: point, sender: "13800000000", track: nil, for: caller)
                }?.code == .sliderMismatch)
        }
        #expect(try await refusal { try await verify(domain, by: "D1") } == ServiceError(.rateLimited, retryAfter: 3_600))
    }

    @Test("A captcha token is opaque, or in the notation of AJ-Captcha where the client wants so", arguments: [false, true])
    func notation(_ compatible: Bool) async throws {
        var settings = ClientSettings()
        settings.compatibleCaptchaToken = compatible
        let domain = try await Domain(settings: settings)
        let token = try await domain.captchaToken()
        if compatible {
            #expect(token.wholeMatch(of: /[0-9a-f]{32}---\{"x":[0-9.]+,"y":5.0\}/) != nil)
        } else {
            #expect(token.wholeMatch(of: /[0-9A-Za-z]{32}/) != nil)
        }
        let receipt = try await domain.services.sms.send(
            mobile: Domain.mobile, type: "LOGIN_SMS", captchaToken: token, for: domain.caller())
        #expect(receipt.expire == 300 && receipt.interval == 60)
    }

    @Test("A track that no hand can have drawn is refused; one that a hand could have is not")
    func track() async throws {
        let domain = try await Domain(limits: .wide)
        let kinds: [(String, ErrorCode?)] = [
            ("hand", nil), ("leap", .sliderMismatch), ("straight", .sliderMismatch), ("none", .invalidFormat),
        ]
        for (kind, expected) in kinds {
            let challenge = try await domain.services.captcha.challenge(for: domain.caller())
            let x = try await domain.place(challenge.token).x
            let steps = (0...40).map { step in
                "{\"x\":\(x * Double(step) / 40),\"y\":\(kind == "straight" ? 0 : step % 3),\"t\":\(step * (kind == "leap" ? 1 : 20))}"
            }
            let track = kind == "none" ? "{}" : "[\(steps.joined(separator: ","))]"
            let point = try await domain.point(challenge.token)
            let refused = try await refusal {
                try await domain.services.captcha.verify(
                    token: challenge.token, pointJSON: point, sender: Domain.mobile, track: track, for: domain.caller())
            }
            #expect(refused?.code == expected, "\(kind)")
        }
    }
}
#endif
