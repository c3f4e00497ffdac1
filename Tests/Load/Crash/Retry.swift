/// The time for which a server repeats an answer to the same request.
enum Retry {
    /// Whether the time is certainly not over, which is 30 s long by the server's clock.
    static func isSure(since answer: ContinuousClock.Instant?) -> Bool {
        answer.map { .now - $0 < .seconds(20) } ?? false
    }
}
