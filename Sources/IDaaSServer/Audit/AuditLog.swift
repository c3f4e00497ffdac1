internal import Foundation

/// Receives audit events.
package protocol AuditSink: Sendable {
    func record(_ event: AuditEvent) async
}

/// Drops the events: neither a file nor the database is configured.
package struct NoAudit: AuditSink {
    package init() {}
    package func record(_ event: AuditEvent) async {}
}

/// Gives each event to several sinks, one after the other.
package struct AuditSinks: AuditSink {
    private let sinks: [any AuditSink]

    package init(_ sinks: [any AuditSink]) { self.sinks = sinks }

    package func record(_ event: AuditEvent) async {
        for sink in sinks { await sink.record(event) }
    }
}

/// Writes events as lines of JSON to a file that only its owner can read. It starts a new file at the size limit: `audit.jsonl` becomes
/// `audit.jsonl.1`, that becomes `.2`, and the oldest is deleted.
///
/// After any failure the trail continues where it can: in the old file if a new one cannot be created.
package actor AuditLog: AuditSink {
    private let path: String
    private let rotateBytes: Int
    private let keep: Int
    private var file: FileHandle
    private var size: Int
    private let onFailure: @Sendable (String) -> Void

    /// - Parameter onFailure: is called, without the event, when an event could not be written.
    /// - Throws: when the file cannot be opened: a server with a configured audit trail does not start without it.
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
            try append(line)
            size += line.count
        }
    }

    /// Writes the whole line or, where the disk is full, nothing.
    private func append(_ line: Data) throws {
        // Another process, such as an administration command, must not write behind a line that is removed again.
        flock(file.fileDescriptor, LOCK_EX)
        defer { flock(file.fileDescriptor, LOCK_UN) }
        let end = try file.seekToEnd()
        do {
            try file.write(contentsOf: line)
        } catch {
            try file.truncate(atOffset: end)
            throw error
        }
    }

    /// Reports a failure and opens the file again, so that the next event may succeed.
    private func attempt(_ what: String, _ body: () throws -> Void) {
        do {
            try body()
        } catch {
            onFailure("the audit log could not be \(what)")
            if let opened = try? Self.open(path) { (file, size) = opened }
        }
    }

    /// Creates the new file before it moves the old one. Events go to the old file until the new file has the name.
    private func rotate() throws {
        let (next, used) = try Self.open("\(path).next")
        // If another process removed the file, there is nothing to rotate, and no old file may be deleted.
        if FileManager.default.fileExists(atPath: path) {
            try makeRoom()
            if keep > 0 { try Self.move(path, to: "\(path).1") }
        }
        try Self.move("\(path).next", to: path)
        try? file.synchronize()
        try? file.close()
        (file, size) = (next, used)
    }

    /// Moves each kept file up by one, up to the first gap. The next event repeats a rotation that failed half way, and this must not
    /// delete one more file each time.
    private func makeRoom() throws {
        guard keep > 1 else { return }
        let gap = (1..<keep).first { !FileManager.default.fileExists(atPath: "\(path).\($0)") } ?? keep
        for number in stride(from: gap - 1, through: 1, by: -1) {
            try Self.move("\(path).\(number)", to: "\(path).\(number + 1)")
        }
    }

    /// Replaces a file of that name (rename(2)). A missing source is no failure.
    private static func move(_ source: String, to destination: String) throws {
        guard unsafe rename(source, destination) != 0, errno != ENOENT else { return }
        throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: destination])
    }

    /// Opens the file to append and creates it with mode 0600. It never follows a symbolic link.
    private static func open(_ path: String) throws -> (FileHandle, Int) {
        let descriptor = unsafe path.withCString {
            unsafe Foundation.open($0, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0o600)
        }
        guard descriptor >= 0 else { throw ConfigurationError("audit.file: \(path) cannot be opened for writing") }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        return (file, Int(try file.seekToEnd()))
    }
}
