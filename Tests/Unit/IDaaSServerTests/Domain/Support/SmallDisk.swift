import Foundation

/// A file system of two megabytes that belongs to the user of PostgreSQL.
struct SmallDisk {
    let path: String

    /// Whether this process may make one.
    static let isPossible: Bool = {
        guard let disk = try? SmallDisk() else { return false }
        disk.remove()
        return true
    }()

    init() throws {
        path = "/tmp/small-disk-\(UUID())"
        let owner = "uid=$(id -u postgres),gid=$(id -g postgres),mode=700"
        try Self.shell("mkdir \(path) && mount -t tmpfs -o size=2m,\(owner) tmpfs \(path)")
    }

    func remove() { try? Self.shell("umount -l \(path); rmdir \(path)") }

    private static func shell(_ command: String) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", command]
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw CocoaError(.featureUnsupported) }
    }
}
