internal import JWTCore

/// A place of tokens, prepared for decisions.
final class PlaceRules: Sendable {
    let place: TokenPlace
    /// Whether a token here comes with a proof.
    let isOfProofScheme: Bool

    init(_ place: TokenPlace) {
        self.place = place
        isOfProofScheme = place.isOfProofScheme
    }

    /// The token in this place of `request`.
    func token(in request: RoutedRequest) -> PresentedToken { place.token(in: request.request, query: request.target.query) }

    var isParameter: Bool { if case .query = place { true } else { false } }

    /// Whether the place is a parameter that the name in `range` may be taken for.
    func isParameter(_ text: Span<UInt8>, _ range: Range<Int>) -> Bool {
        if case .query(let name) = place { name.isTaken(fromForm: text, range) } else { false }
    }

    /// Whether the place is the cookie with this name.
    func isCookie(_ text: Span<UInt8>, _ range: Range<Int>) -> Bool {
        if case .cookie(let name) = place { text.equals(name.bytes, in: range) } else { false }
    }

    /// Whether the place is in `Sec-WebSocket-Protocol`, behind a prefix that the element has.
    func isPrefix(of text: Span<UInt8>, _ element: Range<Int>) -> Bool {
        if case .webSocketProtocol(let prefix) = place { text.begins(with: prefix, in: element) } else { false }
    }
}
