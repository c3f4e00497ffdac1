/// The answer to a first factor: the tokens, or the step that has to follow.
package enum LoginAnswer: Hashable, Sendable {
    case loggedIn(Authentication)
    case step(LoginStep)
}

/// A step that has to follow, with the token that carries the login there.
package struct LoginStep: Hashable, Sendable {
    /// One of ``LoginStatus``.
    package let status: String
    package let stateToken: String
    /// JSON: what the step needs, ``NextStep``.
    package let data: String
}

/// The result of a login or a refresh.
package struct Authentication: Hashable, Sendable {
    package let sessionToken: String
    /// Until an unused session token expires.
    package let expire: Duration
    package let idToken: String
    package let idTokenExpiresIn: Duration
    package let userID: String
    package let sid: String
}
