internal import Foundation
public import IDaaSFlows
import JWKSCache

/// The messages that servers in development kept instead of sending them.
public struct Outbox: Sendable {
    /// A server, with the token that it printed at its start.
    public typealias Place = (domain: String, token: String)

    private let places: [Place]
    private let transport: any FlowTransport

    public init(domain: String, token: String, transport: any FlowTransport) { self.init([(domain, token)], transport: transport) }

    /// - Parameter places: the servers of an installation: each keeps what it would have sent.
    public init(_ places: [Place], transport: any FlowTransport) {
        self.places = places
        self.transport = transport
    }

    /// The latest code for a number; nil if no server has one. Servers that do not answer are left out.
    public func code(for mobile: String) async throws -> String? {
        if places.count == 1 { return try await latest(for: mobile, at: places[0])?.code }
        var found: [Message] = []
        for place in places { if let message = try? await latest(for: mobile, at: place) { found.append(message) } }
        return found.max { (Int64($0.made) ?? 0) < (Int64($1.made) ?? 0) }?.code
    }

    private func latest(for mobile: String, at place: Place) async throws -> Message? {
        let number = mobile.replacing("+", with: "%2B")
        let request = OutgoingRequest(
            "GET", url: "\(place.domain)/__dev/outbox?mobile=\(number)", fields: [HeaderField("X-Assay-Dev", place.token)], body: [],
            timeLimit: .seconds(10))
        let answer = try await transport.send(request)
        guard answer.status == 200 else { return nil }
        return try JSONDecoder().decode(Messages.self, from: Data(answer.body)).messages.first
    }

    private struct Messages: Decodable {
        let messages: [Message]
    }

    private struct Message: Decodable {
        let code: String
        /// Milliseconds since 1970.
        let made: String
    }
}
