import JWKSCache
import JWTCore

/// The table of clarification M21 as amended, implemented from its text: the answer to a token whose key id the set lacks.
///
/// | Case | Answer |
/// |---|---|
/// | a probe is in flight, or was just permitted | `keys_unavailable` |
/// | the newest probe has failed, and none is permitted | `keys_unavailable` |
/// | the set was confirmed after this key id was last probed, at most 10 s ago (M23) | `unknown_key` |
/// | no probe is permitted and the set is younger than 10 s | `unknown_key` |
/// | otherwise | `keys_unavailable` |
///
/// A probe that finds the key it was sent for is given back, one in a second.
struct UnknownKeyTable {
    /// The first decisive fetch that bypasses every cache, by key id.
    private var questions: [KeyIDHash: UInt64] = [:]
    private var probes: [Duration] = []
    /// The key ids that probes were sent for, by the number of the fetch.
    private var sent: [UInt64: KeyIDHash] = [:]
    /// The time of the last probe that was given back.
    private var returnedAt: Duration?
    /// The newest forced fetch that failed.
    private var failure: UInt64 = 0
    private var proof: (sequence: UInt64, at: Duration)?
    /// The end of the pause that the source asked for, at most 10 s (M24).
    private var pauseEndsAt: Duration = .zero
    /// Since when tokens have asked without a probe for it.
    private var waitingSince: Duration?
    private static let window: Duration = .seconds(10)
    private static let capacity = 4_096

    enum Row: String, CaseIterable {
        case probeInFlight = "unknown.probe in flight"
        case permitted = "unknown.probe permitted"
        case failed = "unknown.newest probe failed"
        case missing = "unknown.known to be missing"
        case spentAndYoung = "unknown.budget spent, set young"
        case otherwise = "unknown.otherwise"

        var answer: UnknownKeyAnswer { self == .missing || self == .spentAndYoung ? .unknownKey : .keysUnavailable }
    }

    /// The row for `keyID`; nil if so many key ids are open that two rows are possible.
    mutating func row(
        _ keyID: KeyIDHash, flight: FetchOrder?, granted order: FetchOrder?, confirmedAt: Duration?, _ now: Duration
    ) throws(Violation) -> Row? {
        let known = questions[keyID]
        let isMissing = known.map { question in proof.map { question <= $0.sequence && now - $0.at < Self.window } ?? false } ?? false
        // Above its capacity the cache may have forgotten this key id.
        let isCertain = questions.count <= Self.capacity
        let row = try row(isMissing && (isCertain || order == nil), flight, order, confirmedAt, now)
        if order == nil { waitingSince = waitingSince ?? now }
        if let order { sent[order.sequence] = keyID }
        let open = order?.sequence ?? flight.map { $0.isForced ? $0.sequence : $0.sequence + 1 }
        // Repeated requests during the fetch do not delay the answer.
        if let open, row != .missing, known.map({ $0 <= proof?.sequence ?? 0 }) ?? true { questions[keyID] = open }
        return questions.count > Self.capacity ? nil : row
    }

    private func row(
        _ isMissing: Bool, _ flight: FetchOrder?, _ order: FetchOrder?, _ confirmedAt: Duration?, _ now: Duration
    ) throws(Violation) -> Row {
        if let flight, flight.isForced { return .probeInFlight }
        let isFailing = failure > proof?.sequence ?? 0
        if isMissing, !isFailing {
            try expect(order == nil, 2, "a key id that is known to be missing caused a fetch")
            return .missing
        }
        if flight != nil { return .otherwise }
        if order != nil { return .permitted }
        let isSpent = probes.filter { now - $0 < Self.window }.count >= 2
        try expect(isSpent || now < pauseEndsAt, 2, "a probe that the budget permits was not made")
        if isFailing { return .failed }
        return confirmedAt.map { now - $0 < Self.window } ?? false ? .spentAndYoung : .otherwise
    }

    /// A token caused a fetch.
    mutating func probed(_ now: Duration) throws(Violation) {
        probes.removeAll { now - $0 >= Self.window }
        probes.append(now)
        try expect(probes.count <= 2, 1, "\(probes.count) fetches in 10 s because of tokens")
        let patience = waitingSince.map { $0 + Self.window } ?? pauseEndsAt
        try expect(now >= min(pauseEndsAt, patience), 2, "a probe before the source wants one, without anybody having waited for 10 s")
        waitingSince = nil
        pauseEndsAt = .zero
    }

    /// Keys were needed, there are none, and no fetch was ordered.
    mutating func waited(_ now: Duration) { waitingSince = waitingSince ?? now }

    mutating func failed(_ order: FetchOrder, retryAfter: Duration?, _ now: Duration) {
        pauseEndsAt = now + min(retryAfter ?? .zero, Self.window)
        if order.isForced { failure = max(failure, order.sequence) }
    }

    /// - Parameter names: the key ids of the accepted set.
    mutating func confirmed(_ order: FetchOrder, isNew: Bool, names: [String], attemptLimit: Duration, _ now: Duration) {
        pauseEndsAt = .zero
        waitingSince = nil
        // A response after its attempt was cancelled counts as of the cancellation at the latest.
        if order.isForced { proof = (order.sequence, min(now, order.startedAt + attemptLimit)) }
        if isNew { forget() }
        guard let keyID = sent[order.sequence], names.contains(where: { KeyIDHash($0) == keyID }) else { return }
        giveBack(order)
    }

    private mutating func giveBack(_ order: FetchOrder) {
        guard let place = probes.firstIndex(of: order.startedAt), returnedAt.map({ order.startedAt - $0 >= .seconds(1) }) ?? true else {
            return
        }
        probes.remove(at: place)
        returnedAt = order.startedAt
    }

    /// The accepted set has changed or expired.
    mutating func forget() { questions.removeAll(keepingCapacity: true) }
}
