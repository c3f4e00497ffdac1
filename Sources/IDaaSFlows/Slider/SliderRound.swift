internal import IDaaSWire
internal import JWTCore
internal import Secrets

/// Fetches pictures and submits answers until one is right.
struct SliderRound: Sendable {
    let wire: WireClient
    let mobile: String
    let presenter: any SliderPresenter
    /// A user gives up much sooner. This and the server's lock stop a guessing program.
    static let mostPictures = 20

    func solve() async throws(FlowError) -> SliderOutcome {
        var mistake = FlowError(.cancelled)
        for ordinal in 1...Self.mostPictures {
            let challenge = try await challenge(ordinal)
            let answer = await presenter.answer(to: challenge)
            guard !Task.isCancelled else { throw FlowError(.cancelled) }
            switch answer {
            case .closed: return .closed
            case .another: continue
            case .point(let point):
                do throws(FlowError) {
                    return .solved(try await check(point, challenge))
                } catch {
                    guard error.isWrongAnswer else { throw error }
                    mistake = error
                }
            }
        }
        throw mistake
    }

    private func challenge(_ ordinal: Int) async throws(FlowError) -> SliderChallenge {
        let answer = try await wire.call(WireCall(get: WirePath.captcha))
        guard let challenge = SliderChallenge(try answer.object(), ordinal: ordinal) else { throw answer.unexpected }
        return challenge
    }

    private func check(_ point: SliderPoint, _ challenge: SliderChallenge) async throws(FlowError) -> SliderPass {
        var body: [String: WireValue] = [
            WireMember.point: .text(try encoded(point, challenge)), WireMember.token: .text(challenge.token),
            WireMember.sender: .text(mobile),
        ]
        if let track = point.track { body[WireMember.track] = .text(track) }
        let answer = try await wire.call(WireCall(post: WirePath.captchaCheck, body))
        return SliderPass(mobile: mobile, captchaToken: try answer.text(WireMember.captchaToken))
    }

    private func encoded(_ point: SliderPoint, _ challenge: SliderChallenge) throws(FlowError) -> String {
        guard wire.configuration.pointEncoding == .ajAES, let key = challenge.secretKey else { return point.json }
        guard let sealed = AJCaptcha.encrypt(Array(point.json.utf8), key: Array(key.utf8)) else {
            throw FlowError(.unexpectedAnswer(status: 200))
        }
        return Base64.text(sealed)
    }
}

extension FlowError {
    /// Whether to show another picture: the point was wrong or unreadable, or the picture had expired.
    fileprivate var isWrongAnswer: Bool {
        guard case .service(let refusal) = reason else { return false }
        return [.sliderMismatch, .sliderUnreadable, .captchaIncorrect, .expired].contains(refusal.code)
    }
}
