import JWKSCache

/// An event in the queue.
enum Happening {
    /// The refresher wakes; only the last requested wake-up counts.
    case tick(serial: Int)
    indirect case answer(Attempt)
    /// Ordinary traffic.
    case token
    /// Tokens under a newly published key, until one verifies.
    indirect case newKey(PublishedKey, release: KeyHistory.Release, since: Duration)
    /// Key ids that were never published, each used once: the number in a batch, and the number of batches left.
    case junk(count: Int, batches: Int)
    /// One unpublished key id, repeatedly.
    case repeated(String, until: Duration)
    /// The program requests a refresh.
    case request
    /// The machine sleeps.
    case suspension(Duration)
}
