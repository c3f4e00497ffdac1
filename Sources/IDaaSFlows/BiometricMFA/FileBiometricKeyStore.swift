public import IDaaSWire
public import JWKSCache
internal import JWTCore
internal import Locks
internal import Secrets

/// Software keys in a file that only its owner can read or write, for systems without a secure element. A process of the same user can read
/// the keys; the verifier protects only against other people at the same screen.
public final class FileBiometricKeyStore: BiometricKeyStore {
    private struct Entry: Codable, Hashable {
        let name: BiometricKeyName
        /// PKCS#8 in DER.
        let privateKey: Base64Bytes
        let publicKey: Base64Bytes
        let enrolment: String
    }

    public let path: String
    private let verifier: any UserVerifier
    private let clock: any ElapsedClock
    private let turn = AsyncLock()
    private let file: FileTurn
    private let latest = Locked((presence: UserPresence, at: Duration)?.none)

    /// - Parameters:
    ///   - path: the file, in an existing directory. The store makes `{path}.lock` beside it.
    ///   - verifier: asks the user before each signature.
    ///   - clock: measures the age of a verification that serves again.
    ///   - patience: how long a call waits for another process that uses the file.
    public init(
        path: String, verifier: any UserVerifier, clock: any ElapsedClock = SystemElapsedClock(), patience: Duration = .seconds(10)
    ) {
        self.path = path
        self.verifier = verifier
        self.clock = clock
        file = FileTurn(path: path + ".lock", clock: clock, patience: patience)
    }

    public func availability() async -> BiometricAvailability { await verifier.availability() }

    public func publicKey(_ name: BiometricKeyName) async throws(BiometricFailure) -> [UInt8] {
        let enrolment = await verifier.enrolment()
        return try await changing { entries throws(BiometricFailure) in
            if let entry = entries.first(where: { $0.name == name && $0.enrolment == enrolment }) { return entry.publicKey.bytes }
            guard let key = P256PrivateKey.generate(), let document = key.privateDocument else { throw .keyUnusable }
            entries.removeAll { $0.name == name }
            entries.append(
                Entry(name: name, privateKey: Base64Bytes(document), publicKey: Base64Bytes(key.publicKey.document), enrolment: enrolment))
            return key.publicKey.document
        }
    }

    public func name(ofPublicKey publicKey: [UInt8]) async throws(BiometricFailure) -> BiometricKeyName? {
        try read().first { $0.publicKey.bytes == publicKey }?.name
    }

    public func signature(
        _ name: BiometricKeyName, for reason: BiometricReason, reuse: Duration, of message: @Sendable (UserVerification) -> [UInt8]
    ) async throws(BiometricFailure) -> BiometricSignature {
        guard let entry = try read().first(where: { $0.name == name }) else { throw .keyMissing }
        guard entry.enrolment == (await verifier.enrolment()) else { throw .keyInvalidated }
        let verification = try await presence(for: reason, reuse: reuse).verification
        // Read again: the key may have gone while the user was asked.
        guard try read().contains(entry) else { throw .keyMissing }
        var document = entry.privateKey.bytes
        defer { wipe(&document) }
        guard let bytes = P256PrivateKey.importing(document)?.signature(of: message(verification)) else { throw .keyUnusable }
        return BiometricSignature(bytes: bytes, verification: verification)
    }

    public func remove(_ name: BiometricKeyName) async throws(BiometricFailure) {
        try await changing { entries throws(BiometricFailure) in entries.removeAll { $0.name == name } }
    }

    private func presence(for reason: BiometricReason, reuse: Duration) async throws(BiometricFailure) -> UserPresence {
        guard !Task.isCancelled else { throw .interrupted }
        if let known = latest.withLock({ $0 }), clock.elapsed - known.at < reuse { return known.presence }
        let presence = try await verifier.verify(for: reason)
        guard !Task.isCancelled else { throw .interrupted }
        latest.withLock { [clock] in $0 = (presence, clock.elapsed) }
        return presence
    }

    private func changing<Result: Sendable>(
        _ body: @Sendable (inout [Entry]) throws(BiometricFailure) -> Result
    ) async throws(BiometricFailure) -> Result {
        do throws(FlowError) { try await turn.acquire() } catch { throw .keyUnusable }
        defer { turn.release() }
        let lock: FileLock
        do throws(FlowError) { lock = try await file.take() } catch { throw .keyUnusable }
        defer { lock.release() }
        let before = try read()
        var entries = before
        let result = try body(&entries)
        if entries != before { try write(entries) }
        return result
    }

    private func read() throws(BiometricFailure) -> [Entry] {
        do throws(StoreFailure) {
            guard let bytes = try PrivateFile.read(path) else { return [] }
            guard let entries = try? JSONTree.decode([Entry].self, from: bytes) else { throw StoreFailure(.malformed) }
            return entries
        } catch {
            throw .keyUnusable
        }
    }

    private func write(_ entries: [Entry]) throws(BiometricFailure) {
        do throws(StoreFailure) {
            guard let tree = try? JSONTree(encoding: entries) else { throw StoreFailure(.unwritable) }
            try PrivateFile.write(tree.json, to: path)
        } catch {
            throw .keyUnusable
        }
    }
}
