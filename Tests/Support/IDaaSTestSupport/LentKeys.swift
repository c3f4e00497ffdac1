package import IDaaSServer
internal import JWTCore
internal import JWTSigning
import Locks
internal import Secrets

/// RSA keys for one server, from a stock that the process makes once. Two servers that run at the same time never have the same key, and no
/// server has a key twice.
package final class LentKeys: Sendable {
    /// PKCS#8 documents.
    private static let stock = Locked<[[UInt8]]>([])
    private let lent = Locked<[[UInt8]]>([])

    package init() {}

    /// Keys of other algorithms are new ones.
    package var generation: KeyGeneration {
        KeyGeneration(
            signing: { algorithm, keyID in
                guard algorithm == .rs256 else { return SigningKey.generate(algorithm, keyID: keyID) }
                return self.take().flatMap { SigningKey.importing($0, algorithm: algorithm, keyID: keyID) }
            },
            decryption: { self.take().flatMap { DecryptionKey.importing($0) } })
    }

    /// Returns the keys of a server that has ended with its store.
    package func giveBack() {
        let documents = lent.withLock { lent in
            defer { lent = [] }
            return lent
        }
        Self.stock.withLock { $0 += documents }
    }

    private func take() -> [UInt8]? {
        guard let document = Self.stock.withLock({ $0.popLast() }) ?? DecryptionKey.generate()?.privateDocument else { return nil }
        lent.withLock { $0.append(document) }
        return document
    }
}
