import JWKSCache
import JWTCore

/// One key cache, its publisher and its tokens, from the first moment to the last: everything that happens follows from the seed.
struct Simulation {
    let character: Character
    var publisher: Publisher
    var random: SeededGenerator
    var now: Duration = .zero
    var core: KeySetCore
    var queue: EventQueue<Happening>
    var journal: Journal
    var coverage = Coverage()

    // What is checked against.
    var belief: Belief
    var table = UnknownKeyTable()
    var patience = Patience()
    var removed: RemovedKeys
    var schedule: Schedule
    var agreement: Agreement
    var evidence = Evidence()

    private var tickSerial = 0
    private var tickAt: Duration?
    private var awakeAt: Duration = .zero
    var junk = 0

    init(seed: UInt64, pool: KeyPool, isTraced: Bool = false) {
        random = SeededGenerator(seed: seed)
        character = Character(&random)
        publisher = Publisher(character.habits, length: character.length, pool: pool, &random)
        queue = EventQueue(seed: random.next())
        core = KeySetCore(policy: character.policy, seed: random.next(), now: .zero)
        journal = Journal(isTraced: isTraced)
        belief = Belief(character.policy)
        removed = RemovedKeys(character.policy)
        schedule = Schedule(character.policy)
        agreement = Agreement(pool)
    }

    var format: KeySetSource.Format { character.habits.isBundle ? .spiffeBundle : .jwks }
    var date: Int64 { 1_790_000_000 + now.components.seconds }

    /// Runs to the end, or to what must not be.
    mutating func run() throws(Violation) {
        coverage.count("policy.\(character.policyName)")
        if character.isWarm { try restore() }
        plan()
        try settle()
        while let next = queue.next, next <= character.length, let (at, happening) = queue.popFirst() {
            now = max(at, now)
            try happen(happening)
            try settle()
        }
    }

    private mutating func happen(_ happening: Happening) throws(Violation) {
        switch happening {
        case .tick(let serial): if serial == tickSerial { try tick() }
        case .answer(let attempt): try finish(attempt)
        case .token: try traffic()
        case .newKey(let key, let release, let since): try follow(key, release, since)
        case .junk(let count, let batches): try flood(count, batches)
        case .repeated(let name, let end): try nag(name, end)
        case .request: try request()
        case .suspension(let length): suspend(length)
        }
    }

    /// What holds after every step; and the refresher's alarm is set anew.
    private mutating func settle() throws(Violation) {
        try agreement.check(core, belief, now)
        let next = max(core.state.nextTick, now)
        guard next != tickAt else { return }
        tickSerial += 1
        tickAt = next
        queue.add(.tick(serial: tickSerial), at: max(next, awakeAt))
    }

    private mutating func tick() throws(Violation) {
        tickAt = nil
        let order = try passTime { core, now, events in core.tick(now: now, &events) }
        if let order { try begin(order) }
        try schedule.settled(core.state, now)
    }

    /// Does something that looks at the clock first: what ends and what is given up is noted.
    mutating func passTime(
        _ body: (inout KeySetCore, Duration, inout [RefreshEvent.Kind]) -> FetchOrder?
    ) throws(Violation) -> FetchOrder? {
        let before = belief.number
        belief.end(now)
        if belief.number != before {
            table.forget()
            journal.note(now, "the keys end")
            coverage.count("set.ended")
        }
        let flight = core.state.flight
        var events: [RefreshEvent.Kind] = []
        let order = body(&core, now, &events)
        if let flight, now >= flight.startedAt + core.policy.attemptLimit { try giveUp(flight) }
        return order
    }

    private mutating func giveUp(_ order: FetchOrder) throws(Violation) {
        journal.note(now, "given up", order.sequence)
        coverage.count("fetch.given up")
        table.failed(retryAfter: nil, now)
        removed.troubled(now)
        patience.ended(now)
        try expect(core.state.flight != order, 7, "#\(order.sequence) has not been given up")
        try schedule.failed(core.state, retryAfter: nil, isHeld: false, now)
    }

    /// The machine does nothing for a while; the world goes on.
    private mutating func suspend(_ length: Duration) {
        journal.note(now, "suspended")
        coverage.count("world.suspensions")
        now += length
        awakeAt = now
        queue.postpone(to: now)
        removed.troubled(now)
        journal.note(now, "awake")
    }
}
