import AssayTesting
import Foundation
import IDaaSFlows
import IDaaSServer
import IDaaSTestSupport
import IDaaSWire
import JWTCore
import JWTSigning
import JWTTestSupport
import Testing

struct IDTokenSentences: ServerTests {
    private static let now = LiveFlows.start.seconds

    /// The changes to the claims of a real id_token, with the code of the SDK documents for each.
    private static let rows: [(String, [String: (any Sendable)?], String)] = [
        ("nothing", [:], "0"),
        ("another issuer", ["iss": "https://evil.example/api/v1/oauth2"], "103"), ("no issuer", ["iss": nil], "103"),
        ("another client's", ["aud": "other"], "107"), ("another client's besides", ["aud": ["demo", "other"]], "107"),
        ("in a list of one", ["aud": ["demo"]], "0"), ("no audience", ["aud": nil], "107"),
        ("issued to another", ["azp": "other"], "107"),
        ("expired by all of the leeway", ["exp": now - 120], "106"), ("expired within the leeway", ["exp": now - 119], "0"),
        ("no expiry", ["exp": nil], "106"),
        ("issued ahead of the leeway", ["iat": now + 121], "106"), ("issued ahead within the leeway", ["iat": now + 120], "0"),
        ("not valid before the leeway", ["nbf": now + 121], "106"), ("valid within the leeway", ["nbf": now + 120], "0"),
        ("no subject", ["sub": nil], "103"),
        ("expired and another client's", ["aud": "other", "exp": now - 120], "106"),
        ("another issuer's and expired", ["iss": "https://evil.example", "exp": now - 120], "103"),
    ]

    @Test(.flowsServer)
    func claimsAreJudgedWhateverTheServersKeySigned() async throws {
        let live = try LiveFlows(server)
        let claims = try TokenPart.payload.json(in: try await live.logIn().idToken)
        for (name, changes, code) in Self.rows {
            let changed = claims.merging(changes.mapValues { $0 ?? NSNull() }) { $1 }.filter { !($0.value is NSNull) }
            let text = String(decoding: try JSONSerialization.data(withJSONObject: changed), as: UTF8.self)
            let outcome = await live.flows.identity.verify(try await server.server.services.keys.sign(claims: text))
            #expect(outcome.legacyCode == code, "\(name): \(outcome)")
        }
    }

    /// 28: Only an allowed algorithm and a key of the issuer are accepted, whatever the header contains.
    @Test(.flowsServer)
    func anIdTokenOfAnotherKeyOrAlgorithmIsRefused() async throws {
        let live = try LiveFlows(server)
        let token = try await live.logIn().idToken
        let payload = String(decoding: try TokenPart.payload.bytes(in: token), as: UTF8.self)
        let kid = try #require(try TokenPart.header.json(in: token)["kid"] as? String)
        let stranger = TokenForge(.rs256, keyID: kid)
        let theirs = try LoopbackServer { _ in .json("{\"keys\":[\(stranger.jwk)]}") }
        let published = try await server.wire().send("GET", "/api/v1/oauth2/keys", [])
        let secret = try #require(SigningKey.secret(published.body, algorithm: .hs256, keyID: kid))
        let parts = token.split(separator: ".")
        let headers = [
            #"{"alg":"RS256","kid":"\#(kid)"}"#, #"{"alg":"RS256"}"#, #"{"alg":"RS256","kid":"\#(kid)","jwk":\#(stranger.jwk)}"#,
            #"{"alg":"RS256","kid":"\#(kid)","jku":"\#(theirs.url("/keys"))"}"#,
            #"{"alg":"RS256","kid":"\#(kid)","x5u":"\#(theirs.url("/chain"))"}"#, #"{"alg":"none"}"#,
            #"{"alg":"none","kid":"\#(kid)"}"#,
            #"{"alg":"RS256","kid":"\#(kid)","crit":["x"],"x":1}"#,
        ]
        let forgeries =
            headers.map { stranger.token(header: $0, payload: payload) } + [
                try #require(TokenSigner(secret).token(payload: payload)),
                TokenForge(.ps256, keyID: kid).token(payload), TokenForge(.es256, keyID: kid).token(payload),
                "\(parts[0]).\(parts[1]).", "\(parts[0]).\(parts[1].dropLast(2)).\(parts[2])",
                Self.unsigned(payload) + ".", "",
            ]
        for forgery in forgeries {
            let outcome = await live.flows.identity.verify(forgery)
            #expect(outcome.legacyCode == (forgery.isEmpty ? "1" : "103"), "\(forgery.prefix(120)): \(outcome)")
            #expect(try await server.wire().sessions(forgery).status == 400)
        }
        #expect(await live.flows.identity.verify(token).legacyCode == "0")
        #expect(theirs.requests.isEmpty)
        #expect(live.documents.urls.allSatisfy { $0.hasPrefix(server.ready.issuer) })
    }

    @Test(.flowsServer)
    func hmacIsNeverAllowedWhateverIsConfigured() async throws {
        let live = try LiveFlows(server) { $0.algorithms = [.hs256, .rs256] }
        let token = try await live.logIn().idToken
        let kid = try #require(try TokenPart.header.json(in: token)["kid"] as? String)
        let payload = String(decoding: try TokenPart.payload.bytes(in: token), as: UTF8.self)
        #expect(await live.flows.identity.verify(TokenForge(.hs256, keyID: kid).token(payload)).legacyCode == "103")
        #expect(await live.flows.identity.verify(token).legacyCode == "0")
    }

    /// 29: State tokens, session tokens, captcha tokens and challenges are not accepted as id_tokens, neither by a program nor by the
    /// server.
    @Test(.flowsServer)
    func otherTokensAreNoIdTokens() async throws {
        let live = try LiveFlows(server)
        let session = try await live.logIn()
        let services = server.server.services
        let client = try #require(try await services.clients.find(LiveServer.client))
        let caller = Caller(
            client: client, device: [UInt8](repeating: 1, count: 32), deviceName: "x", address: "127.0.0.1", language: .english,
            requestID: "r-1")
        let stateTokens = try StateTokens.Purpose.allCases.map { try services.stateTokens.mint($0, for: caller) }
        #expect(stateTokens.count == 3 && stateTokens.allSatisfy { $0.split(separator: ".").count == 3 })
        for token in stateTokens + [session.sessionToken, try await person.captchaToken(), try await person.challenge().token] {
            #expect(await live.flows.identity.verify(token).legacyCode == "103")
            #expect(try await person.wire.sessions(token).outcome == "COMMON.1005")
        }
        #expect(try await person.wire.sessions(session.idToken).outcome == "ok")
        // An id_token is not accepted as any other token either.
        #expect(try await person.wire.refresh(String(session.idToken.prefix(128))).outcome == "COMMON.1005")
        #expect(try await person.send(String(session.idToken.prefix(512))).outcome == "SMS.1004")
    }

    /// 30: The claims of a token are readable before verification, but give no identity before it.
    @Test(.flowsServer)
    func anUnverifiedTokenIdentifiesNobody() async throws {
        let live = try LiveFlows(server)
        let token = try await live.logIn().idToken
        let parts = token.split(separator: ".").map(String.init)
        let claims = try TokenPart.payload.json(in: token).merging(["id": "admin", "sub": "admin"]) { $1 }
        let payload = String(decoding: Base64URL.encode(Array(try JSONSerialization.data(withJSONObject: claims))), as: UTF8.self)
        let forged = "\(parts[0]).\(payload).\(parts[2])"
        #expect(try Self.subject(forged) == "admin")
        guard case .refused(let error) = await live.flows.identity.userInfo(of: forged) else {
            Issue.record("a forged token is accepted")
            return
        }
        #expect(error.code == .signatureInvalid)
        #expect(try await server.wire().sessions(forged).outcome == "COMMON.1005")
        let user = try await live.flows.identity.userInfo(of: token).get()
        #expect(user.id != "admin" && user.mobile == "+86-13800000000")
    }

    /// Two functions: Swift 6.3.1 miscompiles a single function that makes the claims, may throw, and lends a view of them.
    private static func subject(_ token: String) throws -> String? { subject(of: try UnverifiedClaims(reading: token.utf8.span)) }

    private static func subject(of claims: borrowing UnverifiedClaims) -> String? { claims.value["sub"]?.string?.string }

    private static func unsigned(_ payload: String) -> String {
        [#"{"alg":"none"}"#, payload].map { String(decoding: Base64URL.encode(Array($0.utf8)), as: UTF8.self) }.joined(separator: ".")
    }
}
