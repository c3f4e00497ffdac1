/// What a user granted a client: a protected resource and scopes of it (RFC 8707). It has a session of its own, which holds its refresh
/// tokens, and ends with it.
package struct ResourceGrant: Hashable, Sendable {
    package var session: String
    /// The URI of the resource.
    package var resource: String
    package var scopes: [String]
    /// Whether the client may refresh.
    package var isRenewable: Bool
}
