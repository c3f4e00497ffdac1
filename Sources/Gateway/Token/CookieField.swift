/// Reads `Cookie` (RFC 6265 section 4.2.1). A client of HTTP/2 may send it in several fields.
enum CookieField {
    /// The token in the cookie called `name`. An empty cookie is none: it is what remains of a session that has ended.
    static func token(called name: [UInt8], in values: [ArraySlice<UInt8>]) -> PresentedToken {
        var found: ArraySlice<UInt8>?, isRepeated = false
        for value in values {
            forEachPair(in: value) { pair in
                guard pair.name.elementsEqual(name) else { return }
                isRepeated = found != nil
                found = pair.value
            }
            if isRepeated { return .several }
        }
        guard let token = found.map(unquoted), !token.isEmpty else { return .none }
        return .one(token)
    }

    /// The field's value without the cookies of these names; nil if nothing remains.
    static func value(without names: [[UInt8]], in values: [ArraySlice<UInt8>]) -> String? {
        var rest: [UInt8] = []
        for value in values {
            forEachPair(in: value) { pair in
                guard !names.contains(where: { pair.name.elementsEqual($0) }) else { return }
                if !rest.isEmpty { rest += "; ".utf8 }
                rest += pair.text
            }
        }
        return rest.isEmpty ? nil : String(decoding: rest, as: UTF8.self)
    }

    private struct Pair {
        let text: ArraySlice<UInt8>
        let name: ArraySlice<UInt8>
        let value: ArraySlice<UInt8>
    }

    private static func forEachPair(in value: ArraySlice<UInt8>, _ body: (Pair) -> Void) {
        var rest = value
        while !rest.isEmpty {
            let part = rest.prefix { $0 != UInt8(ascii: ";") }, text = part.trimmed
            rest = rest[part.endIndex...].dropFirst()
            guard !text.isEmpty else { continue }
            let equals = text.firstIndex(of: UInt8(ascii: "="))
            body(Pair(text: text, name: equals.map { text[..<$0].trimmed } ?? [], value: equals.map { text[($0 + 1)...].trimmed } ?? text))
        }
    }

    private static func unquoted(_ value: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let quote = UInt8(ascii: "\"")
        return value.count >= 2 && value.first == quote && value.last == quote ? value.dropFirst().dropLast() : value
    }
}
