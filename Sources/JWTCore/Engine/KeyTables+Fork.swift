internal import Locks
internal import Synchronization

extension KeyTables {
    /// Makes a fork wait for the table being built and for every lock to be free. Only the forking thread continues in the child: nothing
    /// would release another thread's lock, and the recorded builder thread does not exist there. Servers fork after they load their keys.
    static let keepsAcrossForks: Void = {
        Forks.handle(
            before: {
                // In the same order as a builder takes them.
                KeyTables.shared.building.lock()
                Engine.choice.lock()
                KeyTables.shared.state.lock()
            }, inParent: { KeyTables.shared.giveBackLocks() },
            inChild: {
                KeyTables.shared.giveBackLocks()
                KeyTables.shared.hasBuilder.store(false, ordering: .relaxed)
                KeyTables.shared.wakeup.reset()
            })
    }()

    /// The same for the tables of senders' keys, whose handlers run first: a builder takes the lock of ``Engine/choice`` after its own.
    static let keepsSendersAcrossForks: Void = {
        _ = keepsAcrossForks
        Forks.handle(
            before: {
                KeyTables.senders.building.lock()
                KeyTables.senders.state.lock()
            },
            inParent: {
                KeyTables.senders.state.unlock()
                KeyTables.senders.building.unlock()
            },
            inChild: {
                KeyTables.senders.state.unlock()
                KeyTables.senders.building.unlock()
                KeyTables.senders.hasBuilder.store(false, ordering: .relaxed)
                KeyTables.senders.wakeup.reset()
            })
    }()

    private func giveBackLocks() {
        state.unlock()
        Engine.choice.unlock()
        building.unlock()
    }
}
