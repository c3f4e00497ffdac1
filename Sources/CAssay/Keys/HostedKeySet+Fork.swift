internal import JWTCore
internal import Locks

extension HostedKeySet {
    /// The states of all sets, by set. Not the sets: a fork that retained one could be the last to release it, and would then wait in its
    /// deinit for the lock of this table, which it holds.
    private static let statesOfAll = Locked<[ObjectIdentifier: Locked<Shared>]>([:])

    /// Makes a fork wait until no set is being changed, so that the child finds every lock free. Only the forking thread continues in the
    /// child, so nothing would release another thread's lock.
    private static let keepsAcrossForks: Void = {
        Forks.handle(
            before: {
                HostedKeySet.statesOfAll.lock()
                for state in HostedKeySet.statesOfAll.held.values { state.lock() }
            }, inParent: { HostedKeySet.giveBackLocks() }, inChild: { HostedKeySet.giveBackLocks() })
    }()

    private static func giveBackLocks() {
        for state in statesOfAll.held.values { state.unlock() }
        statesOfAll.unlock()
    }

    func keepAcrossForks() {
        _ = Self.keepsAcrossForks
        Self.statesOfAll.withLock { $0[ObjectIdentifier(self)] = shared }
    }

    func leaveForks() { Self.statesOfAll.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(self)) } }
}
