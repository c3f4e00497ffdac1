import AssayTesting
import HTTPGuard
import JWKSCache
import Testing

/// Redirects stay within their origin and are few.
@Suite struct RedirectTests {
    @Test(arguments: [301, 302, 303, 307, 308], ["/keys", "keys", "//127.0.0.1:{port}/keys", "http://127.0.0.1:{port}/keys#x"])
    func redirectWithinTheOriginIsFollowed(_ status: Int, to location: String) async throws {
        let server = try LoopbackServer { _ in .json("{}") }
        let location = location.replacing("{port}", with: "\(server.port)")
        server.answer { $0.path == "/keys" ? .json("{}") : .redirect(status, to: location) }
        #expect(try await GuardedClient(.loopback).outcome(server.url("/old")) == .answer(200, "{}"))
        #expect(server.requests.map(\.path) == ["/old", "/keys"])
    }

    @Test(arguments: [
        "http://127.0.0.1:{other}/", "http://localhost:{port}/", "http://127.0.0.2:{port}/", "https://127.0.0.1:{port}/",
        "https://idp.example/", "//idp.example/", "ftp://127.0.0.1:{port}/", "file:///etc/passwd", "http://u@127.0.0.1:{port}/",
        "http://[::1/", "\\\\x",
    ])
    func redirectToAnotherOriginIsRefused(_ location: String) async throws {
        let other = try LoopbackServer { _ in .json("{}") }
        let server = try LoopbackServer { _ in .close }
        let location = location.replacing("{port}", with: "\(server.port)").replacing("{other}", with: "\(other.port)")
        server.answer { _ in .redirect(to: location) }
        #expect(try await GuardedClient(.loopback).outcome(server.url()) == .failure(.redirect))
        #expect(server.requests.count == 1 && other.requests.isEmpty)
    }

    @Test(arguments: [(3, true), (4, false)]) func threeRedirectsAreFollowed(_ count: Int, isFollowed: Bool) async throws {
        let server = try LoopbackServer { request in
            let step = Int(request.path.dropFirst()) ?? 0
            return step == count ? .json("{}") : .redirect(to: "/\(step + 1)")
        }
        let outcome = try await GuardedClient(.loopback).outcome(server.url("/0"))
        #expect(outcome == (isFollowed ? .answer(200, "{}") : .failure(.redirect)))
        #expect(server.requests.count == 4)
    }

    @Test(arguments: [300, 304, 305, 306]) func otherStatusIsNoRedirect(_ status: Int) async throws {
        let server = try LoopbackServer { _ in .redirect(status, to: "/elsewhere") }
        #expect(try await GuardedClient(.loopback).outcome(server.url()) == .answer(status, ""))
    }

    @Test func redirectWithoutALocationIsAnAnswer() async throws {
        let server = try LoopbackServer { _ in .status(302) }
        #expect(try await GuardedClient(.loopback).outcome(server.url()) == .answer(302, ""))
    }

    @Test func validatorsAreForTheFirstURLAlone() async throws {
        let date = "Sun, 06 Nov 1994 08:49:37 GMT"
        let server = try LoopbackServer { $0.path == "/" ? .redirect(to: "/keys") : .json("{}") }
        let request = OutgoingRequest(document: server.url(), isForced: true, entityTag: #""1""#, lastModified: date)
        #expect(try await GuardedClient(.loopback).outcome(request) == .answer(200, "{}"))
        #expect(server.requests.map { $0.field("If-None-Match") } == [#""1""#, nil])
        #expect(server.requests.map { $0.field("If-Modified-Since") } == [date, nil])
        #expect(server.requests.map { $0.field("Cache-Control") } == ["no-cache", "no-cache"])
    }

    /// The cache would take a 304 for a confirmation if it had asked for one.
    @Test(arguments: [(#""1""#, .failure(.malformed)), (nil, .answer(304, ""))] as [(String?, Outcome)])
    func targetOfARedirectCannotConfirmTheCopyOfTheFirstURL(_ entityTag: String?, outcome: Outcome) async throws {
        let server = try LoopbackServer { $0.path == "/" ? .redirect(to: "/keys") : .status(304) }
        let request = OutgoingRequest(document: server.url(), entityTag: entityTag)
        #expect(try await GuardedClient(.loopback).outcome(request) == outcome)
    }

    @Test func requestThatChangesSomethingIsNotRedirected() async throws {
        let server = try LoopbackServer { _ in .redirect(307, to: "/again") }
        let client = try GuardedClient(.loopback)
        #expect(await client.failure(OutgoingRequest("POST", url: server.url(), body: [1])) == .redirect)
        #expect(server.requests.count == 1)
    }
}
