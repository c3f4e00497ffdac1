internal import IDaaSWire
internal import JWTCore
internal import Secrets

/// The authorization code flow (RFC 6749 section 4.1, with PKCE by RFC 7636): from an application's request to the redirect back to it.
///
/// The login page stands between: it logs the user in as any client does, and completes the request with its session. A request belongs to
/// the browser that made it, by a cookie, so that one browser cannot complete the request of another.
package struct AuthorizationRequests: DomainService {
    package let environment: SharedEnvironment
    let registrations: Registrations

    /// How long a request waits.
    package var lifetime: Duration { lifetimes.authorizationRequest }

    /// What the application asked for, from request to code.
    struct Content: Codable, Hashable {
        let redirectURI: String
        let state: String?
        let nonce: String?
        let challenge: String
        /// `binding_message`, shown on the login page and on the phone that confirms the login.
        let message: String?
        /// The session that completed it; nil until then.
        var session: String?
        /// The access to a resource that it asks for; nil for an id_token alone.
        var access: ResourceAccess?
    }

    /// Where the browser goes next.
    package enum Start: Hashable, Sendable {
        /// To the login page, with the value of its cookie.
        case login(request: String, client: String, cookie: String)
        /// Back to the application, with an error.
        case refused(redirect: String)
    }

    /// Begins a request.
    ///
    /// - Parameter address: of the browser. What a request with the URL of a client costs is counted for it.
    /// - Throws: COMMON.1001, 1002 and 1006 for parameters that cannot be answered by a redirect; COMMON.1012 for an unknown client;
    ///   COMMON.1009 for one without registered addresses; RATE.1001 for too many clients from one address.
    package func begin(_ parameters: [String: String], from origin: String) async throws -> Start {
        guard let id = parameters[OAuthMember.clientID], !id.isEmpty else { throw ServiceError(.missingParameter, OAuthMember.clientID) }
        guard id.utf8.count <= 128 else { throw ServiceError(.invalidFormat, OAuthMember.clientID) }
        guard let client = try await registrations.client(id, from: origin) else { throw ServiceError(.unknownClient) }
        guard let web = client.settings.web else { throw ServiceError(.unknownConfiguration) }
        guard let address = parameters[OAuthMember.redirectURI] else { throw ServiceError(.missingParameter, OAuthMember.redirectURI) }
        // Before this, nothing may redirect.
        guard web.allows(address) else { throw ServiceError(.invalidParameter, OAuthMember.redirectURI) }
        let state = parameters[OAuthMember.state]
        let access: ResourceAccess?
        do throws(OAuthFault) {
            access = try Self.checked(parameters, of: web, environment.resources)
        } catch {
            guard web.registration == nil || RedirectAddress.host(of: address) == nil else { throw Self.refusal(error) }
            return .refused(redirect: answer(to: address, state, [(OAuthMember.error, error.error)]))
        }
        let request = randomness.token(characters: 32, alphabet: .base62)
        let cookie = randomness.token(characters: BrowserCookie.length, alphabet: .base62)
        let content = Content(
            redirectURI: address, state: state, nonce: parameters[OAuthMember.nonce],
            challenge: parameters[OAuthMember.codeChallenge] ?? "", message: Self.message(in: parameters),
            access: access)
        let now = clock.now
        let record = SingleUse(
            purpose: .authorizationRequest, key: Digest256.of(Array(request.utf8)), client: id, device: Digest256.of(Array(cookie.utf8)),
            content: try JSON(encoding: content).bytes, created: now, expires: now + lifetimes.authorizationRequest)
        try await store.write { try $0.save(record) }
        return .login(request: request, client: id, cookie: cookie)
    }

    /// What the login page shows of a request.
    package struct Shown: Hashable, Sendable {
        /// The application's `binding_message`.
        package var message: String?
        /// The access that the user is asked for.
        package var consent: Consent?
    }

    /// What the page shows. Nil if the request has ended, or belongs to another client or another browser.
    package func shown(of request: String, cookie: String, client: Client) async throws -> Shown? {
        let (now, key) = (clock.now, Digest256.of(Array(request.utf8)))
        guard let record = try await store.read({ try $0.singleUse(.authorizationRequest, key) }), record.client == client.id,
            record.isLive(at: now), equalInConstantTime(record.device, Digest256.of(Array(cookie.utf8)))
        else { return nil }
        let content = try ParsedJSON(record.content).decode(Content.self)
        return Shown(message: content.message, consent: Consent(content, of: client, environment))
    }

    /// The end of a request.
    package struct End: Hashable, Sendable {
        /// The address to send the browser to.
        package let redirect: String
        package let isGranted: Bool
    }

    /// Completes a request with the session of the login page, and gives the address to send the browser to.
    ///
    /// - Parameter consent: the user's answer. Access to a resource is never granted without one; false refuses any request.
    /// - Throws: COMMON.1006 with {0} = request for a request that is unknown, of another client or another browser; COMMON.1005 for one that
    ///   is over; COMMON.1005 with {0} = session_token; COMMON.1001 with {0} = consent for a request that needs an answer.
    package func complete(
        _ request: String, consent: Bool? = nil, cookie: String, sessionToken: String, for caller: Caller
    ) async throws -> End {
        let (now, digest) = (clock.now, SessionFamily.digest(of: sessionToken))
        let code = randomness.token(characters: 43, alphabet: .base62)
        let (lifetimes, key) = (lifetimes, Digest256.of(Array(request.utf8)))
        let content = try await store.settle { store -> Result<Content, ServiceError> in
            guard let record = try store.singleUse(.authorizationRequest, key), record.client == caller.client.id,
                equalInConstantTime(record.device, Digest256.of(Array(cookie.utf8)))
            else { return .failure(ServiceError(.invalidParameter, OAuthMember.request)) }
            guard let token = try store.sessionToken(digest), let session = try store.session(token.session),
                session.isLive(at: now, lifetimes), session.belongs(to: caller), token.isHonoured(at: now, lifetimes)
            else { return .failure(ServiceError(.expired, WireMember.sessionToken)) }
            var content = try ParsedJSON(record.content).decode(Content.self)
            guard content.access == nil || consent != nil else { return .failure(ServiceError(.missingParameter, OAuthMember.consent)) }
            guard try store.consume(.authorizationRequest, key, at: now, outcome: nil) else {
                return .failure(ServiceError(.expired, OAuthMember.request))
            }
            guard consent ?? true else { return .success(content) }
            content.session = session.id
            try store.save(
                SingleUse(
                    purpose: .authorizationCode, key: Digest256.of(Array(code.utf8)), client: record.client, device: record.device,
                    content: try JSON(encoding: content).bytes, created: now, expires: now + lifetimes.authorizationCode))
            return .success(content)
        }
        let member = consent ?? true ? (OAuthMember.code, code) : (OAuthMember.error, "access_denied")
        return End(redirect: answer(to: content.redirectURI, content.state, [member]), isGranted: consent ?? true)
    }

    /// The redirect back, with the state of the request and the issuer (RFC 9207: against mixed-up providers).
    private func answer(to address: String, _ state: String?, _ members: [(String, String)]) -> String {
        let state = state.map { [(OAuthMember.state, $0)] } ?? []
        return RedirectAddress.text(address, adding: members + state + [(OAuthMember.issuer, environment.issuer)])
    }

    /// The answer to a wrong request of a registered client, where a redirect would lead to another host: anybody could register an address and
    /// have this server send browsers there (RFC 9700 section 4.11.2).
    private static func refusal(_ fault: OAuthFault) -> ServiceError {
        var refusal = ServiceError(.invalidParameter, OAuthMember.request)
        refusal.error = fault.error
        return refusal
    }

    /// The access that a request asks for; nil for an id_token alone.
    ///
    /// - Throws: `OAuthFault` for a request that can be answered by a redirect (RFC 6749 section 4.1.2.1).
    private static func checked(
        _ parameters: [String: String], of web: WebApplication, _ policy: ResourcePolicy
    ) throws(OAuthFault) -> ResourceAccess? {
        // OIDC Core sections 6.1, 6.2 and 7.2.1. Ignored, they would leave out what the application asks for.
        for (name, error) in [
            (OAuthMember.request, "request_not_supported"), (OAuthMember.requestURI, "request_uri_not_supported"),
            (OAuthMember.registration, "registration_not_supported"),
        ] where parameters[name]?.isEmpty == false {
            throw OAuthFault(error)
        }
        guard parameters[OAuthMember.responseType] == "code" else { throw OAuthFault("unsupported_response_type") }
        let access = try access(in: parameters, of: web, policy)
        guard (parameters[OAuthMember.responseMode] ?? "query") == "query" else { throw OAuthFault("invalid_request") }
        guard parameters[OAuthMember.codeChallengeMethod] == "S256", parameters[OAuthMember.codeChallenge]?.utf8.count == 43,
            [OAuthMember.state, OAuthMember.nonce].allSatisfy({ (parameters[$0]?.utf8.count ?? 0) <= 512 })
        else { throw OAuthFault("invalid_request") }
        // OpenID Connect CIBA Core 1.0 section 13.
        guard message(in: parameters).map(SecondFactors.isPlain) ?? true else { throw OAuthFault("invalid_binding_message") }
        let prompts = (parameters[OAuthMember.prompt] ?? "").split(separator: " ")
        guard prompts.contains("none") else { return access }
        // OIDC Core section 3.1.2.1: `none` stands alone. The page has no session of its own that it could use silently.
        throw OAuthFault(prompts.count > 1 ? "invalid_request" : "login_required")
    }

    /// A registered client gets access to a resource and nothing else.
    private static func access(
        in parameters: [String: String], of web: WebApplication, _ policy: ResourcePolicy
    ) throws(OAuthFault) -> ResourceAccess? {
        if parameters[OAuthMember.resource]?.isEmpty == false { return try ResourceAccess(parameters, for: web, policy) }
        guard web.registration == nil else { throw OAuthFault("invalid_target") }
        guard (parameters[OAuthMember.scope] ?? "").split(separator: " ").contains("openid") else { throw OAuthFault("invalid_scope") }
        return nil
    }

    /// A parameter without a value counts as none (RFC 6749 section 3.1).
    private static func message(in parameters: [String: String]) -> String? {
        parameters[WireMember.bindingMessage].flatMap { $0.isEmpty ? nil : $0 }
    }
}
