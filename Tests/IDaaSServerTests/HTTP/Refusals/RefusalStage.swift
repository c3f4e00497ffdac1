#if IDaaS
import Foundation
import IDaaSServer
import IDaaSTestSupport
import JWTCore
import LoopbackServer
import Secrets
import Testing

/// A server to be refused by, and what it takes to get there: numbers and devices that nobody had before, locks, logins.
struct RefusalStage: Sendable {
    let server: LiveServer
    private let counter = Locked(0)
    private let exhausted = Locked<String?>(nil)

    /// A client without SMS login, one whose users are known and told so where they are not, and one without a key.
    static let withoutSMS = "without-sms", closed = "closed", withoutKey = "without-key"

    static func with(_ setting: RefusalGroup.Setting, _ body: (RefusalStage) async throws -> Void) async throws {
        let receiver = try LoopbackServer { _ in .status(503) }
        defer { withExtendedLifetime(receiver) {} }
        let webhook =
            setting == .deafGateway
            ? try WebhookGateway(url: receiver.url(), secret: [UInt8](repeating: 1, count: 32), clock: SystemClock()) : nil
        try await LiveServer.with(gateway: webhook) { server in
            let stage = RefusalStage(server: server)
            if setting == .spoiledStore { try server.spoilStore() } else { try await stage.addClients() }
            try await body(stage)
        }
    }

    private func addClients() async throws {
        var settings = ClientSettings()
        settings.sms = false
        _ = try await server.server.services.administration.addClient(name: "A", id: Self.withoutSMS, settings: settings)
        settings = ClientSettings()
        settings.registersUnknownNumbers = false
        settings.revealsUnknownNumbers = true
        _ = try await server.server.services.administration.addClient(name: "B", id: Self.closed, settings: settings)
        let keyless = Client(
            id: Self.withoutKey, name: "C", settings: ClientSettings(), signatureKey: nil, created: server.clock.now)
        try await server.server.services.store.write { try $0.save(keyless) }
    }

    // Newcomers

    func mobile() -> String { "+86-138\(10_000_000 + next())" }

    func device() -> String { "device-\(10_000_000 + next())" }

    private func next() -> Int {
        counter.withLock {
            $0 += 1
            return $0
        }
    }

    func logIn() async throws -> WireTokens { try await server.logIn(mobile(), device: device()) }

    /// A captcha token for `mobile`, and the device that has it.
    func captchaToken(for mobile: String, on device: String) async throws -> String {
        try await server.wire(device: device).solvedCaptcha(for: mobile, server.solver)
    }

    // Locks

    /// A device that has dropped the piece in the wrong place six times.
    func deviceLockedOutOfCaptchas() async throws -> String {
        let device = device()
        let wire = server.wire(device: device)
        for _ in 0..<6 {
            let token = try await wire.get("/api/v2/sdk/captcha").string("token") ?? ""
            let reply = try await wire.post(
                "/api/v2/sdk/captcha/verify", ["token": token, "point_json": Self.wrongPlace, "sender": mobile()])
            #expect(reply.errorCode == ErrorCode.sliderMismatch.rawValue)
        }
        return device
    }

    /// A device that has had all its pictures of this minute: one for all languages, as 120 drawings are dear.
    func deviceWithoutCaptchas() async throws -> String {
        if let device = exhausted.withLock({ $0 }) { return device }
        let device = device()
        for _ in 0..<120 { #expect(try await server.wire(device: device).get("/api/v2/sdk/captcha").status == 200) }
        exhausted.withLock { $0 = device }
        return device
    }

    static let wrongPlace = "{\"x\":1.0,\"y\":5.0}"

    /// A number whose codes were guessed at ten times: five times each of two.
    func lockedMobile(on device: String) async throws -> String {
        let mobile = mobile()
        let wire = server.wire(device: device)
        for _ in 0..<2 {
            server.clock.advance(by: 61)
            try await server.sendCode(to: mobile, with: wire)
            for _ in 0..<5 { #expect(try await wire.login(mobile, code: "none").status == 400) }
        }
        return mobile
    }

    // Proofs

    /// What stands for a session token in `X-signature`, made with the public key that the server gives.
    func signature(of sessionToken: String) async throws -> (String, String) {
        let document = try await server.wire().get("/api/v2/sdk/public-key").string("public_key") ?? ""
        let key = try #require(EncryptionKey(document: document))
        let text = "session_token=\(sessionToken)&timestamp=\(server.clock.now.milliseconds)&nonce=\(next())"
        return ("X-signature", Data(try #require(key.encrypt(Array(text.utf8)))).base64EncodedString())
    }

    func authorization() async throws -> (String, String) { ("Authorization", "Bearer " + (try await logIn().idToken)) }
}
#endif
