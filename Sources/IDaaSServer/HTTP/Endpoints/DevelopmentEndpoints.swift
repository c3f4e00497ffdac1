internal import HTTPTypes
internal import IDaaSWire
internal import Secrets

/// Endpoint D, which exists only in development: the unsent messages, the places of the sliders' pieces, and the clock.
///
/// Any user of the machine can reach a loopback port, and so can a page in a browser whose name resolves to it. So the `Host` must be
/// loopback and the request must carry the token that was printed at start. For all others the path does not exist.
package struct DevelopmentEndpoints: EndpointGroup {
    let outbox: DevelopmentOutbox
    let clock: DevelopmentClock
    let captcha: SliderCaptcha
    let token: String

    package var endpoints: [Endpoint] {
        [
            Endpoint(.get, "/__dev/outbox", "developmentOutbox", isListed: false, messages),
            Endpoint(.get, "/__dev/slider", "developmentSlider", isListed: false, place),
            Endpoint(.post, "/__dev/clock", "developmentClock", isListed: false, moveClock),
        ]
    }

    private func messages(_ exchange: Exchange) async throws -> Reply {
        try admit(exchange)
        let messages = await outbox.messages(for: exchange.query["mobile"].map(Self.mobile))
        return .json(["messages": .array(messages.map(Self.json))])
    }

    /// Where the piece of an unused slider belongs, as `point_json` has to say it. For scripts that have no eyes.
    private func place(_ exchange: Exchange) async throws -> Reply {
        try admit(exchange)
        guard let token = exchange.query["token"], let place = try await captcha.place(of: token) else { throw RequestRefusal.notFound }
        return .json(place.document)
    }

    private func moveClock(_ exchange: Exchange) async throws -> Reply {
        try admit(exchange)
        let body = try JSONBody(exchange)
        if let seconds = try body.optionalInteger("advance") {
            guard (0...Self.year).contains(seconds) else { throw ServiceError(.invalidParameter, "advance") }
            clock.advance(by: .seconds(seconds))
        }
        return .json(["timestamp": .string(String(clock.now.milliseconds))])
    }

    private static let year: Int64 = 366 * 86_400

    private func admit(_ exchange: Exchange) throws(RequestRefusal) {
        let offered = Array((exchange.fields[.development] ?? "").utf8)
        guard !exchange.origin.isForwarded, AddressBlock.loopback.contains(where: { $0.contains(exchange.origin.address) }),
            Self.isLoopback(host: exchange.host), equalInConstantTime(offered, Array(token.utf8))
        else { throw .notFound }
    }

    package static func isLoopback(host: String?) -> Bool {
        guard let host = host?.lowercased() else { return false }
        let name = host.hasPrefix("[") ? host.prefix { $0 != "]" } + "]" : host.prefix { $0 != ":" }
        return ["127.0.0.1", "[::1]", "localhost"].contains(name)
    }

    /// A plus sign in a query means a space in HTML forms; in a number it means a plus sign.
    private static func mobile(_ text: String) -> String { text.hasPrefix(" ") ? "+" + text.dropFirst() : text }

    private static func json(_ message: SMSMessage) -> JSON {
        [
            "mobile": .string(message.mobile), "code": .string(message.code), "type": .string(message.type),
            "client": .string(message.client), "language": .string(message.language.rawValue), "request_id": .string(message.requestID),
            "text": .string(message.text), "made": .string(String(message.made.milliseconds)),
        ]
    }
}
