internal import Locks

extension VerifiedTokenCache {
    /// The shards of all caches, by cache.
    private static let shardsOfAll = Locked<[ObjectIdentifier: [CacheShard]]>([:])

    /// Makes a fork wait until no shard is being written, so that the child finds every lock free. Only the forking thread continues in the
    /// child, so nothing would release another thread's lock. CReadCopyUpdate resets the list of readers in the child.
    private static let keepsAcrossForks: Void = {
        Forks.handle(
            before: {
                VerifiedTokenCache.shardsOfAll.lock()
                for shards in VerifiedTokenCache.shardsOfAll.held.values { for shard in shards { shard.lock() } }
            }, inParent: { VerifiedTokenCache.giveBackLocks() }, inChild: { VerifiedTokenCache.giveBackLocks() })
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
