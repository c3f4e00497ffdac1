internal import JWTCore

/// The difference between one key set and the next.
public struct KeySetChange: Hashable, Sendable {
    /// The names of new keys and of removed keys. Nil stands for a key without a name. A name whose material or use changed is in both.
    public let added: [String?]
    public let removed: [String?]
    /// Names that now mean another key. No publisher should do that; check with yours.
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
        // A key with a changed description but the same material is not lost.
        let staying = Set(after.filter(\.isUsable).map(\.namedMaterial))
        let lost = removed.filter { $0.isUsable && !staying.contains($0.namedMaterial) }
        replaced = lost.compactMap(\.keyID).filter { addedNames.contains(Array($0.utf8)) }
        let usable = before.count(where: \.isUsable)
        churn = usable == 0 ? 0 : Double(lost.count) / Double(usable)
    }
}

extension VerificationKey {
    var isUsable: Bool { unusableReason == nil }
}
