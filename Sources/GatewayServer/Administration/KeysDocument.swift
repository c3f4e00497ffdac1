#if Gateway
internal import Gateway
internal import JWKSCache
internal import JWTCore

/// `/keys`: every key set with its keys. Durations are in seconds.
struct KeysDocument: Encodable {
    let issuers: [Issuer]

    struct Issuer: Encodable {
        /// The name of its source: the issuer, the URL or the path.
        let source: String
        let issuer: String
        let providers: [String]
        let isRequired: Bool
        let health: String
        let generation: UInt64
        let age: Double?
        let freshFor: Double?
        /// How long the keys are still accepted if every fetch fails.
        let believedFor: Double?
        let nextFetchIn: Double
        let isFetching: Bool
        let failures: Int
        let lastFailure: String?
        let shedProbes: UInt64
        let missingKeyIDs: Int
        let waiters: Int
        let clockSkew: Double?
        let keys: [Key]
    }

    struct Key: Encodable {
        let kid: String?
        let kty: String?
        let alg: [String]
        let bits: Int
        let thumbprint: String?
        let advisories: [String]
        /// Why the key is not used.
        let unusable: String?
    }

    init(_ observations: Observations) {
        let core = observations.gateway.inForce.core
        issuers = zip(core.issuers.keySets, core.configuration.issuers).map { keySet, issuer in
            Issuer(keySet, issuer, core.configuration.providers.filter { $0.issuer.issuer.utf8.elementsEqual(issuer.issuer.utf8) })
        }
    }
}

extension KeysDocument.Issuer {
    /// - Parameter providers: those whose tokens it verifies.
    fileprivate init(_ keySet: RemoteKeySet, _ issuer: IssuerConfiguration, _ providers: [Provider]) {
        let status = keySet.status
        self.init(
            source: status.source, issuer: issuer.issuer, providers: providers.map(\.name), isRequired: issuer.isRequired,
            health: status.health.rawValue, generation: status.generation, age: status.age?.inSeconds,
            freshFor: status.freshFor?.inSeconds, believedFor: status.believedFor?.inSeconds,
            nextFetchIn: status.nextFetchIn.inSeconds, isFetching: status.isFetching, failures: status.failures,
            lastFailure: status.lastFailure?.description, shedProbes: status.shedProbes, missingKeyIDs: status.missingKeyIDs,
            waiters: status.waiters, clockSkew: status.clockSkew?.inSeconds, keys: status.keys.map(KeysDocument.Key.init))
    }
}

extension KeysDocument.Key {
    fileprivate init(_ key: VerificationKey) {
        self.init(
            kid: key.keyID, kty: key.typeName, alg: SignatureAlgorithm.all.filter { key.algorithms.contains($0) }.map(\.name),
            bits: key.bits, thumbprint: key.thumbprint, advisories: key.advisories.map(\.rawValue), unusable: key.unusableReason?.name)
    }
}

extension Duration {
    var inSeconds: Double { (Double(nanoseconds) / 1e6).rounded() / 1e3 }
}
#endif
