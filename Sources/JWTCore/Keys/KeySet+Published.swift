// Key set functions for a key cache: reading a published set, and comparing two sets.

extension KeySet {
    /// Reads a published JWK Set. A shared secret in it is no longer secret and is refused. A key listed twice counts once. A key that is
    /// also in `previous` is reused with everything prepared for it.
    ///
    /// - Parameters:
    ///   - root: an object with a `keys` array.
    ///   - purpose: the required value of `use`; if it is `sig`, `use` may be absent.
    /// - Throws: `invalid_key` without a `keys` array, `too_many_members` beyond ``maximumKeys``.
    package convenience init(
        published root: borrowing JSONElement, purpose: String = "sig", reusing previous: KeySet?
    ) throws(VerificationError) {
        let known = Dictionary((previous?.keys ?? []).map { ($0.identity, $0) }, uniquingKeysWith: { first, _ in first })
        var seen: Set<VerificationKey.Identity> = []
        var keys: [VerificationKey] = []
        for var facts in try Self.facts(of: root, purpose: purpose) {
            if facts.type == .oct { facts.refuseAsPublished() }
            let key = VerificationKey(facts)
            guard seen.insert(key.identity).inserted else { continue }
            // A key with changed remarks, for example with its private half published, must show them.
            let carried = known[key.identity].flatMap { $0.advisories == key.advisories ? $0 : nil }
            keys.append(carried ?? key)
        }
        self.init(keys, isPinned: false)
    }

    /// Whether both sets have the same keys with the same advisories, in any order.
    package func hasSameKeys(as other: KeySet) -> Bool {
        Set(keys.map(\.remarkedIdentity)) == Set(other.keys.map(\.remarkedIdentity))
    }
}

extension VerificationKey {
    /// The identity of a key, byte for byte: its material by thumbprint, its name, and its use.
    package struct Identity: Hashable, Sendable {
        private let parts: [[UInt8]?]

        fileprivate init(_ facts: KeyFacts) {
            let texts = [
                facts.thumbprint, facts.keyID, facts.typeName, facts.curveName, facts.algorithmName, facts.use, facts.unusableReason?.name,
            ]
            parts = (texts + (facts.operations ?? [])).map { $0.map { Array($0.utf8) } }
        }
    }

    package var identity: Identity { Identity(facts) }

    fileprivate struct RemarkedIdentity: Hashable {
        let identity: Identity
        let advisories: [Advisory]
    }

    fileprivate var remarkedIdentity: RemarkedIdentity { RemarkedIdentity(identity: identity, advisories: advisories) }

    /// Its name and its material, without its use.
    package var namedMaterial: [[UInt8]?] { [facts.keyID, facts.thumbprint].map { $0.map { Array($0.utf8) } } }
}

extension KeyFacts {
    fileprivate mutating func refuseAsPublished() {
        unusableReason = .invalidKey
        handle = nil
        advisories.append(.publishedSecret)
    }
}
