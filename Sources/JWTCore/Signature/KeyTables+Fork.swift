#if canImport(Darwin)
internal import Darwin
#elseif canImport(Musl)
internal import Musl
#else
internal import Glibc
#endif

extension KeyTables {
    /// Has a fork wait for the table that is being built and find no lock taken: in the child only the thread that forked goes on, so what
    /// another held, nobody would give back, and the builder it remembers does not exist. Servers fork when their keys are loaded.
    static let keepsAcrossForks: Void = {
        pthread_atfork(
            {
                // In the order in which a builder takes them.
                KeyTables.shared.building.lock()
                Engine.choice.lock()
                KeyTables.shared.state.lock()
            }, { KeyTables.shared.giveBackLocks() },
            {
                KeyTables.shared.giveBackLocks()
                KeyTables.shared.state.withLock { $0.hasBuilder = false }
            })
    }()

    private func giveBackLocks() {
        state.unlock()
        Engine.choice.unlock()
        building.unlock()
    }
}
