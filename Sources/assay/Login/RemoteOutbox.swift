#if HTTP
import JWKSCache
import CommandProgram
import HTTPGuard
import JWTCore

/// The outbox in which a development server stores messages instead of sending them.
struct RemoteOutbox {
    let domain: String
    let token: String

    /// The code in the newest message to a number.
    func code(for mobile: String) async throws -> String {
        var client = GuardedClient.Configuration()
        client.allowsLoopbackHTTP = true
        client.addresses.allowsLoopback = true
        let number = mobile.utf8.reduce(into: "") { $0 += Self.encoded($1) }
        let request = OutgoingRequest(url: "\(domain)/__dev/outbox?mobile=\(number)", fields: [HeaderField("X-Assay-Dev", token)])
        let answer = try await GuardedClient(client).send(request)
        guard answer.status == 200, let outbox = try? JSONTree.decode(Outbox.self, from: Array(answer.body)),
            let message = outbox.messages.first
        else {
            throw CommandFailure(message: "the outbox has no message for this number (status \(answer.status))", exitCode: 1)
        }
        return message.code
    }

    /// A byte of a query's value.
    private static func encoded(_ byte: UInt8) -> String {
        let scalar = Unicode.Scalar(byte)
        if scalar.isASCII, scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) { return String(scalar) }
        return (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
    }

    private struct Outbox: Decodable {
        let messages: [Message]
    }

    private struct Message: Decodable {
        let code: String
    }
}
#endif
