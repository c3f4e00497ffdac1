internal import JWTCore
internal import JWTDecryption

/// Reads `decryptionKeys` of a provider: files with private keys, which are read with the settings. A host that cannot read one has wrong
/// settings, and begins no work.
enum DecryptionKeySettings {
    static func read(_ provider: SettingsSection, folder: String) -> [DecryptionKey] {
        guard let paths = provider.texts("decryptionKeys") else { return [] }
        if paths.isEmpty { provider.fault("decryptionKeys", .invalidValue, "at least one file is needed") }
        return paths.flatMap { path in
            let path = SettingsPath.path(path, in: folder)
            switch PrivateKeyFile.read(path, keys) {
            case .success(let keys): return keys
            case .failure(let fault):
                provider.fault("decryptionKeys", .invalidValue, "\(path): \(fault.sentence)")
                return []
            }
        }
    }

    private static func keys(in document: Span<UInt8>) -> Result<[DecryptionKey], PrivateKeyFile.Fault> {
        do throws(VerificationError) { return .success(try DecryptionKey.keys(in: document)) } catch {
            return .failure(PrivateKeyFile.Fault(sentence: "\(error)"))
        }
    }
}
