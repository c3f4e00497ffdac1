#if HTTP
import JWKSCache
import CommandProgram
import Foundation
import HTTPGuard

/// The outbox in which a development server stores messages instead of sending them.
struct RemoteOutbox {
    let domain: String
    let token: String

    /// The code in the newest message to a number.
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
            throw CommandFailure(message: "the outbox has no message for this number (status \(answer.status))", exitCode: 1)
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
