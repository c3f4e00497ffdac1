#if IDaaS
/// What a login, or a refresh, gives.
package struct Authentication: Hashable, Sendable {
    package let sessionToken: String
    /// Seconds until the session token dies if it is not used.
    package let expire: Int
    package let idToken: String
    /// Seconds.
    package let idTokenExpiresIn: Int
    package let userID: String
    package let sid: String
}
#endif
