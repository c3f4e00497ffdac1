#if IDaaS
/// Where everything lives that outlasts a request. SQL is known behind this protocol alone.
///
/// What has to happen at once happens in one `write`: it is serialisable with all others, durable when it returns, and undone whole when
/// `body` throws. A store may run `body` again (a server that serialises by conflict does), so it changes nothing but the transaction.
public protocol Store: Sendable {
    func read<Value: Sendable>(_ body: @Sendable @escaping (any StoreReading) throws -> Value) async throws -> Value
    func write<Value: Sendable>(_ body: @Sendable @escaping (any StoreWriting) throws -> Value) async throws -> Value
    /// A consistent copy at `path`, made while others read and write.
    func backUp(to path: String) async throws
    /// Whether reading and writing work.
    func check() async throws
}
#endif
