internal import JWTCore

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Musl)
internal import Musl
#else
internal import Glibc
#endif

/// A file with a private key, which nobody else may use.
enum PrivateKeyFile {
    /// Bytes of a file.
    private static let mostBytes = 65_536

    struct Fault: Error {
        /// Behind the path, for the operator.
        let sentence: String
    }

    /// Lends the bytes of the file to `make`, and wipes them.
    ///
    /// - Parameters:
    ///   - path: of the file.
    ///   - make: reads the key.
    /// - Returns: what `make` returns, or why the file cannot be read.
    static func read<Key>(_ path: String, _ make: (Span<UInt8>) -> Result<Key, Fault>) -> Result<Key, Fault> {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
        guard descriptor >= 0 else { return .failure(Fault(sentence: "cannot be read")) }
        defer { close(descriptor) }
        var about = stat()
        guard unsafe fstat(descriptor, &about) == 0, about.st_mode & S_IFMT == S_IFREG else {
            return .failure(Fault(sentence: "is not a regular file"))
        }
        // The group may read it: a service gets its keys from root that way.
        guard about.st_mode & 0o027 == 0 else {
            return .failure(Fault(sentence: "others may use the private key: only its owner and, for reading, its group may"))
        }
        let made = DescriptorBytes.lendSecret(descriptor, upTo: mostBytes + 1) { document in
            (1...mostBytes).contains(document.count) ? make(document) : nil
        }
        return (made ?? nil) ?? .failure(Fault(sentence: "is empty, larger than \(mostBytes) bytes or unreadable"))
    }
}
