internal import Foundation
internal import IDaaSServer
internal import Secrets

/// Makes `X-signature` as a client does: with the public key from the server.
package struct Signature: Sendable {
    package static let path = "/api/v2/sdk/session-token/refresh-id-token"

    private let key: EncryptionKey
    private let clock: ManualServerClock

    package init(_ wire: WireClient, _ clock: ManualServerClock) async throws {
        let reply = try await wire.get("/api/v2/sdk/public-key")
        guard let key = EncryptionKey(document: reply.string("public_key") ?? "") else {
            throw WireRefusal(path: "public-key", reply: reply)
        }
        self.key = key
        self.clock = clock
    }

    /// The field with the signature of a session token.
    ///
    /// - Parameter seconds: how far the timestamp is ahead of the server's clock.
    package func field(_ sessionToken: String, ahead seconds: Int = 0, nonce: String) -> (String, String) {
        ("X-signature", text(sessionToken, ahead: seconds, nonce: nonce))
    }

    package func text(_ sessionToken: String, ahead seconds: Int = 0, nonce: String) -> String {
        let instant = (clock.now + .seconds(seconds)).milliseconds
        return encrypted("session_token=\(sessionToken)&timestamp=\(instant)&nonce=\(nonce)")
    }

    /// Empty for a text that is too long to encrypt.
    package func encrypted(_ plaintext: String) -> String {
        Data(key.encrypt(Array(plaintext.utf8), mask: .sha256) ?? []).base64EncodedString()
    }
}
