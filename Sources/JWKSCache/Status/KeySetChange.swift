internal import JWTCore

/// What became different from one key set to the next.
public struct KeySetChange: Hashable, Sendable {
    /// The names of keys that were not there, and that are no longer there. Nil stands for a key without a name. Both hold a name whose
    /// material, or what it is for, changed.
    public let added: [String?]
    public let removed: [String?]
    /// Names that now mean another key: to be expected of nobody, and to be looked at.
    public let replaced: [String]
    /// The share of the usable keys that disappeared, 0 to 1.
    public let churn: Double

    init(from old: KeySet?, to new: KeySet) {
        let before = old?.keys ?? [], after = new.keys
        let known = Set(before.map(\.identity)), present = Set(after.map(\.identity))
        let added = after.filter { !known.contains($0.identity) }
        let removed = before.filter { !present.contains($0.identity) }
        self.added = added.map(\.keyID)
        self.removed = removed.map(\.keyID)
        let addedNames = Set(added.filter(\.isUsable).compactMap { $0.keyID.map { Array($0.utf8) } })
        // A key that is described otherwise than before is still the key it was.
        let staying = Set(after.filter(\.isUsable).map(\.namedMaterial))
        let lost = removed.filter { $0.isUsable && !staying.contains($0.namedMaterial) }
        replaced = lost.compactMap(\.keyID).filter { addedNames.contains(Array($0.utf8)) }
        let usable = before.count(where: \.isUsable)
        churn = usable == 0 ? 0 : Double(lost.count) / Double(usable)
    }
}

extension VerificationKey {
    var isUsable: Bool { refusal == nil }
}
