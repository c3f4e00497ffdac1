import JWKSCache
import JWTCore

/// An ordered fetch with its future answer.
struct Attempt {
    let order: FetchOrder
    let delivery: Publisher.Delivery
    /// The key cache's result of the answer; nil if there will be none.
    let result: FetchResult?
    /// The current set at its start, whose keys are reused.
    let keys: KeySet?
    /// The belief at the time of the request: a 304 confirms it.
    let belief: UInt64
    /// For an issuer: the metadata that the key cache learned, and whether a request for metadata failed.
    var metadata: IssuerFetch.Metadata?
    var isTroubled = false
}
