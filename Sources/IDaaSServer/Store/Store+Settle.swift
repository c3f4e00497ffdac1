extension Store {
    /// A write that commits refusals too: it keeps the changes of `body` whether `body` returns a value or an error, which it then throws.
    /// An error that `body` throws itself undoes everything.
    func settle<Value: Sendable>(
        _ body: @Sendable @escaping (any StoreWriting) throws -> Result<Value, ServiceError>
    ) async throws -> Value {
        try await write(body).get()
    }
}
