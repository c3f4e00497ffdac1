/// Reads `Cookie` (RFC 6265 section 4.2.1). A client of HTTP/2 may send it in several fields.
///
/// Envoy joins several fields of HTTP/1.1 by a comma, which is no separator of cookies (RFC 9110 section 5.3 excepts none). To one reader
/// `a=1,session=t` is a cookie with a comma in its value, to another two fields. So a name behind a comma has no second reading here: it is
/// refused.
enum CookieField {
    /// The token in the cookie called `name`. An empty cookie is none: it is what remains of a session that has ended.
    static func token(called name: [UInt8], in values: [ArraySlice<UInt8>]) -> PresentedToken {
        var found: ArraySlice<UInt8>?, isRepeated = false
        let alike = LenientName.plain(name)
        for value in values {
            forEachPair(in: value) { pair in
                if hides(name, in: pair.value) { isRepeated = true }
                guard LenientName.plain(pair.name).elementsEqual(alike) else { return }
                isRepeated = isRepeated || found != nil || !pair.name.elementsEqual(name)
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

    /// Whether a cookie called `name` stands behind a comma in `value`.
    private static func hides(_ name: [UInt8], in value: ArraySlice<UInt8>) -> Bool {
        value.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false).dropFirst().contains { part in
            part.firstIndex(of: UInt8(ascii: "=")).map { part[..<$0].trimmed.elementsEqual(name) } ?? false
        }
    }

    private static func unquoted(_ value: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let quote = UInt8(ascii: "\"")
        return value.count >= 2 && value.first == quote && value.last == quote ? value.dropFirst().dropLast() : value
    }
}
