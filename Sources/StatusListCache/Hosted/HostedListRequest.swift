package import JWKSCache

/// The request of a fetch of a list, which the host makes.
package struct HostedListRequest: Sendable {
    let order: ListOrder

    package var document: OutgoingRequest { order.request }
    /// The place of the issuer whose tokens name the list.
    package var issuer: Int { order.issuer }
}
