/// A few names to compare with, concatenated as UTF-8: no `String` is decoded per token, and no array of arrays is retained array by array.
package struct NameList: Sendable {
    private var bytes: [UInt8] = []
    private var ends: [Int] = []

    package init(_ names: [String] = []) {
        for name in names {
            bytes += name.utf8
            ends.append(bytes.count)
        }
    }

    package var isEmpty: Bool { ends.isEmpty }
    package var count: Int { ends.count }

    /// The names, in order.
    var names: [String] { (0..<ends.count).map { String(decoding: bytes[range(of: $0)], as: UTF8.self) } }

    /// The UTF-8 of the name at this position.
    package subscript(position: Int) -> Span<UInt8> {
        @_lifetime(borrow self) get { bytes.span.extracting(range(of: position)) }
    }

    /// Lends the UTF-8 of the name at this position: a span of an object's list cannot leave an expression.
    package func lend<Result>(_ position: Int, _ body: (Span<UInt8>) -> Result) -> Result { body(self[position]) }

    /// Whether `name` is one of them, byte for byte.
    func contains(_ name: borrowing JSONString) -> Bool {
        name.isEscaped ? containsEscaped(name) : contains(name.raw)
    }

    /// Whether `name`, in UTF-8, is one of them.
    @inline(__always)
    func contains(_ name: Span<UInt8>) -> Bool { bytes.span.lists(name, upTo: ends.span) }

    /// Whether `value` is a string, and one of them.
    func lists(_ value: borrowing JSONValue) -> Bool {
        guard let name = value.string else { return false }
        return contains(name)
    }

    /// A separate function, because inlining it would make the usual path several times longer.
    @inline(never)
    private func containsEscaped(_ name: borrowing JSONString) -> Bool {
        for ordinal in 0..<ends.count where isCalled(ordinal, name) { return true }
        return false
    }

    /// Whether `predicate` holds for one of the names.
    @inline(__always)
    package func contains(where predicate: (Span<UInt8>) -> Bool) -> Bool {
        for ordinal in 0..<ends.count where predicate(bytes.span.extracting(range(of: ordinal))) { return true }
        return false
    }

    /// Whether `name` is the first name.
    func begins(with name: borrowing JSONString) -> Bool { !isEmpty && isCalled(0, name) }

    @inline(__always)
    private func isCalled(_ ordinal: Int, _ name: borrowing JSONString) -> Bool {
        let entry = bytes.span.extracting(range(of: ordinal))
        return name.isEscaped ? name.equals(entry) : name.raw.equals(entry)
    }

    @inline(__always)
    private func range(of ordinal: Int) -> Range<Int> { (ordinal == 0 ? 0 : ends[ordinal - 1])..<ends[ordinal] }
}
