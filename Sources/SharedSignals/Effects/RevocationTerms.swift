public import JWTCore

/// What the operator lets the events of a stream revoke.
public struct RevocationTerms: Hashable, Sendable {
    /// The issuer of the tokens. An event never names it: a transmitter revokes tokens of this issuer alone.
    public var tokenIssuer: String
    /// Whether a changed credential revokes the user's tokens that were issued before.
    public var credentialChangeRevokes: Bool
    /// How far clocks may differ, in whole seconds.
    public var leeway: Duration

    public init(tokenIssuer: String, credentialChangeRevokes: Bool = false, leeway: Duration = .seconds(60)) {
        self.tokenIssuer = tokenIssuer
        self.credentialChangeRevokes = credentialChangeRevokes
        self.leeway = leeway
    }

    /// What each event of a token does, in their order.
    ///
    /// - Parameters:
    ///   - token: of the transmitter that these terms are for.
    ///   - now: the time of receipt. A date after it, and after the leeway, would revoke tokens that are not issued yet.
    public func effects(of token: VerifiedSecurityEventToken, at now: NumericDate) -> [EventEffect] {
        token.events.map { event in
            switch event {
            case .sessionRevoked(let date): effect(on: token.subject, before: cut(date ?? token.issuedAt, now))
            case .sessionsRevoked(let sessions, _): .revokes(.sessions(sessions))
            case .credentialChange(_, _, let date) where credentialChangeRevokes:
                userEffect(on: token.subject, before: cut(date ?? token.issuedAt, now))
            case .verification, .streamUpdated: .notice
            case .credentialChange, .unknown: .ignored
            }
        }
    }

    /// The date before which tokens are revoked, from 1970 on. `iat` and `event_timestamp` are most often whole seconds, cut off: a token of the event's own
    /// second may be the one that it is about.
    private func cut(_ date: NumericDate, _ now: NumericDate) -> NumericDate {
        min(max(0, NumericDate(seconds: date.seconds).advanced(by: .seconds(1))), now.advanced(by: leeway))
    }

    /// A session alone, if the subject names one; otherwise the user's sessions.
    private func effect(on subject: SubjectIdentifier?, before date: NumericDate) -> EventEffect {
        guard case .complex(let user, let session?) = subject else { return userEffect(on: subject, before: date) }
        // Both members are about one subject: a session of a stranger is none of ours.
        if case .issuerSubject(let issuer, _) = user, !isOurs(issuer) { return .anotherIssuer }
        switch session {
        case .opaque(let name): return .revokes(.session(name))
        case .issuerSubject(let issuer, let name): return isOurs(issuer) ? .revokes(.session(name)) : .anotherIssuer
        case .other: return .unknownSubject
        }
    }

    private func userEffect(on subject: SubjectIdentifier?, before date: NumericDate) -> EventEffect {
        switch subject {
        case .simple(let user), .complex(let user?, _): effect(onUser: user, before: date)
        case .complex, nil: .unknownSubject
        }
    }

    private func effect(onUser user: SimpleSubject, before date: NumericDate) -> EventEffect {
        switch user {
        case .issuerSubject(let issuer, let name):
            isOurs(issuer) ? .revokes(.subject(name, issuedBefore: date)) : .anotherIssuer
        case .opaque(let name): .revokes(.subject(name, issuedBefore: date))
        case .other: .unknownSubject
        }
    }

    private func isOurs(_ issuer: String) -> Bool { issuer.utf8.elementsEqual(tokenIssuer.utf8) }
}
