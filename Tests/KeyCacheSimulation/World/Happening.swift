import JWKSCache

/// What the event queue holds.
enum Happening {
    /// The refresher wakes; of several such the last one that was asked for counts.
    case tick(serial: Int)
    indirect case answer(Attempt)
    /// Ordinary traffic.
    case token
    /// Tokens under a key that was published just now, until it verifies.
    indirect case newKey(PublishedKey, release: KeyHistory.Release, since: Duration)
    /// Key ids that nobody has ever published, each once; how many in a batch, and how many batches are to come.
    case junk(count: Int, batches: Int)
    /// One such key id again and again.
    case repeated(String, until: Duration)
    /// The program asks for a refresh.
    case request
    /// The machine sleeps.
    case suspension(Duration)
}
