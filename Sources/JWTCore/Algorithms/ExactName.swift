extension RawRepresentable where Self: CaseIterable, RawValue == String {
    /// The case with this name, compared byte for byte: `init(rawValue:)` would accept the Kelvin sign for a K.
    init?(exactly name: String) {
        guard let match = Self.allCases.first(where: { $0.rawValue.isExactly(name) }) else { return nil }
        self = match
    }
}

extension String {
    /// Equality of the UTF-8 bytes. `==` also equates different encodings of a character.
    package func isExactly(_ other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}
