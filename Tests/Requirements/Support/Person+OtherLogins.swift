import Foundation
import IDaaSServer
import IDaaSTestSupport
import IDaaSWire
import Secrets
import Testing

extension LiveServer {
    /// Runs `body` with a server that simulates WeChat, the carriers and Aliyun, and whose client uses them.
    ///
    /// - Parameter passwordCost: of new passwords; nil for the cost of production, which tests of logins do not need.
    static func simulated<Result>(
        clock: ManualServerClock = ManualServerClock(), limits: LimitSettings = .without(), passwordCost: Scrypt? = .cheap,
        settings: @Sendable @escaping (inout ClientSettings) -> Void = { _ in }, _ body: (LiveServer) async throws -> Result
    ) async throws -> Result {
        try await running(clock: clock) {
            $0.simulators = true
            $0.limits = limits
        } adjust: {
            if let passwordCost { $0.passwordCost = passwordCost }
        } _: { server in
            try await server.server.services.administration.useSimulators(for: Self.client)
            _ = try await server.server.services.administration.configure(Self.client, settings)
            return try await body(server)
        }
    }

    /// Lets the next calls of an upstream fail.
    func order(_ code: String, from upstream: String, count: Int = 1) async throws {
        let reply = try await wire().post("/__simulators/faults", ["upstream": upstream, "code": code, "count": count])
        #expect(reply.status == 200)
    }

    /// A user with a password, and a user name if there is one.
    @discardableResult
    func addUser(_ mobile: String, userName: String? = nil, password: String = OtherLogin.password) async throws -> User {
        let administration = server.services.administration
        let user = try await administration.addUser(mobile: mobile, userName: userName)
        try await administration.setPassword(of: user.id, to: password)
        return user
    }
}

/// Values that many tests of the other logins share.
enum OtherLogin {
    static let app = "wx0000000000000000"
    static let password = "correct horse battery"
    static let state = "0123456789abcdefghijkl"
}

// WeChat and one-click

extension Person {
    /// A code as the WeChat app gives it to the application.
    func wechatCode(_ user: String = "li", app: String = OtherLogin.app) async throws -> String {
        let reply = try wire.answered(
            try await wire.post(SimulatorPath.wechatApp, ["appid": app, "state": OtherLogin.state, "user": user]), "wechat app")
        let callback = try #require(reply.string("callback").flatMap(URLComponents.init(string:)))
        return try #require(callback.queryItems?.first { $0.name == "code" }?.value)
    }

    func logInByWeChat(_ code: String, state: String? = nil) async throws -> WireReply {
        try await wire.post(WirePath.wechatLogin, ["code": code].merging(state.map { ["state": $0] } ?? [:]) { $1 })
    }

    /// The state token of an unknown WeChat account.
    func stateToken(ofWeChat user: String = "li", app: String = OtherLogin.app) async throws -> String {
        let reply = try wire.answered(try await logInByWeChat(try await wechatCode(user, app: app)), "login/wechat")
        return try #require(reply.string("state_token"))
    }

    /// A code of a type, for a step.
    func code(_ type: SMSPurpose, _ stateToken: String) async throws -> String {
        _ = try wire.answered(try await send(type, stateToken), "sms/send")
        return try await server.lastCode(of: mobile)
    }

    func send(_ type: SMSPurpose, _ stateToken: String) async throws -> WireReply {
        try await wire.post(
            "/api/v2/sdk/sms/send", ["mobile": mobile, "type": type.rawValue, "captcha_token": try await captchaToken()],
            adding: [("X-state-token", stateToken)])
    }

    func complete(_ path: String, _ stateToken: String, _ code: String) async throws -> WireReply {
        try await wire.post(path, ["mobile": mobile, "verify_code": code], adding: [("X-state-token", stateToken)])
    }

    /// Registers a WeChat account with this person's number.
    func register(_ user: String = "li", app: String = OtherLogin.app) async throws -> WireReply {
        let token = try await stateToken(ofWeChat: user, app: app)
        return try await complete(WirePath.socialRegister, token, try await code(.register, token))
    }

    func carrierToken(_ carrier: Carrier = .mobile, bundleID: String = "com.example.shop") async throws -> String {
        let reply = try wire.answered(
            try await wire.post(
                SimulatorPath.carrierToken,
                ["bundle_id": bundleID, "operator": carrier.rawValue, "generation": 4, "mobile": String(mobile.dropFirst(4))]), "carrier")
        return try #require(reply.string("token"))
    }

    func logInByCarrier(_ token: String) async throws -> WireReply { try await wire.post(WirePath.oneClickLogin, ["access_token": token]) }
}

// Password and second factor on the PC

extension Person {
    func logInByPassword(_ name: String, password: String = OtherLogin.password) async throws -> WireReply {
        try await wire.post(WirePath.passwordLogin, ["user_name": name, "password": password])
    }

    /// The state token of a login that waits for its second factor.
    func firstFactor() async throws -> String {
        let reply = try wire.answered(try await logInByPassword(mobile), "login")
        #expect(reply.string("status") == "MFA_AUTH")
        return try #require(reply.string("state_token"))
    }

    func initiate(_ stateToken: String, _ body: [String: Any] = [:]) async throws -> WireReply {
        try await wire.post(WirePath.bioInitiate, body, adding: [("X-state-token", stateToken)])
    }

    func poll(_ stateToken: String, _ id: String) async throws -> WireReply {
        try await wire.post(WirePath.bioPoll, ["auth_req_id": id], adding: [("X-state-token", stateToken)])
    }

    func secondFactorBySMS(_ stateToken: String, _ code: String) async throws -> WireReply {
        try await complete(WirePath.secondFactorSMS, stateToken, code)
    }
}

/// A request that waits for a phone.
struct Waiting: Sendable {
    let stateToken: String
    let id: String
    let matchCode: String?

    init(_ person: Person) async throws {
        stateToken = try await person.firstFactor()
        let reply = try person.wire.answered(try await person.initiate(stateToken), "initiate")
        id = try #require(reply.string("auth_req_id"))
        matchCode = reply.string("match_code")
    }
}
