internal import Foundation
public import IDaaSFlows
import JWKSCache

/// The messages that a server in development kept instead of sending them.
public struct Outbox: Sendable {
    private let domain: String
    private let token: String
    private let transport: any FlowTransport

    /// - Parameter token: the token that the server printed at its start.
    public init(domain: String, token: String, transport: any FlowTransport) {
        self.domain = domain
        self.token = token
        self.transport = transport
    }

    /// The latest code for a number; nil if there is none.
    public func code(for mobile: String) async throws -> String? {
        let number = mobile.replacing("+", with: "%2B")
        let request = OutgoingRequest(
            "GET", url: "\(domain)/__dev/outbox?mobile=\(number)", fields: [HeaderField("X-Assay-Dev", token)], body: [],
            timeLimit: .seconds(10))
        let answer = try await transport.send(request)
        guard answer.status == 200 else { return nil }
        return try JSONDecoder().decode(Messages.self, from: Data(answer.body)).messages.first?.code
    }

    private struct Messages: Decodable {
        let messages: [Message]
    }

    private struct Message: Decodable {
        let code: String
    }
}
