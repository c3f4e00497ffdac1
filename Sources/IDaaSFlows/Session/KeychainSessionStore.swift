#if canImport(Security)
internal import Foundation
public import JWKSCache
internal import Security

/// A store in the keychain of an Apple device: readable after the first unlock, on this device alone, in no backup.
public final class KeychainSessionStore: SessionStore {
    private let service: String
    private let account: String
    private let accessGroup: String?
    private let turn = AsyncLock()
    private let file: FileTurn?

    /// - Parameters:
    ///   - service: under which name the item is kept, such as the bundle's identifier.
    ///   - accessGroup: whose programs share it; nil: this one's alone.
    ///   - lockPath: a file in a folder that those programs share, by which they take turns. Without one, an app and its extension may
    ///     refresh at the same time.
    public init(
        service: String, account: String = "session", accessGroup: String? = nil, lockPath: String? = nil,
        clock: any ElapsedClock = SystemElapsedClock(), patience: Duration = .seconds(60)
    ) {
        self.service = service
        self.account = account
        self.accessGroup = accessGroup
        file = lockPath.map { FileTurn(path: $0, clock: clock, patience: patience) }
    }

    public func contents() async throws(FlowError) -> StoredContents { try read() }

    public func exclusively<Result: Sendable>(
        _ body: @Sendable (inout StoredContents) async throws(FlowError) -> Result
    ) async throws(FlowError) -> Result {
        try await turn.acquire()
        defer { turn.release() }
        let lock = try await file?.take()
        defer { lock?.release() }
        let before = try read()
        var contents = before
        let result = try await body(&contents)
        if contents != before { try write(contents) }
        return result
    }

    private var query: [String: Any] {
        var query: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: service, kSecAttrAccount as String: account,
        ]
        if let accessGroup { query[kSecAttrAccessGroup as String] = accessGroup }
        return query
    }

    private func read() throws(FlowError) -> StoredContents {
        var search = query
        search[kSecReturnData as String] = true
        search[kSecMatchLimit as String] = kSecMatchLimitOne
        var item: CFTypeRef?
        let status = unsafe SecItemCopyMatching(search as CFDictionary, &item)
        if status == errSecItemNotFound { return StoredContents() }
        guard status == errSecSuccess, let data = item as? Data else { throw FlowError(.store(StoreFailure(.unreadable))) }
        guard let contents = try? JSONDecoder().decode(StoredContents.self, from: data) else {
            throw FlowError(.store(StoreFailure(.malformed)))
        }
        return contents
    }

    private func write(_ contents: StoredContents) throws(FlowError) {
        guard let data = try? JSONEncoder().encode(contents) else { throw FlowError(.store(StoreFailure(.unwritable))) }
        var status = SecItemUpdate(query as CFDictionary, [kSecValueData as String: data] as CFDictionary)
        if status == errSecItemNotFound {
            var item = query
            item[kSecValueData as String] = data
            item[kSecAttrAccessible as String] = kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly
            status = SecItemAdd(item as CFDictionary, nil)
        }
        guard status == errSecSuccess else { throw FlowError(.store(StoreFailure(.unwritable))) }
    }
}
#endif
