import HTTPTypes
import Hummingbird
import HummingbirdMiddleware
import JWKSCache
import JWKSTestSupport
import JWTCore
import JWTTestSupport
import Logging
import NIOEmbedded
import Testing

@Suite struct BearerTokenMiddlewareTests {
    private static let document = "https://idp.example/jwks"

    private struct Noon: UnixClock {
        var now: NumericDate { TokenForge.now }
    }

    /// Sends a request through a router with the middleware. The route answers with the token's subject.
    private static func answer(_ authorization: [String], scopes: [String] = [], hasKeys: Bool = true) async throws -> Response {
        let transport = ScriptedTransport()
        if hasKeys { transport.answer(document, KeyPool.set(0)) }
        let keys = RemoteKeySet(.jwks(url: document), transport: transport)
        if hasKeys { #expect(await settles { keys.isReady }) }
        let verifier = RefreshingVerifier(keys: keys, policy: KeyPool.policy, clock: Noon())
        let router = Router(context: APIContext.self)
        router.add(middleware: BearerTokenMiddleware(verifier, realm: "api", scopes: scopes))
        router.get("me") { _, context in context.token?.subject ?? "nobody" }
        var head = HTTPRequest(method: .get, scheme: "http", authority: "api.example", path: "/me")
        for value in authorization { head.headerFields.append(HTTPField(name: .authorization, value: value)) }
        let source = ApplicationRequestContextSource(channel: EmbeddedChannel(), logger: Logger(label: "test"))
        return try await router.buildResponder().respond(
            to: Request(head: head, body: RequestBody(buffer: .init())), context: APIContext(source: source))
    }

    @Test(arguments: ["Bearer", "bearer", "BEARER"])
    func aValidTokenPasses(_ scheme: String) async throws {
        #expect(try await Self.answer(["\(scheme) \(KeyPool.token(0))"]).status == .ok)
    }

    @Test(arguments: [[], ["Basic YTpi"], ["Bearer"], [""]])
    func withoutATokenTheChallengeHasNoError(_ fields: [String]) async throws {
        let answer = try await Self.answer(fields)
        #expect(answer.status == .unauthorized && answer.headers[.wwwAuthenticate] == #"Bearer realm="api""#)
    }

    @Test func twoTokensAreARefusedRequest() async throws {
        let field = "Bearer \(KeyPool.token(0))"
        let answer = try await Self.answer([field, field])
        #expect(answer.status == .badRequest && answer.headers[.wwwAuthenticate]?.contains(#"error="invalid_request""#) == true)
    }

    @Test func aTokenUnderAnotherKeyIsRefused() async throws {
        let answer = try await Self.answer(["Bearer \(KeyPool.forges[1].token(header: #"{"alg":"ES256","kid":"key-0"}"#))"])
        #expect(answer.status == .unauthorized && answer.headers[.wwwAuthenticate]?.contains(#"error="invalid_token""#) == true)
    }

    @Test func aMissingScopeIsRefused() async throws {
        let answer = try await Self.answer(["Bearer \(KeyPool.token(0))"], scopes: ["orders", "admin"])
        #expect(answer.status == .forbidden && answer.headers[.wwwAuthenticate]?.contains(#"scope="orders admin""#) == true)
        let payload = TokenForge.idToken.replacing(#""name""#, with: #""scope":"admin orders","name""#)
        #expect(try await Self.answer(["Bearer \(KeyPool.forges[0].token(payload))"], scopes: ["orders", "admin"]).status == .ok)
    }

    @Test func withoutKeysTheClientShallComeBack() async throws {
        let answer = try await Self.answer(["Bearer \(KeyPool.token(0))"], hasKeys: false)
        #expect(answer.status == .serviceUnavailable && answer.headers[.retryAfter] == "1")
    }
}
