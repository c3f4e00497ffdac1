#if Gateway
internal import Foundation

/// A file with settings.
enum SettingsFile {
    /// The whole text of a regular file of at most ``SettingsNode/mostBytes``.
    ///
    /// - Throws: ``SettingsFault`` without a line.
    static func text(_ path: String) throws(SettingsFault) -> String {
        // Without O_NONBLOCK, opening a pipe would wait for a writer.
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw SettingsFault(line: 0, .unreadable, "\(path) cannot be read") }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw SettingsFault(line: 0, .unreadable, "\(path) is not a regular file")
        }
        let version = version(of: status)
        guard status.st_size <= SettingsNode.mostBytes else {
            throw SettingsFault(line: 0, .tooLarge, "\(path) has more than \(SettingsNode.mostBytes) bytes")
        }
        // Nil at the end of the file.
        guard let data = try? file.read(upToCount: SettingsNode.mostBytes + 1) ?? Data() else {
            throw SettingsFault(line: 0, .unreadable, "\(path) cannot be read")
        }
        guard unsafe fstat(descriptor, &status) == 0, Self.version(of: status) == version, data.count == Int(status.st_size) else {
            throw SettingsFault(line: 0, .unreadable, "\(path) was changed while it was read")
        }
        guard let text = String(bytes: data, encoding: .utf8) else {
            throw SettingsFault(line: 0, .notYAML, "\(path) is not UTF-8")
        }
        return text
    }

    static func isWritableByAll(_ path: String) -> Bool {
        var status = stat()
        return unsafe stat(path, &status) == 0 && status.st_mode & S_IWOTH != 0
    }

    /// A path of a setting, counted from `folder`.
    static func path(_ path: String, in folder: String) -> String { path.hasPrefix("/") ? path : "\(folder)/\(path)" }

    /// What tells one version of a file from the next without reading it: a file that is written again has another time, size or inode.
    static func version(_ path: String) -> [Int64] {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return [] }
        return version(of: status)
    }

    private static func version(of status: stat) -> [Int64] {
        [
            Int64(truncatingIfNeeded: status.st_ino), Int64(truncatingIfNeeded: status.st_size),
            Int64(status.st_mtim.tv_sec), Int64(status.st_mtim.tv_nsec),
        ]
    }
}
#endif
