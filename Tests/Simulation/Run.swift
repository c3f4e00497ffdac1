import JWKSCache

/// `key-cache-simulation [--seeds N] [--first S] [--seed S [--trace]] [--fleet]`
struct Run {
    private var first: UInt64 = 1
    private var count: UInt64 = 2_500
    private var isTraced = false
    private var hasFleet = true
    private var hasSeeds = true
    private var isUnderstood = true

    init(_ arguments: ArraySlice<String>) {
        var arguments = arguments
        while let argument = arguments.popFirst() {
            switch argument {
            case "--seeds": count = number(&arguments)
            case "--first": first = number(&arguments)
            case "--seed": (first, count, hasFleet) = (number(&arguments), 1, false)
            case "--trace": isTraced = true
            case "--fleet": hasSeeds = false
            default: isUnderstood = false
            }
        }
    }

    private mutating func number(_ arguments: inout ArraySlice<String>) -> UInt64 {
        let number = arguments.popFirst().flatMap { UInt64($0) }
        isUnderstood = isUnderstood && number != nil
        return number ?? 0
    }

    /// Whether all invariants held.
    func succeeds() async -> Bool {
        guard isUnderstood else {
            print("usage: key-cache-simulation [--seeds N] [--first S] [--seed S [--trace]] [--fleet]")
            return false
        }
        let pool = KeyPool()
        guard !hasSeeds || runSeeds(pool) else { return false }
        guard hasFleet else { return true }
        guard Fleet(pool).succeeds(), hasEvenLists() else { return false }
        return await losesNoEvent()
    }

    private func hasEvenLists() -> Bool {
        do {
            return try ListFleet().succeeds()
        } catch {
            print("the lists of the fleet are refused: \(error)")
            return false
        }
    }

    private func losesNoEvent() async -> Bool {
        do {
            var fleet = try await EventFleet()
            return try await fleet.succeeds()
        } catch {
            print("the events of the fleet fail: \(error)")
            return false
        }
    }

    private func runSeeds(_ pool: KeyPool) -> Bool {
        var coverage = Coverage()
        var events = 0
        for seed in first..<first + count {
            var simulation = Simulation(seed: seed, pool: pool, isTraced: isTraced)
            do throws(Violation) {
                try simulation.run()
            } catch {
                report(error, seed, simulation)
                return false
            }
            coverage.add(simulation.coverage)
            events += simulation.journal.events
        }
        let fetches = coverage.sum("cause"), tokens = coverage.sum("token"), junk = coverage["world.junk"]
        print("\(count) seeds, \(events) events, \(fetches) fetches, \(tokens) tokens, \(junk) junk key ids passed")
        for line in coverage.lines { print(line) }
        return true
    }

    private func report(_ violation: Violation, _ seed: UInt64, _ simulation: Simulation) {
        print("seed \(seed), \(simulation.character.policyName), at \(simulation.now.clock)")
        print("invariant \(violation.invariant): \(violation.finding)")
        for line in simulation.journal.last where !isTraced { print("  \(line)") }
        print("again: .build/release/key-cache-simulation --seed \(seed) --trace")
    }
}
