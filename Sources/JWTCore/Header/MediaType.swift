/// The media types that a policy allows.
struct MediaTypes: Sendable {
    let types: [String]
    /// Without `application/`, and without the empty type.
    private let names: NameList
    let allowAbsence: Bool

    init(_ types: [String]) {
        self.types = types
        names = NameList(types.filter { !$0.isEmpty }.map { $0.utf8.span.shortMediaType.text })
        allowAbsence = types.contains("")
    }

    /// Whether `type` is one of them, compared as media types.
    func contains(_ type: borrowing JSONString) -> Bool {
        if names.contains(type) { return true }
        if type.isEscaped { return types.contains { !$0.isEmpty && type.isMediaType($0) } }
        return names.contains { $0.equalsIgnoringCase(type.raw.shortMediaType) }
    }
}

extension JSONString {
    fileprivate static var prefix: StaticString { "application/" }

    /// Equality of media types in a JOSE header: case-insensitive, and `application/` is optional (RFC 7515 section 4.1.9).
    func isMediaType(_ type: String) -> Bool {
        guard !isEscaped else { return !exceeds(type.utf8.count + Self.prefix.utf8CodeUnitCount) && string.isMediaType(type) }
        return raw.shortMediaType.equalsIgnoringCase(type.utf8.span.shortMediaType)
    }
}

extension String {
    fileprivate func isMediaType(_ type: String) -> Bool {
        utf8.span.shortMediaType.equalsIgnoringCase(type.utf8.span.shortMediaType)
    }
}

extension Span<UInt8> {
    /// Without a leading `application/`.
    fileprivate var shortMediaType: Span<UInt8> {
        @_lifetime(copy self) get {
            let prefix = JSONString.prefix
            guard count > prefix.utf8CodeUnitCount, extracting(0..<prefix.utf8CodeUnitCount).equalsIgnoringCase(prefix) else { return self }
            return extracting(prefix.utf8CodeUnitCount..<count)
        }
    }

    private func equalsIgnoringCase(_ literal: StaticString) -> Bool { equalsIgnoringCase(literal.description.utf8.span) }

    /// Equality without ASCII case; other bytes are compared exactly.
    fileprivate func equalsIgnoringCase(_ other: Span<UInt8>) -> Bool {
        guard count == other.count else { return false }
        for index in 0..<count where Self.lowered(self[index]) != Self.lowered(other[index]) { return false }
        return true
    }

    fileprivate var text: String { String(decoding: Array(copying: self), as: UTF8.self) }

    private static func lowered(_ byte: UInt8) -> UInt8 { byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte }
}
