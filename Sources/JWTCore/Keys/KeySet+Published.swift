// What a key cache needs of a set: read one that anybody can read, and tell two of them apart.

extension KeySet {
    /// Reads a JWK Set that was published, by the rules for such sets: a shared secret in it is none and refused; a key that stands
    /// there twice is one key; a key that `previous` had is carried over with whatever has been prepared for it.
    ///
    /// - Parameters:
    ///   - root: an object with a `keys` array.
    ///   - purpose: what `use` has to be; where that is `sig`, it may be absent.
    /// - Throws: `invalid_key` without a `keys` array, `too_many_members` beyond ``maximumKeys``.
    package convenience init(
        published root: borrowing JanssonValue, purpose: String = "sig", reusing previous: KeySet?
    ) throws(VerificationError) {
        guard let list = root["keys"], list.isArray else { throw VerificationError(.invalidKey) }
        guard list.count <= Self.maximumKeys else { throw VerificationError(.tooManyMembers) }
        let known = Dictionary((previous?.keys ?? []).map { ($0.identity, $0) }, uniquingKeysWith: { first, _ in first })
        var seen: Set<VerificationKey.Identity> = []
        var keys: [VerificationKey] = []
        for position in 0..<list.count {
            guard let jwk = list[position] else { continue }
            var facts = KeyFacts(jwk: jwk, purpose: purpose)
            if facts.kind == .oct { facts.refuseAsPublished() }
            let key = VerificationKey(facts)
            guard seen.insert(key.identity).inserted else { continue }
            // A key that is described otherwise than before, as with its private half beside it, is to be seen so.
            let carried = known[key.identity].flatMap { $0.advisories == key.advisories ? $0 : nil }
            keys.append(carried ?? key)
        }
        self.init(keys, isPinned: false)
    }

    /// A document that may hold a published set, within the limits of one.
    ///
    /// - Throws: `token_too_large`, `invalid_utf8`, `invalid_json`, `duplicate_member`.
    package static func document(_ text: Span<UInt8>) throws(VerificationError) -> JanssonDocument { try parse(text) }

    /// Whether both sets have the same keys with the same remarks, in any order.
    package func hasSameKeys(as other: KeySet) -> Bool {
        Set(keys.map(\.remarkedIdentity)) == Set(other.keys.map(\.remarkedIdentity))
    }
}

extension VerificationKey {
    /// What makes a key this one and no other: its material by thumbprint, its name, and what it is for. Byte for byte.
    package struct Identity: Hashable, Sendable {
        private let parts: [[UInt8]?]

        fileprivate init(_ facts: KeyFacts) {
            let texts = [
                facts.thumbprint, facts.keyID, facts.kindName, facts.curveName, facts.algorithmName, facts.use, facts.refusal?.name,
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

    /// Its name and its material, whatever it is for.
    package var namedMaterial: [[UInt8]?] { [facts.keyID, facts.thumbprint].map { $0.map { Array($0.utf8) } } }
}

extension KeyFacts {
    fileprivate mutating func refuseAsPublished() {
        refusal = .invalidKey
        handle = nil
        advisories.append(.publishedSecret)
    }
}
