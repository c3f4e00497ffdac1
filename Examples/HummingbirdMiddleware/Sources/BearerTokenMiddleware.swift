internal import HTTPTypes
public import Hummingbird
public import JWKSCache
internal import JWTCore

/// Lets a request pass if it has a valid bearer token with the needed scopes, and puts the token into its context.
///
/// The token comes in the field `Authorization`, once. Every other request is answered as RFC 6750 section 3 says, and a request that
/// cannot be judged, because there are no keys yet, with 503.
///
/// ```swift
/// let keys = RemoteKeySet(.issuer("https://idp.example"), transport: try GuardedClient())
/// let policy = ClaimsPolicy.accessToken(issuer: "https://idp.example", audience: "https://api.example")
/// let router = Router(context: APIContext.self)
/// router.add(middleware: BearerTokenMiddleware(RefreshingVerifier(keys: keys, policy: policy), realm: "api"))
/// router.get("me") { _, context in context.token?.subject ?? "" }
/// ```
public struct BearerTokenMiddleware<Context: TokenContext, Verifier: TokenVerifying>: RouterMiddleware {
    private let verifier: Verifier
    private let realm: String?
    private let scopes: [String]

    /// - Parameters:
    ///   - verifier: verifies tokens. Build one for all requests.
    ///   - realm: names the protected resource in challenges.
    ///   - scopes: the token must grant all of these, in `scope` (RFC 8693 section 4.2) or `scp`.
    public init(_ verifier: Verifier, realm: String? = nil, scopes: [String] = []) {
        self.verifier = verifier
        self.realm = realm
        self.scopes = scopes
    }

    public func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        let fields = request.headers[values: .authorization]
        guard fields.count <= 1 else { return refusal(.init(.invalidRequest, realm: realm)) }
        guard let text = fields.first.flatMap(Self.token) else { return refusal(.init(realm: realm)) }
        let token: VerifiedToken
        do throws(VerificationError) {
            token = try await verifier.verify(text)
        } catch {
            return refusal(error)
        }
        guard scopes.allSatisfy(token.hasScope) else {
            return refusal(.init(.insufficientScope, realm: realm, scope: scopes.joined(separator: " ")))
        }
        var context = context
        context.token = token
        return try await next(request, context)
    }

    /// What stands after the scheme `Bearer`, which is compared without case; nil for another scheme.
    private static func token(_ field: String) -> String? {
        let parts = field.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
        return String(parts[1])
    }

    private func refusal(_ error: VerificationError) -> Response {
        guard let challenge = BearerChallenge(refusing: error, realm: realm) else {
            return Response(status: .serviceUnavailable, headers: [.retryAfter: "1"])
        }
        return refusal(challenge)
    }

    private func refusal(_ challenge: BearerChallenge) -> Response {
        Response(status: .init(code: challenge.httpStatus), headers: [.wwwAuthenticate: challenge.fieldValue])
    }
}
