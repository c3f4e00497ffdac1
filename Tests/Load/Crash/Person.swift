/// A user who acts as long as the server answers, records the answers, and says after a restart what has to hold.
protocol Person: Sendable {
    /// The number of answers of the whole login: the maximum number of callbacks of ``act(onAnswer:)``.
    var answers: Int { get }

    /// Logs in; ends early if no answer comes.
    func act(onAnswer: @Sendable () async -> Void) async

    /// Every received answer stays valid.
    func isHonoured(_ facts: inout Facts) async throws

    /// Nothing that was consumed becomes valid again.
    func keepsConsumed(_ facts: inout Facts) async throws

    /// Nothing that a retry may repeat becomes valid again once the retry time is over.
    func keepsReplaced(_ facts: inout Facts) async throws
}

extension Person {
    func keepsReplaced(_ facts: inout Facts) async throws {}
}
