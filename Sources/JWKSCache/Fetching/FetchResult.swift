/// The result of one fetch.
package enum FetchResult: Sendable {
    case document(FetchedDocument)
    /// The source confirms its last document (304).
    case notModified(CacheDirectives)
    case failed(RefreshFailure, retryAfter: Duration?)

    /// The origin of a document.
    package struct Origin: Equatable, Sendable {
        /// The index among the sources.
        let sourceIndex: Int
        let format: KeySetSource.Format
        /// The URL that the entity tag belongs to; nil for a file or an inline document.
        let url: String?

        package init(sourceIndex: Int, format: KeySetSource.Format, url: String?) {
            self.sourceIndex = sourceIndex
            self.format = format
            self.url = url
        }
    }
}

/// A document that may be accepted: it has a usable key, or it revokes all keys, by the policy or the format.
package struct FetchedDocument: Sendable {
    let document: KeyDocument
    let directives: CacheDirectives
    let origin: FetchResult.Origin
}

/// The validators for the next conditional request. They belong to the accepted document, because a 304 confirms that one.
package struct Validators: Equatable, Sendable {
    package let origin: FetchResult.Origin
    package let entityTag: String?
    package let lastModified: String?
}
