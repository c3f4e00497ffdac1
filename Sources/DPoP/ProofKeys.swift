package import JWTCore
internal import Locks

/// The keys of clients that came back: a bounded memory by thumbprint. A client's key is read and built for libcrypto at its first proof,
/// kept from the second proof on, and then prepared for the kernels, which verify many times faster.
///
/// A key that is seen once leaves only a trace of four bytes, and no table is built for it. The tables of all clients' keys have a budget
/// of their own (16 MiB), apart from those of issuers. Share one memory between verifiers; it takes a lock for a short time.
///
/// With a key that is kept stands the text in which its client sends it, up to 1 KiB. A proof with this text needs no second reading of the
/// key and no second thumbprint.
public final class ProofKeys: Sendable {
    private let shards: [Locked<Shard>]

    /// Keys that are kept. 1,024: about 3 MiB, without tables.
    public static let standardCapacity = 1_024

    private static let shardCount = 16
    /// A key of RSA with 4,096 bits takes 700.
    private static let mostTextBytes = 1_024

    /// - Parameter capacity: keys to keep, rounded up to a multiple of 16. The one unused for longest makes room for another.
    public init(capacity: Int = ProofKeys.standardCapacity) {
        let slots = max(1, (min(max(capacity, 1), 1 << 20) + Self.shardCount - 1) / Self.shardCount)
        shards = (0..<Self.shardCount).map { _ in Locked(Shard(slots: slots)) }
        for shard in shards { ForkedLocks.add(shard, of: shard) }
    }

    deinit { for shard in shards { ForkedLocks.remove(shard) } }

    /// The key with this thumbprint, if it is kept.
    package func kept(_ thumbprint: KeyThumbprint) -> VerificationKey? { shard(of: thumbprint).withLock { $0.key(thumbprint) } }

    /// The key with this thumbprint, if it is kept and `text` is how it was written in the proof that brought it here. Equal texts are read
    /// alike, so what was found out about the first one holds.
    package func kept(_ thumbprint: KeyThumbprint, writtenAs text: Span<UInt8>) -> VerificationKey? {
        shard(of: thumbprint).withLock { $0.key(thumbprint, writtenAs: text) }
    }

    /// Notes that a key has verified a proof. The second time it is kept, prepared for the kernels.
    func note(_ thumbprint: KeyThumbprint, _ embedded: borrowing EmbeddedKey) {
        let shard = shard(of: thumbprint)
        guard shard.withLock({ $0.comesBack(thumbprint) }), let key = try? embedded.key(preparedIn: .senders) else { return }
        // The key that makes room is released outside of the lock.
        let text = embedded.text.count <= Self.mostTextBytes ? Array(copying: embedded.text) : []
        let old = shard.withLock { $0.insert(key, thumbprint, text) }
        withExtendedLifetime(old) {}
    }

    /// The number of keys that are kept.
    public var count: Int { shards.reduce(0) { count, shard in count + shard.withLock { $0.count } } }

    private func shard(of thumbprint: KeyThumbprint) -> Locked<Shard> {
        shards[Int(truncatingIfNeeded: thumbprint.hash & UInt64(Self.shardCount - 1))]
    }

    private struct Shard {
        private var keys: [VerificationKey?]
        private var thumbprints: [KeyThumbprint?]
        /// Empty for one that is too long.
        private var texts: [[UInt8]]
        private var isUsed: [Bool]
        private var places: [KeyThumbprint: Int] = [:]
        private var order: SieveOrder
        private var doorkeeper: Doorkeeper

        init(slots: Int) {
            keys = Array(repeating: nil, count: slots)
            thumbprints = Array(repeating: nil, count: slots)
            texts = Array(repeating: [], count: slots)
            isUsed = Array(repeating: false, count: slots)
            order = SieveOrder(slots: slots)
            var traces = 4
            while traces < 4 * slots { traces *= 2 }
            doorkeeper = Doorkeeper(places: traces)
        }

        var count: Int { places.count }

        mutating func key(_ thumbprint: KeyThumbprint) -> VerificationKey? {
            guard let place = places[thumbprint] else { return nil }
            isUsed[place] = true
            return keys[place]
        }

        mutating func key(_ thumbprint: KeyThumbprint, writtenAs text: Span<UInt8>) -> VerificationKey? {
            guard let place = places[thumbprint] else { return nil }
            let known = texts[place]
            guard known.span.equals(text) else { return nil }
            isUsed[place] = true
            return keys[place]
        }

        /// Whether the key was seen before, and is not kept yet.
        mutating func comesBack(_ thumbprint: KeyThumbprint) -> Bool { places[thumbprint] == nil && doorkeeper.admits(thumbprint.hash) }

        /// - Returns: the key that made room.
        mutating func insert(_ key: VerificationKey, _ thumbprint: KeyThumbprint, _ text: [UInt8]) -> VerificationKey? {
            guard places[thumbprint] == nil, let (place, old) = emptyPlace() else { return key }
            keys[place] = key
            thumbprints[place] = thumbprint
            texts[place] = text
            isUsed[place] = false
            places[thumbprint] = place
            order.insert(place)
            return old
        }

        private mutating func emptyPlace() -> (place: Int, old: VerificationKey?)? {
            if places.count < keys.count { return keys.firstIndex { $0 == nil }.map { ($0, nil) } }
            guard
                let place = order.victim({ place in
                    defer { isUsed[place] = false }
                    return isUsed[place]
                })
            else { return nil }
            order.remove(place)
            if let thumbprint = thumbprints[place] { places[thumbprint] = nil }
            return (place, keys[place])
        }
    }
}
