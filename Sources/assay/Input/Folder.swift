import Program

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Folders of the file system.
enum Folder {
    /// Makes a folder, and those above it.
    ///
    /// - Returns: zero, also if it is there; or the system's error number.
    static func make(_ path: String, mode: mode_t) -> Int32 {
        if unsafe mkdir(path, mode) == 0 { return 0 }
        let number = errno
        if number == EEXIST { return isOne(path) == true ? 0 : number }
        guard number == ENOENT, let end = path.dropLast().lastIndex(of: "/"), end > path.startIndex else { return number }
        let outer = make(String(path[..<end]), mode: mode)
        guard outer == 0 else { return outer }
        return unsafe mkdir(path, mode) == 0 || errno == EEXIST ? 0 : errno
    }

    /// Whether the path is one of a folder; nil if nothing is there.
    static func isOne(_ path: String) -> Bool? {
        var status = stat()
        return unsafe stat(path, &status) == 0 ? status.st_mode & S_IFMT == S_IFDIR : nil
    }

    /// The sorted names of what is in a folder; nil if it cannot be read.
    static func names(in path: String) -> [String]? {
        guard let folder = unsafe opendir(path) else { return nil }
        defer { unsafe closedir(folder) }
        var names: [String] = []
        // SAFETY: an entry lives until the next one is read, and its name ends with a NUL.
        while let entry = unsafe readdir(folder) {
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { unsafe String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    /// Removes a folder that has only files.
    static func remove(_ path: String) {
        for name in names(in: path) ?? [] { unsafe unlink("\(path)/\(name)") }
        unsafe rmdir(path)
    }

    /// Where temporary files go.
    static var temporary: String {
        guard let path = Environment["TMPDIR"], !path.isEmpty else { return "/tmp" }
        return path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    }

    /// The home of the user, as the system's list of users has it.
    static var home: String {
        // SAFETY: only the main thread asks, and the text is copied at once.
        unsafe getpwuid(getuid()).flatMap { unsafe $0.pointee.pw_dir }.map { unsafe String(cString: $0) } ?? "/"
    }
}
