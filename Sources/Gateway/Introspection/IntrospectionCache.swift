internal import JWTCore
internal import StatusListCache

/// Answers about tokens without their network: decides which answer counts, until when, and which requests are made. A value.
///
/// Times are those of an `ElapsedClock`. Each token has at most one request under way. When there is no room, an entry
/// gives way that is not active, or that was not asked for since the last round.
struct IntrospectionCache: Sendable {
    private let terms: IntrospectionTerms
    private var entries: [Entry] = []
    private var places: [ShownToken: Int] = [:]
    private var hand = 0
    private(set) var byteCount = 0
    /// The tokens with a request under way, and whether each was active before.
    private var flights: [ShownToken: Bool] = [:]
    private var strangers: FetchBudget
    private var acquaintances: FetchBudget
    private var pausedUntil: Duration?

    private struct Entry {
        let token: ShownToken
        var answer: IntrospectionAnswer
        /// The answer counts before this.
        var freshUntil: Duration
        /// An active token's answer may count before this while the endpoint is away.
        var staleUntil: Duration
        /// Whether the last answer that counted said that the token is active. Outages do not change it.
        var wasActive: Bool
        var isUsed = false
    }

    /// What a look-up finds.
    enum Finding: Sendable {
        case answer(IntrospectionAnswer)
        /// A request is under way, or has to be made now.
        case awaited(isNew: Bool)
        /// A request would be of use, and the limits permit none.
        case shed(IntrospectionAnswer)
    }

    /// Requests at once for tokens that were not active before; for those that were, as many again.
    static let mostFlights = 64
    /// How long a request that failed is not repeated for its token.
    static let retryPause = Duration.seconds(1)
    /// An answer counts at least so long: those who waited for it must find it.
    private static let leastLifetime = Duration.seconds(1)

    init(_ terms: IntrospectionTerms) {
        self.terms = terms
        strangers = FetchBudget(limit: terms.requestsPerSecond)
        acquaintances = FetchBudget(limit: terms.requestsPerSecond)
    }

    var count: Int { entries.count }
    var flightCount: Int { flights.count }

    func isUnderWay(_ token: ShownToken) -> Bool { flights[token] != nil }

    /// The answer that counts for `token` at present. With `awaited(isNew: true)` the caller makes a request, and
    /// ``complete(_:_:now:date:)`` must follow.
    mutating func look(_ token: ShownToken, now: Duration) -> Finding {
        let place = places[token]
        if let place {
            // What is not active stays no longer because it is shown again.
            entries[place].isUsed = entries[place].answer.isActive
            if now < entries[place].freshUntil { return .answer(entries[place].answer) }
        }
        if flights[token] != nil { return .awaited(isNew: false) }
        let isKnown = place.map { entries[$0].wasActive } ?? false
        guard takeRequest(isKnown, now) else { return .shed(place.map { lastAnswer(at: $0, now) } ?? .unavailable) }
        flights[token] = isKnown
        return .awaited(isNew: true)
    }

    private mutating func takeRequest(_ isKnown: Bool, _ now: Duration) -> Bool {
        if let pausedUntil, now < pausedUntil { return false }
        guard flights.values.count(where: { $0 == isKnown }) < Self.mostFlights else { return false }
        return isKnown ? acquaintances.take(now) : strangers.take(now)
    }

    /// That of an active token, as long as it may count while the endpoint is away.
    private func lastAnswer(at place: Int, _ now: Duration) -> IntrospectionAnswer {
        entries[place].answer.isActive && now < entries[place].staleUntil ? entries[place].answer : .unavailable
    }

    // What becomes of a request

    /// Takes the result of the request for `token`.
    ///
    /// - Parameter date: what `exp` is compared with.
    mutating func complete(
        _ token: ShownToken, _ result: Result<IntrospectionAnswer, IntrospectionFailure>, now: Duration, date: NumericDate
    ) {
        flights[token] = nil
        switch result {
        case .success(let answer): keep(answer, for: token, now, date)
        case .failure(let failure):
            // A shorter pause, of an answer that was under way, ends no longer one.
            if let pause = failure.pause { pausedUntil = max(pausedUntil ?? now, now + pause) }
            fail(token, failure.isAnswer ? .refused : .unavailable, now)
        }
    }

    private mutating func keep(_ answer: IntrospectionAnswer, for token: ShownToken, _ now: Duration, _ date: NumericDate) {
        guard case .active(let claims) = answer else {
            return put(Entry(token: token, answer: answer, freshUntil: now + terms.inactiveLifetime, staleUntil: now, wasActive: false))
        }
        // Beyond `exp` no answer counts. The policy, which knows the leeway, judges what is left of it.
        let rest = claims.expiration.map { Duration.seconds(max(0, min($0.seconds, Self.latest) - date.seconds)) }
        let lifetime = max(Self.leastLifetime, min(terms.activeLifetime, rest ?? terms.activeLifetime))
        let stale = min(lifetime + terms.staleIfError, max(lifetime, rest ?? lifetime + terms.staleIfError))
        put(Entry(token: token, answer: answer, freshUntil: now + lifetime, staleUntil: now + stale, wasActive: true))
    }

    /// In seconds since 1970: a later date makes no difference to a lifetime.
    private static let latest: Int64 = 1 << 40

    private mutating func fail(_ token: ShownToken, _ answer: IntrospectionAnswer, _ now: Duration) {
        if case .unavailable = answer, let place = places[token], entries[place].answer.isActive, now < entries[place].staleUntil {
            entries[place].freshUntil = min(now + Self.retryPause, entries[place].staleUntil)
            return
        }
        let wasActive = places[token].map { entries[$0].wasActive } ?? false
        put(Entry(token: token, answer: answer, freshUntil: now + Self.retryPause, staleUntil: now, wasActive: wasActive))
    }

    // Room

    private mutating func put(_ entry: Entry) {
        if let place = places[entry.token] {
            byteCount += entry.answer.byteCount - entries[place].answer.byteCount
            entries[place] = entry
        } else {
            places[entry.token] = entries.count
            entries.append(entry)
            byteCount += entry.answer.byteCount
        }
        while entries.count > max(1, terms.maximumTokens) || byteCount > terms.maximumBytes, entries.count > 1 { evict(but: entry.token) }
    }

    /// Removes one entry: the next that was not used since the hand passed it.
    private mutating func evict(but kept: ShownToken) {
        while true {
            if hand >= entries.count { hand = 0 }
            if entries[hand].token == kept {
                hand += 1
            } else if entries[hand].isUsed {
                entries[hand].isUsed = false
                hand += 1
            } else {
                return remove(at: hand)
            }
        }
    }

    private mutating func remove(at place: Int) {
        byteCount -= entries[place].answer.byteCount
        places[entries[place].token] = nil
        let last = entries.removeLast()
        guard place < entries.count else { return }
        entries[place] = last
        places[last.token] = place
    }
}
