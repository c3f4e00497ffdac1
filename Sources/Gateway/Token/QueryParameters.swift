internal import JWTCore

/// Reads a query as a form (the WHATWG URL standard's `application/x-www-form-urlencoded`, as RFC 6750 section 2.3 has it).
enum QueryParameters {
    /// The token in the parameter called `name`, however its name is encoded. An encoding that is broken is the verifier's to refuse. An empty
    /// parameter is none, as an empty cookie is.
    ///
    /// A second parameter that another reader would take for this one makes them several, also where this one is absent.
    static func token(called name: LenientName, in query: Span<UInt8>) -> PresentedToken {
        var found: Range<Int>?, isRepeated = false
        var parameters = Parts(query.indices, separator: UInt8(ascii: "&"))
        while let parameter = parameters.next(in: query) {
            let equals = query.first(UInt8(ascii: "="), in: parameter) ?? parameter.upperBound
            let given = parameter.lowerBound..<equals, value = min(equals + 1, parameter.upperBound)..<parameter.upperBound
            if hides(name, in: query, parameter) { return .several }
            guard !parameter.isEmpty, name.isTaken(fromForm: query, given) else { continue }
            guard equalsForm(query, given, name.bytes) else { return .several }
            isRepeated = isRepeated || found != nil
            found = value
        }
        guard let found else { return .none }
        guard !isRepeated else { return .several }
        return found.isEmpty ? .none : .one(spot(query, found))
    }

    /// Appends a target without the parameters whose names are taken for one of these places'. What stays keeps its order and its encoding.
    static func append(_ target: Span<UInt8>, without places: Positions, of policy: PolicyRules, to out: inout [UInt8]) {
        let end = target.first(UInt8(ascii: "?"), in: target.indices) ?? target.count
        out.append(target.extracting(0..<end))
        var parameters = Parts(min(end + 1, target.count)..<target.count, separator: UInt8(ascii: "&")), separator = UInt8(ascii: "?")
        while let parameter = parameters.next(in: target) {
            guard !isTaken(parameter, in: target, for: places, of: policy) else { continue }
            out.append(separator)
            out.append(target.extracting(parameter))
            separator = UInt8(ascii: "&")
        }
    }

    private static func isTaken(_ parameter: Range<Int>, in text: Span<UInt8>, for places: Positions, of policy: PolicyRules) -> Bool {
        let end = text.first(UInt8(ascii: "="), in: parameter) ?? parameter.upperBound
        for place in places where policy.places.lend(place, { $0.isParameter(text, parameter.lowerBound..<end) }) {
            return true
        }
        return false
    }

    private static func spot(_ query: Span<UInt8>, _ range: Range<Int>) -> TokenSpot {
        for place in range where query[place] == UInt8(ascii: "%") || query[place] == UInt8(ascii: "+") {
            var text = FormText(range)
            while text.next(in: query) != nil {}
            return text.isBroken ? .query(range) : .encoded(range)
        }
        return .query(range)
    }

    private static func equalsForm(_ query: Span<UInt8>, _ range: Range<Int>, _ name: [UInt8]) -> Bool {
        var text = FormText(range)
        for byte in name where text.next(in: query) != byte { return false }
        return text.next(in: query) == nil && !text.isBroken
    }

    /// Whether the parameter stands behind a semicolon in another one's text, where some readers separate too.
    private static func hides(_ name: LenientName, in query: Span<UInt8>, _ text: Range<Int>) -> Bool {
        var parts = Parts(text, separator: UInt8(ascii: ";"))
        _ = parts.next(in: query)
        while let part = parts.next(in: query) {
            let end = query.first(UInt8(ascii: "="), in: part) ?? part.upperBound
            if name.isTaken(fromForm: query, part.lowerBound..<end) { return true }
        }
        return false
    }
}
