import JWKSCache

/// A publisher with its key history, the network in front of it, and their faults.
struct Publisher {
    let history: KeyHistory
    let pool: KeyPool
    let habits: Habits
    let addresses: KeyAddresses
    private let outages: [Range<Duration>]
    private var random: SeededGenerator
    private var texts: [UInt64: [UInt8]] = [:]

    /// The constant properties of a publisher.
    struct Habits {
        let isBundle: Bool
        /// Whether its keys are found through an issuer's metadata.
        let hasMetadata: Bool
        let validator: Validator
        let isDated: Bool
        /// The error of its clock.
        let skew: Int64
        /// The age of copies that caches may serve, and of copies served despite revalidation (clarification M23).
        let cacheLag: Duration
        let forcedLag: Duration
        /// The probability that a fetch fails without a cause.
        let flakiness: Double
        /// The probability that a response takes seconds, or longer than the time-out.
        let slowness: Double
        let cacheFields: CacheFields.Kind?

        enum Validator: CaseIterable {
            case none, entityTag, weakTag, date
        }
    }

    /// A future response and its latency.
    struct Delivery {
        /// Nil: never.
        let latency: Duration?
        let answer: Answer
        var fault: Fault?
        /// The release that the response was made from; nil for a fault.
        var release: KeyHistory.Release?
    }

    init(_ habits: Habits, length: Duration, pool: KeyPool, seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        self.habits = habits
        self.pool = pool
        history = KeyHistory(length: length, pool: pool, &random)
        addresses = habits.hasMetadata ? KeyAddresses(length: length, &random) : KeyAddresses()
        outages = (0..<Int.random(in: 0...3, using: &random)).map { _ in
            let start = random.duration(.zero...length)
            let longest: Duration = random.chance(0.3) ? .seconds(3 * 3_600) : .seconds(1_200)
            return start..<start + random.duration(.seconds(10)...longest)
        }
        self.random = random
    }

    /// Answers a request for keys or metadata at this time.
    mutating func deliver(_ request: OutgoingRequest, at now: Duration) -> Delivery {
        let move = addresses.departure(from: request.url, by: now)
        if move == nil, let fault = trouble(now, isConditional: request.isConditional) { return fault }
        let latency = latency()
        if Walk.isMetadata(request.url) {
            return Delivery(latency: latency, answer: addresses.metadata(at: request.url, now) ?? .status(404))
        }
        if let answer = move?.left.answer() { return Delivery(latency: latency, answer: answer) }
        let served = now + latency * Double.random(in: 0...1, using: &random)
        let release = move.map { history.release(at: $0.at) } ?? self.release(servedAt: served, isForced: request.isForced)
        return Delivery(latency: latency, answer: answer(release, to: request, now), release: release)
    }

    /// The current fault, if any.
    private mutating func trouble(_ now: Duration, isConditional: Bool) -> Delivery? {
        let isDown = outages.contains { $0.contains(now) }
        guard isDown || random.chance(habits.flakiness), let drawn = Fault.allCases.randomElement(using: &random) else { return nil }
        // A 304 is a fault only if the request was not conditional.
        let fault = drawn == .unasked && isConditional ? Fault.html : drawn
        return Delivery(latency: fault.latency(&random), answer: fault.answer(&random), fault: fault)
    }

    private mutating func latency() -> Duration {
        guard random.chance(habits.slowness) else { return random.duration(.milliseconds(1)...(.milliseconds(300))) }
        let isInTime = random.chance(0.5)
        return random.duration(isInTime ? .milliseconds(300)...(.milliseconds(9_900)) : .seconds(10)...(.seconds(30)))
    }

    private mutating func release(servedAt moment: Duration, isForced: Bool) -> KeyHistory.Release {
        let longest = isForced ? habits.forcedLag : habits.cacheLag
        return history.release(at: moment - longest * Double.random(in: 0...1, using: &random))
    }

    private mutating func answer(_ release: KeyHistory.Release, to request: OutgoingRequest, _ now: Duration) -> Answer {
        let kind = habits.cacheFields ?? CacheFields.Kind.allCases.randomElement(using: &random) ?? .plain
        let caching = CacheFields(kind, date: now.date + habits.skew, isDated: habits.isDated, &random)
        let said = Answer.Said(lifetime: caching.lifetime, age: caching.age)
        let validator = validator(release)
        let fields = caching.fields + (validator.map { [$0] } ?? [])
        if let known = request.entityTag ?? request.lastModified, known == validator?.value {
            return Answer(ReceivedResponse(status: 304, fields: fields), .same(said))
        }
        let serial = habits.isBundle ? release.serial : nil
        let hint = habits.isBundle && release.serial % 3 == 0 ? 120 : nil
        let body = text(release, serial, hint)
        let meaning = Answer.Meaning.set(keys: release.keys, serial: serial, hint: hint.map { .seconds($0) }, said)
        return Answer(ReceivedResponse(status: 200, fields: fields, body: body), meaning)
    }

    /// By content, as most publishers do: after a rollback the old content has its old tag.
    private func validator(_ release: KeyHistory.Release) -> HeaderField? {
        let names = release.keys.map { "\($0.name).\($0.material ?? -1)" }.joined(separator: "+")
        let content = habits.isBundle ? "\(names)/\(release.serial)" : names
        return switch habits.validator {
        case .none: nil
        case .entityTag: HeaderField("ETag", "\"\(content)\"")
        case .weakTag: HeaderField("etag", "W/\"\(content)\"")
        case .date: HeaderField("Last-Modified", "release \(release.serial)")
        }
    }

    private mutating func text(_ release: KeyHistory.Release, _ serial: UInt64?, _ hint: Int?) -> [UInt8] {
        if let text = texts[release.serial] { return text }
        let text = pool.document(release.keys, serial: serial, hint: hint)
        texts[release.serial] = text
        return text
    }
}
