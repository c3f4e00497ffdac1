import Foundation
import IDaaSServer
import IDaaSTestSupport
import IDaaSWire
import JWTCore
import Secrets

/// The services on a store of their own, with a fixed clock and a collecting gateway.
final class Domain: Sendable {
    let folder: URL
    let store: any Store
    let clock: ManualServerClock
    let gateway = CollectingGateway()
    let sink = CollectingGateway()
    let hash: CountingHash
    let statements: StatementLog
    let services: Services
    let client: Client
    private let ownsFolder: Bool

    static let issuer = "https://id.example/api/v1/oauth2"
    static let mobile = "+86-13800000000"
    static func clock() -> ManualServerClock { ManualServerClock(Timestamp(seconds: 1_800_000_000)) }
    static let serverKey = [UInt8](repeating: 7, count: 32)

    /// - Parameters:
    ///   - changeLists: changes the lists, which have 4,096 places otherwise.
    ///   - folder: of another domain, to share its store.
    ///   - isServing: false for the command line's view of a store beside a server.
    init(
        settings change: (inout ClientSettings) -> Void = { _ in }, limits: LimitSettings = LimitSettings(),
        lifetimes: Lifetimes = Lifetimes(), isDevelopment: Bool = false, signing: SigningSettings = SigningSettings(algorithm: .es256),
        statusLists changeLists: (inout StatusListPolicy) -> Void = { _ in }, in folder: URL? = nil,
        clock: ManualServerClock = Domain.clock(), isServing: Bool = true
    ) async throws {
        ownsFolder = folder == nil
        self.folder = folder ?? FileManager.default.temporaryDirectory.appending(path: "domain-\(UUID())")
        self.clock = clock
        try FileManager.default.createDirectory(at: self.folder, withIntermediateDirectories: true)
        statements = StatementLog()
        store = try TestStore.open(in: self.folder) { [statements] in statements.note($0) }
        hash = CountingHash(AuthenticationKey([UInt8](repeating: 9, count: 32)))
        var environment = try ServiceEnvironment(
            store: store, clock: clock, serverKey: ServerKey(bytes: Self.serverKey), issuer: Self.issuer, gateway: gateway)
        environment.lifetimes = lifetimes
        environment.limits = limits
        environment.signing = signing
        environment.statusLists.size = 4_096
        changeLists(&environment.statusLists)
        environment.isDevelopment = isDevelopment
        environment.codeHash = hash
        environment.sink = sink
        services = Services(environment)
        try await (isServing ? services.serve() : services.check())
        var settings = ClientSettings()
        change(&settings)
        let client = Client(id: "client-1", name: "Example", settings: settings, signatureKey: nil, created: clock.now)
        try await store.write { try $0.save(client) }
        self.client = client
    }

    deinit { if ownsFolder { try? FileManager.default.removeItem(at: folder) } }

    func caller(_ device: String = "D1", client: Client? = nil, address: String = "192.0.2.1") -> Caller {
        Caller(
            client: client ?? self.client, device: Digest256.of(Array(device.utf8)), deviceName: "Android 10", address: address,
            language: .chinese, requestID: "request-1")
    }

    /// The correct position of a challenge's piece: from the store, because no reply contains it.
    func place(_ token: String) async throws -> (x: Double, y: Double) {
        let thing = try await store.read {
            try $0.singleUse(SingleUse.Purpose(rawValue: "captcha.challenge"), Digest256.of(Array(token.utf8)))
        }
        guard let content = thing?.content, let point = try JSONSerialization.jsonObject(with: Data(content)) as? [String: Double],
            let x = point["x"], let y = point["y"]
        else { throw Missing() }
        return (x, y)
    }

    struct Missing: Error {}

    func point(_ token: String, off: (x: Double, y: Double) = (0, 0)) async throws -> String {
        let place = try await place(token)
        return "{\"x\":\(place.x + off.x),\"y\":\(place.y + off.y)}"
    }

    /// A captcha token for a number.
    func captchaToken(for mobile: String = mobile, _ caller: Caller? = nil) async throws -> String {
        let caller = caller ?? self.caller()
        let challenge = try await services.captcha.challenge(for: caller)
        return try await services.captcha.verify(
            token: challenge.token, pointJSON: try await point(challenge.token), sender: mobile, track: nil, for: caller)
    }

    static let codePurpose = SingleUse.Purpose(rawValue: "code.LOGIN_SMS")

    /// The record of a captcha token, as a code of another number that is not stored.
    func code() async throws -> SingleUse {
        _ = try await captchaToken()
        guard var thing = try await store.read({ try $0.singleUses(of: Domain.mobile) }).first else { throw Missing() }
        (thing.purpose, thing.key, thing.subject, thing.content) = (Self.codePurpose, [1], "+86-13800000009", [3])
        return thing
    }

    /// Requests a code.
    @discardableResult
    func send(to mobile: String = mobile, _ caller: Caller? = nil) async throws -> SMSReceipt {
        let caller = caller ?? self.caller()
        return try await services.sms.send(
            mobile: mobile, type: "LOGIN_SMS", captchaToken: try await captchaToken(for: mobile, caller), for: caller)
    }

    func login(_ code: String, mobile: String = mobile, _ caller: Caller? = nil) async throws -> Authentication {
        try await services.login.login(mobile: mobile, code: code, nonce: nil, for: caller ?? self.caller())
    }

    /// The whole login.
    func login(to mobile: String = mobile, _ caller: Caller? = nil) async throws -> Authentication {
        try await send(to: mobile, caller)
        guard let code = gateway.code(to: mobile) else { throw Missing() }
        return try await login(code, mobile: mobile, caller)
    }

    /// A code that differs from the sent one.
    func wrongCode(to mobile: String = mobile) -> String { gateway.code(to: mobile) == "000000" ? "000001" : "000000" }

    func claims(of token: String) throws -> [String: Any] { try TokenPart.payload.json(in: token) }

    static func keyID(of token: String) throws -> String? { try TokenPart.header.json(in: token)["kid"] as? String }
}

/// The refusal of a call; nil if it succeeds.
func refusal(_ body: () async throws -> some Sendable) async throws -> ServiceError? {
    do {
        _ = try await body()
        return nil
    } catch let error as ServiceError {
        return error
    }
}

/// Runs `body` `count` times concurrently.
func concurrently<Value: Sendable>(
    _ count: Int, _ body: @Sendable @escaping (Int) async throws -> Value
) async -> [Result<Value, any Error>] {
    await withTaskGroup(of: Result<Value, any Error>.self) { group in
        for ordinal in 0..<count {
            group.addTask {
                do { return .success(try await body(ordinal)) } catch { return .failure(error) }
            }
        }
        return await group.reduce(into: []) { $0.append($1) }
    }
}

extension Sequence {
    /// The values among results.
    func values<Value>() -> [Value] where Element == Result<Value, any Error> { compactMap { try? $0.get() } }

    /// The codes of the refusals among results.
    func codes<Value>() -> Set<ServiceCode> where Element == Result<Value, any Error> {
        reduce(into: []) { codes, result in
            if case .failure(let error) = result, let error = error as? ServiceError { codes.insert(error.code) }
        }
    }
}
