internal import Secrets

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Musl)
internal import Musl
#else
internal import Glibc
#endif

extension ServerKey {
    /// The purpose of a secret is authenticated with it, so that one secret cannot replace another.
    enum Sealed {
        case signingKey(id: String)
        case clientKey(client: String)
        case family(session: String)
        /// AppSecret or AccessKeySecret of a client.
        case sourceSecret(client: String, source: String)
        /// The bearer secret of a receiver of shared signals.
        case signalSecret(stream: String)

        fileprivate var context: [UInt8] {
            switch self {
            case .signingKey(let id): Array("signing key \(id)".utf8)
            case .clientKey(let client): Array("client key \(client)".utf8)
            case .family(let session): Array("family \(session)".utf8)
            case .sourceSecret(let client, let source): Array("source \(source) of client \(client)".utf8)
            case .signalSecret(let stream): Array("signal stream \(stream)".utf8)
            }
        }
    }

    /// - Throws: ``KeyFailure/cryptography``.
    func seal(_ secret: [UInt8], as what: Sealed, _ randomness: Randomness) throws -> [UInt8] {
        guard let sealed = sealing.seal(secret, context: what.context, randomness: randomness) else { throw KeyFailure.cryptography }
        return sealed
    }

    /// - Throws: ``KeyFailure/sealedUnderAnotherKey``, ``KeyFailure/memory``.
    func open(_ sealed: [UInt8], as what: Sealed) throws -> [UInt8] {
        errno = 0
        if let secret = sealing.open(sealed, context: what.context) { return secret }
        // malloc says so here, and libcrypto's answer is the same for both.
        throw errno == ENOMEM ? KeyFailure.memory : KeyFailure.sealedUnderAnotherKey
    }
}
