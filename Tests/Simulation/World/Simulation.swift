import JWKSCache
import JWTCore

/// One key cache with its publisher and its tokens, for a whole run: every event follows from the seed.
struct Simulation {
    let character: Character
    var publisher: Publisher
    var random: SeededGenerator
    var now: Duration = .zero
    var core: KeySetCore
    var queue: EventQueue<Happening>
    var journal: Journal
    var coverage = Coverage()
    /// The known metadata, for an issuer.
    var metadata: IssuerFetch.Metadata?

    // The expected state.
    var belief: Belief
    var table = UnknownKeyTable()
    var patience = Patience()
    var removed: RemovedKeys
    var schedule: Schedule
    var agreement: Agreement
    var evidence = Evidence()
    var moved: MovedKeys

    private var tickSerial = 0
    private var tickAt: Duration?
    private var awakeAt: Duration = .zero
    var junk = 0

    init(seed: UInt64, pool: KeyPool, isTraced: Bool = false) {
        random = SeededGenerator(seed: seed)
        character = Character(&random)
        publisher = Publisher(character.habits, length: character.length, pool: pool, seed: random.next())
        queue = EventQueue(seed: random.next())
        core = KeySetCore(policy: character.policy, seed: random.next(), now: .zero)
        journal = Journal(isTraced: isTraced)
        belief = Belief(character.policy)
        removed = RemovedKeys(character.policy)
        schedule = Schedule(character.policy)
        moved = MovedKeys(character.policy)
        agreement = Agreement(pool)
    }

    var format: KeySetSource.Format { character.habits.isBundle ? .spiffeBundle : .jwks }

    /// Runs to the end, or to a violation.
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

    /// Checks the invariants after every step, and sets the refresher's next wake-up.
    private mutating func settle() throws(Violation) {
        try agreement.check(core, belief, now)
        // The checks read the state, not the events.
        _ = core.takeEvents()
        let next = max(core.state.nextTick, now)
        guard next != tickAt else { return }
        tickSerial += 1
        tickAt = next
        queue.add(.tick(serial: tickSerial), at: max(next, awakeAt))
    }

    private mutating func tick() throws(Violation) {
        tickAt = nil
        let order = try passTime { core, now in core.tick(now: now) }
        if let order { try begin(order) }
        try schedule.settled(core.state, now)
    }

    /// Does something that first checks the clock: expiries and cancellations are recorded.
    mutating func passTime(_ body: (inout KeySetCore, Duration) -> FetchOrder?) throws(Violation) -> FetchOrder? {
        let before = belief.number
        belief.end(now)
        if belief.number != before {
            table.forget()
            journal.note(now, "the keys end")
            coverage.count("set.ended")
        }
        let flight = core.state.flight
        let order = body(&core, now)
        if let flight, now >= flight.startedAt + core.policy.attemptLimit { try giveUp(flight) }
        return order
    }

    private mutating func giveUp(_ order: FetchOrder) throws(Violation) {
        journal.note(now, "given up", order.sequence)
        coverage.count("fetch.given up")
        table.failed(order, retryAfter: nil, now)
        removed.troubled(now)
        patience.ended(now)
        try expect(core.state.flight != order, 7, "#\(order.sequence) has not been given up")
        try schedule.failed(core.state, retryAfter: nil, isHeld: false, now)
    }

    /// The machine sleeps for a while; the world continues.
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
