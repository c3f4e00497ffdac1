import JWKSCache

/// What is to happen, by time. Of things that happen at once the seed decides which comes first.
struct EventQueue<Event> {
    private struct Entry {
        let at: Duration
        let tie: UInt64
        let event: Event

        func precedes(_ other: Self) -> Bool { at == other.at ? tie < other.tie : at < other.at }
    }

    private var heap: [Entry] = []
    private var ties: SeededGenerator

    init(seed: UInt64) { ties = SeededGenerator(seed: seed) }

    var next: Duration? { heap.first?.at }

    mutating func add(_ event: Event, at moment: Duration) {
        heap.append(Entry(at: moment, tie: ties.next(), event: event))
        var child = heap.count - 1
        while child > 0, heap[child].precedes(heap[(child - 1) / 2]) {
            heap.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    mutating func popFirst() -> (at: Duration, event: Event)? {
        guard let first = heap.first, let last = heap.popLast() else { return nil }
        guard !heap.isEmpty else { return (first.at, first.event) }
        heap[0] = last
        sink()
        return (first.at, first.event)
    }

    private mutating func sink() {
        var parent = 0
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count && heap[child].precedes(heap[least]) { least = child }
            guard least != parent else { return }
            heap.swapAt(parent, least)
            parent = least
        }
    }

    /// A machine that slept does everything it has missed at `moment`, in any order.
    mutating func postpone(to moment: Duration) {
        var missed: [Event] = []
        while let next, next < moment, let first = popFirst() { missed.append(first.event) }
        for event in missed { add(event, at: moment) }
    }
}
