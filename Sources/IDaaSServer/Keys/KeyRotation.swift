#if IDaaS
/// A change of the signing keys, worked out on their records. Pure: it makes no key and asks no clock.
struct KeyRotation {
    /// A new key, should one be needed.
    enum Spare {
        case absent
        case made(StoredSigningKey)
    }

    /// Whether a new key was needed.
    private(set) var wantsSpare = false
    /// What is to be saved.
    var changed: [StoredSigningKey] { keys.filter { !original.contains($0) } }

    private var keys: [StoredSigningKey]
    private let original: [StoredSigningKey]
    private let now: Timestamp
    private let policy: SigningPolicy
    private let spare: Spare

    init(_ keys: [StoredSigningKey], at now: Timestamp, policy: SigningPolicy, spare: Spare) {
        self.keys = keys
        original = keys
        self.now = now
        self.policy = policy
        self.spare = spare
    }

    private func index(of state: KeyState) -> Int? { keys.firstIndex { $0.state(at: now, overlap: policy.overlap) == state } }

    /// Sees to it that a successor is published.
    mutating func ensureNext() {
        guard index(of: .next) == nil else { return }
        wantsSpare = true
        if case .made(let key) = spare, !keys.contains(where: { $0.id == key.id }) { keys.append(key) }
    }

    /// Sees to it that there is a key to sign with, be it one that nobody has seen yet.
    mutating func ensureActive() {
        guard index(of: .active) == nil else { return }
        ensureNext()
        promote()
    }

    /// Lets the next key sign from now on. The private half of the one before is of no use any more.
    mutating func promote() {
        guard let next = index(of: .next) else { return }
        if let active = index(of: .active) {
            keys[active].retired = now
            keys[active].keepPublished(until: now + policy.overlap)
            keys[active].sealedPrivateKey = []
        }
        keys[next].activated = now
    }

    mutating func promoteIfPublishedLongEnough() {
        guard let next = index(of: .next), keys[next].published + policy.publication <= now else { return }
        promote()
    }

    /// Publishes a successor early enough that the active key is replaced at its age.
    mutating func rotateByAge() {
        guard let active = index(of: .active), let activated = keys[active].activated,
            activated + policy.rotationAge - policy.publication <= now
        else { return }
        ensureNext()
    }

    /// False if there is no such key.
    mutating func remove(_ id: String) -> Bool {
        guard let index = keys.firstIndex(where: { $0.id == id && $0.removed == nil }) else { return false }
        erase(index)
        return true
    }

    mutating func removeExpired() {
        for index in keys.indices where keys[index].removed == nil && keys[index].state(at: now, overlap: policy.overlap) == .gone {
            erase(index)
        }
    }

    private mutating func erase(_ index: Int) {
        keys[index].removed = now
        keys[index].sealedPrivateKey = []
    }
}
#endif
