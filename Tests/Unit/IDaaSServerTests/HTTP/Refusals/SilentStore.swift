import IDaaSServer
import Locks

/// A store whose database does not answer while `isSilent` is set.
struct SilentStore: Store {
    private let store: any Store
    private let isSilent: Locked<Bool>

    init(_ store: any Store, _ isSilent: Locked<Bool>) {
        self.store = store
        self.isSilent = isSilent
    }

    private func listen() throws {
        if isSilent.withLock({ $0 }) { throw StoreFailure(.unavailable) }
    }

    func read<Value: Sendable>(_ body: @Sendable @escaping (any StoreReading) throws -> Value) async throws -> Value {
        try listen()
        return try await store.read(body)
    }

    func write<Value: Sendable>(_ body: @Sendable @escaping (any StoreWriting) throws -> Value) async throws -> Value {
        try listen()
        return try await store.write(body)
    }

    func backUp(to path: String) async throws { try await store.backUp(to: path) }

    func check() async throws {
        try listen()
        try await store.check()
    }

    func close() { store.close() }

    var signals: SignalBell { store.signals }
}
