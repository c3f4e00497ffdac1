package import JWKSCache

/// The request of a fetch of a list, which the host makes.
package struct HostedListRequest: Sendable {
    let order: ListOrder
    /// Whose tokens name the list.
    package let issuer: String

    package var document: OutgoingRequest { order.request }
    /// One of four numbers for each issuer, of which a list always has the same. A host that makes one request of a number at a time makes
    /// one for a list, and gives no source of lists more than four of its connections.
    package var lane: Int { 4 * order.issuer + order.uri.utf8.reduce(0) { ($0 &* 31 &+ Int($1)) & 0xffff } % 4 }
}
