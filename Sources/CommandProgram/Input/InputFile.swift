#if canImport(Darwin)
internal import Darwin
#elseif canImport(Musl)
internal import Musl
#else
internal import Glibc
#endif

/// A file, a pipe or standard input, read in bounded pieces.
package final class InputFile: Sendable {
    private let descriptor: Int32
    private let name: String

    /// Standard input.
    package init() {
        descriptor = STDIN_FILENO
        name = "standard input"
    }

    /// - Throws: a failure with the path and the reason why it cannot be opened.
    package init(path: String) throws(CommandFailure) {
        descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
        name = path
        guard descriptor >= 0 else { throw .system("cannot read \(path)", errno) }
    }

    deinit { if descriptor > STDIN_FILENO { close(descriptor) } }

    /// Refuses a path that cannot be opened for reading, or is a folder. A pipe is not waited for.
    ///
    /// - Throws: a failure with the path and the system's reason.
    package static func check(_ path: String) throws(CommandFailure) {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
        guard descriptor >= 0 else { throw .system("cannot read \(path)", errno) }
        defer { close(descriptor) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT != S_IFDIR else {
            throw .system("cannot read \(path)", EISDIR)
        }
    }

    /// The size of a regular file in bytes; nil for a pipe, a device or a terminal.
    package var size: Int? {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return Int(status.st_size)
    }

    /// Reads the available bytes into `buffer` from `start` on, and waits for the first. Returns zero at the end of the file.
    package func fill(_ buffer: inout [UInt8], from start: Int = 0) throws(CommandFailure) -> Int {
        while true {
            let count = unsafe buffer.withUnsafeMutableBytes { bytes in
                let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[start...])
                return unsafe read(descriptor, rest.baseAddress, rest.count)
            }
            if count >= 0 { return count }
            switch errno {
            case EINTR: continue
            case EAGAIN: waitUntilReady(descriptor, for: POLLIN)
            default: throw .system("cannot read \(name)", errno)
            }
        }
    }

    /// The whole file if it has at most `limit` bytes, otherwise its first `limit + 1` bytes; the rest stays unread.
    ///
    /// - Parameter limit: in bytes, below `Int.max`. Without it, the whole file.
    package func contents(upTo limit: Int = .max - 1) throws(CommandFailure) -> [UInt8] {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: min(limit + 1, 65_536))
        while bytes.count <= limit {
            let count = try fill(&chunk)
            if count == 0 { break }
            bytes += chunk[..<min(count, limit + 1 - bytes.count)]
        }
        return bytes
    }
}
