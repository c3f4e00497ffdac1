import AssayTesting
import CommandProgram
import JWTCore
import JWTDecryption

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The file of a private key, which only its owner may read.
enum PrivateKeyFile {
    /// Writes a new file that only its owner can read and write. A failure leaves no file.
    ///
    /// - Throws: a failure if the file exists, or if the file system lets others read it all the same.
    static func write(_ document: String, to path: String) throws(CommandFailure) {
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .system("cannot make \(path)", errno) }
        do throws(CommandFailure) {
            // The mode of a new file also depends on the umask and on the file system.
            guard fchmod(descriptor, 0o600) == 0 else { throw .system("cannot protect \(path)", errno) }
            try refuseIfOthersRead(descriptor, path)
            let number = DescriptorBytes.write((document + "\n").utf8, to: descriptor)
            guard number == 0 else { throw .system("cannot write \(path)", number) }
            guard close(descriptor) == 0 else { throw .system("cannot write \(path)", errno) }
        } catch {
            unsafe unlink(path)
            throw error
        }
    }

    /// The key in a file.
    ///
    /// - Throws: a failure if group or others may read the file, or if it does not hold a private JWK.
    static func key(at path: String) throws(CommandFailure) -> TestKey {
        let document = try contents(at: path)
        return try MemoryShortage.asking { () throws(TestKeyError) in
            try TestKey(privateJWK: String(decoding: document, as: UTF8.self))
        } otherwise: { error in
            .usage("\(path): \(error)")
        }
    }

    /// The keys in a file that decrypt tokens: a JWK Set, a JWK, or a private key in PEM or DER.
    ///
    /// - Throws: a failure if group or others may read the file, or if a key of it is unusable.
    static func decryptionKeys(at path: String) throws(CommandFailure) -> [DecryptionKey] {
        var document = try contents(at: path)
        defer { document.wipe() }
        return try MemoryShortage.asking { () throws(VerificationError) in
            try DecryptionKey.keys(in: document)
        } otherwise: { error in
            .usage("\(path): \(error)")
        }
    }

    private static func contents(at path: String) throws(CommandFailure) -> [UInt8] {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
        guard descriptor >= 0 else { throw .system("cannot read \(path)", errno) }
        defer { close(descriptor) }
        try refuseIfOthersRead(descriptor, path)
        let document = DescriptorBytes.lendSecret(descriptor, upTo: TestKey.maximumBytes + 1) { Array(copying: $0) }
        guard let document, !document.isEmpty else { throw .usage("\(path) is empty or unreadable") }
        return document
    }

    private static func refuseIfOthersRead(_ descriptor: Int32, _ path: String) throws(CommandFailure) {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw .system("cannot read \(path)", errno) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .usage("\(path) is not a regular file") }
        guard status.st_mode & 0o077 == 0 else {
            throw .usage("group or others may use the private key in \(path): run chmod 600, or make a new key if others may have read it")
        }
    }
}
