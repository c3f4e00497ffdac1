internal import JWTCore

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Musl)
internal import Musl
#else
internal import Glibc
#endif

/// The system calls on the log of revocations.
enum LogFile {
    /// Opens the log for reading.
    static func open(_ path: String) throws(RevocationLogFailure) -> Int32 {
        try opened(path, O_RDONLY | O_NONBLOCK)
    }

    /// Opens the log for writing at its end, and makes it if there is none. Its group can read it, whatever the umask says.
    static func openForWriting(_ path: String) throws(RevocationLogFailure) -> Int32 {
        let made = systemOpen(path, O_RDWR | O_APPEND | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o640)
        guard made >= 0 else { return try opened(path, O_RDWR | O_APPEND | O_NONBLOCK) }
        fchmod(made, 0o640)
        return made
    }

    private static func opened(_ path: String, _ flags: Int32) throws(RevocationLogFailure) -> Int32 {
        let descriptor = systemOpen(path, flags | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY, 0)
        guard descriptor >= 0 else {
            switch errno {
            case ENOENT: throw RevocationLogFailure(.missing, path)
            case ELOOP: throw RevocationLogFailure(.notRegular, path)
            default: throw .ofSystem(.unreadable, path)
            }
        }
        do throws(RevocationLogFailure) {
            var about = stat()
            guard unsafe fstat(descriptor, &about) == 0 else { throw .ofSystem(.unreadable, path) }
            try check(about, path)
        } catch {
            close(descriptor)
            throw error
        }
        return descriptor
    }

    /// Whoever may write the file could revoke every token.
    static func check(_ about: stat, _ path: String) throws(RevocationLogFailure) {
        guard about.st_mode & S_IFMT == S_IFREG else { throw RevocationLogFailure(.notRegular, path) }
        guard about.st_mode & 0o022 == 0 else { throw RevocationLogFailure(.notPrivate, path) }
        guard about.st_size <= RevocationLines.mostBytes else { throw RevocationLogFailure(.tooLarge, path) }
    }

    /// The lock of the process that writes the log, on a file beside it: the log itself is replaced by others. It ends with its process.
    static func lock(_ path: String) throws(RevocationLogFailure) -> Int32 {
        let descriptor = systemOpen("\(path)-writer", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
        guard descriptor >= 0 else { throw .ofSystem(.writeFailed, "\(path)-writer") }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let failure = errno == EWOULDBLOCK ? RevocationLogFailure(.inUse, path) : .ofSystem(.writeFailed, "\(path)-writer")
            close(descriptor)
            throw failure
        }
        return descriptor
    }

    /// Whether the path still names the open file.
    static func isAt(_ path: String, _ descriptor: Int32) -> Bool {
        var open = stat(), named = stat()
        guard unsafe fstat(descriptor, &open) == 0, unsafe lstat(path, &named) == 0 else { return false }
        return open.st_ino == named.st_ino && open.st_dev == named.st_dev
    }

    /// Writes bytes at the end, and waits until they are on the disk.
    static func append(_ bytes: [UInt8], to descriptor: Int32, _ path: String) throws(RevocationLogFailure) {
        let number = DescriptorBytes.write(bytes, to: descriptor)
        guard number == 0 else { throw RevocationLogFailure(.writeFailed, path, number: number) }
        #if canImport(Darwin)
        guard fsync(descriptor) == 0 else { throw .ofSystem(.writeFailed, path) }
        #else
        guard fdatasync(descriptor) == 0 else { throw .ofSystem(.writeFailed, path) }
        #endif
    }

    /// Cuts off what follows the last whole line.
    static func truncate(_ descriptor: Int32, to size: Int, _ path: String) throws(RevocationLogFailure) {
        guard ftruncate(descriptor, off_t(size)) == 0, fsync(descriptor) == 0 else { throw .ofSystem(.writeFailed, path) }
    }

    static func size(_ descriptor: Int32, _ path: String) throws(RevocationLogFailure) -> Int {
        var about = stat()
        guard unsafe fstat(descriptor, &about) == 0 else { throw .ofSystem(.unreadable, path) }
        return Int(about.st_size)
    }

    /// Replaces the file as a whole: a reader sees the old or the new one, also after a power failure. Whoever could read `former` can read it.
    ///
    /// - Returns: the new file, open for writing.
    static func replace(_ path: String, by bytes: [UInt8], former: Int32) throws(RevocationLogFailure) -> Int32 {
        // A fixed name, so that the next writer removes what a killed process left.
        let draft = "\(path).new"
        unsafe unlink(draft)
        let descriptor = systemOpen(draft, O_RDWR | O_APPEND | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o640)
        guard descriptor >= 0 else { throw .ofSystem(.writeFailed, path) }
        do throws(RevocationLogFailure) {
            try giveMode(of: former, to: descriptor, path)
            try append(bytes, to: descriptor, path)
            guard unsafe rename(draft, path) == 0 else { throw .ofSystem(.writeFailed, path) }
            try synchronizeFolder(of: path)
        } catch {
            close(descriptor)
            unsafe unlink(draft)
            throw error
        }
        return descriptor
    }

    private static func giveMode(of former: Int32, to descriptor: Int32, _ path: String) throws(RevocationLogFailure) {
        var old = stat(), new = stat()
        guard unsafe fstat(former, &old) == 0, unsafe fstat(descriptor, &new) == 0,
            old.st_gid == new.st_gid || fchown(descriptor, uid_t.max, old.st_gid) == 0, fchmod(descriptor, old.st_mode & 0o777) == 0
        else { throw .ofSystem(.writeFailed, path) }
    }

    /// Makes the file's name last. Some file systems know no such call.
    static func synchronizeFolder(of path: String) throws(RevocationLogFailure) {
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        let descriptor = systemOpen(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0)
        guard descriptor >= 0 else { throw .ofSystem(.writeFailed, path) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 || errno == EINVAL else { throw .ofSystem(.writeFailed, path) }
    }
}

// Inside the type its own functions hide those of the system.
private func systemOpen(_ path: String, _ flags: Int32, _ mode: mode_t) -> Int32 { unsafe open(path, flags, mode) }
