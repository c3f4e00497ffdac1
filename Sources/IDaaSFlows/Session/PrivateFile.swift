internal import JWTCore

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Musl)
internal import Musl
#else
internal import Glibc
#endif

/// A small file that only its owner can read or write.
enum PrivateFile {
    static let largest = 1 << 20

    /// The bytes; nil if there is no file.
    ///
    /// - Throws: `notPrivate` for a link, a file of another owner, or a file that others may read or write; `unreadable`.
    static func read(_ path: String) throws(StoreFailure) -> [UInt8]? {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else {
            switch errno {
            case ENOENT: return nil
            case ELOOP: throw StoreFailure(.notPrivate)
            default: throw StoreFailure(.unreadable)
            }
        }
        defer { close(descriptor) }
        try check(descriptor)
        guard let bytes = DescriptorBytes.read(descriptor, upTo: largest + 1), bytes.count <= largest else {
            throw StoreFailure(.unreadable)
        }
        return bytes
    }

    /// Replaces the file atomically: a reader sees the old or the new file, even after a power failure. One writer at a time.
    static func write(_ bytes: [UInt8], to path: String) throws(StoreFailure) {
        // A fixed name, so that the next writer removes the rest of a killed process.
        let temporary = path + ".new"
        unsafe unlink(temporary)
        let descriptor = unsafe open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw StoreFailure(.unwritable) }
        let isWritten = DescriptorBytes.write(bytes, to: descriptor) == 0 && fsync(descriptor) == 0
        guard close(descriptor) == 0, isWritten, unsafe rename(temporary, path) == 0 else {
            unsafe unlink(temporary)
            throw StoreFailure(.unwritable)
        }
        synchroniseDirectory(of: path)
    }

    /// Without this a power failure may undo the rename and restore a replaced session token. Some file systems do not support it.
    private static func synchroniseDirectory(of path: String) {
        let end = path.lastIndex(of: "/")
        let directory = end.map { String(path[...$0]) } ?? "."
        let descriptor = unsafe open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }

    /// - Throws: `unreadable` for a file that is not regular, `notPrivate` for a file that another user owns or may read or write.
    static func check(_ descriptor: Int32) throws(StoreFailure) {
        var about = stat()
        guard unsafe fstat(descriptor, &about) == 0, about.st_mode & S_IFMT == S_IFREG else { throw StoreFailure(.unreadable) }
        guard about.st_uid == geteuid(), about.st_mode & 0o077 == 0 else { throw StoreFailure(.notPrivate) }
    }
}
