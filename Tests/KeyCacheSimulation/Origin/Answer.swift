import JWKSCache
import JWTCore

/// What comes back from one fetch, and what it means to somebody who knows what was sent.
struct Answer {
    let response: Result<DocumentResponse, FetchFailure>
    let meaning: Meaning

    enum Meaning {
        /// These keys are published.
        case set(keys: [PublishedKey], serial: UInt64?, hint: Duration?, Said)
        /// What the request said it had.
        case same(Said)
        case nothing(retryAfter: Duration?)
    }

    /// What it says of its own freshness.
    struct Said {
        var lifetime: Duration?
        var age: Duration
    }

    /// As the key cache's reader of sources judges it.
    func result(of order: FetchOrder, conditional: Bool, _ format: KeySetSource.Format, reusing previous: KeySet?) -> FetchResult {
        let response: DocumentResponse
        switch self.response {
        case .failure(let failure): return .failed(.fetch(failure), retryAfter: nil)
        case .success(let success): response = success
        }
        let directives = CacheDirectives(response)
        switch response.status {
        case 304 where conditional: return .notModified(directives)
        case 304: return .failed(.unexpectedNotModified, retryAfter: nil)
        case 200:
            do throws(RefreshFailure) {
                let document = try KeyDocument(response.body, format, reusing: previous)
                return .document(document, directives, from: FetchResult.Origin(sourceIndex: 0, url: "https://idp.example/keys"))
            } catch {
                return .failed(error, retryAfter: nil)
            }
        default: return .failed(.status(response.status), retryAfter: CacheDirectives.retryAfter(response))
        }
    }
}
