import Foundation

/// A folder that is deleted with its last reference.
public final class TemporaryFolder: Sendable {
    public let path = NSTemporaryDirectory() + "/assay-\(UUID().uuidString)"

    public init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Writes a file, and returns its path.
    public func write(_ name: String, _ contents: String) throws -> String {
        try contents.write(toFile: "\(path)/\(name)", atomically: true, encoding: .utf8)
        return "\(path)/\(name)"
    }

    /// The contents of a file, empty if there is none.
    public func read(_ name: String) -> String { String(decoding: bytes(name), as: UTF8.self) }

    /// The bytes of a file, empty if there is none.
    public func bytes(_ name: String) -> [UInt8] { Array(FileManager.default.contents(atPath: "\(path)/\(name)") ?? Data()) }
}
