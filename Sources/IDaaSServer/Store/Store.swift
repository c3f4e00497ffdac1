/// Holds all data that outlasts a request. Only its implementations know SQL.
///
/// One `write` is one transaction: serialisable, durable when it returns, and undone completely when `body` throws. A store may run `body`
/// again after a conflict, so `body` must change nothing but the transaction.
package protocol Store: Sendable {
    func read<Value: Sendable>(_ body: @Sendable @escaping (any StoreReading) throws -> Value) async throws -> Value
    func write<Value: Sendable>(_ body: @Sendable @escaping (any StoreWriting) throws -> Value) async throws -> Value
    /// Writes a consistent copy to `path` while others read and write.
    func backUp(to path: String) async throws
    /// Brings the store up to date, however long it takes. Other calls do it too, within their own time.
    func prepare() async throws
    /// Checks that reading and writing work.
    func check() async throws
    /// Ends what the store holds outside this process; later calls fail.
    func close()
    /// Rings when a transaction of this process that added signals is durable.
    var signals: SignalBell { get }
}

extension Store {
    /// A file is up to date when it is open.
    package func prepare() {}

    /// A file's store holds only its file.
    package func close() {}

    /// A write that commits refusals too: it keeps the changes of `body` whether `body` returns a value or an error, which it then throws.
    /// An error that `body` throws itself undoes everything.
    func settle<Value: Sendable>(
        _ body: @Sendable @escaping (any StoreWriting) throws -> Result<Value, ServiceError>
    ) async throws -> Value {
        try await write(body).get()
    }
}
