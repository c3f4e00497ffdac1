import JWKSCache

/// The published keys from the beginning of a run to its end.
struct KeyHistory {
    private(set) var releases: [Release] = []
    private var names = 0
    private var materials: [Int]

    struct Release {
        let at: Duration
        let keys: [PublishedKey]
        /// The key that signs its tokens; nil while there is none.
        let signing: PublishedKey?
        let serial: UInt64
        let change: Change
    }

    enum Change: String, CaseIterable {
        case overlapping, withoutOverlap, emergency, newMaterial, order, unusable, empty, allUnusable, twins, rollback, retirement
    }

    init(length: Duration, pool: KeyPool, _ random: inout SeededGenerator) {
        materials = Array(0..<pool.count).shuffled(using: &random)
        let first = freshKey()
        add(at: .zero, random.chance(0.5) ? [first, freshKey()] : [first], signing: first, .overlapping)
        let pace = random.duration(.seconds(120)...(.seconds(4_000)))
        var at = random.duration(.seconds(1)...pace * 2)
        while at < length {
            change(at, &random)
            // Sometimes a publisher corrects itself immediately.
            let isHasty = random.chance(0.15) || releases[releases.count - 1].signing == nil
            at += isHasty ? random.duration(.milliseconds(200)...(.seconds(90))) : random.duration(.seconds(30)...pace * 2)
        }
    }

    func release(at moment: Duration) -> Release { releases[releases.lastIndex { $0.at <= moment } ?? 0] }

    /// How long `key` has been unpublished at `moment`; nil if it is published.
    func removal(of key: PublishedKey, at moment: Duration) -> Duration? {
        var gone: Duration? = .zero
        for release in releases where release.at <= moment {
            if release.keys.contains(key) { gone = nil } else { gone = gone ?? release.at }
        }
        return gone
    }

    private mutating func change(_ at: Duration, _ random: inout SeededGenerator) {
        let last = releases[releases.count - 1]
        let keys = last.keys.filter(\.isUsable)
        let extra = last.keys.filter { !$0.isUsable }
        let change = keys.isEmpty ? .rollback : Change.allCases.randomElement(using: &random) ?? .order
        let new = freshKey(), odd = PublishedKey(name: "odd-\(names)", material: nil)
        switch change {
        case .overlapping: add(at: at, random.chance(0.5) ? [new] + last.keys.suffix(4) : last.keys.suffix(4) + [new], signing: new, change)
        case .withoutOverlap: add(at: at, [new] + extra, signing: new, change)
        case .emergency: add(at: at, keys.filter { $0 != last.signing } + [new], signing: new, change)
        case .newMaterial:
            let renewed = PublishedKey(name: keys[0].name, material: freshMaterial())
            add(at: at, [renewed] + keys.dropFirst() + extra, signing: renewed, change)
        case .order: add(at: at, last.keys.reversed(), signing: last.signing, change)
        case .unusable: add(at: at, keys + (extra.isEmpty ? [odd] : []), signing: last.signing, change)
        case .empty: add(at: at, [], signing: nil, change)
        case .allUnusable: add(at: at, [odd], signing: nil, change)
        case .twins:
            let twin = PublishedKey(name: keys[0].name, material: freshMaterial())
            add(at: at, last.keys.suffix(4) + [twin], signing: keys[0], change)
        case .rollback:
            let earlier = releases.dropLast().last { $0.signing != nil } ?? releases[0]
            add(at: at, earlier.keys, signing: earlier.signing, change)
        case .retirement: add(at: at, last.signing.map { [$0] } ?? last.keys, signing: last.signing, change)
        }
    }

    private mutating func add(at moment: Duration, _ keys: [PublishedKey], signing: PublishedKey?, _ change: Change) {
        releases.append(Release(at: moment, keys: keys, signing: signing, serial: UInt64(releases.count + 1), change: change))
    }

    private mutating func freshKey() -> PublishedKey {
        names += 1
        return PublishedKey(name: "key-\(names)", material: freshMaterial())
    }

    /// After some hours the pool is reused, under other names.
    private mutating func freshMaterial() -> Int {
        let material = materials.removeFirst()
        materials.append(material)
        return material
    }
}
