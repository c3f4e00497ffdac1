internal import Foundation
internal import GRDB

/// The file of a database on disk. It is created completely or not at all. Files of other programs keep their mode and their bytes.
enum DatabaseFile {
    /// `application_id` in the header (https://www.sqlite.org/fileformat.html, section 1.3.17): "assy".
    static let applicationID: UInt32 = 0x6173_7379

    /// A path that SQLite takes for a file: never a URI, an unnamed database or one in memory.
    static func plain(_ path: String) -> String { path.hasPrefix("/") ? path : "./\(path)" }

    /// Whether the name is taken, even by a dangling link.
    static func exists(_ path: String) -> Bool {
        var status = stat()
        return unsafe lstat(path, &status) == 0
    }

    /// Creates a database at `path` that `fill` writes: under a temporary name, moved to `path` when complete. Only its owner can read it.
    ///
    /// - Throws: ``DatabaseFailure``: `exists` if the name is taken. Errors of `fill`.
    static func make(at path: String, _ fill: (DatabaseQueue) throws -> Void) throws {
        guard !exists(path) else { throw DatabaseFailure(.exists, path) }
        let draft = "\(path).\(UUID().uuidString).new"
        let descriptor = unsafe open(draft, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw refusal(path) }
        close(descriptor)
        defer { for suffix in ["", "-journal", "-wal", "-shm"] { unsafe unlink(draft + suffix) } }
        let queue = try DatabaseQueue(path: draft)
        try fill(queue)
        try queue.close()
        // Unlike rename(2), link(2) replaces nothing, and does not follow a link of that name.
        guard unsafe link(draft, path) == 0 else { throw errno == EEXIST ? DatabaseFailure(.exists, path) : refusal(path) }
        synchronizeFolder(of: path)
    }

    /// Refuses a file that is not a database of this program, before SQLite opens it.
    ///
    /// - Throws: ``DatabaseFailure``.
    static func check(_ path: String) throws {
        let head = try head(of: path)
        guard !head.isEmpty else { throw DatabaseFailure(.empty, path) }
        guard head.count >= 100, head.starts(with: Array("SQLite format 3\0".utf8)) else { throw DatabaseFailure(.foreign, path) }
        let identifier = head[68..<72].reduce(0) { $0 << 8 | UInt32($1) }
        guard try identifier == applicationID || identifier == 0 && isUnmarked(head, path) else { throw DatabaseFailure(.foreign, path) }
    }

    /// Whether this program made a database without an `application_id`, before it wrote them: the name of the first migration is in the
    /// first pages, or still in the log. Opening the file to check would leave a log beside a file of another program.
    private static func isUnmarked(_ head: [UInt8], _ path: String) throws -> Bool {
        let migration = Data(SQLiteSchema.migrator.migrations[0].utf8)
        let log = exists("\(path)-wal") ? try self.head(of: "\(path)-wal") : []
        return [head, log].contains { Data($0).range(of: migration) != nil }
    }

    /// The first 64 KiB.
    private static func head(of path: String) throws -> [UInt8] {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw refusal(path) }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        return try Array(file.read(upToCount: 65_536) ?? Data())
    }

    /// Syncs the folder, which makes the name durable. If the folder cannot be synced, the file still exists.
    private static func synchronizeFolder(of path: String) {
        let descriptor = unsafe open(URL(fileURLWithPath: path).deletingLastPathComponent().path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }

    static func refusal(_ path: String) -> DatabaseFailure { DatabaseFailure(.refused, path, unsafe String(cString: strerror(errno))) }
}
