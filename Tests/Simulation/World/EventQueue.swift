import JWKSCache

/// Future events, by time. The seed decides the order of simultaneous events.
struct EventQueue<Event> {
    private struct Entry {
        let at: Duration
        let tie: UInt64
        let event: Event

        func precedes(_ other: Self) -> Bool { at == other.at ? tie < other.tie : at < other.at }
    }

    /// The next event last.
    private var entries: [Entry] = []
    private var ties: SeededGenerator

    init(seed: UInt64) { ties = SeededGenerator(seed: seed) }

    var next: Duration? { entries.last?.at }

    mutating func add(_ event: Event, at moment: Duration) {
        let entry = Entry(at: moment, tie: ties.next(), event: event)
        var low = 0, high = entries.count
        while low < high {
            let middle = (low + high) / 2
            if entry.precedes(entries[middle]) { low = middle + 1 } else { high = middle }
        }
        entries.insert(entry, at: low)
    }

    mutating func popFirst() -> (at: Duration, event: Event)? { entries.popLast().map { ($0.at, $0.event) } }

    /// After a sleep the machine handles all missed events at `moment`, in any order.
    mutating func postpone(to moment: Duration) {
        var missed: [Event] = []
        while let next, next < moment, let first = popFirst() { missed.append(first.event) }
        for event in missed { add(event, at: moment) }
    }
}
