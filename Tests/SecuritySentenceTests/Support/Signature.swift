#if IDaaS
import Foundation
import IDaaSServer
import IDaaSTestSupport
import Secrets
import Testing

/// Makes `X-signature` as a client does: with the public key that the server gives out.
struct Signature: Sendable {
    static let path = "/api/v2/sdk/session-token/refresh-id-token"

    private let key: EncryptionKey
    private let clock: ManualClock

    init(_ person: Person) async throws {
        let reply = try await person.wire.get("/api/v2/sdk/public-key")
        key = try #require(EncryptionKey(document: reply.string("public_key") ?? ""))
        clock = person.server.clock
    }

    /// - Parameter seconds: by which its timestamp is ahead of the server's clock.
    func text(_ tokens: WireTokens, ahead seconds: Int = 0, nonce: String) throws -> String {
        let instant = (clock.now + seconds).milliseconds
        return try encrypted("session_token=\(tokens.sessionToken)&timestamp=\(instant)&nonce=\(nonce)")
    }

    func encrypted(_ plaintext: String) throws -> String {
        Data(try #require(key.encrypt(Array(plaintext.utf8), mask: .sha256))).base64EncodedString()
    }
}
#endif
