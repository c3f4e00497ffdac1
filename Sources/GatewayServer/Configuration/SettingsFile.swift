#if Gateway
internal import Gateway
internal import JWTCore

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Musl)
internal import Musl
#else
internal import Glibc
#endif

/// A file with settings.
enum SettingsFile {
    /// The whole text of a regular file of at most ``SettingsNode/mostBytes``.
    ///
    /// - Throws: `SettingsFault` without a line.
    static func text(_ path: String) throws(SettingsFault) -> String {
        // Without O_NONBLOCK, opening a pipe would wait for a writer.
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            throw SettingsFault(line: 0, .unreadable, errno == ENOENT ? "there is no file \(path)" : "\(path) cannot be read")
        }
        defer { close(descriptor) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw SettingsFault(line: 0, .unreadable, "\(path) is not a regular file")
        }
        let version = version(of: status)
        guard status.st_size <= SettingsNode.mostBytes else {
            throw SettingsFault(line: 0, .tooLarge, "\(path) has more than \(SettingsNode.mostBytes) bytes")
        }
        guard let data = DescriptorBytes.read(descriptor, upTo: SettingsNode.mostBytes + 1) else {
            throw SettingsFault(line: 0, .unreadable, "\(path) cannot be read")
        }
        guard unsafe fstat(descriptor, &status) == 0, Self.version(of: status) == version, data.count == Int(status.st_size) else {
            throw SettingsFault(line: 0, .unreadable, "\(path) was changed while it was read")
        }
        guard let text = String(validating: data, as: UTF8.self) else {
            throw SettingsFault(line: 0, .notYAML, "\(path) is not UTF-8")
        }
        return text
    }

    static func isWritableByAll(_ path: String) -> Bool { hasMode(path, S_IWOTH) }

    static func isReadableByAll(_ path: String) -> Bool { hasMode(path, S_IROTH) }

    private static func hasMode(_ path: String, _ mode: mode_t) -> Bool {
        var status = stat()
        return unsafe stat(path, &status) == 0 && status.st_mode & mode != 0
    }

    static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    static func isReadable(_ path: String) -> Bool { unsafe access(path, R_OK) == 0 }

    /// The folder of a file as `path` names it; nil if it names none.
    static func namedFolder(of path: String) -> String? {
        path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) }
    }

    /// The folder of a file, as a path from the root.
    static func folder(of path: String) -> String {
        let folder = namedFolder(of: path)
        if path.hasPrefix("/") { return folder ?? "/" }
        // SAFETY: getcwd(3) makes a string that the caller frees.
        guard let text = unsafe getcwd(nil, 0) else { return folder ?? "." }
        defer { unsafe free(text) }
        let current = unsafe String(cString: text)
        return folder.map { "\(current)/\($0)" } ?? current
    }

    /// What tells one version of a file from the next without reading it. Who writes a file can keep its size, its date and its inode, and
    /// not the time at which the system last changed any of it.
    static func version(_ path: String) -> [Int64] {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return [] }
        return version(of: status)
    }

    private static func version(of status: stat) -> [Int64] {
        [
            Int64(truncatingIfNeeded: status.st_ino), Int64(truncatingIfNeeded: status.st_size),
            Int64(status.st_mtim.tv_sec), Int64(status.st_mtim.tv_nsec), Int64(status.st_ctim.tv_sec), Int64(status.st_ctim.tv_nsec),
        ]
    }
}
#endif
