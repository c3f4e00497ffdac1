import AssayTesting
import Foundation
import IDaaSServer
import IDaaSTestSupport
import IDaaSWire
import JWTCore
import Locks
import Pictures
import Secrets
import Testing

/// A server for refusals, with the preparation for them: new numbers and devices, locks, logins.
struct RefusalStage: Sendable {
    let server: LiveServer
    private let counter = Locked(0)
    private let exhausted = Locked<String?>(nil)
    /// The id_token of a login that many refusals share.
    let bearer = Locked<String?>(nil)

    /// A client without SMS login, one that reveals unknown users and creates none, and one without a key.
    static let withoutSMS = "without-sms", closed = "closed", withoutKey = "without-key"

    static func with(_ setting: RefusalGroup.Setting, _ body: (RefusalStage) async throws -> Void) async throws {
        let receiver = try LoopbackServer { _ in .status(503) }
        defer { withExtendedLifetime(receiver) {} }
        let webhook =
            setting == .deafGateway
            ? try WebhookGateway(
                url: receiver.url(), secret: [UInt8](repeating: 1, count: 32), clock: SystemServerClock(), budget: .seconds(120)) : nil
        let silence = Locked(false)
        let simulate = { (configuration: inout ServerConfiguration) in configuration.simulators = true }
        let adjust = { (environment: inout ServiceEnvironment) in
            environment.passwordCost = .cheap
            environment.store = SilentStore(environment.store, silence)
            if setting == .noMemory { environment.drawSlider = { _ in throw PNGFailure.outOfMemory } }
        }
        try await LiveServer.with(gateway: webhook, configure: simulate, adjust: adjust) { server in
            let stage = RefusalStage(server: server)
            switch setting {
            case .spoiledStore: try await server.spoilStore()
            case .silentStore: silence.withLock { $0 = true }
            case .ordinary, .deafGateway, .noMemory: try await stage.addClients()
            }
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
        try await addLogins()
    }

    // New users

    func mobile() -> String { "+86-138\(10_000_000 + next())" }

    func device() -> String { "device-\(10_000_000 + next())" }

    private func next() -> Int {
        counter.withLock {
            $0 += 1
            return $0
        }
    }

    func logIn() async throws -> WireTokens { try await server.logIn(mobile(), device: device()) }

    /// A captcha token for `mobile`, on `device`.
    func captchaToken(for mobile: String, on device: String) async throws -> String {
        try await server.wire(device: device).solvedCaptcha(for: mobile, server.solver)
    }

    // Locks

    /// A device with six wrong solutions.
    func deviceLockedOutOfCaptchas() async throws -> String {
        let device = device()
        let wire = server.wire(device: device)
        for _ in 0..<6 {
            let token = try await wire.get("/api/v2/sdk/captcha").string("token") ?? ""
            let reply = try await wire.post(
                "/api/v2/sdk/captcha/verify", ["token": token, "point_json": Self.wrongPlace, "sender": mobile()])
            #expect(reply.errorCode == ServiceCode.sliderMismatch.rawValue)
        }
        return device
    }

    /// A device that has used all its pictures of this minute: one for all languages, because 120 drawings are expensive.
    func deviceWithoutCaptchas() async throws -> String {
        if let device = exhausted.withLock({ $0 }) { return device }
        let device = device()
        for _ in 0..<120 { #expect(try await server.wire(device: device).get("/api/v2/sdk/captcha").status == 200) }
        exhausted.withLock { $0 = device }
        return device
    }

    static let wrongPlace = "{\"x\":1.0,\"y\":5.0}"

    /// A number after ten wrong codes: five for each of two codes.
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

    /// An `X-signature` with a session token, made with the server's public key.
    func signature(of sessionToken: String) async throws -> (String, String) {
        try await Signature(server.wire(), server.clock).field(sessionToken, nonce: "\(next())")
    }

    func authorization() async throws -> (String, String) { ("Authorization", "Bearer " + (try await logIn().idToken)) }
}
