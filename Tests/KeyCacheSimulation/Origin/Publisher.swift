import JWKSCache
import JWTCore

/// A publisher with its key history, the network in front of it, and their bad days.
struct Publisher {
    let history: KeyHistory
    let pool: KeyPool
    let habits: Habits
    private let outages: [Range<Duration>]
    private var texts: [UInt64: [UInt8]] = [:]

    /// What one publisher always does.
    struct Habits {
        let isBundle: Bool
        let validator: Validator
        let isDated: Bool
        /// How far its clock is off.
        let skew: Int64
        /// How old a copy may be that caches serve, and one that they serve although asked to look again (clarification M23).
        let cacheLag: Duration
        let forcedLag: Duration
        /// How often a fetch fails for no reason.
        let flakiness: Double
        /// How often an answer takes seconds, or longer than anybody waits.
        let slowness: Double
        let cacheFields: CacheFields.Kind?

        enum Validator: CaseIterable {
            case none, entityTag, weakTag, date
        }
    }

    /// Something to come: when, and what.
    struct Delivery {
        /// Nil: never.
        let latency: Duration?
        let answer: Answer
        let fault: Fault?
        /// What the answer was made from; nil for a fault.
        let release: KeyHistory.Release?
        let isConditional: Bool
    }

    init(_ habits: Habits, length: Duration, pool: KeyPool, _ random: inout SeededGenerator) {
        self.habits = habits
        self.pool = pool
        history = KeyHistory(length: length, pool: pool, &random)
        var outages: [Range<Duration>] = []
        for _ in 0..<Int.random(in: 0...3, using: &random) {
            let start = random.duration(.zero...length)
            let longest: Duration = random.chance(0.3) ? .seconds(3 * 3_600) : .seconds(1_200)
            outages.append(start..<start + random.duration(.seconds(10)...longest))
        }
        self.outages = outages
    }

    /// Answers a request that is sent now.
    mutating func deliver(
        _ order: FetchOrder, _ validators: Validators?, now: Duration, date: Int64, _ random: inout SeededGenerator
    ) -> Delivery {
        let isDown = outages.contains { $0.contains(now) }
        if isDown || random.chance(habits.flakiness), let fault = Fault.allCases.randomElement(using: &random) {
            // A 304 is a fault only where nobody asked whether anything had changed.
            let fault = fault == .unasked && validators != nil ? Fault.html : fault
            return Delivery(
                latency: fault.latency(&random), answer: fault.answer(&random), fault: fault, release: nil, isConditional: validators != nil
            )
        }
        let latency = latency(&random)
        let release = release(servedAt: now + latency * Double.random(in: 0...1, using: &random), isForced: order.isForced, &random)
        let (answer, isConditional) = answer(release, validators, date: date + habits.skew, &random)
        return Delivery(latency: latency, answer: answer, fault: nil, release: release, isConditional: isConditional)
    }

    private func latency(_ random: inout SeededGenerator) -> Duration {
        guard random.chance(habits.slowness) else { return random.duration(.milliseconds(1)...(.milliseconds(300))) }
        let isInTime = random.chance(0.5)
        return random.duration(isInTime ? .milliseconds(300)...(.milliseconds(9_900)) : .seconds(10)...(.seconds(30)))
    }

    private func release(servedAt moment: Duration, isForced: Bool, _ random: inout SeededGenerator) -> KeyHistory.Release {
        let longest = isForced ? habits.forcedLag : habits.cacheLag
        return history.release(at: moment - longest * Double.random(in: 0...1, using: &random))
    }

    private mutating func answer(
        _ release: KeyHistory.Release, _ validators: Validators?, date: Int64, _ random: inout SeededGenerator
    ) -> (Answer, isConditional: Bool) {
        let kind = habits.cacheFields ?? CacheFields.Kind.allCases.randomElement(using: &random) ?? .plain
        let caching = CacheFields(kind, date: date, isDated: habits.isDated, &random)
        let said = Answer.Said(lifetime: caching.lifetime, age: caching.age)
        let validator = validator(release)
        let fields = caching.fields + (validator.map { [$0] } ?? [])
        let known = validators?.entityTag ?? validators?.lastModified
        if let known, known == validator?.value {
            return (Answer(response: .success(DocumentResponse(status: 304, fields: fields)), meaning: .same(said)), true)
        }
        let serial = habits.isBundle ? release.serial : nil
        let hint = habits.isBundle && release.serial % 3 == 0 ? 120 : nil
        let body = text(release, serial, hint)
        let meaning = Answer.Meaning.set(keys: release.keys, serial: serial, hint: hint.map { .seconds($0) }, said)
        return (Answer(response: .success(DocumentResponse(status: 200, fields: fields, body: body)), meaning: meaning), known != nil)
    }

    /// By content, as most publishers make it: what comes back after a rollback has its old tag.
    private func validator(_ release: KeyHistory.Release) -> (name: String, value: String)? {
        let names = release.keys.map { "\($0.name).\($0.material ?? -1)" }.joined(separator: "+")
        let content = habits.isBundle ? "\(names)/\(release.serial)" : names
        return switch habits.validator {
        case .none: nil
        case .entityTag: ("ETag", "\"\(content)\"")
        case .weakTag: ("etag", "W/\"\(content)\"")
        case .date: ("Last-Modified", "release \(release.serial)")
        }
    }

    private mutating func text(_ release: KeyHistory.Release, _ serial: UInt64?, _ hint: Int?) -> [UInt8] {
        if let text = texts[release.serial] { return text }
        let text = pool.document(release.keys, serial: serial, hint: hint)
        texts[release.serial] = text
        return text
    }
}
