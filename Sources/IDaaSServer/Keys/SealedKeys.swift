#if IDaaS
internal import Secrets

extension ServerKey {
    /// What a secret is for is part of how it is sealed, so that none can be put in another's place.
    enum Sealed {
        case signingKey(id: String)
        case clientKey(client: String)
        case family(session: String)

        fileprivate var context: [UInt8] {
            switch self {
            case .signingKey(let id): Array("signing key \(id)".utf8)
            case .clientKey(let client): Array("client key \(client)".utf8)
            case .family(let session): Array("family \(session)".utf8)
            }
        }
    }

    /// - Throws: ``KeyFailure/cryptography``.
    func seal(_ secret: [UInt8], as what: Sealed, _ randomness: Randomness) throws -> [UInt8] {
        guard let sealed = sealing.seal(secret, context: what.context, randomness: randomness) else { throw KeyFailure.cryptography }
        return sealed
    }

    /// - Throws: ``KeyFailure/sealedUnderAnotherKey``.
    func open(_ sealed: [UInt8], as what: Sealed) throws -> [UInt8] {
        guard let secret = sealing.open(sealed, context: what.context) else { throw KeyFailure.sealedUnderAnotherKey }
        return secret
    }
}
#endif
