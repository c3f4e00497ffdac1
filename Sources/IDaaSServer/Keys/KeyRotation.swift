/// A change of the signing keys, computed on their records. Pure: it makes no key and reads no clock.
struct KeyRotation: Sendable {
    /// A new key for the case that one is needed.
    enum Spare: Sendable {
        case absent
        case made(StoredSigningKey)
    }

    /// Whether a new key was needed.
    private(set) var wantsSpare = false
    /// The keys to save.
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

    /// The result of the change, once ``changed`` is saved; nil if no change was requested.
    var report: KeyRotationReport? {
        if let active = index(of: .active).map({ keys[$0] }), changed.contains(active) { return report(.activated, active) }
        return index(of: .next).map { report(changed.isEmpty ? .unchanged : .published, keys[$0]) }
    }

    private func report(_ outcome: KeyRotationReport.Outcome, _ key: StoredSigningKey) -> KeyRotationReport {
        KeyRotationReport(
            outcome: outcome, key: KeySummary(key, at: now, overlap: policy.overlap),
            signsFrom: key.activated ?? key.published + policy.publication)
    }

    private func index(of state: KeyState) -> Int? { keys.firstIndex { $0.state(at: now, overlap: policy.overlap) == state } }

    /// Publishes a successor if there is none.
    mutating func ensureNext() {
        guard index(of: .next) == nil else { return }
        wantsSpare = true
        if case .made(let key) = spare, !keys.contains(where: { $0.id == key.id }) { keys.append(key) }
    }

    /// Makes sure that a key signs, even a key that no verifier has seen yet.
    mutating func ensureActive() {
        guard index(of: .active) == nil else { return }
        ensureNext()
        promote()
    }

    /// Lets the next key sign from now on, and erases the private key of the previous one.
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

    /// Publishes a successor in time, so that the active key is replaced at its maximum age.
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
