#if IDaaS
package import IDaaSServer
internal import Foundation
internal import Secrets

/// A challenge that the store does not have.
package struct UnknownChallenge: Error {}

extension IDaaSServer {
    /// Where the piece of a challenge belongs, as the store has it.
    package func place(of token: String) async throws -> Int {
        let key = Digest256.of(Array(token.utf8))
        let stored = try await services.store.read { try $0.singleUse(SingleUse.Purpose(rawValue: "captcha.challenge"), key) }
        guard let content = stored?.content, let point = try JSONSerialization.jsonObject(with: Data(content)) as? [String: Any],
            let x = point["x"] as? NSNumber
        else { throw UnknownChallenge() }
        return x.intValue
    }
}
#endif
