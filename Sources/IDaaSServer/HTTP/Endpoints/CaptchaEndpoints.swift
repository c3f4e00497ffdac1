internal import Foundation
internal import HTTPTypes
internal import IDaaSWire

/// Endpoints 6 and 7: the slider captcha, with AJ-Captcha's field names.
package struct CaptchaEndpoints: EndpointGroup {
    let services: Services

    package var endpoints: [Endpoint] {
        [
            Endpoint(.get, WirePath.captcha, "captcha", audit: .captchaChallenge, challenge),
            Endpoint(.post, WirePath.captchaCheck, "verifyCaptcha", audit: .captchaCheck, verify),
        ]
    }

    private func challenge(_ exchange: Exchange) async throws -> Reply {
        let caller = try await services.clients.caller(of: exchange)
        let challenge = try await services.captcha.challenge(for: caller)
        exchange.trail.note(token: challenge.token)
        return .json([
            "captchaId": nil, "projectCode": nil, "captchaOriginalPath": nil, "captchaFontType": nil, "captchaFontSize": nil,
            // AJ-Captcha gives the client a key to encrypt the position. That hides nothing from a holder of the key, so this server gives
            // none.
            WireMember.secretKey: nil,
            WireMember.background: .string(Data(challenge.background).base64EncodedString()),
            "point": nil,
            WireMember.piece: .string(Data(challenge.piece).base64EncodedString()),
            "wordList": nil, "pointList": nil, "pointJson": nil,
            WireMember.token: .string(challenge.token),
            "result": false, "captchaVerification": nil,
            WireMember.expire: JSON(challenge.lifetime),
            WireMember.width: JSON(challenge.width), WireMember.height: JSON(challenge.height),
            WireMember.blockWidth: JSON(challenge.blockWidth),
        ])
    }

    private func verify(_ exchange: Exchange) async throws -> Reply {
        let (caller, body, sender) = try await services.request(exchange, of: WireMember.sender)
        let token = try await services.captcha.verify(
            token: try body.string(WireMember.token, limit: 64), pointJSON: try body.string(WireMember.point, limit: 256), sender: sender,
            track: try body.optionalText(WireMember.track, limit: 32_768), for: caller)
        return .json([WireMember.captchaToken: .string(token)])
    }
}
