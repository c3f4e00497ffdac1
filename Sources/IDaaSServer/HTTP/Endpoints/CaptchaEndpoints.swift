#if IDaaS
internal import Foundation
internal import HTTPTypes

/// Endpoints 6 and 7: the slider, in AJ-Captcha's field names.
package struct CaptchaEndpoints: EndpointGroup {
    let services: Services
    let callers: CallerReading

    package var endpoints: [Endpoint] {
        [
            Endpoint(.get, "/api/v2/sdk/captcha", "captcha", audit: .captchaChallenge, challenge),
            Endpoint(.post, "/api/v2/sdk/captcha/verify", "verifyCaptcha", audit: .captchaCheck, verify),
        ]
    }

    private func challenge(_ exchange: Exchange) async throws -> Reply {
        let caller = try await callers.caller(of: exchange)
        let challenge = try await services.captcha.challenge(for: caller)
        exchange.trail.note(token: challenge.token)
        return .json([
            "captchaId": nil, "projectCode": nil, "captchaOriginalPath": nil, "captchaFontType": nil, "captchaFontSize": nil,
            // AJ-Captcha hands the client a key to hide the position under; it hides nothing from whoever has the key.
            "secretKey": nil,
            "originalImageBase64": .string(Data(challenge.originalImage).base64EncodedString()),
            "point": nil,
            "jigsawImageBase64": .string(Data(challenge.jigsawImage).base64EncodedString()),
            "wordList": nil, "pointList": nil, "pointJson": nil,
            "token": .string(challenge.token),
            "result": false, "captchaVerification": nil,
            "expire": JSON(challenge.expire), "width": JSON(challenge.width), "height": JSON(challenge.height),
            "block_width": JSON(challenge.blockWidth),
        ])
    }

    private func verify(_ exchange: Exchange) async throws -> Reply {
        let caller = try await callers.caller(of: exchange)
        let body = try JSONBody(exchange)
        let sender = try body.string("sender", limit: 64)
        exchange.trail.note(mobile: sender)
        let token = try await services.captcha.verify(
            token: try body.string("token", limit: 64), pointJSON: try body.string("point_json", limit: 256), sender: sender,
            track: try body.optionalText("track", limit: 32_768), for: caller)
        return .json(["captcha_token": .string(token)])
    }
}
#endif
