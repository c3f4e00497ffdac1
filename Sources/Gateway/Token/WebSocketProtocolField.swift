/// Reads `Sec-WebSocket-Protocol` (RFC 6455 section 11.3.4): a list of names, of which one may hold a token. A browser can send no other field of
/// its own with a WebSocket. Servers of Kubernetes take the name `base64url.bearer.authorization.k8s.io.` with the token in base64url behind it.
enum WebSocketProtocolField {
    static let name = Array("sec-websocket-protocol".utf8)

    /// The token behind `prefix` in the one element that has it. Names have case, and some servers do not know it: another case is several.
    static func token(behind prefix: [UInt8], in request: RequestView) -> PresentedToken {
        var found: TokenSpot?
        for place in 0..<request.fieldCount where request.isField(place, name) {
            let value = request.fieldValue(place)
            var elements = Parts(value.indices, separator: UInt8(ascii: ","))
            while let part = elements.next(in: value) {
                let element = value.trimmed(part)
                guard begins(value, element, with: prefix) else { continue }
                guard found == nil, value.begins(with: prefix, in: element) else { return .several }
                let token = element.lowerBound + prefix.count..<element.upperBound
                found = isEncoded(prefix) ? .fieldInBase64URL(place, token) : .field(place, token)
            }
        }
        return found.map { .one($0) } ?? .none
    }

    /// Whether the token is encoded once more.
    private static func isEncoded(_ prefix: [UInt8]) -> Bool { prefix.starts(with: "base64url.".utf8) }

    /// Whether the element begins so in any case of its letters.
    private static func begins(_ text: Span<UInt8>, _ element: Range<Int>, with prefix: [UInt8]) -> Bool {
        guard element.count >= prefix.count else { return false }
        for place in 0..<prefix.count where text[element.lowerBound + place].lowercased != prefix[place].lowercased { return false }
        return true
    }

    /// Appends the list without the elements of these places; nothing if nothing remains.
    static func append(without places: Positions, of policy: PolicyRules, in request: RequestView, to rest: inout [UInt8]) {
        let start = rest.count
        for place in 0..<request.fieldCount where request.isField(place, name) {
            let value = request.fieldValue(place)
            var elements = Parts(value.indices, separator: UInt8(ascii: ","))
            while let part = elements.next(in: value) {
                let element = value.trimmed(part)
                if element.isEmpty || isOf(places, policy, value, element) { continue }
                if rest.count > start { rest.append(", ") }
                rest.append(value.extracting(element))
            }
        }
    }

    private static func isOf(_ places: Positions, _ policy: PolicyRules, _ text: Span<UInt8>, _ element: Range<Int>) -> Bool {
        for place in places where policy.places.lend(place, { $0.isPrefix(of: text, element) }) {
            return true
        }
        return false
    }
}
