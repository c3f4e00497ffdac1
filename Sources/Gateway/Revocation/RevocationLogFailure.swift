#if canImport(Darwin)
internal import Darwin
#elseif canImport(Musl)
internal import Musl
#else
internal import Glibc
#endif

/// Why a log of revocations cannot be read or written: a stable code, and where.
public struct RevocationLogFailure: Error, Hashable, Sendable, CustomStringConvertible {
    public let code: Code
    public let path: String
    /// The line of a ``Code/corruptLine``, from 1.
    public let line: Int?
    /// The system's error number, if it gave one.
    public let number: Int32?

    public enum Code: String, Sendable, CaseIterable {
        case missing
        case unreadable
        /// A symbolic link, a directory, a pipe or a device.
        case notRegular = "not_regular"
        /// Users beside the owner may write it.
        case notPrivate = "not_private"
        /// The file is no log of revocations.
        case foreignFile = "foreign_file"
        case unsupportedVersion = "unsupported_version"
        case corruptLine = "corrupt_line"
        /// The file is larger than a log may be.
        case tooLarge = "too_large"
        /// Another process writes the log.
        case inUse = "in_use"
        /// An entry without a name, or whose line would be too long.
        case invalidEntry = "invalid_entry"
        /// The log has as many entries as it may have.
        case full
        case writeFailed = "write_failed"
    }

    init(_ code: Code, _ path: String, line: Int? = nil, number: Int32? = nil) {
        self.code = code
        self.path = path
        self.line = line
        self.number = number
    }

    /// The failure of the last system call.
    static func ofSystem(_ code: Code, _ path: String) -> Self { Self(code, path, number: errno) }

    public var description: String {
        // SAFETY: strerror returns a string that does not change until this thread calls it again.
        let reason = number.flatMap { unsafe strerror($0).map { unsafe String(cString: $0) } }.map { ": \($0)" } ?? ""
        return "\(path): \(text)\(reason)"
    }

    private var text: String {
        switch code {
        case .missing: "there is no such file"
        case .unreadable: "cannot be read"
        case .notRegular: "is no regular file"
        case .notPrivate: "users beside its owner may write it"
        case .foreignFile: "is no log of revocations"
        case .unsupportedVersion: "has another version"
        case .corruptLine: "line \(line ?? 0) is no entry"
        case .tooLarge: "is larger than \(RevocationLines.mostBytes) bytes"
        case .inUse: "another process writes it"
        case .invalidEntry: "an entry has no name, or one that is too long"
        case .full: "has as many entries as it may have"
        case .writeFailed: "cannot be written"
        }
    }
}
