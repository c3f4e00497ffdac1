package import Locks

/// A lock that a fork can wait for.
package protocol ForkedLock: AnyObject, Sendable {
    func lock()
    func unlock()
}

extension Locked: ForkedLock {}

/// The locks of objects that live on in a forked child. A fork waits until each is free, so that the child finds it free: only the forking
/// thread continues there, so nothing would release another thread's lock. A thread that holds one of them takes no other.
package enum ForkedLocks {
    /// By owner. Not the owners: a fork that retained one could be the last to release it, and would then wait in its deinit for the lock of
    /// this table, which it holds.
    private static let all = Locked<[ObjectIdentifier: any ForkedLock]>([:])

    private static let keepsAcrossForks: Void = {
        Forks.handle(
            before: {
                ForkedLocks.all.lock()
                for lock in ForkedLocks.all.held.values { lock.lock() }
            }, inParent: { ForkedLocks.giveBack() }, inChild: { ForkedLocks.giveBack() })
    }()

    private static func giveBack() {
        for lock in all.held.values { lock.unlock() }
        all.unlock()
    }

    /// Makes forks wait for `lock`, until its owner is removed.
    package static func add(_ lock: any ForkedLock, of owner: AnyObject) {
        _ = keepsAcrossForks
        all.withLock { $0[ObjectIdentifier(owner)] = lock }
    }

    package static func remove(_ owner: AnyObject) { all.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(owner)) } }
}
