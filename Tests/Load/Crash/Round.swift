/// Users who act at once while something fails, and the checks of what they have received.
struct Round {
    let people: [any Person]
    let installation: Installation

    /// Kills the only server after an answer, while it works on others.
    func act(killing kill: Kill) async throws {
        let countdown = Countdown(kill.answers), installation = installation
        await act { person in if kill.counts(person), await countdown.isOver() { await installation.kill() } }
        await installation.kill()
        try await installation.start()
    }

    /// Lets servers and the database fail meanwhile.
    func act(under disturbance: Disturbance) async throws {
        try await disturbance.run(installation) { [self] in await act { _ in } }
        try await installation.start()
    }

    private func act(onAnswer: @Sendable @escaping (any Person) async -> Void) async {
        await withTaskGroup(of: Void.self) { group in
            for person in people { group.addTask { await person.act { await onAnswer(person) } } }
        }
    }

    /// Runs a check of each person, eight at a time.
    func check(_ facts: inout Facts, _ body: @Sendable @escaping (any Person, inout Facts) async throws -> Void) async throws {
        for start in stride(from: 0, to: people.count, by: Self.atOnce) {
            let some = people[start..<min(start + Self.atOnce, people.count)]
            let seen = try await withThrowingTaskGroup(of: Facts.self) { group in
                for person in some {
                    group.addTask {
                        var facts = Facts()
                        try await body(person, &facts)
                        return facts
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            for other in seen { facts.add(other) }
        }
    }

    private static let atOnce = 8
}

/// Counts answers.
actor Countdown {
    private var left: Int

    init(_ count: Int) { left = count }

    /// True once: for the last answer.
    func isOver() -> Bool {
        left -= 1
        return left == 0
    }
}
