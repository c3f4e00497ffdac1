internal import Foundation
package import IDaaSServer
internal import Secrets

/// The store does not have the challenge.
package struct UnknownChallenge: Error {}

extension ReferenceServer {
    /// The correct position of a challenge's piece, from the store.
    package func place(of token: String) async throws -> Int {
        let key = Digest256.of(Array(token.utf8))
        let stored = try await services.store.read { try $0.singleUse(SingleUse.Purpose(rawValue: "captcha.challenge"), key) }
        guard let content = stored?.content, let point = try JSONSerialization.jsonObject(with: Data(content)) as? [String: Any],
            let x = point["x"] as? NSNumber
        else { throw UnknownChallenge() }
        return x.intValue
    }
}
