import Testing

/// The tests with this trait run one at a time, of whatever suite. Those that force a tier change which tables every key of the process
/// gets: a test that waits for a table would wait for ever.
struct TierTurn: SuiteTrait, TestTrait, TestScoping {
    let isRecursive = true

    func provideScope(
        for test: Test, testCase: Test.Case?, performing body: @Sendable () async throws -> Void
    ) async throws {
        guard testCase != nil else { return try await body() }
        await Self.turns.take()
        do {
            try await body()
        } catch {
            await Self.turns.giveBack()
            throw error
        }
        await Self.turns.giveBack()
    }

    private static let turns = Turns()

    private actor Turns {
        private var isTaken = false
        private var waiting: [CheckedContinuation<Void, Never>] = []

        func take() async {
            if isTaken {
                await withCheckedContinuation { waiting.append($0) }
            } else {
                isTaken = true
            }
        }

        /// Passes the turn to the test that has waited longest.
        func giveBack() {
            if waiting.isEmpty { isTaken = false } else { waiting.removeFirst().resume() }
        }
    }
}

extension Trait where Self == TierTurn {
    static var tierTurn: Self { TierTurn() }
}
