#if HTTP
import Foundation
import HTTPGuard

/// The messages that a server in development kept instead of sending them.
struct RemoteOutbox {
    let domain: String
    let token: String

    /// The code that was sent to a number last; the newest message comes first.
    func code(for mobile: String) async throws -> String {
        var client = GuardedClient.Configuration()
        client.allowsLoopbackHTTP = true
        client.addresses.allowsLoopback = true
        let number = mobile.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        let request = OutgoingRequest(url: "\(domain)/__dev/outbox?mobile=\(number)", fields: [HeaderField("X-Assay-Dev", token)])
        let answer = try await GuardedClient(client).send(request)
        guard answer.status == 200, let outbox = try? JSONDecoder().decode(Outbox.self, from: Data(answer.body)),
            let message = outbox.messages.first
        else {
            throw CommandFailure(message: "the outbox has no message to this number (status \(answer.status))", exitCode: 1)
        }
        return message.code
    }

    private struct Outbox: Decodable {
        let messages: [Message]
    }

    private struct Message: Decodable {
        let code: String
    }
}
#endif
