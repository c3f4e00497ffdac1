internal import JWKSCache
internal import JWTCore

/// The keys of a gateway as JSON: every key set with its keys. Durations are in seconds.
package struct KeysDocument: Encodable, Sendable {
    package let issuers: [Issuer]

    package struct Issuer: Encodable, Sendable {
        /// The name of its source: the issuer, the URL or the path.
        package let source: String
        package let issuer: String
        package let providers: [String]
        package let isRequired: Bool
        package let health: String
        package let generation: UInt64
        package let age: Double?
        package let freshFor: Double?
        /// How long the keys are still accepted if every fetch fails.
        package let believedFor: Double?
        package let nextFetchIn: Double
        package let isFetching: Bool
        package let failures: Int
        package let lastFailure: String?
        package let shedProbes: UInt64
        package let missingKeyIDs: Int
        package let waiters: Int
        package let clockSkew: Double?
        package let keys: [Key]
    }

    package struct Key: Encodable, Sendable {
        package let kid: String?
        package let kty: String?
        package let alg: [String]
        package let bits: Int
        package let thumbprint: String?
        package let advisories: [String]
        /// Why the key is not used.
        package let unusable: String?
    }

    package init(_ decider: Decider) {
        let configuration = decider.configuration
        var providers: [[UInt8]: [String]] = [:]
        for provider in configuration.providers {
            for issuer in provider.issuers { providers[Array(issuer.issuer.utf8), default: []].append(provider.name) }
        }
        issuers = zip(decider.keys, configuration.issuers).map { keys, issuer in
            Issuer(keys.status, issuer, providers[Array(issuer.issuer.utf8), default: []])
        }
    }
}

extension KeysDocument.Issuer {
    /// - Parameter providers: those whose tokens it verifies.
    fileprivate init(_ status: KeySetStatus, _ issuer: IssuerConfiguration, _ providers: [String]) {
        self.init(
            source: status.source, issuer: issuer.issuer, providers: providers, isRequired: issuer.isRequired,
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
    package var inSeconds: Double { (Double(nanoseconds) / 1e6).rounded() / 1e3 }
}
