import Foundation
import IDaaSFlows
import JWKSCache
import JWKSTestSupport
import JWTCore
import JWTSigning
import JWTTestSupport
import Secrets

/// A test tenant: its server, its keys, its clock, and flows to it.
struct Tenant: Sendable {
    static let domain = "https://tenant.example"
    static let issuer = domain + "/api/v1/oauth2"
    /// The clocks' time at the start.
    static let start: Int64 = 1_700_000_100
    static let forge = KeyPool.forges[0]

    let server = ScriptedTenant()
    let documents = ScriptedTransport()
    let clock = ManualClock(date: start)
    let store: any SessionStore
    let environment: FlowEnvironment
    let flows: Flows

    init(
        store: any SessionStore = MemorySessionStore(), keyStorage: KeySetStorage? = nil, keys: (any BiometricKeyStore)? = nil,
        _ change: (inout FlowConfiguration) -> Void = { _ in }
    ) throws {
        self.store = store
        var configuration = try FlowConfiguration(domain: Self.domain, clientID: "client-1")
        change(&configuration)
        var environment = FlowEnvironment(
            transport: server, keyTransport: documents, store: store, clock: clock, keyStorage: keyStorage)
        if let keys { environment.biometricKeys = keys }
        self.environment = environment
        flows = Flows(configuration, environment)
        publish([Self.forge.jwk])
    }

    /// Sets the issuer's documents from now on.
    func publish(_ keys: [String], algorithms: String? = nil) {
        let list = algorithms.map { ",\"id_token_signing_alg_values_supported\":\($0)" } ?? ""
        let keysURL = Self.issuer + "/keys"
        documents.answer(
            Self.issuer + "/.well-known/openid-configuration", #"{"issuer":"\#(Self.issuer)","jwks_uri":"\#(keysURL)"\#(list)}"#)
        documents.answer(keysURL, KeyPool.document(keys))
    }

    /// An id_token's claims, valid for an hour by default.
    static func claims(_ changes: [String: (any Sendable)?] = [:], at now: Int64 = start) -> String {
        var claims: [String: Any] = [
            "iss": issuer, "sub": "u-1", "aud": "client-1", "exp": now + 3_600, "iat": now, "nbf": now - 120, "jti": "j-1", "id": "u-1",
            "name": "Jane", "mobile": "+86-13800000000", "userName": "jane", "email": "",
        ]
        for (name, value) in changes { claims[name] = value }
        let data = try? JSONSerialization.data(withJSONObject: claims)
        return String(decoding: data ?? Data(), as: UTF8.self)
    }

    static func idToken(_ changes: [String: (any Sendable)?] = [:], at now: Int64 = start, _ forge: TokenForge = forge) -> String {
        forge.token(claims(changes, at: now))
    }

    /// Shared: ES256 signatures differ each time.
    static let usualToken = idToken()

    /// A reply of login or refresh.
    static func tokens(session: String? = "s-1", idToken: String = Tenant.usualToken, extra: String = "") -> ScriptedTenant.Reply {
        let session = session.map { "\"session_token\":\"\($0)\"," } ?? ""
        return .json("{\(session)\"id_token\":\"\(idToken)\",\"expire\":604800,\"status\":\"SUCCESS\"\(extra)}")
    }

    /// Logs in with an id_token of the given lifetime in seconds.
    @discardableResult
    func logIn(session: String = "s-1", idTokenSeconds: Int64 = 3_600) async throws -> Session {
        let token = Self.idToken(["exp": clock.date.seconds + idTokenSeconds], at: clock.date.seconds)
        server.answer(Path.login, Self.tokens(session: session, idToken: token))
        return try await flows.sms.logIn(mobile: "+86-13800000000", code: "123456").get()
    }
}

enum Path {
    static let login = "/api/v2/sdk/login/mobile-verify-code"
    static let refresh = "/api/v2/sdk/sso/session-token/id-token"
    static let signedRefresh = "/api/v2/sdk/session-token/refresh-id-token"
    static let logout = "/api/v2/sdk/logout"
    static let weChatLogin = "/api/v2/sdk/login/wechat"
    static let bind = "/api/v2/sdk/social/bind"
    static let register = "/api/v2/sdk/social/register-bind"
    static let oneClickLogin = "/api/v2/sdk/login/aliyun-mobile-auth"
    static let captcha = "/api/v2/sdk/captcha"
    static let verify = "/api/v2/sdk/captcha/verify"
    static let send = "/api/v2/sdk/sms/send"
    static let areaCodes = "/api/v2/sdk/country-codes"
    static let date = "/api/v2/sdk/server-date"
    static let publicKey = "/api/v2/sdk/public-key"
}
