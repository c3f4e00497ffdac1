import AssayTesting
import HTTPGuard
import JWKSCache
import Testing

/// The requests as the server receives them.
@Suite struct RequestTests {
    @Test func plainFetchAsksForKeys() async throws {
        let request = try await arrived(OutgoingRequest(document: "/keys?v=1"))
        #expect(request.method == "GET" && request.target == "/keys?v=1")
        #expect(request.field("Accept") == "application/jwk-set+json, application/json")
        #expect(request.field("Accept-Encoding") == "identity")
        #expect(request.field("User-Agent") == "assay")
        for name in ["Cache-Control", "If-None-Match", "If-Modified-Since", "Content-Length"] { #expect(request.field(name) == nil) }
    }

    @Test func forcedFetchPassesCaches() async throws {
        #expect(try await arrived(OutgoingRequest(document: "/", isForced: true)).field("Cache-Control") == "no-cache")
    }

    @Test(arguments: [#""a""#, #"W/"a""#, #""a, b""#, "unquoted"]) func entityTagIsSentAsReceived(_ tag: String) async throws {
        #expect(try await arrived(OutgoingRequest(document: "/", entityTag: tag)).field("If-None-Match") == tag)
    }

    @Test func dateIsSentAsReceived() async throws {
        let date = "Sun, 06 Nov 1994 08:49:37 GMT"
        #expect(try await arrived(OutgoingRequest(document: "/", lastModified: date)).field("If-Modified-Since") == date)
    }

    @Test(arguments: ["a\r\nX: y", "a\u{0}", "\u{7f}"]) func validatorThatMayNotBeSentIsLeftOut(_ tag: String) async throws {
        let request = try await arrived(OutgoingRequest(document: "/", entityTag: tag))
        #expect(request.field("If-None-Match") == nil && request.field("X") == nil)
    }

    @Test func bodyAndMethodArrive() async throws {
        let server = try LoopbackServer { _ in .status(201) }
        let client = try GuardedClient(.loopback)
        let fields = [HeaderField("Content-Type", "text/plain"), HeaderField("User-Agent", "other")]
        let response = try await client.send(OutgoingRequest("POST", url: server.url(), fields: fields, body: Array("hello".utf8)))
        #expect(response.status == 201)
        let request = try #require(server.requests.first)
        #expect(request.method == "POST" && request.body == Array("hello".utf8))
        #expect(request.field("Content-Type") == "text/plain" && request.field("User-Agent") == "other")
    }

    @Test(arguments: ["Host", "content-length", "Transfer-Encoding", "Connection", "Accept-Encoding", "a b", ""])
    func fieldOfTheConnectionIsRefused(_ name: String) async throws {
        let server = try LoopbackServer { _ in .status(200) }
        let client = try GuardedClient(.loopback)
        let request = OutgoingRequest(url: server.url(), fields: [HeaderField(name, "1")])
        #expect(await client.failure(request) == .invalidField)
        #expect(server.connections == 0)
    }

    @Test func fieldsOfAnOriginGoThereAlone() async throws {
        let server = try LoopbackServer { _ in .status(200) }
        let other = try LoopbackServer { _ in .status(200) }
        var configuration = GuardedClient.Configuration.loopback
        configuration.originFields = [OriginFields(origin: try Origin(server.url()), fields: [HeaderField("X-API-Key", "secret")])]
        let transport = try GuardedClient(configuration)
        _ = try await (
            transport.fetch(OutgoingRequest(document: server.url("/a"))), transport.fetch(OutgoingRequest(document: other.url("/b")))
        )
        #expect(server.requests.map { $0.field("X-API-Key") } == ["secret"])
        #expect(other.requests.map { $0.field("X-API-Key") } == [nil])
    }

    @Test func secretsHaveNoText() {
        let credentials = Proxy.Credentials(user: "u", password: "secret")
        #expect("\(credentials) \(HeaderField("X-API-Key", "secret"))" == "u:… X-API-Key")
    }

    /// The request for a path, as a server received it.
    private func arrived(_ request: OutgoingRequest) async throws -> LoopbackRequest {
        let server = try LoopbackServer { _ in .json("{}") }
        let absolute = OutgoingRequest(
            document: server.url(request.url), isForced: request.isForced, entityTag: request.entityTag, lastModified: request.lastModified)
        _ = try await GuardedClient(.loopback).fetch(absolute)
        return try #require(server.requests.first)
    }
}
