internal import JWTCore
internal import JWTDecryption

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Musl)
internal import Musl
#else
internal import Glibc
#endif

/// Reads `decryptionKeys` of a provider: files with private keys, which are read with the settings. A host that cannot read one has wrong
/// settings, and begins no work.
enum DecryptionKeySettings {
    /// Bytes of a file.
    private static let mostBytes = 65_536

    static func read(_ provider: SettingsSection, folder: String) -> [DecryptionKey] {
        guard let paths = provider.texts("decryptionKeys") else { return [] }
        if paths.isEmpty { provider.fault("decryptionKeys", .invalidValue, "at least one file is needed") }
        return paths.flatMap { path in
            let path = SettingsPath.path(path, in: folder)
            do throws(Fault) { return try keys(at: path) } catch {
                provider.fault("decryptionKeys", .invalidValue, "\(path): \(error.sentence)")
                return []
            }
        }
    }

    private struct Fault: Error {
        let sentence: String
    }

    private static func keys(at path: String) throws(Fault) -> [DecryptionKey] {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
        guard descriptor >= 0 else { throw Fault(sentence: "cannot be read") }
        defer { close(descriptor) }
        var about = stat()
        guard unsafe fstat(descriptor, &about) == 0, about.st_mode & S_IFMT == S_IFREG else {
            throw Fault(sentence: "is not a regular file")
        }
        // The group may read it: a service gets its keys from root that way.
        guard about.st_mode & 0o027 == 0 else {
            throw Fault(sentence: "others may use the private key: only its owner and, for reading, its group may")
        }
        let outcome = DescriptorBytes.lendSecret(descriptor, upTo: mostBytes + 1) { document in
            (1...mostBytes).contains(document.count) ? Self.outcome(document) : nil
        }
        guard let outcome = outcome ?? nil else { throw Fault(sentence: "is empty, larger than \(mostBytes) bytes or unreadable") }
        return try outcome.get()
    }

    private static func outcome(_ document: Span<UInt8>) -> Result<[DecryptionKey], Fault> {
        do throws(VerificationError) { return .success(try DecryptionKey.keys(in: document)) } catch {
            return .failure(Fault(sentence: "\(error)"))
        }
    }
}
