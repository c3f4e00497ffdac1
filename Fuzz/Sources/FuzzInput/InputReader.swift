/// Takes an input apart.
public struct InputReader {
    public private(set) var rest: ArraySlice<UInt8>

    public init(_ input: [UInt8]) { rest = input[...] }

    /// The next byte; zero after the end.
    public mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

    /// The next number, below `bound`.
    public mutating func number(below bound: Int) -> Int { Int(byte()) % bound }

    /// The bytes before the next `separator`, or all that are left.
    public mutating func part(until separator: UInt8) -> [UInt8] {
        let part = Array(rest.prefix { $0 != separator })
        rest = rest.dropFirst(part.count + 1)
        return part
    }

    public var isAtEnd: Bool { rest.isEmpty }
}
