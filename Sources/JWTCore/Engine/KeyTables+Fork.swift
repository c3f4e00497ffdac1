internal import Synchronization

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Musl)
internal import Musl
#else
internal import Glibc
#endif

extension KeyTables {
    /// Makes a fork wait for the table being built and for every lock to be free. Only the forking thread continues in the child: nothing
    /// would release another thread's lock, and the recorded builder thread does not exist there. Servers fork after they load their keys.
    static let keepsAcrossForks: Void = {
        pthread_atfork(
            {
                // In the same order as a builder takes them.
                KeyTables.shared.building.lock()
                Engine.choice.lock()
                KeyTables.shared.state.lock()
            }, { KeyTables.shared.giveBackLocks() },
            {
                KeyTables.shared.giveBackLocks()
                KeyTables.shared.hasBuilder.store(false, ordering: .relaxed)
                KeyTables.shared.wakeup.reset()
            })
    }()

    private func giveBackLocks() {
        state.unlock()
        Engine.choice.unlock()
        building.unlock()
    }
}
