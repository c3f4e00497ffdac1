#if IDaaS
extension Store {
    /// A write whose refusals are kept: what `body` changed is committed whether it answers a value or an error that is then thrown.
    /// What `body` throws itself undoes everything.
    func settle<Value: Sendable>(
        _ body: @Sendable @escaping (any StoreWriting) throws -> Result<Value, ServiceError>
    ) async throws -> Value {
        try await write(body).get()
    }
}
#endif
