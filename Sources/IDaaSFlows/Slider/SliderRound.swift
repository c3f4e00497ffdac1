internal import Foundation
internal import Secrets

/// Fetches pictures, has them answered, and has the answers checked, until one is right.
struct SliderRound: Sendable {
    let wire: WireClient
    let mobile: String
    let presenter: any SliderPresenter
    /// A person gives up long before; a program that guesses is stopped by the server's lock, and here.
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
        let answer = try await wire.call(WireCall(get: "/api/v2/sdk/captcha"))
        guard let challenge = SliderChallenge(try answer.object(), ordinal: ordinal) else { throw answer.unexpected }
        return challenge
    }

    private func check(_ point: SliderPoint, _ challenge: SliderChallenge) async throws(FlowError) -> SliderPass {
        var body: [String: WireValue] = [
            "point_json": .text(try encoded(point, challenge)), "token": .text(challenge.token), "sender": .text(mobile),
        ]
        if let track = point.track { body["track"] = .text(track) }
        let answer = try await wire.call(WireCall(post: "/api/v2/sdk/captcha/verify", body))
        return SliderPass(mobile: mobile, captchaToken: try answer.text("captcha_token"))
    }

    private func encoded(_ point: SliderPoint, _ challenge: SliderChallenge) throws(FlowError) -> String {
        guard wire.configuration.pointEncoding == .ajAES, let key = challenge.secretKey else { return point.json }
        guard let sealed = AJCaptcha.encrypt(Array(point.json.utf8), key: Array(key.utf8)) else {
            throw FlowError(.unexpectedAnswer(status: 200))
        }
        return Data(sealed).base64EncodedString()
    }
}

extension FlowError {
    /// Whether a person should have another picture: the point was wrong or could not be read, or the picture was too old.
    fileprivate var isWrongAnswer: Bool {
        guard case .service(let refusal) = reason else { return false }
        return [.sliderMismatch, .sliderUnreadable, .captchaIncorrect, .expired].contains(refusal.code)
    }
}
