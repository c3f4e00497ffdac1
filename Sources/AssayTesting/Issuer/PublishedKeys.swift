internal import JWTCore

/// The keys of an issuer, the current one last. Removed keys continue to sign, as a stolen copy would.
struct PublishedKeys: Sendable {
    private(set) var keys: [TestKey] = []
    private var removed: Set<String> = []
    /// Counts the published sets.
    private(set) var version = 1

    init(_ algorithms: [SignatureAlgorithm]) throws(TestKeyError) {
        for algorithm in algorithms { keys.append(try Self.key(algorithm, keys.count + 1)) }
    }

    var published: [TestKey] { keys.filter { !removed.contains($0.keyID ?? "") } }

    /// The published JWK Set.
    var document: String { TestKey.jwks(of: published) }

    /// Makes a new current key; the others stay published.
    mutating func rotate(to algorithm: SignatureAlgorithm) throws(TestKeyError) -> TestKey {
        let key = try Self.key(algorithm, keys.count + 1)
        keys.append(key)
        version += 1
        return key
    }

    /// Removes a key from the set. Returns false if no published key has this name.
    mutating func remove(_ name: String) -> Bool {
        guard published.contains(where: { $0.keyID == name }) else { return false }
        removed.insert(name)
        version += 1
        return true
    }

    /// The key called `name`, published or removed, or the current one.
    func key(_ name: String?) throws(TestKeyError) -> TestKey {
        guard let key = name == nil ? keys.last : keys.first(where: { $0.keyID == name }) else { throw .unknownKey }
        return key
    }

    private static func key(_ algorithm: SignatureAlgorithm, _ number: Int) throws(TestKeyError) -> TestKey {
        guard !algorithm.isSymmetric else { throw .unavailable(algorithm) }
        return try TestKey(algorithm, keyID: "key-\(number)")
    }
}
