import AssayTesting
import Foundation
import IDaaSServer
import IDaaSTestSupport
import JWTCore
import Testing

/// Shared signals as their receivers see them, and a running server's deliveries.
struct SignalEndpointTests: ServerTests {
    private var administration: Administration { server.server.services.administration }

    private func poll(_ stream: String, _ secret: String, _ body: String) async throws -> [String: Any] {
        let fields = [("Authorization", "Bearer \(secret)"), ("Content-Type", "application/json")]
        let reply = try await wire.send("POST", "/signals/\(stream)/poll", fields, body: Array(body.utf8))
        #expect(reply.status == 200 && reply.field("Content-Type") == "application/json;charset=utf-8", "\(reply.text)")
        #expect(reply.field("Cache-Control") == "no-store")
        return reply.json
    }

    @Test(.liveServer)
    func aLogoutReachesAReceiverThatPollsAndIsAcknowledged() async throws {
        let (stream, secret) = try await administration.addPolledStream(name: "Gateway", audience: "gateway")
        let tokens = try await server.logIn()
        #expect(try await wire.logOut(tokens.sessionToken).status == 200)
        let first = try await poll(stream.id, secret, "{}")
        let sets = try #require(first["sets"] as? [String: String])
        #expect(sets.count == 1 && first["moreAvailable"] as? Bool == false)
        let (id, token) = try #require(sets.first)
        let subject = try TokenPart.payload.json(in: token)["sub_id"] as? [String: Any]
        let sid = try TokenPart.payload.json(in: tokens.idToken)["sid"] as? String
        #expect((subject?["session"] as? [String: String])?["id"] == sid)
        // With the keys as anybody fetches them.
        let keys = try await wire.send("GET", "/api/v1/oauth2/keys", [])
        var policy = ClaimsPolicy(issuer: server.ready.issuer, audience: "gateway")
        (policy.types, policy.requiresExpiration) = (["secevent+jwt"], false)
        let verifier = TokenVerifier(keys: try KeySet(jwks: keys.body), policy: policy)
        _ = try verifier.verify(token, now: NumericDate(seconds: server.clock.now.seconds))
        let last = try await poll(stream.id, secret, "{\"ack\":[\"\(id)\"],\"returnImmediately\":true}")
        #expect((last["sets"] as? [String: String])?.isEmpty == true)
    }

    /// As many as an answer has tokens.
    @Test(.liveServer)
    func aThousandAcknowledgementsFitInAPoll() async throws {
        let (stream, secret) = try await administration.addPolledStream(name: "Gateway", audience: "gateway")
        let ids = (1...1_000).map { "\"\(1_000_000 + $0)-AAAAAAAAAAAAAAAAAAAAAA\"" }.joined(separator: ",")
        let answer = try await poll(stream.id, secret, "{\"ack\":[\(ids)],\"returnImmediately\":true}")
        #expect((answer["sets"] as? [String: String])?.isEmpty == true)
    }

    /// The server's own worker sends it, and what it sends has the receiver's secret.
    @Test(.liveServer)
    func aLogoutReachesAReceiverThatIsPushedTo() async throws {
        let (arrivals, report) = AsyncStream.makeStream(of: Void.self)
        let receiver = try LoopbackServer { _ in
            report.yield()
            return .status(202)
        }
        _ = try await administration.addPushedStream(
            name: "Gateway", audience: "gateway", url: receiver.url("/events"), secret: "a-secret-of-the-receiver")
        let tokens = try await server.logIn()
        #expect(try await wire.logOut(tokens.sessionToken).status == 200)
        for await _ in arrivals { break }
        let request = try #require(receiver.requests.first)
        #expect(receiver.requests.count == 1 && request.field("Authorization") == "Bearer a-secret-of-the-receiver")
        let token = String(decoding: request.body, as: UTF8.self)
        #expect(try TokenPart.payload.json(in: token)["aud"] as? String == "gateway")
        let metrics = try await wire.send("GET", "/metrics", [])
        #expect(metrics.text.contains("idaas_signals_pending{stream="))
        #expect(!server.log.lines.contains { $0.contains(token) || $0.contains("a-secret") })
    }

    @Test(.liveServer)
    func theConfigurationSaysWhatIsServed() async throws {
        let path = "/.well-known/ssf-configuration/api/v1/oauth2"
        let reply = try await wire.send("GET", path, [])
        #expect(reply.status == 200 && reply.field("Cache-Control") == "public, max-age=300")
        let document = reply.json
        #expect(document["issuer"] as? String == server.ready.issuer && document["spec_version"] as? String == "1_0")
        let keys = try #require(document["jwks_uri"] as? String)
        #expect(try await wire.send("GET", String(keys.dropFirst(server.ready.url.count)), []).status == 200)
        #expect(document["delivery_methods_supported"] as? [String] == ["urn:ietf:rfc:8935", "urn:ietf:rfc:8936"])
        #expect(!document.keys.contains { $0.hasSuffix("_endpoint") })
        let tag = try #require(reply.field("ETag"))
        #expect(try await wire.send("GET", path, [("If-None-Match", tag)]).status == 304)
    }
}
