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
