import Foundation
import IDaaSServer
import IDaaSTestSupport
import IDaaSWire
import Locks
import Secrets
import Testing

/// A server with two resources and every way to register, and what its clients and their browser do.
struct OAuthStage: Sendable {
    static let files = "https://files.example/mcp"
    static let notes = "https://notes.example/"
    static let callback = "https://shop.example/callback"
    static let verifier = String(repeating: "v", count: 43)

    let server: LiveServer
    let documents: ScriptedDocuments

    static func with(
        _ configure: (inout ServerConfiguration) -> Void = { _ in }, _ body: (OAuthStage) async throws -> Void
    ) async throws {
        let documents = ScriptedDocuments()
        try await LiveServer.with(
            configure: {
                $0.limits = .without()
                $0.oauth.resources = [
                    ProtectedResource(uri: files, name: "Files", scopes: ["read", "write"]), ProtectedResource(uri: notes),
                ]
                $0.oauth.registration = true
                $0.oauth.clientDocuments = true
                $0.oauth.loginsOf = LiveServer.client
                configure(&$0)
            }, adjust: { $0.clientDocuments = documents },
            { server in
                _ = try await server.server.services.administration.setWeb(of: LiveServer.client, redirectURIs: [callback], secret: nil)
                try await body(OAuthStage(server: server, documents: documents))
            })
    }

    var wire: WireClient { server.wire() }

    // Registration

    func register(_ metadata: [String: Any]) async throws -> WireReply {
        let body = Array(try JSONSerialization.data(withJSONObject: metadata))
        return try await wire.send("POST", WirePath.registration, [("Content-Type", "application/json")], body: body)
    }

    /// The id of a client that may refresh.
    func registered(_ redirectURI: String = callback, grants: [String] = ["authorization_code", "refresh_token"]) async throws -> String {
        let reply = try await register(["client_name": "Helper", "redirect_uris": [redirectURI], "grant_types": grants])
        return try #require(reply.string("client_id"))
    }

    // Authorization

    func authorize(_ client: String, _ changes: [String: String?] = [:]) async throws -> WireReply {
        var members = [
            "client_id": client, "redirect_uri": Self.callback, "response_type": "code", "state": "s", "resource": Self.files,
            "code_challenge": Self.challenge, "code_challenge_method": "S256",
        ]
        for (name, value) in changes { members[name] = value }
        return try await wire.send("GET", WirePath.authorization + "?" + Self.form(members), [])
    }

    /// A request of a browser, on the login page.
    struct Begun: Sendable {
        let client: String
        let request: String
        let cookie: String
    }

    func begin(_ client: String, _ changes: [String: String?] = [:]) async throws -> Begun {
        let reply = try await authorize(client, changes)
        let page = try #require(reply.field("Location").flatMap(URLComponents.init(string:)))
        let cookie = try #require(reply.field("Set-Cookie")?.prefix { $0 != ";" })
        let request = try #require(page.queryItems?.first { $0.name == "request" }?.value)
        return Begun(client: client, request: request, cookie: String(cookie))
    }

    func page(of begun: Begun, language: Language = .english, cookie: String? = nil) async throws -> String {
        let query = Self.form(["client_id": begun.client, "request": begun.request, "lang": language.rawValue])
        return try await wire.send("GET", PagePath.login + "?" + query, [("Cookie", cookie ?? begun.cookie)]).text
    }

    func complete(_ begun: Begun, consent: Bool?, _ tokens: WireTokens) async throws -> WireReply {
        let body: [String: Any] = ["request": begun.request].merging(consent.map { ["consent": $0] } ?? [:]) { first, _ in first }
        return try await server.wire(client: begun.client).post(
            WirePath.authorizationEnd, body, adding: [("session-token", tokens.sessionToken), ("Cookie", begun.cookie)])
    }

    /// The members of the redirect after a login and an answer.
    func answer(_ begun: Begun, consent: Bool? = true) async throws -> [String: String] {
        let reply = try await complete(begun, consent: consent, try await server.logIn(client: begun.client))
        return Self.members(of: try #require(reply.string("redirect_uri")))
    }

    func code(_ client: String, _ changes: [String: String?] = [:]) async throws -> String {
        try #require(try await answer(try await begin(client, changes))["code"])
    }

    // Tokens

    func token(_ form: [String: String?]) async throws -> WireReply {
        let fields = [("Content-Type", "application/x-www-form-urlencoded")]
        return try await wire.send("POST", WirePath.token, fields, body: Array(Self.form(form.compactMapValues { $0 }).utf8))
    }

    func exchange(_ code: String, _ client: String, _ changes: [String: String?] = [:]) async throws -> WireReply {
        let form: [String: String?] = [
            "grant_type": "authorization_code", "code": code, "redirect_uri": Self.callback, "code_verifier": Self.verifier,
            "client_id": client,
        ]
        return try await token(form.merging(changes) { $1 })
    }

    func refresh(_ token: String, _ client: String, _ changes: [String: String?] = [:]) async throws -> WireReply {
        let form: [String: String?] = ["grant_type": "refresh_token", "refresh_token": token, "client_id": client]
        return try await self.token(form.merging(changes) { $1 })
    }

    /// A client that was granted access, and its tokens.
    func granted(_ changes: [String: String?] = [:]) async throws -> (client: String, reply: WireReply, refreshToken: String) {
        let client = try await registered()
        let reply = try await exchange(try await code(client, changes), client)
        return (client, reply, try #require(reply.string("refresh_token")))
    }

    static func claims(_ reply: WireReply) throws -> [String: Any] { try TokenPart.payload.json(in: reply.string("access_token") ?? "") }

    static func members(of address: String) -> [String: String] {
        Dictionary((URLComponents(string: address)?.queryItems ?? []).map { ($0.name, $0.value ?? "") }) { first, _ in first }
    }

    static let challenge = String(decoding: Data(Digest256.of(Array(verifier.utf8))).base64EncodedString().utf8, as: UTF8.self)
        .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")

    private static func form(_ members: [String: String]) -> String {
        let unreserved = CharacterSet.alphanumerics.union(CharacterSet(charactersIn: "-._~"))
        func encoded(_ text: String) -> String { text.addingPercentEncoding(withAllowedCharacters: unreserved) ?? "" }
        return members.map { "\(encoded($0.key))=\(encoded($0.value))" }.joined(separator: "&")
    }
}

/// Client metadata documents by their URLs, with a count of the fetches.
final class ScriptedDocuments: ClientDocuments {
    private let state = Locked<(texts: [String: String], fetches: Int)>(([:], 0))

    var fetches: Int { state.withLock { $0.fetches } }

    func put(_ document: [String: Any], at url: String) throws {
        let text = String(decoding: try JSONSerialization.data(withJSONObject: document), as: UTF8.self)
        state.withLock { $0.texts[url] = text }
    }

    func remove(_ url: String) { state.withLock { $0.texts[url] = nil } }

    func document(at url: String) async throws(UpstreamFailure) -> (text: [UInt8], lifetime: Duration) {
        let text = state.withLock { state in
            state.fetches += 1
            return state.texts[url]
        }
        guard let text else { throw UpstreamFailure(.unavailable, "status_404") }
        return (Array(text.utf8), .seconds(600))
    }
}
