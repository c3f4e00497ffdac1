import Foundation
import IDaaSServer
import IDaaSTestSupport
import IDaaSWire

/// A user with a number and a device, who calls a running server over HTTP.
struct Person: Sendable {
    let server: LiveServer
    var wire: WireClient
    var mobile: String

    init(_ server: LiveServer, _ ordinal: Int = 0) {
        self.server = server
        wire = server.wireToItself(device: "device-\(ordinal)")
        mobile = "+86-138\(String(format: "%08d", ordinal))"
    }

    /// The same number on another device.
    func on(_ device: String) -> Person {
        var person = self
        person.wire.device = device
        return person
    }

    /// The same number and device with another client.
    func at(_ client: String) -> Person {
        var person = self
        person.wire.client = client
        return person
    }

    /// The same device with another number.
    func with(_ mobile: String) -> Person {
        var person = self
        person.mobile = mobile
        return person
    }

    // Slider

    struct Challenge: Sendable {
        let reply: WireReply
        let token: String
        /// The position that no reply contains and the store knows.
        let place: Int
    }

    func captcha() async throws -> WireReply { try await wire.get("/api/v2/sdk/captcha") }

    func challenge() async throws -> Challenge {
        let reply = try wire.answered(try await captcha(), "captcha")
        let token = reply.string("token") ?? ""
        return Challenge(reply: reply, token: token, place: try await server.server.place(of: token))
    }

    func solve(_ challenge: Challenge, off pixels: Double = 0, y: Double = 5) async throws -> WireReply {
        try await wire.post(
            "/api/v2/sdk/captcha/verify",
            ["token": challenge.token, "point_json": "{\"x\":\(Double(challenge.place) + pixels),\"y\":\(y)}", "sender": mobile])
    }

    /// A solution that is far off.
    func fail() async throws -> WireReply { try await solve(try await challenge(), off: 40) }

    func captchaToken() async throws -> String { try await wire.solvedCaptcha(for: mobile, server.solver) }

    // SMS and login

    func send(_ captchaToken: String) async throws -> WireReply { try await wire.send(to: mobile, captchaToken: captchaToken) }

    /// Slider and SMS.
    func send() async throws -> WireReply { try await send(try await captchaToken()) }

    /// Requests a code, and reads it on the phone.
    func code() async throws -> String {
        _ = try wire.answered(try await send(), "sms/send")
        return try await server.lastCode(of: mobile)
    }

    func logIn(_ code: String) async throws -> WireReply { try await wire.login(mobile, code: code) }

    func session() async throws -> WireTokens { try server.tokens(try await logIn(try await code())) }

    func signature() async throws -> Signature { try await Signature(wire, server.clock) }

    func refresh(_ tokens: WireTokens) async throws -> WireReply { try await wire.refresh(tokens.sessionToken) }

    /// Types this many wrong codes against an unused one.
    @discardableResult
    func typeWrong(_ count: Int, for code: String) async throws -> [WireReply] {
        var replies: [WireReply] = []
        for _ in 0..<count { replies.append(try await logIn(Self.other(than: code))) }
        return replies
    }

    static func other(than code: String) -> String { code == "000000" ? "000001" : "000000" }
}

extension ServerTests {
    /// The first user of the test's server.
    var person: Person { Person(server) }
}

extension WireReply {
    /// `ok`, or the code of the refusal without the common prefix.
    var outcome: String { status == 200 ? "ok" : errorCode?.replacing("IDAAS.SDK.", with: "") ?? "status \(status)" }

    var retryAfter: Int? { field("Retry-After").flatMap { Int($0) } }

    var remaining: Int? { details["remaining"] as? Int }

    /// Status, fields and body, without the request's ids and the date.
    var substance: String {
        let fields = self.fields.filter { !["x-request-id", "date"].contains($0.0.lowercased()) }.map { "\($0.0): \($0.1)" }
        return "\(status) \(fields.sorted()) \(text)"
    }
}
