import Foundation
import IDaaSServer
import IDaaSTestSupport
import IDaaSWire
import Secrets
import Testing

// The application of these tests, and its browser.

extension AuthorizationSentences {
    static let address = "https://shop.example/callback?from=idaas"
    static let verifier = String(repeating: "v", count: 43)
    static let secret = String(repeating: "s", count: 32)

    /// A browser with the cookies that the server gave it, on the login page.
    struct Browser {
        let person: Person
        let request: String
        let cookie: String

        func complete(_ sessionToken: String) async throws -> WireReply {
            try await person.wire.post(
                WirePath.authorizationEnd, ["request": request], adding: [("session-token", sessionToken), ("Cookie", cookie)])
        }
    }

    static func challenge(_ verifier: String) -> String {
        Data(Digest256.of(Array(verifier.utf8))).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
            .replacing("=", with: "")
    }

    static func query(_ changes: [String: String?] = [:]) -> String {
        var members: [String: String] = [
            "client_id": LiveServer.client, "redirect_uri": address, "response_type": "code", "scope": "openid", "state": "s 1",
            "nonce": "n-1", "code_challenge": challenge(verifier), "code_challenge_method": "S256",
        ]
        for (name, value) in changes { members[name] = value }
        var url = URLComponents()
        url.queryItems = members.map { URLQueryItem(name: $0.key, value: $0.value) }
        // A form has a plus sign for a space (RFC 6749 appendix B).
        let form = (url.percentEncodedQuery ?? "").replacing("+", with: "%2B").replacing("%20", with: "+")
        return WirePath.authorization + "?" + form
    }

    /// - Returns: the raw answer: nothing follows its redirect.
    static func authorize(_ server: LiveServer, _ changes: [String: String?] = [:]) async throws -> RawReply {
        try await RawReply.get(query(changes), port: server.ready.port)
    }

    static func begin(_ server: LiveServer, _ person: Person, _ changes: [String: String?] = [:]) async throws -> Browser {
        let reply = try await authorize(server, changes)
        #expect(reply.status == 303)
        let location = try #require(reply.field("Location").flatMap(URLComponents.init(string:)))
        #expect(location.path == "/login")
        let cookie = try #require(reply.field("Set-Cookie"))
        #expect(cookie.contains("HttpOnly") && cookie.contains("SameSite=Lax"))
        return Browser(
            person: person, request: try #require(location.queryItems?.first { $0.name == "request" }?.value),
            cookie: String(cookie.prefix { $0 != ";" }))
    }

    static func exchange(_ server: LiveServer, _ changes: [String: String?], basic: String? = nil) async throws -> WireReply {
        var form: [String: String] = ["grant_type": "authorization_code", "redirect_uri": address, "code_verifier": verifier]
        for (name, value) in changes { form[name] = value }
        var url = URLComponents()
        url.queryItems = form.map { URLQueryItem(name: $0.key, value: $0.value) }
        let fields = [("Content-Type", "application/x-www-form-urlencoded")] + (basic.map { [("Authorization", "Basic \($0)")] } ?? [])
        return try await server.wireToItself().send("POST", WirePath.token, fields, body: Array((url.percentEncodedQuery ?? "").utf8))
    }

    static var basicText: String { "\(LiveServer.client):\(secret)" }
    static var basic: String { Data(basicText.utf8).base64EncodedString() }

    static func running(
        _ configure: (inout ServerConfiguration) -> Void = { _ in }, _ body: (LiveServer) async throws -> Void
    ) async throws {
        try await LiveServer.running {
            $0.limits = .without()
            configure(&$0)
        } _: { server in
            _ = try await server.server.services.administration.setWeb(
                of: LiveServer.client, redirectURIs: [address], logoutRedirectURIs: ["https://shop.example/"], secret: secret)
            try await body(server)
        }
    }

    static func code(_ server: LiveServer) async throws -> (code: String, tokens: WireTokens) {
        let person = Person(server)
        let browser = try await begin(server, person)
        let tokens = try await person.session()
        let end = try person.wire.answered(try await browser.complete(tokens.sessionToken), "complete")
        let address = try #require(end.string("redirect_uri").flatMap(URLComponents.init(string:)))
        let values = Dictionary(uniqueKeysWithValues: (address.queryItems ?? []).map { ($0.name, $0.value ?? "") })
        #expect(values["from"] == "idaas" && values["state"] == "s 1" && values["iss"] == server.ready.issuer)
        return (try #require(values["code"]), tokens)
    }
}
