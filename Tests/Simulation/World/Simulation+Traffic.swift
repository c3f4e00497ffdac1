import JWKSCache
import JWTCore

extension Simulation {
    /// Queues every event that does not follow from another.
    mutating func plan() {
        queue.add(.token, at: random.duration(.zero...(.seconds(60))))
        if random.chance(0.3) { queue.add(.request, at: moment()) }
        planNewKeys()
        planFloods()
        for number in 0..<Int.random(in: 0...4, using: &random) {
            let start = moment()
            queue.add(.repeated("nobody-\(number)", until: start + random.duration(.seconds(5)...(.seconds(90)))), at: start)
        }
        for _ in 0..<Int.random(in: 0...2, using: &random) {
            queue.add(.suspension(random.duration(.seconds(1)...(.seconds(9_000)))), at: moment())
        }
    }

    private mutating func moment() -> Duration { random.duration(.zero...character.length) }

    private mutating func planNewKeys() {
        for release in publisher.history.releases where random.chance(0.6) {
            guard let key = release.signing else { continue }
            let start = release.at + random.duration(.zero...(.seconds(30)))
            queue.add(.newKey(key, release: release, since: start), at: start)
        }
    }

    private mutating func planFloods() {
        for _ in 0..<Int.random(in: 0...3, using: &random) {
            let batches = Int.random(in: 1...12, using: &random)
            let rotation = publisher.history.releases.randomElement(using: &random)?.at
            // A flood is worst while a key is new; some floods exceed the memory for key ids.
            let start = random.chance(0.5) ? rotation ?? .zero : moment()
            queue.add(.junk(count: batches == 12 ? 500 : 1_000 / batches, batches: batches), at: start)
        }
    }

    /// One token, usually under a current key.
    mutating func traffic() throws(Violation) {
        let releases = publisher.history.releases
        let current = publisher.history.release(at: now)
        let release = random.chance(0.7) ? current : releases.randomElement(using: &random) ?? current
        if let key = release.signing ?? release.keys.first { _ = try present(key) }
        let pause = random.chance(0.01) ? random.duration(.seconds(1_800)...(.seconds(7_200))) : random.duration(.zero...character.pace)
        queue.add(.token, at: now + pause)
    }

    /// Tokens under a new key until one verifies: the rotation guarantee (invariant 2).
    mutating func follow(_ key: PublishedKey, _ release: KeyHistory.Release, _ since: Duration) throws(Violation) {
        guard try !present(key) else { return coverage.count("newkey.verified") }
        let isPublished = publisher.history.releases.allSatisfy { $0.at < release.at || $0.at > now || $0.keys.contains(key) }
        // A known name with other material is not unknown: its new key comes with the next refresh.
        let isUnknown = !(core.keys?.keys.contains { $0.keyID == key.name } ?? false)
        guard isPublished, isUnknown, now < since + .seconds(120) else { return coverage.count("newkey.abandoned") }
        let visible = max(since, release.at + character.habits.forcedLag, removed.troubledAt)
        // Ten seconds, plus the fetch in progress and the one that gets the key.
        let limit: Duration = .seconds(10) + core.policy.attemptLimit * 2 + Patience.step
        try expect(now <= visible + limit, 2, "\(key.name) is not adopted \(now - visible) after it could have been")
        queue.add(.newKey(key, release: release, since: since), at: now + random.duration(.milliseconds(50)...Patience.step))
    }

    mutating func flood(_ count: Int, _ batches: Int) throws(Violation) {
        coverage.count("world.junk", count)
        for _ in 0..<count {
            junk += 1
            try presentUnknown("junk-\(junk)", isPatient: false)
        }
        if batches > 1 { queue.add(.junk(count: count, batches: batches - 1), at: now + random.duration(.milliseconds(1)...(.seconds(2)))) }
    }

    mutating func nag(_ name: String, _ end: Duration) throws(Violation) {
        try presentUnknown(name, isPatient: true)
        if now < end { queue.add(.repeated(name, until: end), at: now + random.duration(.milliseconds(10)...Patience.step)) }
    }

    private mutating func presentUnknown(_ name: String, isPatient: Bool) throws(Violation) {
        guard core.state.hasKeys(now) else { return try wantKeys() }
        _ = try ask(name, isPatient: isPatient)
    }

    /// A token under `key`.
    ///
    /// - Returns: whether it verifies.
    mutating func present(_ key: PublishedKey) throws(Violation) -> Bool {
        guard core.state.hasKeys(now), let keys = core.keys else {
            try wantKeys()
            return false
        }
        patience.found("any key")
        let named = keys.keys.filter { $0.keyID == key.name }
        guard !named.isEmpty else {
            let answer = try ask(key.name, isPatient: true)
            if answer == .unknownKey { try evidence.check(key, publisher.history, core.policy, now) }
            return false
        }
        patience.found(key.name)
        let thumbprint = key.material.map { publisher.pool.thumbprints[$0] }
        guard key.isUsable, named.contains(where: { $0.unusableReason == nil && $0.thumbprint == thumbprint }) else {
            coverage.count("token.refused")
            return false
        }
        coverage.count(try removed.accepted(key, publisher, now) ? "token.under a removed key" : "token.verified")
        return true
    }

    private mutating func wantKeys() throws(Violation) {
        coverage.count("token.no keys")
        let order = try passTime { core, now in core.keysWanted(now: now) }
        if let order { try begin(order) } else { table.waited(now) }
        try patience.asked("any key", now)
    }

    /// A token names a key that the set lacks.
    private mutating func ask(_ name: String, isPatient: Bool) throws(Violation) -> UnknownKeyAnswer {
        let keyID = KeyIDHash(name), flight = core.state.flight
        let (answer, order) = core.keyMissing(keyID, now: now)
        let row = try table.row(keyID, flight: flight, granted: order, confirmedAt: belief.confirmedAt, now)
        if isPatient { journal.note(now, "unknown", order?.sequence, name, "\(answer)") }
        if let row {
            coverage.count(row.rawValue)
            try expect(answer == row.answer, 2, "\(name) is answered \(answer), not \(row.answer): \(row)")
        }
        if let order { try begin(order) }
        if isPatient { try patience.asked(name, now) }
        return answer
    }
}
