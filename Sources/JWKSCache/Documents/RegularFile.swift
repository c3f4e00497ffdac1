#if canImport(Darwin)
internal import Darwin
#elseif canImport(Musl)
internal import Musl
#else
internal import Glibc
#endif

/// A small file, read and written as a whole.
package enum RegularFile {
    /// Why a file is not read.
    package enum Refusal: Error {
        case missing
        /// A symbolic link, a directory, a pipe or a device: not a file that this program wrote.
        case notRegular
        case tooLarge
        /// Another user owns it or could have changed it.
        case notPrivate
        case unreadable
    }

    /// The bytes of the file at `path`. Checks the file's type before reading a byte; never waits for a pipe.
    ///
    /// - Parameter isPrivate: refuses a file that another user owns or could have changed, and a symbolic link.
    package static func read(_ path: String, limit: Int, isPrivate: Bool = false) throws(Refusal) -> [UInt8] {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | (isPrivate ? O_NOFOLLOW : 0))
        guard descriptor >= 0 else { throw errno == ENOENT ? .missing : errno == ELOOP ? .notRegular : .unreadable }
        defer { close(descriptor) }
        var about = stat()
        guard unsafe fstat(descriptor, &about) == 0 else { throw .unreadable }
        guard about.st_mode & S_IFMT == S_IFREG else { throw .notRegular }
        if isPrivate { guard about.st_uid == geteuid() || about.st_uid == 0, about.st_mode & 0o022 == 0 else { throw .notPrivate } }
        guard about.st_size <= limit else { throw .tooLarge }
        return try contents(descriptor, limit)
    }

    /// A file may grow while it is read.
    private static func contents(_ descriptor: Int32, _ limit: Int) throws(Refusal) -> [UInt8] {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = Self.read(descriptor, &chunk)
            guard count >= 0 else { throw .unreadable }
            guard bytes.count + count <= limit else { throw .tooLarge }
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

    /// Replaces the file at `path` atomically: readers see the old or the new one. Only its owner can read it.
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
