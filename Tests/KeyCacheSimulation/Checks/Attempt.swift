import JWKSCache
import JWTCore

/// A fetch that was ordered and that will be answered, or not.
struct Attempt {
    let order: FetchOrder
    let delivery: Publisher.Delivery
    /// The set at hand when it began, whose keys are carried over.
    let keys: KeySet?
    /// Which belief its request was about: what a 304 confirms.
    let belief: UInt64
}
