internal import Foundation
internal import IDaaSServer

/// The tokens of a login over the wire.
package struct WireTokens: Hashable, Sendable {
    package var sessionToken: String
    package var idToken: String
}

/// A step whose answer was not 200.
package struct WireRefusal: Error, CustomStringConvertible {
    package let path: String
    package let reply: WireReply

    package var description: String { "\(path): \(reply.status) \(reply.text.prefix(200))" }
}

extension WireClient {
    /// Finds the piece's position, in pixels, from the reply to `captcha`.
    package typealias Solver = @Sendable (WireReply) async throws -> Int

    package func solvedCaptcha(for mobile: String, _ solve: Solver) async throws -> String {
        let captcha = try answered(try await get("/api/v2/sdk/captcha"), "captcha")
        let place = try await solve(captcha)
        let reply = try answered(
            try await post(
                "/api/v2/sdk/captcha/verify",
                ["token": captcha.string("token") ?? "", "point_json": "{\"x\":\(place).0,\"y\":5.0}", "sender": mobile]), "captcha/verify")
        return reply.string("captcha_token") ?? ""
    }

    package func send(to mobile: String, captchaToken: String, type: String = "LOGIN_SMS") async throws -> WireReply {
        try await post("/api/v2/sdk/sms/send", ["mobile": mobile, "type": type, "captcha_token": captchaToken])
    }

    package func login(_ mobile: String, code: String) async throws -> WireReply {
        try await post("/api/v2/sdk/login/mobile-verify-code", ["mobile": mobile, "verify_code": code])
    }

    package func refresh(_ sessionToken: String) async throws -> WireReply {
        try await post("/api/v2/sdk/sso/session-token/id-token", adding: [("session-token", sessionToken)])
    }

    package func logOut(_ sessionToken: String, everywhere: Bool = false) async throws -> WireReply {
        try await post("/api/v2/sdk/logout", everywhere ? ["all": true] : [:], adding: [("session-token", sessionToken)])
    }

    package func sessions(_ idToken: String) async throws -> WireReply {
        try await get("/api/v2/sdk/sessions", adding: [("Authorization", "Bearer \(idToken)")])
    }

    package func answered(_ reply: WireReply, _ path: String) throws -> WireReply {
        guard reply.status == 200 else { throw WireRefusal(path: path, reply: reply) }
        return reply
    }
}

extension LiveServer {
    /// Finds the position in the store, for tests that are not about the slider. A test from outside has only the pictures.
    package var solver: WireClient.Solver {
        { [server] reply in try await server.place(of: reply.string("token") ?? "") }
    }

    /// A whole login over the wire: slider, SMS, code.
    package func logIn(_ mobile: String = "+86-13800000000", device: String = "device-1", client: String = LiveServer.client) async throws
        -> WireTokens
    {
        let wire = wire(client: client, device: device)
        try await sendCode(to: mobile, with: wire)
        return try await tokens(wire.login(mobile, code: try await lastCode(of: mobile)))
    }

    /// Slider and SMS.
    package func sendCode(to mobile: String, with wire: WireClient) async throws {
        let token = try await wire.solvedCaptcha(for: mobile, solver)
        _ = try wire.answered(try await wire.send(to: mobile, captchaToken: token), "sms/send")
    }

    package func lastCode(of mobile: String) async throws -> String {
        guard let message = await outbox.messages(for: mobile).first else { throw CancellationError() }
        return message.code
    }

    package func tokens(_ reply: WireReply) throws -> WireTokens {
        guard reply.status == 200, let session = reply.string("session_token"), let token = reply.string("id_token") else {
            throw WireRefusal(path: "tokens", reply: reply)
        }
        return WireTokens(sessionToken: session, idToken: token)
    }
}
