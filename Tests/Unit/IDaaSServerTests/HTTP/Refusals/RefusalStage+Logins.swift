import Foundation
import IDaaSServer
import IDaaSTestSupport
import IDaaSWire
import JWTCore
import Locks
import Secrets
import Testing

/// The preparation of the other logins' refusals, through the simulators.
extension RefusalStage {
    /// A client that binds new WeChat users, one that always wants a second factor, and one that takes no passcode.
    static let binder = "binder", always = "always", strict = "strict"
    static let password = "correct horse battery"

    func addLogins() async throws {
        let administration = server.server.services.administration
        for id in [Self.binder, Self.always, Self.strict] { _ = try await administration.addClient(name: id, id: id) }
        for id in [LiveServer.client, Self.binder, Self.always, Self.strict] { try await administration.useSimulators(for: id) }
        _ = try await administration.configure(Self.binder) { $0.wechat?.registersNewUsers = false }
        _ = try await administration.configure(Self.always) { $0.secondFactor.demand = .always }
        _ = try await administration.configure(Self.strict) { $0.secondFactor.allowsPasscode = false }
        _ = try await administration.setOneClick(of: Self.closed, accessKeyID: "simulated", secret: "simulated-access-key-secret")
    }

    func order(_ code: String, from upstream: String) async throws {
        #expect(try await server.wire().post("/__simulators/faults", ["upstream": upstream, "code": code]).status == 200)
    }

    // WeChat and carriers

    func wechatCode(_ user: String) async throws -> String {
        let reply = try await server.wire().post(SimulatorPath.wechatApp, ["appid": "wx0000000000000000", "state": "s", "user": user])
        let callback = try #require(reply.string("callback").flatMap(URLComponents.init(string:)))
        return try #require(callback.queryItems?.first { $0.name == "code" }?.value)
    }

    /// The state token of a new WeChat account.
    func stateToken(_ user: String, with wire: WireClient) async throws -> String {
        let reply = try await wire.post(WirePath.wechatLogin, ["code": try await wechatCode(user)])
        return try #require(reply.string("state_token"))
    }

    func code(_ type: SMSPurpose, to mobile: String, _ stateToken: String, with wire: WireClient) async throws -> String {
        let token = try await wire.solvedCaptcha(for: mobile, server.solver)
        let reply = try await wire.post(
            WirePath.smsSend, ["mobile": mobile, "type": type.rawValue, "captcha_token": token], adding: [("X-state-token", stateToken)])
        #expect(reply.status == 200, "\(reply.text)")
        return try await server.lastCode(of: mobile)
    }

    /// Binds or registers a WeChat account.
    func complete(_ path: String, _ user: String, _ mobile: String, with wire: WireClient) async throws {
        let token = try await stateToken(user, with: wire)
        let code = try await code(path == WirePath.socialBind ? .bindMobile : .register, to: mobile, token, with: wire)
        let reply = try await wire.post(path, ["mobile": mobile, "verify_code": code], adding: [("X-state-token", token)])
        #expect(reply.status == 200, "\(reply.text)")
    }

    func carrierToken(_ mobile: String) async throws -> String {
        let reply = try await server.wire().post(
            SimulatorPath.carrierToken, ["bundle_id": "b", "operator": "CM", "mobile": String(mobile.dropFirst(4))])
        return try #require(reply.string("token"))
    }

    /// A login without an SMS.
    func carrierLogin(_ mobile: String, with wire: WireClient) async throws -> WireTokens {
        try server.tokens(try await wire.post(WirePath.oneClickLogin, ["access_token": try await carrierToken(mobile)]))
    }

    /// Thirty logins, which are all that an address may try in a minute.
    func exhaustLogins() async throws {
        for _ in 0..<30 { _ = try await server.wire(device: device()).login(mobile(), code: "000000") }
    }

    // Second factors

    func sharedAuthorization() async throws -> (String, String) {
        if let token = bearer.withLock({ $0 }) { return ("Authorization", "Bearer \(token)") }
        let token = try await carrierLogin(mobile(), with: server.wire()).idToken
        bearer.withLock { $0 = token }
        return ("Authorization", "Bearer \(token)")
    }

    func phone(of mobile: String? = nil, at client: String = LiveServer.client, isBound: Bool = true) async throws -> WirePhone {
        let wire = server.wire(client: client, device: device())
        let phone = try WirePhone(wire, idToken: try await carrierLogin(mobile ?? self.mobile(), with: wire).idToken)
        if isBound { #expect(try await phone.bind().status == 200) }
        return phone
    }

    /// A login on a PC that waits for its second factor.
    struct Login: Sendable {
        let wire: WireClient
        let mobile: String
        let phone: WirePhone?
        let stateToken: String

        var state: (String, String) { ("X-state-token", stateToken) }
    }

    func firstFactor(at client: String = LiveServer.client, hasPhone: Bool = true) async throws -> Login {
        let mobile = mobile()
        let administration = server.server.services.administration
        let phone = hasPhone ? try await phone(of: mobile, at: client) : nil
        if phone == nil { _ = try await administration.addUser(mobile: mobile) }
        try await administration.setPassword(of: mobile, to: Self.password)
        let wire = server.wire(client: client, device: device())
        let reply = try await wire.post(WirePath.passwordLogin, ["user_name": mobile, "password": Self.password])
        return Login(wire: wire, mobile: mobile, phone: phone, stateToken: try #require(reply.string("state_token")))
    }

    /// The same with a request that waits for the phone.
    func waiting(at client: String = LiveServer.client) async throws -> (login: Login, id: String) {
        let login = try await firstFactor(at: client)
        let reply = try await login.wire.post(WirePath.bioInitiate, [:], adding: [login.state])
        return (login, try #require(reply.string("auth_req_id")))
    }
}
