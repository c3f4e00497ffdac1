/// A set of lengths, which rules out most names of a request without looking at their bytes.
struct LengthSet: Sendable {
    /// A bit for each length; the last one is for all that are longer.
    private var lengths: UInt64 = 0

    init(of names: [[UInt8]]) { for name in names { lengths |= Self.bit(name.count) } }

    func contains(_ length: Int) -> Bool { lengths & Self.bit(length) != 0 }

    private static func bit(_ length: Int) -> UInt64 { 1 << UInt64(min(length, 63)) }
}
