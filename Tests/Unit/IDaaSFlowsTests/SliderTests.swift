import Foundation
import IDaaSFlows
import IDaaSWire
import JWKSCache
import JWKSTestSupport
import JWTTestSupport
import Testing

@Suite struct SliderTests {
    static let mobile = "+86-13800000000"
    static let picture = #"""
        {"captchaId":null,"secretKey":KEY,"originalImageBase64":"AQID","jigsawImageBase64":"BAU=","token":"t-1","result":false,
        "wordList":null,"expire":120,"width":310,"height":155,"block_width":47}
        """#

    private func tenant(key: String = "null", _ change: (inout FlowConfiguration) -> Void = { _ in }) throws -> Tenant {
        let tenant = try Tenant(change)
        tenant.server.answer(Path.captcha, .json(Self.picture.replacing("KEY", with: key)))
        tenant.server.answer(Path.verify, .json(#"{"captcha_token":"c-1"}"#))
        return tenant
    }

    @Test
    func aRightAnswerIsAPassForTheNumberItWasCheckedFor() async throws {
        let tenant = try tenant(), slider = ScriptedSlider(.point(SliderPoint(x: 237)))
        let pass = try await tenant.flows.sms.solveSlider(mobile: Self.mobile, presenter: slider).get()
        #expect(pass.mobile == Self.mobile)
        let challenge = try #require(slider.shown.first)
        #expect(challenge.background == [1, 2, 3] && challenge.piece == [4, 5] && challenge.ordinal == 1)
        #expect(challenge.width == 310 && challenge.height == 155 && challenge.blockWidth == 47 && challenge.lifetime == .seconds(120))
        let request = try #require(tenant.server.requests(to: Path.verify).first)
        #expect(request.body("point_json") == #"{"x":237.0,"y":5.0}"# && request.body("sender") == Self.mobile)
        #expect(request.body("token") == "t-1" && request.body("track") == nil && request.method == "POST")
    }

    @Test(arguments: ["SMS.1003", "SMS.1002", "SMS.1004", "COMMON.1005"])
    func aWrongUnreadableOrLateAnswerBringsAnotherPictureAtOnce(_ code: String) async throws {
        let tenant = try tenant(), slider = ScriptedSlider(.point(SliderPoint(x: 1)), .another, .point(SliderPoint(x: 2)))
        tenant.server.answer(Path.verify, inTurn: [.refusal("IDAAS.SDK.\(code)"), .json(#"{"captcha_token":"c-2"}"#)])
        let outcome = await tenant.flows.sms.solveSlider(mobile: Self.mobile, presenter: slider)
        #expect(outcome.legacyCode == "0" && slider.shown.map(\.ordinal) == [1, 2, 3])
    }

    @Test
    func closingThePageIs105AndSendsNothing() async throws {
        let tenant = try tenant()
        let outcome = await tenant.flows.sms.requestCode(mobile: Self.mobile, slider: ScriptedSlider(.closed))
        #expect(outcome.legacyCode == "105" && outcome.failure == nil)
        #expect(tenant.server.requests.map(\.path) == [Path.captcha])
    }

    @Test
    func aLockEndsItWithTheWait() async throws {
        let tenant = try tenant()
        tenant.server.answer(Path.verify, .refusal("IDAAS.SDK.RATE.1001", status: 429, details: #"{"retry_after":300}"#))
        let outcome = await tenant.flows.sms.solveSlider(mobile: Self.mobile, presenter: ScriptedSlider(.point(SliderPoint(x: 1))))
        #expect(outcome.failure?.retryAfter == .seconds(300) && outcome.legacyCode == "IDAAS.SDK.RATE.1001")
    }

    @Test
    func aProgramThatGuessesForEverIsStopped() async throws {
        let tenant = try tenant(), slider = ScriptedSlider(.point(SliderPoint(x: 1)))
        tenant.server.answer(Path.verify, .refusal("IDAAS.SDK.SMS.1003"))
        let outcome = await tenant.flows.sms.solveSlider(mobile: Self.mobile, presenter: slider)
        #expect(outcome.legacyCode == "IDAAS.SDK.SMS.1003" && slider.shown.count == 20)
    }

    @Test(arguments: [#"{"token":"t"}"#, "{}", "<html>"])
    func aPictureThatIsNoneIsAnUnexpectedAnswer(_ body: String) async throws {
        let tenant = try tenant()
        tenant.server.answer(Path.captcha, .json(body))
        let outcome = await tenant.flows.sms.solveSlider(mobile: Self.mobile, presenter: ScriptedSlider(.closed))
        #expect(outcome.failure?.reason == .unexpectedAnswer(status: 200))
    }

    @Test(arguments: [
        // printf '{"x":237.0,"y":5.0}' | openssl enc -aes-128-ecb -K "$(printf yMXC583dP4R7uhmq | xxd -p)" -a
        (PointEncoding.ajAES, "\"yMXC583dP4R7uhmq\"", "5nxXyl0w9Fl24/GYj1H37jB+m/oibvcEvGNrLDO+Rj8="),
        (.ajAES, "null", #"{"x":237.0,"y":5.0}"#), (.plain, "\"yMXC583dP4R7uhmq\"", #"{"x":237.0,"y":5.0}"#),
    ])
    func thePointIsEncryptedWhereThatIsSetAndAKeyCame(_ encoding: PointEncoding, key: String, sent: String) async throws {
        let tenant = try tenant(key: key) { $0.pointEncoding = encoding }
        _ = await tenant.flows.sms.solveSlider(mobile: Self.mobile, presenter: ScriptedSlider(.point(SliderPoint(x: 237))))
        #expect(tenant.server.requests(to: Path.verify).first?.body("point_json") == sent)
    }

    @Test
    func aKeyOfAnotherLengthIsAnUnexpectedAnswer() async throws {
        let tenant = try tenant(key: "\"short\"") { $0.pointEncoding = .ajAES }
        let outcome = await tenant.flows.sms.solveSlider(mobile: Self.mobile, presenter: ScriptedSlider(.point(SliderPoint(x: 1))))
        #expect(outcome.failure?.reason == .unexpectedAnswer(status: 200))
    }

    @Test
    func aPresenterThatIsCancelledSendsNothing() async throws {
        struct Waiting: SliderPresenter {
            let gate: Gate
            func answer(to challenge: SliderChallenge) async -> SliderAnswer {
                await gate.pass()
                return .point(SliderPoint(x: 1))
            }
        }
        let tenant = try tenant(), gate = Gate()
        let task = Task { await tenant.flows.sms.solveSlider(mobile: Self.mobile, presenter: Waiting(gate: gate)) }
        #expect(await settles { gate.waitingCount == 1 })
        task.cancel()
        #expect(await task.value.failure?.reason == .cancelled)
        #expect(tenant.server.requests(to: Path.verify).isEmpty)
    }
}
