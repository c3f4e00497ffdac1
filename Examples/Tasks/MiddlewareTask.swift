// A Hummingbird router whose routes need an access token with a scope. The middleware is Examples/HummingbirdMiddleware.

#if Gateway
import AssayTesting
import HTTPTypes
import Hummingbird
import HummingbirdMiddleware
import JWKSCache
import JWTCore
import Logging
import NIOEmbedded
import Testing

func api(issuer: String, keys: RemoteKeySet) -> Router<APIContext> {
    let policy = ClaimsPolicy.accessToken(issuer: issuer, audience: "https://api.example")
    let verifier = RefreshingVerifier(keys: keys, policy: policy)
    let router = Router(context: APIContext.self)
    router.add(middleware: BearerTokenMiddleware(verifier, realm: "api", scopes: ["orders"]))
    router.get("me") { _, context in context.token?.subject ?? "" }
    return router
}

@Suite struct MiddlewareTask {
    @Test func onlyATokenWithTheScopePasses() async throws {
        let issuer = try TestIssuer()
        let keys = RemoteKeySet(.issuer(issuer.identifier), transport: issuer, clock: ManualClock())
        let responder = api(issuer: issuer.identifier, keys: keys).buildResponder()
        for (token, status) in [(try issuer.accessToken(["scope": "orders"]), 200), (try issuer.accessToken(), 403), ("a.b.c", 401)] {
            var head = HTTPRequest(method: .get, scheme: "https", authority: "api.example", path: "/me")
            head.headerFields[.authorization] = "Bearer \(token)"
            let source = ApplicationRequestContextSource(channel: EmbeddedChannel(), logger: Logger(label: "test"))
            let request = Request(head: head, body: RequestBody(buffer: .init()))
            #expect(try await responder.respond(to: request, context: APIContext(source: source)).status.code == status)
        }
    }
}
#endif
