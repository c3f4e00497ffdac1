/// What came of one order.
package enum FetchResult: Sendable {
    /// A document whose keys could be read, and the place it is from.
    case document(KeyDocument, CacheDirectives, from: Origin)
    /// The source says that what it gave before still holds.
    case notModified(CacheDirectives)
    case failed(RefreshFailure, retryAfter: Duration?)

    /// Where a document is from, as far as it matters for the next request.
    package struct Origin: Equatable, Sendable {
        /// The place among the sources.
        let sourceIndex: Int
        /// The URL, to which alone the entity tag belongs; nil for a file or an inline document.
        let url: String?

        package init(sourceIndex: Int, url: String?) {
            self.sourceIndex = sourceIndex
            self.url = url
        }
    }
}

/// What makes the next request conditional: of the document that is believed and no other, since a 304 says that it still holds.
package struct Validators: Equatable, Sendable {
    package let origin: FetchResult.Origin
    package let entityTag: String?
    package let lastModified: String?
}
