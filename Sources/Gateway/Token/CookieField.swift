internal import JWTCore

/// Reads `Cookie` (RFC 6265 section 4.2.1). A client of HTTP/2 may send it in several fields.
///
/// Envoy joins several fields of HTTP/1.1 by a comma, which is no separator of cookies (RFC 9110 section 5.3 excepts none). To one reader
/// `a=1,session=t` is a cookie with a comma in its value, to another two fields. So a name behind a comma has no second reading here: it is
/// refused.
enum CookieField {
    static let name = Array("cookie".utf8)

    /// The token in the cookie called `name`. An empty cookie is none: it is what remains of a session that has ended.
    static func token(called name: LenientName, in request: RequestView) -> PresentedToken {
        var found: (place: Int, range: Range<Int>)?, isRepeated = false
        for place in 0..<request.fieldCount where request.isField(place, Self.name) {
            let value = request.fieldValue(place)
            var cookies = Cookies(value)
            while let cookie = cookies.next(in: value) {
                if hides(name, in: value, cookie.text) { isRepeated = true }
                guard name.isTaken(from: value, cookie.name) else { continue }
                isRepeated = isRepeated || found != nil || !value.equals(name.bytes, in: cookie.name)
                found = (place, cookie.value)
            }
            if isRepeated { return .several }
        }
        guard let found else { return .none }
        let token = unquoted(request.fieldValue(found.place), found.range)
        return token.isEmpty ? .none : .one(.field(found.place, token))
    }

    /// Appends the field's value without the cookies of these places; nothing if nothing remains.
    static func append(without places: Positions, of policy: PolicyRules, in request: RequestView, to rest: inout [UInt8]) {
        let start = rest.count
        for place in 0..<request.fieldCount where request.isField(place, Self.name) {
            let value = request.fieldValue(place)
            var cookies = Cookies(value)
            while let cookie = cookies.next(in: value) {
                if isOf(places, policy, value, cookie.name) { continue }
                if rest.count > start { rest.append("; ") }
                rest.append(value.extracting(cookie.text))
            }
        }
    }

    private static func isOf(_ places: Positions, _ policy: PolicyRules, _ value: Span<UInt8>, _ name: Range<Int>) -> Bool {
        for place in places where policy.places.lend(place, { $0.isCookie(value, name) }) {
            return true
        }
        return false
    }

    /// Whether a cookie that a reader may take for `name` stands behind a comma in a cookie's text, also in front of its first equals sign.
    private static func hides(_ name: LenientName, in value: Span<UInt8>, _ range: Range<Int>) -> Bool {
        var parts = Parts(range, separator: UInt8(ascii: ","))
        _ = parts.next(in: value)
        while let part = parts.next(in: value) {
            guard let equals = value.first(UInt8(ascii: "="), in: part) else { continue }
            if name.isTaken(from: value, value.trimmed(part.lowerBound..<equals)) { return true }
        }
        return false
    }

    private static func unquoted(_ value: Span<UInt8>, _ range: Range<Int>) -> Range<Int> {
        let quote = UInt8(ascii: "\"")
        guard range.count >= 2, value[range.lowerBound] == quote, value[range.upperBound - 1] == quote else { return range }
        return range.lowerBound + 1..<range.upperBound - 1
    }
}

/// The cookies of a field, one after the other.
private struct Cookies {
    private var parts: Parts

    struct Cookie {
        let text: Range<Int>
        let name: Range<Int>
        let value: Range<Int>
    }

    init(_ value: Span<UInt8>) { parts = Parts(value.trimmed(value.indices), separator: UInt8(ascii: ";")) }

    mutating func next(in value: Span<UInt8>) -> Cookie? {
        while let part = parts.next(in: value) {
            let text = value.trimmed(part)
            guard !text.isEmpty else { continue }
            guard let equals = value.first(UInt8(ascii: "="), in: text) else {
                return Cookie(text: text, name: text.lowerBound..<text.lowerBound, value: text)
            }
            return Cookie(
                text: text, name: value.trimmed(text.lowerBound..<equals), value: value.trimmed(equals + 1..<text.upperBound))
        }
        return nil
    }
}
