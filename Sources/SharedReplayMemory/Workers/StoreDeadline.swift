#if Gateway
internal import CValkey

/// The instant at which a use has its answer, whatever a store does.
struct StoreDeadline: Sendable, Comparable {
    /// By the clock of CValkey.
    let milliseconds: Int64

    init(milliseconds: Int64) { self.milliseconds = milliseconds }

    init(in duration: Duration) {
        let (seconds, attoseconds) = duration.components
        milliseconds = cvalkey_now() + seconds * 1_000 + attoseconds / 1_000_000_000_000_000
    }

    var remaining: Duration { .milliseconds(max(0, milliseconds - cvalkey_now())) }
    var isOver: Bool { cvalkey_now() >= milliseconds }

    static func < (a: Self, b: Self) -> Bool { a.milliseconds < b.milliseconds }
}
#endif
