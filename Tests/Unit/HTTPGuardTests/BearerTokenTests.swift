import Foundation
import HTTPGuard
import JWKSCache
import JWTTestSupport
import TLSTestSupport
import Testing

/// Tokens from files, and where they go.
@Suite struct BearerTokenTests {
    private let authority: TestAuthority
    private let folder: TemporaryFolder

    init() throws {
        authority = try TestAuthority.shared.get()
        folder = try TemporaryFolder()
    }

    private func client(_ server: TLSServer) throws -> GuardedClient {
        var configuration = GuardedClient.Configuration.trusting(authority)
        configuration.bearerToken = BearerTokenFile(origin: try Origin(server.url()), path: folder.path + "/token")
        return try GuardedClient(configuration)
    }

    @Test func theFileIsReadBeforeEachRequest() async throws {
        let server = try await TLSServer(certificate: "good", authority)
        let client = try client(server)
        for token in ["one", "two"] {
            _ = try folder.write("token", token)
            #expect(await client.failure(server.url()) == nil)
        }
        #expect(server.authorizations == ["Bearer one", "Bearer two"])
    }

    @Test func noOtherOriginGetsTheToken() async throws {
        let server = try await TLSServer(certificate: "good", authority), other = try await TLSServer(certificate: "good", authority)
        _ = try folder.write("token", "secret")
        let client = try client(server)
        for url in [server.url(), other.url(), server.url(host: "localhost")] { #expect(await client.failure(url) == nil) }
        #expect(server.authorizations == ["Bearer secret", nil] && other.authorizations == [nil])
    }

    @Test func theTokenIsInPlaceOfTheRequestsOwn() async throws {
        let server = try await TLSServer(certificate: "good", authority)
        _ = try folder.write("token", "secret")
        let request = OutgoingRequest(url: server.url(), fields: [HeaderField("authorization", "Basic dTpw")])
        #expect(try await client(server).failure(request) == nil)
        #expect(server.authorizations == ["Bearer secret"])
    }

    @Test(arguments: [
        ("a", "Bearer a"), (" \t\r\na-._~+/0Z==\n\r\n ", "Bearer a-._~+/0Z=="),
        (String(repeating: "a", count: 16_384), "Bearer \(String(repeating: "a", count: 16_384))"),
    ])
    func whiteSpaceAtTheEndsIsNoPartOfIt(_ text: String, field: String) async throws {
        let server = try await TLSServer(certificate: "good", authority)
        _ = try folder.write("token", text)
        let failure = try await client(server).failure(server.url())
        #expect(failure == nil && server.authorizations == [field])
    }

    @Test(
        arguments: [
            (nil, "is not there"), ("", "has no bearer token"), (" \n", "has no bearer token"), ("=", "has no bearer token"),
            ("hunter two", "has no bearer token"), ("hunter\r\nX: y", "has no bearer token"), ("hunter=2", "has no bearer token"),
            ("hunt\u{e9}r", "has no bearer token"), (String(repeating: "a", count: 16_385), "has more than 16384 bytes"),
        ] as [(String?, String)])
    func withoutATokenThereIsNoRequest(_ text: String?, sentence: String) async throws {
        let server = try await TLSServer(certificate: "good", authority)
        if let text { _ = try folder.write("token", text) }
        let client = try client(server)
        let failure = await #expect(throws: RequestFailure.self) { _ = try await client.send(OutgoingRequest(url: server.url())) }
        #expect(failure?.reason == .unreadableCredential)
        let detail = try #require(failure?.detail)
        #expect(detail.hasPrefix("\(folder.path)/token \(sentence)") && !detail.contains("hunt"))
        #expect(BearerTokenFile.fault(of: folder.path + "/token") == detail)
        #expect(server.requests == 0)
    }

    @Test func aPipeIsNotWaitedFor() throws {
        try #require(Shell.run("mkfifo \(Shell.quoted(folder.path))/token") == 0)
        #expect(BearerTokenFile.fault(of: folder.path + "/token") == "\(folder.path)/token is not a regular file")
    }

    /// Kubernetes replaces a link to the folder of a token.
    @Test func aLinkIsFollowed() throws {
        let file = try folder.write("data", "token")
        try FileManager.default.createSymbolicLink(atPath: folder.path + "/token", withDestinationPath: file)
        #expect(BearerTokenFile.fault(of: folder.path + "/token") == nil)
    }

    @Test func anOriginWithoutTLSIsRefused() throws {
        let token = BearerTokenFile(origin: try Origin("http://localhost:8001"), path: "/token")
        #expect(throws: ConfigurationFailure.self) { try GuardedClient(GuardedClient.Configuration(bearerToken: token)) }
    }
}
