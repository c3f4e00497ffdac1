#if canImport(Darwin)
internal import Darwin
#elseif canImport(Musl)
internal import Musl
#else
internal import Glibc
#endif

/// A small file, read whole and written whole.
enum RegularFile {
    /// The bytes of the file at `path`; nil unless it is a regular one of at most `limit` bytes. Never waits for a pipe.
    ///
    /// - Parameter isPrivate: refuses a file that another user owns or could have changed, and a symbolic link.
    static func read(_ path: String, limit: Int, isPrivate: Bool = false) -> [UInt8]? {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | (isPrivate ? O_NOFOLLOW : 0))
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var about = stat()
        guard unsafe fstat(descriptor, &about) == 0, about.st_mode & S_IFMT == S_IFREG, about.st_size <= limit else { return nil }
        if isPrivate { guard about.st_uid == geteuid() || about.st_uid == 0, about.st_mode & 0o022 == 0 else { return nil } }
        return contents(descriptor, limit)
    }

    private static func contents(_ descriptor: Int32, _ limit: Int) -> [UInt8]? {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = Self.read(descriptor, &chunk)
            guard count >= 0, bytes.count + count <= limit else { return nil }
            if count == 0 { return bytes }
            bytes += chunk[..<count]
        }
    }

    private static func read(_ descriptor: Int32, _ chunk: inout [UInt8]) -> Int {
        let size = chunk.count
        #if canImport(Darwin)
        return unsafe Darwin.read(descriptor, &chunk, size)
        #elseif canImport(Musl)
        return unsafe Musl.read(descriptor, &chunk, size)
        #else
        return unsafe Glibc.read(descriptor, &chunk, size)
        #endif
    }

    /// Replaces the file at `path` at once: whoever reads sees the old or the new one. For its owner alone.
    static func write(_ bytes: [UInt8], to path: String) -> Bool {
        let temporary = "\(path).\(getpid())-\(UInt32.random(in: 0 ... .max))"
        let descriptor = unsafe open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { return false }
        let isWritten = writeAll(bytes, descriptor) && fsync(descriptor) == 0
        guard close(descriptor) == 0, isWritten, unsafe rename(temporary, path) == 0 else {
            unsafe unlink(temporary)
            return false
        }
        return true
    }

    private static func writeAll(_ bytes: [UInt8], _ descriptor: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    private static func write(_ descriptor: Int32, _ start: UnsafeRawPointer?, _ count: Int) -> Int {
        guard let start = unsafe start else { return -1 }
        #if canImport(Darwin)
        return unsafe Darwin.write(descriptor, start, count)
        #elseif canImport(Musl)
        return unsafe Musl.write(descriptor, start, count)
        #else
        return unsafe Glibc.write(descriptor, start, count)
        #endif
    }
}
