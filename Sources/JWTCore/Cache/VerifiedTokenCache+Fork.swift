#if canImport(Darwin)
internal import Darwin
#elseif canImport(Musl)
internal import Musl
#else
internal import Glibc
#endif

extension VerifiedTokenCache {
    /// The shards of every cache there is, by the cache.
    private static let shardsOfAll = Locked<[ObjectIdentifier: [CacheShard]]>([:])

    /// Has a fork wait until no shard is written to, and its child find none locked: there only the thread that forked goes on, so what
    /// another held nobody would give back. Of which readers there are the child hears in CReadCopyUpdate.
    private static let keepsAcrossForks: Void = {
        pthread_atfork(
            {
                VerifiedTokenCache.shardsOfAll.lock()
                for shards in VerifiedTokenCache.shardsOfAll.held.values { for shard in shards { shard.lock() } }
            }, { VerifiedTokenCache.giveBackLocks() }, { VerifiedTokenCache.giveBackLocks() })
    }()

    private static func giveBackLocks() {
        for shards in shardsOfAll.held.values { for shard in shards { shard.unlock() } }
        shardsOfAll.unlock()
    }

    func register(_ shards: [CacheShard]) {
        _ = Self.keepsAcrossForks
        Self.shardsOfAll.withLock { $0[ObjectIdentifier(self)] = shards }
    }

    func unregister() { Self.shardsOfAll.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(self)) } }
}
