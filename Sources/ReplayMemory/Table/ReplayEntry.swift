internal import JWTCore

/// An entry of a ``ReplayBlock`` in one word: a tag of 36 bits and the end in 28 bits, in steps of 16 seconds. Zero is no entry.
struct ReplayEntry: Equatable {
    let word: UInt64

    static let none = Self(word: 0)
    static let secondsOfStep: Int64 = 16
    private static let endBits: UInt64 = 28
    /// 2106-02-07. A later end counts as this one: the entry is kept until then, and afterwards nothing is admitted.
    static let lastStep: UInt64 = 1 << endBits - 1

    init(word: UInt64) { self.word = word }

    /// - Parameter step: from 1 to ``lastStep``.
    init(_ identifier: ReplayIdentifier, until step: UInt64) {
        // The bits that choose the bucket are others (``ReplayIdentifier/first``).
        word = identifier.second << Self.endBits | step
    }

    var tag: UInt64 { word >> Self.endBits }
    /// It may be forgotten from this step on.
    var end: UInt64 { word & Self.lastStep }
    var isNone: Bool { word == 0 }

    /// Whether it has not ended at the step `now`.
    func isLive(_ now: UInt64) -> Bool { end > now }

    /// The step that `date` is in.
    static func step(of date: NumericDate) -> UInt64 { UInt64(clamping: date.seconds / secondsOfStep) }

    /// The first step that begins at `date` or later.
    static func step(endingAt date: NumericDate) -> UInt64 {
        let seconds = date.nanoseconds > 0 && date.seconds < .max ? date.seconds + 1 : date.seconds
        guard seconds > 0 else { return 0 }
        return min(UInt64((seconds - 1) / secondsOfStep + 1), lastStep)
    }
}
