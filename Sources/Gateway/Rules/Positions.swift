/// Positions in one of a policy's lists, which have at most 64 elements (``RequirementCheck``).
struct Positions: Hashable, Sendable {
    private var bits: UInt64 = 0

    init() {}

    init(_ position: Int) { insert(position) }

    init(_ positions: some Sequence<Int>) { for position in positions { insert(position) } }

    var isEmpty: Bool { bits == 0 }
    var count: Int { bits.nonzeroBitCount }
    var first: Int? { bits == 0 ? nil : bits.trailingZeroBitCount }

    mutating func insert(_ position: Int) {
        precondition(position >= 0 && position < 64)
        bits |= 1 << UInt64(position)
    }

    func contains(_ position: Int) -> Bool { position < 64 && bits >> UInt64(position) & 1 == 1 }

    func isSubset(of other: Self) -> Bool { bits & ~other.bits == 0 }

    mutating func formUnion(_ other: Self) { bits |= other.bits }

    func union(_ other: Self) -> Self {
        var result = self
        result.formUnion(other)
        return result
    }

    func intersection(_ other: Self) -> Self {
        var result = self
        result.bits &= other.bits
        return result
    }
}

extension Positions: Sequence {
    /// In ascending order.
    struct Iterator: IteratorProtocol {
        fileprivate var rest: UInt64

        mutating func next() -> Int? {
            guard rest != 0 else { return nil }
            defer { rest &= rest - 1 }
            return rest.trailingZeroBitCount
        }
    }

    func makeIterator() -> Iterator { Iterator(rest: bits) }
}
