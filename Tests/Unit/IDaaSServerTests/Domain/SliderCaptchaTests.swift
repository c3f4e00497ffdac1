import IDaaSServer
import IDaaSTestSupport
import IDaaSWire
import Secrets
import Testing

struct SliderCaptchaTests {
    private func refusal(of point: String, for token: String, track: String? = nil, _ domain: Domain) async throws -> ServiceCode? {
        try await IDaaSServerTests.refusal {
            try await domain.services.captcha.verify(
                token: token, pointJSON: point, sender: Domain.mobile, track: track, for: domain.caller())
        }?.code
    }

    @Test(arguments: [
        "{}", "[]", "x", "{\"x\":\"1\",\"y\":5}", "{\"x\":1}", "{\"x\":1,\"x\":2,\"y\":5}", String(repeating: " ", count: 300),
    ])
    func whatIsNoPointAnswersSMS1002AndUsesNothingUp(_ point: String) async throws {
        let domain = try await Domain()
        let challenge = try await domain.services.captcha.challenge(for: domain.caller())
        for (text, code) in [(point, ServiceCode.sliderUnreadable), (try await domain.point(challenge.token), nil)] {
            #expect(try await refusal(of: text, for: challenge.token, domain) == code)
        }
    }

    /// A captcha token is opaque, or in AJ-Captcha's notation if the client's settings say so.
    @Test(arguments: [false, true])
    func aCaptchaTokenHasTheNotationOfItsClient(_ compatible: Bool) async throws {
        let domain = try await Domain(settings: { $0.compatibleCaptchaToken = compatible })
        let token = try await domain.captchaToken()
        if compatible {
            #expect(token.wholeMatch(of: /[0-9a-f]{32}---\{"x":[0-9.]+,"y":5.0\}/) != nil)
        } else {
            #expect(token.wholeMatch(of: /[0-9A-Za-z]{32}/) != nil)
        }
        let receipt = try await domain.services.sms.send(
            mobile: Domain.mobile, type: "LOGIN_SMS", captchaToken: token, for: domain.caller())
        #expect(receipt.expire == .seconds(300) && receipt.interval == .seconds(60))
    }

    @Test
    func aTrackThatNoHandCanDrawIsRefused() async throws {
        let domain = try await Domain(limits: .without())
        let kinds: [(String, ServiceCode?)] = [
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
            #expect(try await refusal(of: point, for: challenge.token, track: track, domain) == expected, "\(kind)")
        }
    }
}
