/// Reads a query as a form (the WHATWG URL standard's `application/x-www-form-urlencoded`, as RFC 6750 section 2.3 has it).
enum QueryParameters {
    /// The token in the parameter called `name`, however its name is encoded. An encoding that is broken is the verifier's to refuse. An empty
    /// parameter is none, as an empty cookie is.
    ///
    /// A second parameter that another reader would take for this one makes them several, also where this one is absent.
    static func token(called name: [UInt8], in query: ArraySlice<UInt8>) -> PresentedToken {
        var tokens: [[UInt8]] = []
        let alike = plain(name)
        for part in query.split(separator: UInt8(ascii: "&")) {
            let equals = part.firstIndex(of: UInt8(ascii: "=")) ?? part.endIndex
            let value = part[min(equals + 1, part.endIndex)...], given = decoded(part[..<equals]) ?? []
            if hides(alike, in: value) { return .several }
            guard plain(given).elementsEqual(alike) else { continue }
            guard given.elementsEqual(name) else { return .several }
            tokens.append(decoded(value) ?? Array(value))
        }
        guard let token = tokens.first else { return .none }
        guard tokens.count == 1 else { return .several }
        return token.isEmpty ? .none : .one(token[...])
    }

    /// Some readers ignore case too.
    private static func plain(_ name: [UInt8]) -> [UInt8] { LenientName.plain(name).map(\.lowercased) }

    /// Whether the parameter stands behind a semicolon in `value`, where some readers separate too.
    private static func hides(_ alike: [UInt8], in value: ArraySlice<UInt8>) -> Bool {
        value.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false).dropFirst().contains { part in
            plain(decoded(part.prefix { $0 != UInt8(ascii: "=") }) ?? []).elementsEqual(alike)
        }
    }

    /// Nil if a percent sign does not begin an encoded byte.
    private static func decoded(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        var position = text.startIndex
        while position < text.endIndex {
            switch text[position] {
            case UInt8(ascii: "%"):
                guard let byte = text.percentDecoded(at: position) else { return nil }
                bytes.append(byte)
                position += 3
            case UInt8(ascii: "+"):
                bytes.append(0x20)
                position += 1
            default:
                bytes.append(text[position])
                position += 1
            }
        }
        return bytes
    }
}
