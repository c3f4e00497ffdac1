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
        do {
            if size > 0, size + line.count > rotateBytes { try rotate() }
            try file.write(contentsOf: line)
            size += line.count
        } catch {
            onFailure("the audit log could not be written")
        }
    }

    private func rotate() throws {
        try file.synchronize()
        try file.close()
        let files = FileManager.default
        try? files.removeItem(atPath: "\(path).\(keep)")
        for number in stride(from: keep - 1, through: 1, by: -1) where files.fileExists(atPath: "\(path).\(number)") {
            try files.moveItem(atPath: "\(path).\(number)", toPath: "\(path).\(number + 1)")
        }
        if keep > 0 { try files.moveItem(atPath: path, toPath: "\(path).1") } else { try files.removeItem(atPath: path) }
        (file, size) = try Self.open(path)
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
