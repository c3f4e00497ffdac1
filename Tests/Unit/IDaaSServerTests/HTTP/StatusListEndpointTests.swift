import Foundation
import IDaaSServer
import IDaaSTestSupport
import IDaaSWire
import JWTCore
import Testing
import TokenStatus

/// A list as a program that verifies id_tokens fetches it.
struct StatusListEndpointTests: ServerTests {
    private func uri(in idToken: String) throws -> (uri: String, index: Int) {
        let status = try TokenPart.payload.json(in: idToken)["status"] as? [String: [String: Any]]
        let list = try #require(status?["status_list"])
        return (try #require(list["uri"] as? String), try #require(list["idx"] as? Int))
    }

    private func path(_ uri: String) -> String { String(uri.dropFirst(server.ready.url.count)) }

    /// From the outside: the keys and the list are fetched.
    private func status(_ place: (uri: String, index: Int)) async throws -> UInt8? {
        let keys = try await wire.send("GET", "/api/v1/oauth2/keys", [])
        let reply = try await wire.send("GET", path(place.uri), [("Accept", "application/statuslist+jwt")])
        let verifier = StatusListVerifier(keys: try KeySet(jwks: keys.body.span))
        return try verifier.verify(reply.body, uri: place.uri, now: NumericDate(seconds: server.clock.now.seconds)).status(at: place.index)
    }

    @Test(.liveServer)
    func aSessionIsValidUntilItsLogoutAndInvalidInTheNextList() async throws {
        let tokens = try await server.logIn()
        let place = try uri(in: tokens.idToken)
        #expect(place.uri.hasPrefix(server.ready.url + "/status-lists/"))
        #expect(try await status(place) == 0)
        #expect(try await wire.logOut(tokens.sessionToken).status == 200)
        server.clock.advance(by: 30)
        #expect(try await status(place) == 1)
    }

    @Test(.liveServer)
    func aListHasItsTypeAndItsTimeAndACopyThatIsStillRightIsNotSentAgain() async throws {
        let path = path(try uri(in: try await server.logIn().idToken).uri)
        let reply = try await wire.send("GET", path, [])
        #expect(reply.status == 200 && reply.field("Content-Type") == "application/statuslist+jwt")
        #expect(reply.field("Cache-Control") == "public, max-age=300" && reply.field("Access-Control-Allow-Origin") == "*")
        let tag = try #require(reply.field("ETag"))
        for condition in [tag, "W/" + tag, "*", "\"other\", \(tag)"] {
            let again = try await wire.send("GET", path, [("If-None-Match", condition)])
            #expect(again.status == 304 && again.body.isEmpty && again.field("ETag") == tag)
            #expect(again.field("Cache-Control") == "public, max-age=300")
        }
        #expect(try await wire.send("GET", path, [("If-None-Match", "\"other\"")]).body == reply.body)
        let head = try await wire.send("HEAD", path, [])
        #expect(head.status == 200 && head.body.isEmpty && head.field("ETag") == tag)
        server.clock.advance(by: 3_600)
        let renewed = try await wire.send("GET", path, [("If-None-Match", tag)])
        #expect(renewed.status == 200 && renewed.field("ETag") != tag)
    }

    @Test(
        .liveServer,
        arguments: ["/status-lists/0000000000000000", "/status-lists/", "/status-lists", "/status-lists/%2e%2e", "/status-lists/a/b"])
    func anUnknownListIsNotFound(_ path: String) async throws {
        let reply = try await wire.send("GET", path, [])
        #expect(reply.status == 404 && reply.field("Cache-Control") == "no-store")
    }

    /// Section 8.4 of the draft: a client must not take today's list for that of another instant.
    @Test(.liveServer, arguments: ["time=1763708800", "time=", "time=now&a=b"])
    func aListOfThePastIsNotImplemented(_ query: String) async throws {
        let path = path(try uri(in: try await server.logIn().idToken).uri)
        for list in [path, "/status-lists/0000000000000000"] {
            let reply = try await wire.send("GET", "\(list)?\(query)", [])
            #expect(reply.status == 501 && reply.field("Cache-Control") == "no-store")
            #expect(reply.errorCode == ServiceCode.invalidParameter.rawValue)
        }
        #expect(try await wire.send("GET", "\(path)?times=1", []).status == 200)
    }

    @Test(
        .liveServer {
            $0.statusLists.ttlSeconds = 60
            $0.statusLists.expirySeconds = 600
        })
    func theSettingsAreThoseOfTheList() async throws {
        let uri = try uri(in: try await server.logIn().idToken).uri
        let reply = try await wire.send("GET", path(uri), [])
        #expect(reply.field("Cache-Control") == "public, max-age=60")
        let claims = try TokenPart.payload.json(in: reply.text)
        let issued = try #require(claims["iat"] as? Int)
        #expect(claims["ttl"] as? Int == 60 && claims["exp"] as? Int == issued + 600 && claims["sub"] as? String == uri)
        #expect(claims["iss"] as? String == server.ready.issuer)
    }

    @Test(.liveServer { $0.statusLists.enabled = false })
    func withoutListsAnIdTokenNamesNone() async throws {
        let claims = try TokenPart.payload.json(in: try await server.logIn().idToken)
        #expect(claims["status"] == nil && claims["sid"] != nil)
        #expect(try await wire.send("GET", "/status-lists/0000000000000000", []).status == 404)
    }
}
