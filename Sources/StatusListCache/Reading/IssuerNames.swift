internal import JWTCore

/// Finds an issuer by its name, byte for byte. The first one, often the only one, is compared, because that is faster than hashing.
struct IssuerNames: Sendable {
    private let first: [UInt8]
    private let index: NameIndex

    init(_ names: [String]) {
        // Without names a byte that no name has.
        first = names.first.map { Array($0.utf8) } ?? [0xff]
        index = NameIndex(names)
    }

    /// The place of the first issuer called `name`, or -1.
    func place(of name: borrowing JSONString) -> Int {
        if !name.isEscaped, name.raw.equals(first.span) { return 0 }
        return index.first(name)
    }
}
