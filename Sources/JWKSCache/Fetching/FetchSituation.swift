package import JWTCore

/// The state at the start of a fetch; it also interprets the responses.
package struct FetchSituation: Sendable {
    package let order: FetchOrder
    /// The current set, whose prepared keys are reused.
    package let keys: KeySet?
    package let validators: Validators?
    package let policy: RefreshPolicy

    /// A request for the keys at `origin`: conditional if the current set came from there.
    package func request(for url: String, _ origin: FetchResult.Origin) -> OutgoingRequest {
        let known = keys == nil || validators?.origin != origin ? nil : validators
        return OutgoingRequest(document: url, isForced: order.isForced, entityTag: known?.entityTag, lastModified: known?.lastModified)
    }

    /// The result of `request`.
    package func result(
        of answer: Result<ReceivedResponse, RequestFailure>, to request: OutgoingRequest, _ origin: FetchResult.Origin
    ) -> FetchResult {
        let response: ReceivedResponse
        switch answer {
        case .failure(let failure): return .failed(.fetch(failure), retryAfter: nil)
        case .success(let success): response = success
        }
        switch response.status {
        case 200: return result(of: response.body, CacheDirectives(response), origin)
        case 304 where request.isConditional: return .notModified(CacheDirectives(response))
        case 304: return .failed(.unexpectedNotModified, retryAfter: nil)
        default: return .failed(.status(response.status), retryAfter: CacheDirectives.retryAfter(response))
        }
    }

    /// The result of a document.
    package func result(of text: [UInt8], _ directives: CacheDirectives, _ origin: FetchResult.Origin) -> FetchResult {
        do throws(RefreshFailure) {
            let isLocal = origin.url == nil && origin.format == .jwks
            let document = try isLocal ? KeyDocument(local: text, reusing: keys) : KeyDocument(text, origin.format, reusing: keys)
            let mayRevoke = policy.emptySet == .revokesAll || origin.format == .spiffeBundle
            guard document.hasUsableKey || mayRevoke && document.hasNoKeyForJWTs else { return .failed(.noUsableKey, retryAfter: nil) }
            return .document(FetchedDocument(document: document, directives: directives, origin: origin))
        } catch {
            return .failed(error, retryAfter: nil)
        }
    }
}
