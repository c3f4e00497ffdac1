package import JWKSCache

/// A fetch of one list, ordered by ``ListsCore``.
package struct ListOrder: Equatable, Sendable {
    /// The place of the issuer.
    package let issuer: Int
    package let uri: String
    package let fetch: FetchOrder
    /// The validators of the accepted list, which a 304 confirms.
    let entityTag: String?
    let lastModified: String?

    /// By which every transport knows a request for a list.
    package static let mediaType = "application/statuslist+jwt"

    /// The request: conditional if there is a list.
    package var request: OutgoingRequest {
        OutgoingRequest(
            document: uri, accept: Self.mediaType, isForced: fetch.isForced, entityTag: entityTag, lastModified: lastModified)
    }
}
