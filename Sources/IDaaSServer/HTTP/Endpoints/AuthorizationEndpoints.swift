internal import Foundation
internal import HTTPTypes
internal import IDaaSWire

/// The authorization code flow: authorization, token and userinfo endpoints, and logout by the application.
package struct AuthorizationEndpoints: EndpointGroup {
    let services: Services

    package var endpoints: [Endpoint] {
        [
            Endpoint(.get, WirePath.authorization, "authorize", isSafe: false, authorize),
            Endpoint(.post, WirePath.authorizationEnd, "completeAuthorization", audit: .authorizationEnd, complete),
            Endpoint(.post, WirePath.token, "token", audit: .codeExchange, token),
            Endpoint(.get, WirePath.userInfo, "userInfo", userInfo),
            Endpoint(.get, WirePath.endSession, "endBrowserSession", audit: .browserLogout, isSafe: false, endSession),
        ]
    }

    private func authorize(_ exchange: Exchange) async throws -> Reply {
        switch try await services.authorizations.begin(exchange.query, from: exchange.origin.address) {
        case .refused(let redirect): return Self.redirect(redirect)
        case .login(let request, let client, let cookie):
            let members = [(OAuthMember.clientID, client), (OAuthMember.request, request)]
            var reply = Self.redirect(RedirectAddress.text(PagePath.login, adding: members))
            reply.fields[.setCookie] = BrowserCookie.request.field(cookie, for: services.authorizations.lifetime, exchange.origin)
            return reply
        }
    }

    private func complete(_ exchange: Exchange) async throws -> Reply {
        let caller = try await services.clients.caller(of: exchange)
        let body = try JSONBody(exchange)
        let request = try body.string(OAuthMember.request, limit: 64)
        let token = try exchange.required(.sessionToken, limit: 128)
        exchange.trail.note(token: token)
        let end = try await services.authorizations.complete(
            request, consent: try body.optionalBool(OAuthMember.consent), cookie: BrowserCookie.request.value(in: exchange) ?? "",
            sessionToken: token, for: caller)
        if !end.isGranted { exchange.trail.note(action: .authorizationDenial) }
        return .json([OAuthMember.redirectURI: .string(end.redirect)])
    }

    private func token(_ exchange: Exchange) async throws -> Reply {
        let form = try FormBody(exchange)
        let grant: AuthorizationCodes.Grant
        switch try form.string(OAuthMember.grantType) {
        case ClientMetadata.codeGrant: grant = try await exchanged(exchange, form)
        case ClientMetadata.refreshGrant where services.hasResources: grant = try await refreshed(exchange, form)
        default:
            var refusal = ServiceError(.invalidParameter, OAuthMember.grantType)
            refusal.error = "unsupported_grant_type"
            throw refusal
        }
        exchange.trail.note(userID: grant.userID, sessionID: grant.sid)
        return .json(
            .object(present: [
                (OAuthMember.accessToken, .string(grant.accessToken)), (OAuthMember.tokenType, .string("Bearer")),
                (OAuthMember.lifetime, JSON(grant.expiresIn)), (OAuthMember.refreshToken, grant.refreshToken.map(JSON.string)),
                (OAuthMember.idToken, grant.idToken.map(JSON.string)),
                (OAuthMember.scope, grant.scope.isEmpty ? nil : .string(grant.scope)),
            ]))
    }

    private func exchanged(_ exchange: Exchange, _ form: FormBody) async throws -> AuthorizationCodes.Grant {
        let credentials = try Self.credentials(exchange, form)
        exchange.trail.note(client: credentials.id)
        let code = try form.string(OAuthMember.code)
        exchange.trail.note(token: code)
        let presented = AuthorizationCodes.Presented(
            code: code, redirectURI: try form.string(OAuthMember.redirectURI),
            verifier: try form.string(OAuthMember.codeVerifier, limit: 128), resource: form[OAuthMember.resource])
        return try await services.codes.exchange(presented, by: credentials)
    }

    private func refreshed(_ exchange: Exchange, _ form: FormBody) async throws -> AuthorizationCodes.Grant {
        exchange.trail.note(action: .grantRefresh)
        let credentials = try Self.credentials(exchange, form)
        exchange.trail.note(client: credentials.id)
        let token = try form.string(OAuthMember.refreshToken, limit: 128)
        exchange.trail.note(token: token)
        let refresh = ResourceGrants.Refresh(token: token, resource: form[OAuthMember.resource], scope: form[OAuthMember.scope])
        return try await services.codes.refresh(refresh, by: credentials, noting: exchange.trail)
    }

    private func userInfo(_ exchange: Exchange) async throws -> Reply {
        let token: String
        do { token = try exchange.bearerToken(limit: 1_024) } catch { throw RequestRefusal.unauthorized(error) }
        let user = try await services.codes.user(of: token)
        let members: [(String, String?)] = [
            ("sub", user.id), ("name", user.name), ("preferred_username", user.userName), ("email", user.email),
            ("phone_number", user.mobile.replacing("-", with: "")),
        ]
        return .json(.object(members.compactMap { name, value in value.map { (name, .string($0)) } }))
    }

    private func endSession(_ exchange: Exchange) async throws -> Reply {
        let query = exchange.query
        guard let hint = query[OAuthMember.idTokenHint], !hint.isEmpty else {
            throw ServiceError(.missingParameter, OAuthMember.idTokenHint)
        }
        let (session, redirect) = try await services.codes.end(
            hint: hint, redirectURI: query[OAuthMember.logoutRedirectURI], state: query[OAuthMember.state])
        if let session { exchange.trail.note(session) }
        return redirect.map(Self.redirect) ?? .text("Logged out.\n")
    }

    /// client_secret_basic, client_secret_post, or a public client (OpenID Connect Core 1.0 section 9).
    private static func credentials(_ exchange: Exchange, _ form: FormBody) throws -> AuthorizationCodes.Credentials {
        guard let field = exchange.value(.authorization) else {
            return AuthorizationCodes.Credentials(
                id: try form.string(OAuthMember.clientID, limit: 128), secret: form[OAuthMember.clientSecret])
        }
        let parts = field.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "basic", let text = Data(base64Encoded: String(parts[1]).trimmed) else {
            throw ServiceError(.invalidFormat, "Authorization")
        }
        let pair = text.split(separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false)
        guard pair.count == 2, let id = FormBody.decoded(pair[0]), let secret = FormBody.decoded(pair[1]) else {
            throw ServiceError(.invalidFormat, "Authorization")
        }
        return AuthorizationCodes.Credentials(id: id, secret: secret)
    }

    /// 303: the next request is a GET, whatever this one was.
    private static func redirect(_ address: String) -> Reply {
        var reply = Reply(status: 303)
        reply.fields[.location] = address
        reply.fields[.init("Referrer-Policy")!] = "no-referrer"
        return reply
    }
}
