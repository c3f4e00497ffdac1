import Foundation
import ReplayMemory
import SharedReplayMemory

/// A PostgreSQL server, by scripts/postgres.sh.
final class PostgresProcess: StoreProcess {
    static let isInstalled = FileManager.default.fileExists(atPath: "/usr/lib/postgresql") && TestProgram.path("psql") != nil
    private static let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../../scripts/postgres.sh")
        .standardizedFileURL.path

    let folder: URL

    init() throws {
        folder = try TestProgram.folder()
        // The server may run as a user of its own.
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path)
        try restart()
    }

    func url(user: String = "postgres", _ more: String = "") -> String {
        "postgresql:///postgres?host=\(folder.path)&user=\(user)\(more)"
    }

    func memory(_ time: Duration) throws -> any ReplayMemory { try PostgresReplayMemory(url: url(), connections: 4, time: time) }

    @discardableResult
    func run(_ sql: String) throws -> String {
        try TestProgram.run("/usr/bin/psql", ["-q", "-A", "-t", "-h", folder.path, "-U", "postgres", "-c", sql, "postgres"])
    }

    func restart() throws { try TestProgram.run(Self.script, ["start", folder.path]) }

    func kill() throws { try TestProgram.run(Self.script, ["kill", folder.path]) }

    func freeze() throws { try signal("-STOP") }

    func thaw() throws { try signal("-CONT") }

    /// To the server's first process, and to all others.
    private func signal(_ name: String) throws {
        let file = try String(contentsOf: folder.appending(path: "data/postmaster.pid"), encoding: .utf8)
        let first = String(file.prefix { $0 != "\n" })
        let others = (try? TestProgram.run("/usr/bin/pgrep", ["-P", first]))?.split(separator: "\n").map(String.init) ?? []
        try TestProgram.run("/bin/kill", [name, first] + others)
    }

    func stop() {
        _ = try? TestProgram.run(Self.script, ["stop", folder.path])
        try? FileManager.default.removeItem(at: folder)
    }
}
