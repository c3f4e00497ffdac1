#if IDaaS
internal import Foundation

/// Where audit events go.
package protocol AuditSink: Sendable {
    func record(_ event: AuditEvent) async
}

/// Nowhere: no file was configured.
package struct NoAudit: AuditSink {
    package init() {}
    package func record(_ event: AuditEvent) async {}
}

/// Keeps events as lines of JSON in a file that only its owner reads, and starts a new one when it has grown: `audit.jsonl` becomes
/// `audit.jsonl.1`, that becomes `.2`, and the oldest goes.
///
/// Whatever fails, the trail goes on where it can be kept: in the old file where a new one cannot be had.
package actor AuditLog: AuditSink {
    private let path: String
    private let rotateBytes: Int
    private let keep: Int
    private var file: FileHandle
    private var size: Int
    private let onFailure: @Sendable (String) -> Void

    /// - Parameter onFailure: told, without the event, when one could not be kept.
    /// - Throws: when the file cannot be opened: a server that has to keep a trail does not start without.
    package init(
        path: String, rotateBytes: Int, keep: Int, onFailure: @escaping @Sendable (String) -> Void = { _ in }
    ) throws {
        self.path = path
        self.rotateBytes = rotateBytes
        self.keep = keep
        self.onFailure = onFailure
        (file, size) = try Self.open(path)
    }

    package func record(_ event: AuditEvent) async {
        let line = Data((event.line + "\n").utf8)
        if size > 0, size + line.count > rotateBytes { attempt("rotated") { try rotate() } }
        attempt("written") {
            try file.write(contentsOf: line)
            size += line.count
        }
    }

    /// What fails is said, and the file opened again: the next event may fare better.
    private func attempt(_ what: String, _ body: () throws -> Void) {
        do {
            try body()
        } catch {
            onFailure("the audit log could not be \(what)")
            if let opened = try? Self.open(path) { (file, size) = opened }
        }
    }

    /// The new file is there before the old one is moved, and the old one is written until the new one has its name.
    private func rotate() throws {
        let (next, used) = try Self.open("\(path).next")
        // Where somebody else took the file away there is nothing to keep, and nothing that may be pushed out.
        if FileManager.default.fileExists(atPath: path) {
            try makeRoom()
            if keep > 0 { try Self.move(path, to: "\(path).1") }
        }
        try Self.move("\(path).next", to: path)
        try? file.synchronize()
        try? file.close()
        (file, size) = (next, used)
    }

    /// Moves the files that were kept on by one, up to the first gap: a rotation that failed half way is tried again at the next event,
    /// and must not push out one more each time.
    private func makeRoom() throws {
        guard keep > 1 else { return }
        let gap = (1..<keep).first { !FileManager.default.fileExists(atPath: "\(path).\($0)") } ?? keep
        for number in stride(from: gap - 1, through: 1, by: -1) {
            try Self.move("\(path).\(number)", to: "\(path).\(number + 1)")
        }
    }

    /// In place of what has that name (rename(2)); a source that has gone is no failure.
    private static func move(_ source: String, to destination: String) throws {
        guard unsafe rename(source, destination) != 0, errno != ENOENT else { return }
        throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: destination])
    }

    /// Opened to append, made with mode 0600, and never through a symbolic link that somebody else laid.
    private static func open(_ path: String) throws -> (FileHandle, Int) {
        let descriptor = unsafe path.withCString {
            unsafe Foundation.open($0, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0o600)
        }
        guard descriptor >= 0 else { throw ConfigurationError("audit.file: \(path) cannot be opened for writing") }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        return (file, Int(try file.seekToEnd()))
    }
}
#endif
